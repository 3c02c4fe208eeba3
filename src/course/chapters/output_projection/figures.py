"""Figures of chapter 4."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.matrices import Matrix, canvas, equation
from course.kit.prose import number, percent


def who_writes_where(blocks: Mapping[str, ArrayLike]) -> Figure:
    """Draw how strongly each head can write into each coordinate.

    Parameters
    ----------
    blocks : mapping of str to array_like, shape (h, d_v, d_model)
        Blocks of output projections, by name.

    Returns
    -------
    Figure
        Norms over the rows of a block, for every head and coordinate.
    """
    lines = []
    for name, block in blocks.items():
        reach = np.linalg.norm(np.asarray(block), axis=1)
        heads = [f"head {i + 1}" for i in range(len(reach))]
        columns = [f"$c_{j + 1}$" for j in range(reach.shape[1])]
        lines.append([Matrix(reach, name, heads, columns, fill="signed", decimals=1)])
    return equation(lines)


def contributions(
    parts: Sequence[ArrayLike], output: ArrayLike, tokens: Sequence[str]
) -> Figure:
    """Draw the contribution of each head to the output, and the sum.

    Parameters
    ----------
    parts : sequence of array_like, shape (n, d_model)
        ``head_i W_O_i`` of each head.
    output : array_like, shape (n, d_model)
        Their sum.
    tokens : sequence of str
        Labels of the rows.
    """
    limit = float(np.abs(np.asarray(output)).max())
    style = {"fill": "signed", "limit": limit}
    added = [
        Matrix(part, f"head {i} × $W^O_{i}$", tokens, **style)
        for i, part in enumerate(parts, start=1)
    ]
    total = Matrix(output, "output", tokens, role="output", **style)
    return equation([[added[0]], *(["+", more] for more in added[1:]), ["=", total]])


def missed(shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw the share of the wanted update that is missed, a line for each case.

    Parameters
    ----------
    shares : mapping of str to array_like, shape (tasks,)
        Share in each of several random tasks, by case.

    Returns
    -------
    Figure
        A dot for each task, and the mean.
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
    ax.set_xlabel("share that stays out of reach")
    ax.tick_params(axis="y", length=0)
    fig.tight_layout()
    return fig


def two_readers() -> Figure:
    """Draw what the next layer reads: above with W_O, below without it."""
    fig, ax = canvas(3.75, 2.9)
    for top, projection, reader, needs in (
        (2.7, "$W^O$", "$W$′", ("$W$′", "$W^O W$′")),
        (1.2, "", "$W$″", ("$W$″",) * 2),
    ):
        low, middle = top - 0.56, top - 0.28
        _box(ax, 0.6, top, "input $X$")
        _box(ax, 0.6, low, "heads")
        if projection:
            _arrow(ax, (0.97, low), (1.27, low))
            _box(ax, 1.53, low, projection, strong=True)
        _arrow(ax, (1.08, top), (2.3, middle + 0.06))
        _arrow(ax, (1.83 if projection else 0.97, low), (2.3, middle - 0.06))
        ax.text(2.42, middle, "+", ha="center", va="center", fontsize=13)
        _arrow(ax, (2.55, middle), (2.85, middle))
        _box(ax, 3.13, middle, reader)
        said = f"$X$ is read by {needs[0]}, the heads by {needs[1]}"
        ax.text(1.87, low - 0.36, said, ha="center", color=look.colour("muted"))
    return fig


def _box(ax: Axes, x: float, y: float, text: str, strong: bool = False) -> None:
    edge = look.colour("output" if strong else "muted")
    style = {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": edge}
    ax.text(x, y, text, ha="center", va="center", fontsize=10, bbox=style)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "color": look.colour("muted"), "linewidth": 1.0}
    style |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
    ax.annotate("", end, start, arrowprops=style)


def stretched(matrices: Mapping[str, ArrayLike]) -> Figure:
    """Draw the images of a circle of radius 1 under matrices.

    Parameters
    ----------
    matrices : mapping of str to array_like, shape (2, 2)
        Matrices by name; a point of the circle is a row, multiplied from the left.

    Returns
    -------
    Figure
        A panel for each matrix: the circle, its image, and the half-axes of the image,
        which are as long as the singular values.
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
        shown = " and ".join(number(abs(length)) for length in lengths)
        ax.set_title(f"{name}\n{shown}", fontsize=10)
        ax.set(aspect="equal", xlim=(-1.8, 1.8), ylim=(-1.4, 1.4), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    fig.tight_layout()
    return fig


def singular_values(spectra: Mapping[str, ArrayLike]) -> Figure:
    """Draw the singular values of several matrices, relative to the largest.

    Parameters
    ----------
    spectra : mapping of str to array_like
        Singular values by name, the largest first.

    Returns
    -------
    Figure
        One logarithmic panel for each matrix; rounding errors lie at the bottom.
    """
    fig, axes = plt.subplots(1, len(spectra), figsize=(3.75, 2.4), sharey=True)
    for ax, (name, values) in zip(axes, spectra.items(), strict=True):
        values = np.asarray(values)
        shown = np.maximum(values / values[0], 1e-17)
        at = np.arange(1, len(values) + 1)
        real = shown > 1e-12
        ax.vlines(at, 1e-18, shown, color=look.colour("line"))
        ax.plot(at[real], shown[real], "o", color=look.colour("output"))
        ax.plot(at[~real], shown[~real], "o", color=look.colour("muted"), mfc="none")
        look.powers_of_ten(ax.yaxis)
        ax.set(ylim=(1e-18, 10), xticks=at, xlim=(0.5, len(at) + 0.5))
        ax.set_title(f"{name}\nrank {int(real.sum())}", fontsize=10)
    axes[0].set_ylabel("singular value, relative")
    fig.tight_layout()
    return fig
