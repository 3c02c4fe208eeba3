"""Figures of chapter 1."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Rectangle
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.matrices import Matrix, canvas, equation, text_width

_ROLES = {True: "output", False: "muted"}  # by whether an arrow is on the path
_NAMES = {
    "Q": ("$Q$", "query"),
    "K": ("$K$", "key"),
    "V": ("$V$", "value"),
}


def _arrow(ax: Axes, start: Sequence[float], end: Sequence[float], role: str) -> None:
    """Draw an arrow between two points in data coordinates."""
    style = {"arrowstyle": "-|>", "color": look.colour(role), "linewidth": 1.4}
    style |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}
    ax.annotate("", end, start, arrowprops=style)


def _word_positions(words: Sequence[str], gap: float = 0.12) -> list[float]:
    """Return the centres of words in a line, in inches from its left end."""
    centres, x = [], 0.0
    for word in words:
        width = text_width(word, 11)
        centres.append(x + width / 2)
        x += width + gap
    return centres


def one_after_another(words: Sequence[str], start: int = 1, end: int = 7) -> Figure:
    """Draw a recurrent network's chain of states above attention's direct lines.

    Parameters
    ----------
    words : sequence of str
    start, end : int
        Indices of two words: the figure shows the steps between them above, and the
        direct line below.
    """
    xs = [x + 0.1 for x in _word_positions(words)]
    fig, ax = canvas(xs[-1] + text_width(words[-1], 11) / 2 + 0.1, 2.9)
    for i, (word, x) in enumerate(zip(words, xs, strict=True)):
        bold = {"fontweight": "bold"} if i in (start, end) else {}
        centre = {"ha": "center", "fontsize": 11}
        for y in (1.72, 0.2):
            ax.text(x, y, word, **centre, **bold)
        _arrow(ax, (x, 1.93), (x, 2.17), "muted")
        _block(ax, x - 0.1, 2.2, 0.2, 0.2, "muted")
        line = {"color": look.colour("line"), "linewidth": 1.2}
        if i == start:
            line = {"color": look.colour("output"), "linewidth": 3}
        ax.plot([xs[end], x], [1.1, 0.42], solid_capstyle="round", zorder=1, **line)
    for i, (x, following) in enumerate(pairwise(xs)):
        on_the_way = start <= i < end
        _arrow(ax, (x + 0.1, 2.3), (following - 0.1, 2.3), _ROLES[on_the_way])
    quiet = {"fontsize": 9.5, "color": look.colour("muted")}
    ax.text(0.02, 2.62, "recurrent: one state after the other", **quiet)
    ax.text(0.02, 1.15, "self-attention: every word at once", **quiet)
    ax.text(xs[end], 1.15, words[end], ha="center", fontsize=11)
    return fig


def _block(ax: Axes, x: float, y: float, w: float, h: float, role: str) -> None:
    """Draw the outline of a matrix."""
    colour = look.colour(role)
    style = {"facecolor": look.colour("surface"), "edgecolor": colour, "linewidth": 1.3}
    ax.add_patch(Rectangle((x, y), w, h, **style))


def facsimile(
    percent: ArrayLike, tokens: Sequence[str], circled: tuple[int, int] = (1, 2)
) -> Figure:
    """Draw lines of the notes as on a sheet of ruled paper.

    Parameters
    ----------
    percent : array_like, shape (n, n)
        Weights in percent, as the notes print them.
    tokens : sequence of str
    circled : (int, int)
        Row and column of the circled figure.
    """
    fig, ax = canvas(5.4, 1.75)
    ax.add_patch(Rectangle((0.05, 0.05), 5.3, 1.65, fill=False, ec=look.colour("line")))
    ax.plot([0.45, 0.45], [0.05, 1.7], color=look.colour("negative"), linewidth=0.6)
    hand = {"fontsize": 11, "style": "italic", "va": "center"}
    ax.text(0.6, 1.42, "Interpretation (each row sums to 1):", **hand)
    for i, (token, row) in enumerate(zip(tokens, percent, strict=True)):
        y = 1.07 - 0.36 * i
        ax.plot([0.05, 5.35], [y - 0.17] * 2, color=look.colour("line"), linewidth=0.6)
        ax.text(0.6, y, f"For {token} :", **hand)
        for j, (share, other) in enumerate(zip(row, tokens, strict=True)):
            x = 1.75 + 1.15 * j
            ax.text(x, y, f"{share:.1f}% {other}", **hand)
            if (i, j) == circled:
                ring = Ellipse((x + 0.24, y), 0.62, 0.33, fill=False)
                ring.set(edgecolor=look.colour("wrong"), linewidth=1.4)
                ax.add_patch(ring)
    return fig


def project(
    tokens: Sequence[str], X: ArrayLike, weights: Mapping[str, ArrayLike]
) -> Figure:
    """Draw ``X W = Q``, ``X W = K`` and ``X W = V`` with all numbers.

    Parameters
    ----------
    tokens : sequence of str
    X : array_like, shape (n, d_model)
    weights : mapping of "Q", "K", "V" to array_like, shape (d_model, d_k)
    """
    X = np.asarray(X, dtype=float)
    lines = []
    for name, W in weights.items():
        letter, role = _NAMES[name]
        product = Matrix(X @ np.asarray(W), letter, role=role)
        factor = Matrix(W, f"$W^{name}$", role=role, decimals=1)
        left = Matrix(X, "$X$", rows=tokens, decimals=1)
        lines.append([left, "×", factor, "=", product])
    return equation(lines)


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
