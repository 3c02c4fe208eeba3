"""Figures of chapter 6."""

from collections.abc import Mapping, Sequence
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.arrays import Array
from course.kit.matrices import (
    BRACKET,
    FONT,
    LABEL_FONT,
    Matrix,
    brackets,
    canvas,
    equation,
    text_width,
)
from course.kit.prose import number
from course.kit.sketch import BELOW, MIDDLE, QUIET, arrow, box, symbol

_SUBLAYERS = {
    "encoder": ("self-attention", "feed-forward"),
    "decoder": ("masked self-attention", "cross-attention", "feed-forward"),
}
_STEP = 0.42  # inches from a box to the next
_WIDTH = 1.6  # of a box, in inches


# --- the machine ----------------------------------------------------------------------


def _layer(ax: Axes, x: float, y: float, kind: str) -> tuple[float, list[float]]:
    """Draw a layer that begins at y; return the y of its end and of its sublayers."""
    names = _SUBLAYERS[kind]
    height = _STEP * len(names) + 0.16
    box(ax, (x, y + height / 2), (1.72, height), role="line")
    middles = [y + 0.29 + _STEP * i for i in range(len(names))]
    for name, at in zip(names, middles, strict=True):
        role = "query" if name == "cross-attention" else "muted"
        box(ax, (x, at), (_WIDTH, 0.32), name, role)
    return y + height, middles


def machine(
    source: Sequence[str], written: Sequence[str], following: str, layers: int = 2
) -> Figure:
    """Draw encoder and decoder with all sublayers, translating a sentence.

    `source` are the words of the sentence, `written` the words of the translation so
    far, and `following` is the next word. Each stack has `layers` layers.
    """
    fig, ax = canvas(3.64, 1.62 + layers * (_STEP * 3 + 0.34))
    left, right, y = 0.87, 2.77, 0.86
    for x, words in ((left, source), (right, written)):
        ax.text(x, 0.18, " ".join(words), fontsize=11, **MIDDLE)
        arrow(ax, (x, 0.3), (x, 0.42))
        box(ax, (x, 0.56), (_WIDTH, 0.28), "embedding + position")
        arrow(ax, (x, 0.7), (x, y))
    below, cross_attentions = y, []
    for _ in range(layers):
        top, middles = _layer(ax, right, below, "decoder")
        cross_attentions.append(middles[1])
        below = top + 0.18
        arrow(ax, (right, top), (right, below))
    box(ax, (right, below + 0.14), (_WIDTH, 0.28), "a logit for every word")
    arrow(ax, (right, below + 0.28), (right, below + 0.42))
    result = {"fontsize": 11, "color": look.colour("output"), **MIDDLE}
    ax.text(right, below + 0.54, following, **result)
    below = y
    for layer in range(layers):
        top, _ = _layer(ax, left, below, "encoder")
        below = top + 0.18
        if layer + 1 < layers:
            arrow(ax, (left, top), (left, below))
    turn = (left + right) / 2
    for at in cross_attentions:
        path = ((left, top), (left, below), (turn, below), (turn, at))
        arrow(ax, *path, (right - _WIDTH / 2, at), role="key")
    ax.text(left, below + 0.16, "representation", **QUIET)
    ax.invert_yaxis()  # from top to bottom, like the map of the translator
    return fig


# --- "I am good" ----------------------------------------------------------------------


def input_matrix(X: ArrayLike, words: Sequence[str]) -> Figure:
    """Draw the first two columns of X, dots for the others, and the last column."""
    X = np.asarray(X, dtype=float)
    texts = [[_two_or_three_decimals(x) for x in row] for row in X[:, [0, 1, -1]]]
    cell = max(text_width(text) for row in texts for text in row) + 0.16
    labels = max(text_width(word, LABEL_FONT) for word in words) + 0.12
    dots, below = 0.34, 0.36
    row = 0.33
    size = 3 * cell + dots, row * len(X)
    fig, ax = canvas(labels + size[0] + 2 * BRACKET + 0.4, size[1] + 0.75)
    left, ink = 0.15 + labels + BRACKET, {"color": look.colour("ink")}
    style = {"ha": "right", "va": "center_baseline", "fontsize": FONT, **ink}
    middle = left + cell * 2 + dots / 2
    for i, (word, line) in enumerate(zip(words, texts, strict=True)):
        at = below + (len(X) - i - 0.5) * row
        ax.text(left - BRACKET - 0.07, at, word, **{**QUIET, "ha": "right"})
        for j, text in enumerate(line):
            right = left + cell * (j + 1) + dots * (j == 2)
            ax.text(right - 0.08, at, text, **style)
        ax.text(middle, at, "…", color=look.colour("muted"), **MIDDLE)
    brackets(ax, (left, below), size, "ink")
    centre = left + size[0] / 2
    ax.text(centre, below + size[1] + 0.11, "X", fontsize=12, ha="center", **ink)
    ax.text(middle, below - 0.2, f"{X.shape[0]} × {X.shape[1]}", **QUIET)
    return fig


def _two_or_three_decimals(x: float) -> str:
    return number(x, 2 if abs(round(x, 2) - x) < 1e-9 else 3)


_ROLES = {"Q": "query", "K": "key", "V": "value"}


def _named_rows(ax: Axes, corner: tuple, letter: str, n: int, role: str) -> None:
    """Draw a matrix as brackets around the names of its rows."""
    x, y = corner
    brackets(ax, corner, (0.72, 0.3 * n), role)
    for i in range(n):
        at = x + 0.36, y + (n - i - 0.5) * 0.3
        style = {"fontsize": 11, "fontstyle": "italic", "color": look.colour(role)}
        ax.text(*at, f"{letter}{BELOW[i]}", **style, **MIDDLE)


def project(words: Sequence[str], d_model: int, d_k: int) -> Figure:
    """Draw X times the three weight matrices, with the names of rows and the sizes."""
    n = len(words)
    fig, ax = canvas(5.0, 4.05)
    for j, (name, role) in enumerate(_ROLES.items()):
        y = 2.85 - 1.3 * j
        middle = y + 0.15 * n
        for i, word in enumerate(words):
            ax.text(0.58, y + (n - i - 0.5) * 0.3, word, **{**QUIET, "ha": "right"})
        _named_rows(ax, (0.75, y), "x", n, "ink")
        ax.text(1.78, middle, "×", fontsize=12, **MIDDLE)
        brackets(ax, (2.1, y), (0.72, 0.9), role)
        symbol(ax, (2.46, middle), f"W^{name}", 13, role)
        ax.text(3.12, middle, "=", fontsize=12, **MIDDLE)
        _named_rows(ax, (3.45, y), name.lower(), n, role)
        style = {"fontsize": 13, "fontstyle": "italic", "color": look.colour(role)}
        ax.text(4.5, middle, name, **style, **MIDDLE)
        sizes = ((1.11, (n, d_model)), (2.46, (d_model, d_k)), (3.81, (n, d_k)))
        for x, (rows, columns) in sizes:
            ax.text(x, y - 0.2, f"{rows} × {columns}", **QUIET)
    return fig


def chain(words: Sequence[str], steps: Mapping[str, ArrayLike]) -> Figure:
    """Draw the numbers from queries, keys and values to the output.

    `steps` are ``Q``, ``K``, ``V``, ``scores``, ``logits``, ``weights`` and ``Z``. Of
    ``Q``, ``K``, ``V`` and ``Z`` only the first two columns are drawn.
    """
    wide = {name: np.asarray(steps[name]) for name in "QKVZ"}
    first = ("1", "2 …")
    n, d_k = wide["Q"].shape
    roles = {**_ROLES, "Z": "output"}

    def first_two(name: str, rows: Sequence[str] = words) -> Matrix:
        values, size = wide[name][:, :2], f"{n} × {d_k}"
        return Matrix(values, name, rows, first, roles[name], decimals=1, note=size)

    keys = Matrix(
        wide["K"][:, :2].T, "Kᵀ", first, words, "key", decimals=1, note=f"{d_k} × {n}"
    )
    scores = np.asarray(steps["scores"])
    largest = list(enumerate(scores.argmax(axis=1).tolist()))
    found = Matrix(scores, "scores", (), words, decimals=1, marked=largest)
    logits = Matrix(steps["logits"], "logits", words, words)
    A = Matrix(steps["weights"], "weights A", (), words, fill="weights", decimals=3)
    mix = Matrix(steps["weights"], "A", words, words, fill="weights", decimals=3)
    return equation(
        [
            [first_two("Q"), "×", keys, "=", found],
            [f"÷ {np.sqrt(d_k):g}  →", logits, "softmax  →", A],
            [mix, "×", first_two("V"), "=", first_two("Z", ())],
        ]
    )


# --- positions ------------------------------------------------------------------------


def sinusoids(encodings: ArrayLike) -> Figure:
    """Draw position encodings, shape (n, d), and beside them all their dot products."""
    P = np.asarray(encodings)
    # fixed margins, here and below: faster than `tight_layout`
    room = {"width_ratios": [1.5, 1], "wspace": 0.3, "left": 0.12, "right": 0.99}
    fig, (left, right) = plt.subplots(1, 2, figsize=(3.75, 2), gridspec_kw=room)
    _signed_cells(left, P)
    left.set(xlabel="column", ylabel="place", title="the encodings")
    products = P @ P.T / (P.shape[1] / 2)
    _signed_cells(right, products)
    right.set(xlabel="place", title="dot products", aspect="equal")
    return fig


def _signed_cells(ax: Axes, values: Array) -> None:
    """Draw a matrix of entries from -1 to 1 as cells, one path for each colour.

    This keeps the number of paths of a page small. One rectangle covers neighbouring
    cells of one colour in a column.
    """
    levels = np.rint((values.T + 1) / 2 * (look.SIGNED.N - 1)).astype(int)
    begins = np.flatnonzero(np.diff(levels, axis=1, prepend=-1))  # column by column
    x, y = np.divmod(begins, len(values))
    heights = np.diff(begins, append=levels.size)
    right, down = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]).T
    corners = np.stack(
        [x[:, None] + right, y[:, None] + heights[:, None] * down], axis=-1
    )
    used, colours = np.unique(levels.flat[begins], return_inverse=True)
    codes = [Path.MOVETO, *3 * [Path.LINETO], Path.CLOSEPOLY]
    paths = []
    for colour in range(len(used)):
        cells = corners[colours == colour]
        paths.append(Path(cells.reshape(-1, 2), codes * len(cells)))
    drawn = PathCollection(paths, facecolors=look.SIGNED(used), linewidths=0)
    ax.add_collection(drawn, autolim=False)
    ax.set(xlim=(0, values.shape[1]), ylim=(len(values), 0))


# --- around a sublayer, masks ---------------------------------------------------------


def through_layers(measured: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw how similar and how large words become, layer by layer.

    `measured` is the result of `experiments.through_layers`. The lines are medians over
    the seeds.
    """
    room = {"hspace": 0.25, "left": 0.13, "right": 0.99}
    fig, axes = plt.subplots(2, 1, figsize=(4, 5), sharex=True, gridspec_kw=room)
    roles = dict(zip(measured, ("ink", "query", "key", "value"), strict=False))
    for ax, name in zip(axes, ("difference", "size"), strict=True):
        for around, values in measured.items():
            middle = np.median(values[name], axis=0)
            style = {"color": look.colour(roles[around])}
            ax.plot(
                np.arange(len(middle)), np.maximum(middle, 1e-6), label=around, **style
            )
        look.powers_of_ten(ax.yaxis)
        ax.set(xticks=range(0, len(middle), max(1, len(middle) // 4)))
        ax.minorticks_off()
    axes[0].set(ylim=(5e-7, 1.5), title="how far apart the words are")
    axes[1].set(ylim=(0.03, 1000), title="how large their entries are")
    axes[1].set_xlabel("layers")
    axes[0].legend(fontsize=9, loc="center right")
    return fig


def influences(panels: Mapping[str, ArrayLike], words: Sequence[str]) -> Figure:
    """Draw how much each input word changes each output word, (n, n), in each panel.

    With a causal mask the cells above the diagonal are 0; a dot marks a leak.
    """
    room = {"wspace": 0.1, "left": 0.17, "right": 0.99}
    fig, axes = plt.subplots(
        1, len(panels), figsize=(3.75, 2.1), sharey=True, gridspec_kw=room
    )
    for ax, (name, moved) in zip(axes, panels.items(), strict=True):
        moved = np.asarray(moved)
        ax.pcolormesh(moved / moved.max(), cmap=look.WEIGHTS, vmin=0, vmax=1)
        leaks = np.argwhere(np.triu(moved, 1) > 0) + 0.5
        ax.plot(leaks[:, 1], leaks[:, 0], ".", color=look.colour("ink"), markersize=4)
        ticks = np.arange(len(words)) + 0.5
        ax.set_xticks(ticks, words, rotation=90)
        ax.set_yticks(ticks, words)
        ax.tick_params(length=0)
        ax.set(aspect="equal")
        ax.set_title(fill(name, 16), fontsize=10)
        ax.spines[:].set_visible(False)
    axes[0].invert_yaxis()
    axes[0].set_ylabel("output of")
    fig.supxlabel("when this word changes", fontsize=10, y=-0.22)
    return fig


def three_heads(
    weights: Mapping[str, ArrayLike], source: Sequence[str], read: Sequence[str]
) -> Figure:
    """Draw the matrices of `experiments.three_heads`, one below the other."""
    words = zip((source, read, read), (source, read, source), strict=True)
    matrices = [
        Matrix(values, name, rows, columns, fill="weights")
        for (name, values), (rows, columns) in zip(weights.items(), words, strict=True)
    ]
    return equation([[matrix] for matrix in matrices])
