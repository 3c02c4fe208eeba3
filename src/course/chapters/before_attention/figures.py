"""Figures of *Before attention*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from course.chapters.before_attention.experiments import Reach
from course.kit import look

_LABELS = {
    "attention": ("one head of attention", "output"),
    "gated, forget bias 3": ("gated, forget-gate bias 3", "value"),
    "gated": ("gated", "query"),
    "simple, orthogonal": ("simple, orthogonal", "key"),
    "simple": ("simple", "ink"),
}


def reach_by_distance(measured: Mapping[str, Reach]) -> Figure:
    """Draw the effect of a word at each distance, forward and backward.

    Parameters
    ----------
    measured : mapping of str to Reach
        By the kind of network; the figure shows the median over the seeds.

    Returns
    -------
    Figure
        On a logarithmic scale that ends at the precision of float64.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.8, 3.1), sharex=True, sharey=True)
    for ax, name in zip(axes, Reach._fields, strict=True):
        for kind, reach in measured.items():
            label, role = _LABELS[kind]
            middle = np.median(getattr(reach, name), axis=0)
            shown = np.where(middle > 1e-15, middle, np.nan)
            ax.plot(np.arange(1, len(middle) + 1), shown, color=look.colour(role))
        look.powers_of_ten(ax.yaxis)
        ax.set(ylim=(1e-15, 40), xlabel="distance in words")
        ax.set_yticks([1, 1e-5, 1e-10, 1e-15])
        ax.minorticks_off()
    axes[0].set(title="the signal, forward", ylabel="share of the neighbour’s")
    axes[1].set_title("the gradient, backward")
    places = {
        "simple": (19, 3e-14),
        "gated": (47, 1e-10),
        "simple, orthogonal": (62, 3e-7),
    }
    for kind, at in places.items():
        if kind in measured:
            label, role = _LABELS[kind]
            axes[0].text(*at, label, color=look.colour(role), fontsize=9.5)
    axes[0].text(40, 6, "attention", color=look.colour("output"), fontsize=9.5)
    below = {"color": look.colour("value"), "fontsize": 9.5, "va": "top"}
    axes[0].text(30, 0.2, "gated, forget bias 3", **below)
    fig.tight_layout(w_pad=2)
    return fig


def recall_by_length(lengths: Sequence[int], shares: Mapping[int, ArrayLike]) -> Figure:
    """Draw the share of a sentence that can be read back from one vector.

    Parameters
    ----------
    lengths : sequence of int
        Words in the sentence.
    shares : mapping of int to array_like, shape (len(lengths), seeds)
        By the width of the vector.

    Returns
    -------
    Figure
        Lines through the means; bands from the lowest seed to the highest.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.9))
    ink = look.colour("ink")
    for width, measured in shares.items():
        rows = np.asarray(measured)
        ax.fill_between(
            lengths, rows.min(axis=1), rows.max(axis=1), color=look.colour("line")
        )
        ax.plot(lengths, rows.mean(axis=1), color=ink, linewidth=1.2)
        half = np.abs(rows.mean(axis=1) - 0.5).argmin()
        at = lengths[half], rows.mean(axis=1)[half]
        near = {"textcoords": "offset points", "xytext": (5, 3), "fontsize": 9.5}
        ax.annotate(str(width), at, color=ink, **near)
    ax.plot(lengths, np.ones(len(lengths)), color=look.colour("output"), linewidth=2)
    over = {"color": look.colour("output"), "ha": "right", "fontsize": 9.5}
    ax.text(lengths[-1], 1.04, "one vector a word", **over)
    ax.set_xscale("log", base=2)
    ax.set_xticks(lengths, [str(n) for n in lengths])
    ax.minorticks_off()
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xlabel="words in the sentence", ylabel="read back right", ylim=(0, 1.14))
    fig.tight_layout()
    return fig
