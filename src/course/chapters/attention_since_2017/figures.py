"""Figures of chapter 10."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def similarity_by_distance(
    distances: ArrayLike, curves: Mapping[str, ArrayLike]
) -> Figure:
    """Draw the product of a query with an equal key against their distance.

    Parameters
    ----------
    distances : array_like, shape (k,)
        Positive numbers of places.
    curves : mapping of str to array_like, shape (k,)
        The product over the squared length, by the name of the base.
    """
    fig, ax = plt.subplots(figsize=(5.4, 2.8))
    roles = ("muted", "output")
    for (name, curve), role in zip(curves.items(), roles, strict=False):
        curve = np.asarray(curve)
        ax.plot(distances, curve, color=look.colour(role))
        ax.text(
            np.max(distances) * 1.1,
            curve[-1],
            name,
            color=look.colour(role),
            va="center",
        )
    look.powers_of_ten(ax.xaxis)
    ax.axhline(0, color=look.colour("line"), linewidth=0.8, zorder=0)
    ax.set_xlabel("distance of query and key, in places")
    ax.set_ylabel("product / squared length")
    return fig


def reach(rows: Mapping[str, ArrayLike]) -> Figure:
    """Draw which words the last word can depend on.

    Parameters
    ----------
    rows : mapping of str to array_like of bool, shape (n,)
        True for each word within reach, by the name of the row.
    """
    fig, ax = plt.subplots(figsize=(5.4, 0.36 * len(rows) + 0.75))
    for y, found in enumerate(rows.values()):
        found = np.asarray(found)
        for seen, role in ((found, "output"), (~found, "line")):
            places = np.flatnonzero(seen)
            style = {"s": 90, "marker": "s", "color": look.colour(role)}
            ax.scatter(places, np.full(places.shape, -y), **style, clip_on=False)
    ax.set_yticks(-np.arange(len(rows)), list(rows))
    ax.set_ylim(-len(rows) + 0.5, 0.5)
    ax.set_xticks(range(len(found)), [str(i + 1) for i in range(len(found))])
    ax.set_xlabel("word")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return fig


def recall(counts: ArrayLike, shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw the share of pairs that each rule finds again, by their number.

    Parameters
    ----------
    counts : array_like, shape (k,)
        Numbers of pairs.
    shares : mapping of str to array_like, shape (k,)
        Shares between 0 and 1, by the name of the rule.
    """
    fig, ax = plt.subplots(figsize=(5.4, 2.8))
    for (name, share), role in zip(
        shares.items(), ("output", "key", "query"), strict=True
    ):
        ax.plot(counts, share, "o-", color=look.colour(role), clip_on=False)
        ax.text(
            np.max(counts) * 1.12,
            share[-1],
            name,
            color=look.colour(role),
            va="center",
        )
    ax.set_xscale("log", base=2)
    ax.set_xticks(counts, [str(count) for count in counts])
    ax.minorticks_off()
    ax.set_ylim(0, 1)
    ax.set_xlabel("number of stored pairs")
    ax.set_ylabel("share found again")
    return fig
