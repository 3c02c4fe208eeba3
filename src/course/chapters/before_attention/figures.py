"""Figures of *Before attention*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from course.kit import look

_PLACES = {
    "simple": ("ink", (25, 2e-14)),
    "gated, forget bias 3": ("value", (45, 0.03)),
    "attention": ("output", (45, 8)),
}
"""Colour of each curve, and place of its name."""


def reach_by_distance(measured: Mapping[str, ArrayLike]) -> Figure:
    """Draw the gradient with respect to a word against the distance of the word.

    For each kind of network, `measured` has shape (seeds, distances); the figure shows
    the median over the seeds. Its scale is logarithmic and ends at the precision of
    float64.
    """
    fig, ax = plt.subplots(figsize=(4, 3))
    for kind, gradients in measured.items():
        role, at = _PLACES[kind]
        middle = np.median(gradients, axis=0)
        shown = np.where(middle > 1e-15, middle, np.nan)
        ax.plot(np.arange(1, len(middle) + 1), shown, color=look.colour(role))
        ax.text(*at, kind, color=look.colour(role), fontsize=9.5)
    look.powers_of_ten(ax.yaxis)
    ax.set(ylim=(1e-15, 100), xlabel="distance in words")
    ax.set(yticks=[1, 1e-5, 1e-10, 1e-15], ylabel="gradient (nearest word: 1)")
    ax.minorticks_off()
    fig.tight_layout()
    return fig


def recall_by_length(lengths: Sequence[int], shares: Mapping[int, ArrayLike]) -> Figure:
    """Draw the share of a sentence that can be read back from one vector.

    For each width of the vector, `shares` has shape (len(lengths), seeds). Lines show
    the means; bands reach from the lowest seed to the highest seed.
    """
    fig, ax = plt.subplots(figsize=(4, 2.9))
    ink = look.colour("ink")
    for width, measured in shares.items():
        rows = np.asarray(measured)
        means = rows.mean(axis=1)
        ax.fill_between(
            lengths, rows.min(axis=1), rows.max(axis=1), color=look.colour("line")
        )
        ax.plot(lengths, means, color=ink, linewidth=1.2)
        half = np.abs(means - 0.5).argmin()
        at = lengths[half], means[half]
        near = {"textcoords": "offset points", "xytext": (5, 3), "fontsize": 9.5}
        ax.annotate(str(width), at, color=ink, **near)
    ax.plot(lengths, np.ones(len(lengths)), color=look.colour("output"), linewidth=2)
    over = {"color": look.colour("output"), "ha": "right", "fontsize": 9.5}
    ax.text(lengths[-1], 1.04, "one vector for each word", **over)
    ax.set_xscale("log", base=2)
    ax.set_xticks(lengths, [str(n) for n in lengths])
    ax.minorticks_off()
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xlabel="words in the sentence", ylabel="read back right", ylim=(0, 1.14))
    fig.tight_layout()
    return fig
