"""Figures of the errata."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.chapters.errata.experiments import SlippedStep
from course.kit import look
from course.kit.prose import number
from course.ledger import CHECKED

_ROLES = {
    "right": "right",
    "inherited": "negative",
    "last digit": "muted",
    "wrong": "wrong",
}


def verdict_bars(counted: Mapping[str, Sequence[int]], names: float = 2.3) -> Figure:
    """Draw counts of recomputed figures, a panel for each verdict.

    Parameters
    ----------
    counted : mapping of str to sequence of int
        For each note or step, its counts in the order of `CHECKED`.
    names : float
        Width of the rows' names in inches.
    """
    labels = list(counted)
    table = np.array(list(counted.values()))
    height = 0.75 + 0.34 * len(labels)
    fig, axes = plt.subplots(1, len(CHECKED), sharey=True, figsize=(7.2, height))
    for ax, verdict, column in zip(axes, CHECKED, table.T, strict=True):
        ax.barh(labels, column, height=0.6, color=look.colour(_ROLES[verdict]))
        for y, count in enumerate(column):
            ax.text(count + 0.03 * table.max(), y, str(count), va="center", fontsize=9)
        ax.set_title(verdict, loc="left", fontsize=10)
        ax.set_xlim(0, 1.3 * table.max())
        ax.set_xticks([])
        ax.tick_params(left=False)
        ax.spines["bottom"].set_visible(False)
    axes[0].invert_yaxis()
    fig.subplots_adjust(
        left=names / 7.2, right=0.99, top=1 - 0.42 / height, bottom=0.04
    )
    return fig


def _dumbbells(ax: Axes, path: SlippedStep) -> None:
    """Draw the right and the slipped figure of each label on one line."""
    y = np.arange(len(path.labels))
    right, wrong = look.colour("right"), look.colour("wrong")
    ax.hlines(y, path.right, path.slipped, color=look.colour("line"), linewidth=2)
    ax.plot(path.right, y, "o", color=right, markersize=6, label="right")
    ax.plot(path.slipped, y, "D", color=wrong, markersize=5, label="after the slip")
    ax.set_yticks(y, path.labels)
    ax.set_ylim(len(path.labels) - 0.5, -0.5)
    ax.margins(x=0.12)
    percent = 100 * path.largest_change
    change = number(percent, 0 if percent >= 10 else 1)
    ax.set_title(f"{path.step}: up to {change}% off", loc="left", fontsize=10)


def slip_path(paths: Sequence[SlippedStep]) -> Figure:
    """Draw the effect of one slip on the later steps, a panel for each step."""
    fig, axes = plt.subplots(2, 2, figsize=(7.2, 4.2), layout="constrained")
    for ax, path in zip(axes.flat, paths, strict=True):
        _dumbbells(ax, path)
    handles, names = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, names, loc="outside lower center", ncols=2)
    return fig


def row_sums(sums: ArrayLike, rows: Sequence[str], panels: Sequence[str]) -> Figure:
    """Draw the sums of printed rows of weights, a panel for each head.

    Parameters
    ----------
    sums : array_like, shape (heads, n)
        Sums of the rows.
    rows, panels : sequence of str
        Names of the rows and of the heads.
    """
    sums = np.asarray(sums, dtype=float)
    fig, axes = plt.subplots(
        1,
        len(panels),
        sharey=True,
        sharex=True,
        squeeze=False,
        figsize=(7.2, 2.5),
        layout="constrained",
    )
    for ax, name, values in zip(axes[0], panels, sums, strict=True):
        y = np.arange(len(rows))
        fine = np.abs(values - 1) < 1e-9
        colours = np.where(fine, look.colour("right"), look.colour("wrong"))
        ax.axvline(1, color=look.colour("line"), linewidth=1)
        ax.hlines(y, 1, values, color=look.colour("line"), linewidth=2)
        ax.scatter(values, y, color=colours, s=30, zorder=3)
        for at, value in zip(y, values, strict=True):
            ax.text(value, at - 0.24, number(value, 3), ha="center", fontsize=9)
        ax.set_title(name, loc="left", fontsize=10)
        ax.set_yticks(y, rows)
        ax.set_ylim(len(rows) - 0.5, -0.7)
        ax.set_xlim(0.83, 1.25)
    return fig
