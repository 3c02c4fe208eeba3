"""Figures of chapter 3."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.prose import number


def blend_budget(
    share: ArrayLike,
    errors: tuple[ArrayLike, ArrayLike],
    measured: Sequence[tuple[float, float, float]],
) -> Figure:
    """Draw the two errors of one head against its weight on the first place.

    `errors` are the errors of "who" and of "how", by the formula, for each `share` of
    the weight. Each point of `measured` has the share and both errors.
    """
    fig, ax = plt.subplots(figsize=(3.75, 2.9))
    who, how = (np.asarray(e) for e in errors)
    ink, output, muted = (look.colour(r) for r in ("ink", "output", "muted"))
    ax.plot(share, who, color=muted)
    ax.plot(share, how, color=muted, linestyle=(0, (4, 2)))
    ax.plot(share, who + how, color=ink, linewidth=2)
    ax.plot([0, 1], [0, 0], color=output, linewidth=2.5, clip_on=False)
    dots = np.array(measured)
    style = {"s": 22, "zorder": 3}
    ax.scatter(dots[:, 0], dots[:, 1], color=muted, **style)
    ax.scatter(dots[:, 0], dots[:, 2], color=muted, **style)
    ax.scatter(dots[:, 0], dots[:, 1] + dots[:, 2], color=ink, **style)
    ax.text(0.5, 1.05, "one head: both together", ha="center", color=ink)
    ax.text(0.32, 0.66, "who", color=muted, ha="right")
    ax.text(0.68, 0.66, "how", color=muted, ha="left")
    ax.text(0.5, 0.05, "two heads: none", ha="center", color=output)
    ax.set(xlabel="share of the weight on the first place", xlim=(0, 1))
    ax.set(ylabel="mean squared error", ylim=(0, 1.2), yticks=[0, 0.5, 1])
    fig.tight_layout()
    return fig


def quality_by_heads(bleu: Mapping[int, float]) -> Figure:
    """Draw the paper's translation quality against the number of heads."""
    fig, ax = plt.subplots(figsize=(3.75, 2.3))
    heads, scores = list(bleu), list(bleu.values())
    ax.plot(heads, scores, "o-", color=look.colour("ink"))
    for h, score in bleu.items():
        above = {"textcoords": "offset points", "xytext": (0, 8), "ha": "center"}
        ax.annotate(number(score, 1), (h, score), **above)
    ax.set_xscale("log", base=2)
    ax.margins(x=0.12)
    ax.set(xticks=heads, xlabel="number of heads, at the same cost", ylabel="BLEU")
    ax.set_xticklabels([str(h) for h in heads])
    ax.set(ylim=(24.5, 26.3), yticks=[25, 26])
    ax.minorticks_off()
    fig.tight_layout()
    return fig
