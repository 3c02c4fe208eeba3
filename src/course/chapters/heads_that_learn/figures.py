"""Figures of chapter 8."""

from collections.abc import Mapping, Sequence
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def mass_by_seed(groups: Mapping[str, Sequence[float]], law: float) -> Figure:
    """Draw for each seed the weight of *it* on the noun that *it* means.

    Each kind of model has a row. With one layer, the mean weight is at most `law`.
    """
    fig, ax = plt.subplots(figsize=(4, 0.75 * len(groups) + 0.8))
    paper = {"facecolor": look.colour("paper"), "edgecolor": "none", "pad": 1}
    for row, (name, values) in enumerate(groups.items()):
        ax.text(0, row - 0.42, name, fontsize=9.5, bbox=paper)
        places = row + spread_out(values)
        ax.plot(values, places, "o", ms=5, alpha=0.7, color=look.colour("query"), mew=0)
    ax.axvline(law, color=look.colour("muted"), lw=1, ls="--", zorder=0)
    ax.set(xlim=(-0.03, 1.03), xlabel="weight of “it” on the noun it stands for")
    ax.set(yticks=[], ylim=(len(groups) - 0.5, -0.75))  # from top to bottom
    fig.tight_layout()
    return fig


def spread_out(values: ArrayLike) -> np.ndarray:
    """Return vertical shifts that separate points with nearly equal values."""
    values = np.asarray(values, float)
    moved, order, close = np.zeros(len(values)), np.argsort(values, kind="stable"), 0
    steps = np.diff(values[order], prepend=-np.inf)
    for i, step in zip(order, steps, strict=True):
        close = close + 1 if step < 0.02 else 0
        moved[i] = (-1) ** close * 0.08 * ((close % 9 + 1) // 2)  # 0, -0.08, 0.08, ...
    return moved


def cost_of_cuts(groups: Mapping[str, Sequence[ArrayLike]]) -> Figure:
    """Draw the increase of both losses when each head is switched off.

    For each kind of model, `groups` has a pair for each head: the loss increases of the
    first and of the second question.
    """
    fig, axes = plt.subplots(1, len(groups), figsize=(4, 2.1), sharex=True, sharey=True)
    for ax, (name, pairs) in zip(np.atleast_1d(axes), groups.items(), strict=True):
        across, up = np.array(pairs).T
        ax.plot(across, up, "o", ms=5, alpha=0.6, color=look.colour("output"), mew=0)
        ax.set_title(fill(name, 13), fontsize=9.5)
        ax.set_box_aspect(1)
    fig.supxlabel("rise of the loss of the first question, in nats", fontsize=9.5)
    fig.supylabel("of the second", fontsize=9.5)
    fig.tight_layout()
    return fig
