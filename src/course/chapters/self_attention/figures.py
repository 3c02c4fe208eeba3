"""Figures of chapter 1."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def _arrow(ax: Axes, start: Sequence[float], end: Sequence[float], role: str) -> None:
    """Draw an arrow between two points in data coordinates."""
    style = {"arrowstyle": "-|>", "color": look.colour(role), "linewidth": 1.4}
    style |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}
    ax.annotate("", end, start, arrowprops=style)


def directions(tokens: Sequence[str], Q: ArrayLike, K: ArrayLike) -> Figure:
    """Draw queries and keys of two components as arrows from the origin.

    Parameters
    ----------
    tokens : sequence of str, length n
    Q, K : array_like, shape (n, 2)
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.6, 2.9), sharex=True, sharey=True)
    pairs = zip(axes, (Q, K), ("query", "key"), ("queries", "keys"), strict=True)
    for ax, vectors, role, title in pairs:
        ax.axhline(0, color=look.colour("line"), linewidth=1, zorder=0)
        ax.axvline(0, color=look.colour("line"), linewidth=1, zorder=0)
        for token, vector in zip(tokens, np.asarray(vectors), strict=True):
            _arrow(ax, (0, 0), vector, role)
            up = 7 if vector[1] >= 0 else -15
            place = {"textcoords": "offset points", "ha": "center"}
            ax.annotate(token, vector, (0, up), color=look.colour(role), **place)
        ax.set(xlim=(-0.1, 1.3), ylim=(-0.5, 0.7), title=title, aspect="equal")
        ax.set(xticks=[0, 0.5, 1], yticks=[0, 0.5], xlabel="first component")
    axes[0].set_ylabel("second component")
    fig.tight_layout(w_pad=2)
    return fig


def normalisers(tokens: Sequence[str], rows: Mapping[str, ArrayLike]) -> Figure:
    """Draw the weights that several functions return for one row of logits.

    Parameters
    ----------
    tokens : sequence of str, length m
    rows : mapping of str to array_like, shape (m,)
        Weights, by the name of the function.
    """
    fig, axes = plt.subplots(1, len(rows), figsize=(6.8, 2.3), sharey=True)
    for ax, (name, weights) in zip(axes, rows.items(), strict=True):
        bars = ax.bar(
            range(len(tokens)), weights, width=0.7, color=look.colour("weight-high")
        )
        ax.bar_label(bars, [f"{w:.2f}" for w in weights], padding=2, fontsize=9)
        ax.set_xticks(range(len(tokens)), tokens, fontsize=9)
        ax.set(title=name, ylim=(0, 1.12), yticks=[])
        ax.spines["left"].set_visible(False)
        ax.tick_params(length=0)
    fig.tight_layout(w_pad=1.5)
    return fig
