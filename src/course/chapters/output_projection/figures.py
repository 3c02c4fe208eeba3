"""Figures of chapter 4."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.prose import number, percent


def missed(shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw the missing share of the wanted result, one row for each case.

    For each case, `shares` has the shares of several random tasks. Each task has a
    dot, and each case a line at its mean.
    """
    fig, ax = plt.subplots(figsize=(3.75, 0.5 * len(shares) + 0.75))
    y = np.arange(len(shares))[::-1]
    for at, values in zip(y, shares.values(), strict=True):
        values, mean = np.asarray(values), float(np.mean(values))
        dots = {"s": 14, "color": look.colour("muted"), "clip_on": False}
        ax.scatter(values, np.full(values.shape, at - 0.12), **dots)
        ax.vlines(mean, at - 0.3, at + 0.1, color=look.colour("output"), linewidth=3)
        label = {"ha": "center", "va": "bottom", "color": look.colour("output")}
        ax.text(max(mean, 0.03), at + 0.12, percent(mean, 0), **label)
    ax.set(yticks=y, xlim=(0, 1), xticks=[0, 0.5, 1], ylim=(-0.5, len(shares) - 0.4))
    ax.set_yticklabels(list(shares))
    ax.set_xticklabels([percent(t, 0) for t in (0, 0.5, 1)])
    ax.set_xlabel("missing share of the wanted result")
    ax.tick_params(axis="y", length=0)
    fig.tight_layout()
    return fig


def stretched(matrices: Mapping[str, ArrayLike]) -> Figure:
    """Draw the images of a circle of radius 1 under matrices, shape (2, 2), by name.

    A point of the circle is a row to the left of the matrix. Each panel has the circle,
    its image, and the half-axes of the image, which are as long as the singular values.
    """
    fig, axes = plt.subplots(1, len(matrices), figsize=(3.75, 2.0), sharey=True)
    angles = np.linspace(0, 2 * np.pi, 181)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for ax, (name, matrix) in zip(axes, matrices.items(), strict=True):
        matrix = np.asarray(matrix)
        ax.plot(*circle.T, color=look.colour("line"), linewidth=1.4)
        ax.plot(*(circle @ matrix).T, color=look.colour("output"), linewidth=2)
        _, lengths, directions = np.linalg.svd(matrix)
        for length, direction in zip(lengths, directions, strict=True):
            tip = length * direction * np.sign(direction.sum())
            ax.plot([0, tip[0]], [0, tip[1]], color=look.colour("ink"), linewidth=1.2)
        shown = " and ".join(map(number, lengths))
        ax.set_title(f"{name}\n{shown}", fontsize=10)
        ax.set(aspect="equal", xlim=(-1.8, 1.8), ylim=(-1.4, 1.4), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    fig.tight_layout()
    return fig
