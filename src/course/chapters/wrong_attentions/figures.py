"""Figures of *Wrong attentions*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.matrices import Matrix, equation

_ROW = 0.235  # height in inches of the row of a wrong attention
_COLUMN = 0.26  # width in inches of the column of a test


def line_up(suspects: Mapping[str, ArrayLike]) -> Figure:
    """Draw matrices of weights, by their letters, three in each line."""
    matrices = [
        Matrix(weights, name, fill="weights", role="output", decimals=3)
        for name, weights in suspects.items()
    ]
    return equation([matrices[i : i + 3] for i in range(0, len(matrices), 3)])


def cut_up(
    wide: ArrayLike, heads: Mapping[str, ArrayLike], words: Sequence[str]
) -> Figure:
    """Draw a wide matrix, (n, h * d), and head 1, (n, d), of several splits.

    `heads` maps the name of a split to its head 1. `words` are the names of the n rows.
    """
    whole = Matrix(wide, "all columns", rows=words, decimals=0)
    parts = [Matrix(head, name, decimals=0) for name, head in heads.items()]
    return equation([[whole], parts])


def bench(caught: ArrayLike, wrong: Sequence[str], tests: Sequence[str]) -> Figure:
    """Draw which tests, the columns, catch which wrong attentions, the rows."""
    found = np.asarray(caught, dtype=bool)
    n, m = found.shape
    fig = plt.figure(figsize=(2.95 + m * _COLUMN + 0.1, 2.45 + n * _ROW))
    width, height = fig.get_size_inches()
    box = (2.95 / width, 0.1 / height, m * _COLUMN / width, n * _ROW / height)
    ax = fig.add_axes(box)
    rows, columns = np.nonzero(found)
    ax.scatter(columns, rows, s=58, marker="s", color=look.colour("output"))
    rows, columns = np.nonzero(~found)
    ax.scatter(columns, rows, s=5, marker="o", color=look.colour("muted"))
    ax.set(xlim=(-0.5, m - 0.5), ylim=(n - 0.5, -0.5))
    ax.set_yticks(range(n), wrong)
    ax.set_xticks(range(m), tests, rotation=90)
    ax.tick_params(length=0, labelsize=9.5, top=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return fig
