"""Figures of chapter 10."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def _draw_named(
    ax: Axes,
    x: ArrayLike,
    curves: Mapping[str, ArrayLike],
    roles: Sequence[str],
    style: str = "-",
    *,
    beside: float,
    **line: Any,
) -> None:
    """Draw curves, each with its name at `beside` times the largest x."""
    for (name, curve), role in zip(curves.items(), roles, strict=True):
        curve = np.asarray(curve)
        colour = look.colour(role)
        ax.plot(x, curve, style, color=colour, **line)
        ax.text(np.max(x) * beside, curve[-1], name, color=colour, va="center")


def similarity_by_distance(
    distances: ArrayLike, curves: Mapping[str, ArrayLike]
) -> Figure:
    """Draw the product of a query with an equal key against their distance in places.

    The product is divided by the squared length. A curve has the name of the base of
    its positions.
    """
    fig, ax = plt.subplots(figsize=(3.1, 2.8))
    _draw_named(ax, distances, curves, ("muted", "output"), beside=1.1)
    look.powers_of_ten(ax.xaxis)
    ax.axhline(0, color=look.colour("line"), linewidth=0.8, zorder=0)
    ax.set_xlabel("distance of query and key, in places")
    ax.set_ylabel("product / squared length")
    return fig


def reach(rows: Mapping[str, ArrayLike]) -> Figure:
    """Draw which words the last word can depend on; each row is of bool, shape (n,)."""
    fig, ax = plt.subplots(figsize=(3.9, 0.36 * len(rows) + 0.75))
    for y, found in enumerate(rows.values()):
        found = np.asarray(found)
        for seen, role in ((found, "output"), (~found, "line")):
            places = np.flatnonzero(seen)
            style = {"s": 90, "marker": "s", "color": look.colour(role)}
            ax.scatter(places, np.full(places.shape, -y), **style, clip_on=False)
    ax.set_yticks(-np.arange(len(rows)), list(rows))
    ax.set_ylim(-len(rows) + 0.5, 0.5)
    ax.set_xticks(range(len(found)), [str(i + 1) for i in range(len(found))])
    ax.tick_params(axis="x", labelsize=8.5)
    ax.set_xlabel("word")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return fig


def recall(counts: ArrayLike, shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw the share of pairs that each rule recalls against the number of pairs."""
    fig, ax = plt.subplots(figsize=(3.1, 2.8))
    roles = ("output", "key", "query")
    _draw_named(ax, counts, shares, roles, "o-", beside=1.12, clip_on=False)
    ax.set_xscale("log", base=2)
    ax.set_xticks(counts, [str(count) for count in counts])
    ax.minorticks_off()
    ax.set_ylim(0, 1)
    ax.set_xlabel("number of stored pairs")
    ax.set_ylabel("share found again")
    return fig
