"""Figures of chapter 1."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def normalisers(tokens: Sequence[str], rows: Mapping[str, ArrayLike]) -> Figure:
    """Draw the weights that several functions return for one row of logits."""
    fig, axes = plt.subplots(len(rows) // 2, 2, figsize=(3.9, len(rows)), sharey=True)
    for ax, (name, weights) in zip(axes.flat, rows.items(), strict=True):
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
