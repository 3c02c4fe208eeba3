"""Figures of chapter 6."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from course.chapters.transformer.before import Reach
from course.kit import look
from course.kit.live import show_live
from course.kit.matrices import Matrix, canvas, equation
from course.kit.sketch import MIDDLE, QUIET, Rows, arrow, block, box

_SUBLAYERS = {
    "encoder": ("self-attention", "feed-forward"),
    "decoder": ("masked self-attention", "cross-attention", "feed-forward"),
}
_STEP = 0.42  # inches from a box to the next


# --- the machine ----------------------------------------------------------------------


def _layer(ax: Axes, x: float, y: float, kind: str) -> tuple[float, list[float]]:
    """Draw a layer from y upwards; return its upper end and its sublayers' heights."""
    names = _SUBLAYERS[kind]
    height = _STEP * len(names) + 0.16
    box(ax, (x, y + height / 2), (1.98, height), role="line")
    heights = [y + 0.29 + _STEP * i for i in range(len(names))]
    for name, at in zip(names, heights, strict=True):
        role = "query" if name == "cross-attention" else "muted"
        box(ax, (x, at), (1.78, 0.32), name, role)
    return y + height, heights


def machine(
    source: Sequence[str], written: Sequence[str], following: str, layers: int = 2
) -> Figure:
    """Draw encoder and decoder with all their sublayers, at work on a sentence.

    Parameters
    ----------
    source : sequence of str
        The sentence to be translated.
    written : sequence of str
        What stands so far of the translation.
    following : str
        The next word.
    layers : int
        Layers of each stack.

    Returns
    -------
    Figure
    """
    fig, ax = canvas(5.2, 1.62 + layers * (_STEP * 3 + 0.34))
    left, right, y = 1.25, 3.85, 0.86
    for x, words in ((left, source), (right, written)):
        ax.text(x, 0.18, " ".join(words), fontsize=11, **MIDDLE)
        arrow(ax, (x, 0.3), (x, 0.42))
        box(ax, (x, 0.56), (1.78, 0.28), "embeddings + positions")
        arrow(ax, (x, 0.7), (x, y))
    below, asks = y, []
    for _ in range(layers):
        top, heights = _layer(ax, right, below, "decoder")
        asks.append(heights[1])
        end = top + 0.18
        arrow(ax, (right, top), (right, end))
        below = end
    box(ax, (right, below + 0.14), (1.78, 0.28), "a logit for every word")
    arrow(ax, (right, below + 0.28), (right, below + 0.42))
    result = {"fontsize": 11, "color": look.colour("output"), **MIDDLE}
    ax.text(right, below + 0.54, following, **result)
    below = y
    for layer in range(layers):
        top, _ = _layer(ax, left, below, "encoder")
        if layer + 1 < layers:
            arrow(ax, (left, top), (left, top + 0.18))
        below = top + 0.18
    turn = (left + right) / 2
    for at in asks:
        path = ((left, below - 0.18), (left, below), (turn, below), (turn, at))
        arrow(ax, *path, (right - 0.89, at), role="key")
    ax.text(left, below + 0.16, "representation, one row a word", **QUIET)
    return fig


def encoder_stack(source: str, layers: int = 2) -> Figure:
    """Draw a stack of encoder layers that turns a sentence into a representation."""
    fig, ax = canvas(3.4, 1.1 + 0.62 * layers)
    x = 1.7
    ax.text(x, 0.2, source, fontsize=11, **MIDDLE)
    y = 0.34
    for layer in range(layers):
        arrow(ax, (x, y), (x, y + 0.22))
        box(ax, (x, y + 0.42), (1.7, 0.4), f"encoder layer {layer + 1}")
        y += 0.62
    arrow(ax, (x, y), (x, y + 0.24))
    result = {"fontsize": 10.5, "color": look.colour("output"), **MIDDLE}
    ax.text(x, y + 0.4, "representation of the sentence", **result)
    return fig


def inside_encoder(layers: int = 2) -> Figure:
    """Draw encoder layers side by side: two sublayers each, built alike."""
    fig, ax = canvas(2.3 * layers + 0.5, 2.75)
    for layer in range(layers):
        x = 1.3 + 2.3 * layer
        box(ax, (x, 1.38), (2.05, 2.2), role="line")
        ax.text(x, 0.14, f"encoder layer {layer + 1}", **QUIET)
        for y, name in ((0.72, "multi-head attention"), (1.68, "feed-forward network")):
            box(ax, (x, y), (1.72, 0.36), name)
            box(ax, (x, y + 0.44), (1.72, 0.3), "add and normalise", "line")
            arrow(ax, (x, y + 0.18), (x, y + 0.29))
            side = x + 0.95
            arrow(
                ax,
                (x, y - 0.27),
                (side, y - 0.27),
                (side, y + 0.44),
                (x + 0.86, y + 0.44),
            )
            arrow(ax, (x, y - 0.34), (x, y - 0.18))
    for layer in range(layers - 1):
        x = 1.3 + 2.3 * layer
        path = ((x, 2.27), (x, 2.6), (x + 1.15, 2.6), (x + 1.15, 0.38), (x + 2.3, 0.38))
        ax.plot(*zip(*path, strict=True), color=look.colour("muted"), linewidth=1.3)
    last = 1.3 + 2.3 * (layers - 1)
    arrow(ax, (last, 2.27), (last, 2.66))
    return fig


# --- what came before -----------------------------------------------------------------

_LABELS = {
    "attention": ("one head of attention", "output"),
    "gated, forget bias 3": ("gated, forget-gate bias 3", "value"),
    "gated": ("gated", "query"),
    "simple, orthogonal": ("simple, orthogonal", "key"),
    "simple": ("simple", "ink"),
}


def reach_by_distance(measured: Mapping[str, Reach]) -> Figure:
    """Draw what is left of a word at each distance, forward and backward.

    Parameters
    ----------
    measured : mapping of str to Reach
        By the kind of network; drawn is the median over its seeds.

    Returns
    -------
    Figure
        On a logarithmic scale that ends where a float64 cannot tell a change.
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
    """Draw how much of a sentence one vector gives back.

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


# --- "I am good" ----------------------------------------------------------------------


def input_matrix(X: ArrayLike, words: Sequence[str]) -> Figure:
    """Draw the first two and the last column of the input, a row a word."""
    rows = Rows(X, "X", words)
    fig, ax = canvas(rows.width + 0.4, rows.height + 0.75)
    rows.draw(ax, 0.15, 0.36)
    return fig


_ROLES = {"Q": "query", "K": "key", "V": "value"}


def _named_rows(ax: Axes, corner: tuple, letter: str, n: int, role: str) -> None:
    """Draw a matrix as brackets around the names of its rows."""
    x, y = corner
    block(ax, corner, (0.72, 0.3 * n), role)
    for i in range(n):
        at = x + 0.36, y + (n - i - 0.5) * 0.3
        name = f"${letter}_{i + 1}$"
        ax.text(*at, name, fontsize=11, color=look.colour(role), **MIDDLE)


def project(words: Sequence[str], d_model: int, d_k: int) -> Figure:
    """Draw X times the three weight matrices, with the names of the rows.

    Parameters
    ----------
    words : sequence of str
    d_model, d_k : int
        Said below the matrices.

    Returns
    -------
    Figure
    """
    n = len(words)
    fig, ax = canvas(5.0, 4.05)
    for j, (name, role) in enumerate(_ROLES.items()):
        y = 2.85 - 1.3 * j
        middle = y + 0.15 * n
        for i, word in enumerate(words):
            ax.text(0.58, y + (n - i - 0.5) * 0.3, word, **{**QUIET, "ha": "right"})
        _named_rows(ax, (0.75, y), "x", n, "ink")
        ax.text(1.78, middle, "×", fontsize=12, **MIDDLE)
        block(ax, (2.1, y), (0.72, 0.9), role)
        symbol = {"fontsize": 13, "color": look.colour(role), **MIDDLE}
        ax.text(2.46, middle, f"$W^{name}$", **symbol)
        ax.text(3.12, middle, "=", fontsize=12, **MIDDLE)
        _named_rows(ax, (3.45, y), name.lower(), n, role)
        ax.text(4.5, middle, f"${name}$", **symbol)
        sizes = ((1.11, (n, d_model)), (2.46, (d_model, d_k)), (3.81, (n, d_k)))
        for x, (rows, columns) in sizes:
            ax.text(x, y - 0.2, f"{rows} × {columns}", **QUIET)
    return fig


def query_times_key(n: int, d_k: int) -> Figure:
    """Draw Q times K transposed: rows of queries meet columns of keys."""
    fig, ax = canvas(4.6, 1.65)
    _named_rows(ax, (0.45, 0.42), "q", n, "query")
    ax.text(0.81, 1.48, "$Q$", fontsize=12, color=look.colour("query"), **MIDDLE)
    ax.text(1.5, 0.87, "×", fontsize=12, **MIDDLE)
    block(ax, (1.85, 0.42), (1.2, 0.9), "key")
    for j in range(n):
        style = {"fontsize": 11, "color": look.colour("key"), **MIDDLE}
        ax.text(2.05 + 0.4 * j, 0.87, f"$k_{j + 1}$", **style)
    ax.text(2.45, 1.48, "$K^T$", fontsize=12, color=look.colour("key"), **MIDDLE)
    ax.text(3.4, 0.87, "=", fontsize=12, **MIDDLE)
    ax.text(3.95, 0.87, "scores", fontsize=11, **MIDDLE)
    for x, size in (
        (0.81, f"{n} × {d_k}"),
        (2.45, f"{d_k} × {n}"),
        (3.95, f"{n} × {n}"),
    ):
        ax.text(x, 0.2, size, **QUIET)
    return fig


def score_symbols(words: Sequence[str]) -> Figure:
    """Draw the matrix of scores with the dot product that each entry is."""
    n = len(words)
    fig, ax = canvas(1.05 + 0.95 * n, 0.75 + 0.36 * n)
    block(ax, (0.8, 0.15), (0.95 * n, 0.36 * n))
    for i, word in enumerate(words):
        y = 0.15 + (n - i - 0.5) * 0.36
        ax.text(0.62, y, word, **{**QUIET, "ha": "right"})
        ax.text(0.8 + 0.95 * (i + 0.5), 0.15 + 0.36 * n + 0.18, word, **QUIET)
        for j in range(n):
            x = 0.8 + 0.95 * (j + 0.5)
            left = {"ha": "right", "va": "center_baseline", "fontsize": 11}
            ax.text(x - 0.05, y, f"$q_{i + 1}$", color=look.colour("query"), **left)
            ax.text(x, y, "·", fontsize=11, **MIDDLE)
            right = {**left, "ha": "left"}
            ax.text(x + 0.05, y, f"$k_{j + 1}$", color=look.colour("key"), **right)
    return fig


def score_row(scores: ArrayLike, words: Sequence[str], i: int) -> Figure:
    """Draw the scores of all words, one row apart, its largest entry framed."""
    scores = np.asarray(scores)
    marked = [(0, int(scores[i].argmax()))]
    name = f"row {i + 1} of the scores"
    row = Matrix(scores[i], name, [words[i]], words, decimals=1, marked=marked)
    return equation([[row]])


def scaled(scores: ArrayLike, d_k: int, words: Sequence[str]) -> Figure:
    """Draw the scores divided by the square root of d_k, entry by entry."""
    scores, root = np.asarray(scores), np.sqrt(d_k)
    before = Matrix(scores, "scores", words, words, decimals=1)
    after = Matrix(scores / root, "logits", (), words)
    return equation([[before, f"÷ {root:g}  =", after]])


def softmaxed(logits: ArrayLike, weights: ArrayLike, words: Sequence[str]) -> Figure:
    """Draw the logits and the weights that softmax makes of each row."""
    before = Matrix(logits, "logits", words, words)
    after = Matrix(weights, "weights A", words, words, fill="weights", decimals=3)
    return equation([[before], ["↓  softmax of each row"], [after]])


def weights_times_values(
    weights: ArrayLike, words: Sequence[str], d_v: int, names: bool
) -> Figure:
    """Draw weights times values equals output.

    Parameters
    ----------
    weights : array_like, shape (n, n)
    words : sequence of str
    d_v : int
        Width of a value.
    names : bool
        Name the rows of values and output (or draw the shapes alone).

    Returns
    -------
    Figure
    """
    n = len(words)
    fig, ax = canvas(5.2, 1.75)
    x = 0.62
    block(ax, (x, 0.42), (0.6 * n, 0.3 * n))
    for i, row in enumerate(np.asarray(weights)):
        y = 0.42 + (n - i - 0.5) * 0.3
        ax.text(x - 0.16, y, words[i], **{**QUIET, "ha": "right"})
        for j, weight in enumerate(row):
            text = f"{weight:g}" if names else f"$a_{{{i + 1}{j + 1}}}$"
            ax.text(x + 0.6 * (j + 0.5), y, text, fontsize=10.5, **MIDDLE)
    ax.text(x + 0.3 * n, 1.55, "A", fontsize=12, **MIDDLE)
    ax.text(x + 0.3 * n, 0.2, f"{n} × {n}", **QUIET)
    for start, sign, letter, role in (
        (2.95, "×", "v", "value"),
        (4.1, "=", "z", "output"),
    ):
        ax.text(start - 0.26, 0.87, sign, fontsize=12, **MIDDLE)
        if names:
            _named_rows(ax, (start, 0.42), letter, n, role)
        else:
            block(ax, (start, 0.42), (0.72, 0.3 * n), role)
        name = {"fontsize": 12, "color": look.colour(role), **MIDDLE}
        ax.text(start + 0.36, 1.55, f"${letter.upper()}$", **name)
        ax.text(start + 0.36, 0.2, f"{n} × {d_v}", **QUIET)
    return fig


def queries_and_keys(Q: ArrayLike, K: ArrayLike, words: Sequence[str]) -> Figure:
    """Draw all columns of queries and keys as colours, on one scale."""
    limit = max(np.abs(Q).max(), np.abs(K).max())
    fig, axes = plt.subplots(2, 1, figsize=(6.6, 2.3), sharex=True)
    for ax, values, name in zip(axes, (Q, K), "QK", strict=True):
        ax.pcolormesh(
            np.asarray(values)[::-1], cmap=look.SIGNED, vmin=-limit, vmax=limit
        )
        ax.set_yticks(np.arange(len(words)) + 0.5, list(words)[::-1])
        ax.tick_params(length=0)
        role = look.colour(_ROLES[name])
        ax.set_ylabel(
            name, color=role, rotation=0, labelpad=12, fontsize=12, va="center"
        )
        ax.spines[:].set_visible(False)
    axes[1].set_xticks([0.5, 15.5, 31.5, 47.5, 63.5], ["1", "16", "32", "48", "64"])
    axes[1].set_xlabel("column")
    fig.tight_layout(h_pad=0.6)
    return fig


def four_steps() -> Figure:
    """Draw the flow from queries, keys and values to the output."""
    fig, ax = canvas(3.0, 3.85)
    x, y = 1.15, (0.95, 1.6, 2.25, 2.9)
    names = (
        "multiply $QK^T$",
        "divide by √dₖ",
        "softmax of each row",
        "multiply by $V$",
    )
    for at, name in zip(y, names, strict=True):
        box(ax, (x, at), (1.62, 0.38), name)
    for low, high in pairwise(y):
        arrow(ax, (x, low + 0.19), (x, high - 0.19))
    for at, name, role in (
        (0.85, "Q", "query"),
        (1.45, "K", "key"),
        (2.45, "V", "value"),
    ):
        ax.text(at, 0.28, f"${name}$", fontsize=13, color=look.colour(role), **MIDDLE)
    arrow(ax, (0.85, 0.42), (0.85, 0.76), role="query")
    arrow(ax, (1.45, 0.42), (1.45, 0.76), role="key")
    arrow(ax, (2.45, 0.42), (2.45, 2.9), (1.96, 2.9), role="value")
    arrow(ax, (x, 3.09), (x, 3.38))
    ax.text(x, 3.55, "$Z$", fontsize=13, color=look.colour("output"), **MIDDLE)
    return fig


# --- positions ------------------------------------------------------------------------


def sinusoids(encodings: ArrayLike) -> Figure:
    """Draw positional encodings, and the dot products of two places.

    Parameters
    ----------
    encodings : array_like, shape (n, d)

    Returns
    -------
    Figure
        On the left a row a place; on the right the product of each pair of places.
    """
    P = np.asarray(encodings)
    fig, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.9), width_ratios=[1.5, 1])
    left.pcolormesh(P, cmap=look.SIGNED, vmin=-1, vmax=1)
    left.set(xlabel="column", ylabel="place", title="the encodings")
    left.invert_yaxis()
    products = P @ P.T / (P.shape[1] / 2)
    right.pcolormesh(products, cmap=look.SIGNED, vmin=-1, vmax=1)
    right.set(xlabel="place", title="their dot products", aspect="equal")
    right.invert_yaxis()
    fig.tight_layout(w_pad=2)
    return fig


def readings(tables: Mapping[str, tuple[Sequence[str], ArrayLike]]) -> Figure:
    """Draw outputs side by side, each with its own order of words."""
    line = [
        Matrix(values, name, words, role="output")
        for name, (words, values) in tables.items()
    ]
    return equation([[line[0], "   ", *line[1:]]])


# --- around a sublayer, masks ---------------------------------------------------------


def through_layers(measured: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw how words stay apart, and how large they get, layer by layer.

    Parameters
    ----------
    measured : mapping of str to mapping
        By what stands around the sublayer: ``difference`` and ``size``, each of the
        shape (seeds, layers + 1). Drawn is the median.

    Returns
    -------
    Figure
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.8, 2.9), sharex=True)
    roles = dict(zip(measured, ("ink", "query", "key", "value"), strict=False))
    for ax, name in zip(axes, ("difference", "size"), strict=True):
        for around, values in measured.items():
            middle = np.median(values[name], axis=0)
            style = {"color": look.colour(roles[around])}
            ax.plot(
                np.arange(len(middle)), np.maximum(middle, 1e-6), label=around, **style
            )
        look.powers_of_ten(ax.yaxis)
        ax.set(xlabel="attention layers", xticks=range(0, len(middle), 3))
        ax.minorticks_off()
    axes[0].set(ylim=(1e-4, 1.5), title="how far apart the words are")
    axes[1].set(title="how large their entries are")
    axes[0].legend(fontsize=9, loc="lower left", bbox_to_anchor=(0.16, 0))
    fig.tight_layout(w_pad=2)
    return fig


def masks(shown: Mapping[str, tuple[ArrayLike, Sequence[str]]]) -> Figure:
    """Draw masks: 1 where a word may be seen.

    Parameters
    ----------
    shown : mapping of str to (array_like, sequence of str)
        By name: the mask, and the words of its columns; rows of a square one too.
    """
    line = [
        Matrix(mask, name, words, words, fill="weights", decimals=0)
        for name, (mask, words) in shown.items()
    ]
    return equation([[line[0], "  ", *line[1:]]])


def influences(panels: Mapping[str, ArrayLike], words: Sequence[str]) -> Figure:
    """Draw which input word moves which output word, as shares of the largest.

    Parameters
    ----------
    panels : mapping of str to array_like, shape (n, n)
    words : sequence of str

    Returns
    -------
    Figure
        White above the diagonal is what a causal mask promises; a dot marks a leak.
    """
    fig, axes = plt.subplots(1, len(panels), figsize=(6.9, 3.0), sharey=True)
    for ax, (name, moved) in zip(axes, panels.items(), strict=True):
        moved = np.asarray(moved)
        ax.pcolormesh(moved / moved.max(), cmap=look.WEIGHTS, vmin=0, vmax=1)
        leaks = np.argwhere(np.triu(moved, 1) > 0) + 0.5
        ax.plot(leaks[:, 1], leaks[:, 0], ".", color=look.colour("ink"), markersize=4)
        ticks = np.arange(len(words)) + 0.5
        ax.set_xticks(ticks, words, rotation=90)
        ax.set_yticks(ticks, words)
        ax.tick_params(length=0)
        ax.set(title=name, aspect="equal")
        ax.spines[:].set_visible(False)
    axes[0].invert_yaxis()
    axes[0].set_ylabel("output of")
    axes[len(axes) // 2].set_xlabel("when this word changes")
    fig.tight_layout()
    return fig


# --- cost -----------------------------------------------------------------------------


def cost_by_length(lengths: Sequence[int], parts: Mapping[str, ArrayLike]) -> Figure:
    """Draw the multiplications of a layer by the length of the sentence, by part."""
    fig, ax = plt.subplots(figsize=(4.8, 2.9))
    roles, lifts = ("query", "output", "value"), (-5, 2, 5)
    for (name, counts), role, lift in zip(parts.items(), roles, lifts, strict=True):
        style = {"color": look.colour(role), "fontsize": 9.5, "va": "center"}
        ax.plot(lengths, counts, color=look.colour(role))
        near = {"textcoords": "offset points", "xytext": (4, lift)}
        ax.annotate(name, (lengths[-1], counts[-1]), **near, **style)
    ax.set_xscale("log", base=2)
    look.powers_of_ten(ax.yaxis)
    ax.set(xlabel="words", ylabel="multiplications of a layer")
    ax.minorticks_off()
    fig.tight_layout()
    return fig


# --- the model that translates --------------------------------------------------------


class LearningCurve:
    """Loss and accuracy of a training run, drawn while it runs.

    Parameters
    ----------
    steps : int
        Of the whole run: the bar at the top fills as they are done.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.fig, (self.bar, self.loss, self.right) = plt.subplots(
            3, 1, figsize=(5.2, 4.1), height_ratios=[0.12, 1, 1]
        )
        self.points: list[tuple[int, float]] = []
        self.measured: list[tuple[int, float, float]] = []
        self.draw()
        self.show = show_live(self.fig)

    def add(
        self, step: int, loss: float, held_out: float | None, pairs: float | None
    ) -> None:
        """Take a step; draw anew where accuracy was measured."""
        self.points.append((step, loss))
        if held_out is not None and pairs is not None:
            self.measured.append((step, held_out, pairs))
            self.draw()
            self.show()

    def draw(self) -> None:
        """Draw what is known so far."""
        for ax in (self.bar, self.loss, self.right):
            ax.clear()
        done = self.points[-1][0] if self.points else 0
        self.bar.barh(0, self.steps, color=look.colour("line"))
        self.bar.barh(0, done, color=look.colour("output"))
        self.bar.set(xlim=(0, self.steps), title=f"step {done} of {self.steps}")
        self.bar.set_axis_off()
        if self.points:
            self.loss.plot(*zip(*self.points, strict=True), color=look.colour("ink"))
        self.loss.set(
            xlim=(0, self.steps), ylabel="loss", yscale="log", ylim=(0.03, 12)
        )
        self.loss.set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
        self.loss.minorticks_off()
        self.loss.set_xticklabels([])
        self._accuracy()
        self.fig.tight_layout()

    def _accuracy(self) -> None:
        """Draw the two accuracies with their names at the ends."""
        ax = self.right
        roles = {"new sentences": "query", "new pairs": "key"}
        for k, (name, role) in enumerate(roles.items(), start=1):
            line = [(point[0], point[k]) for point in self.measured]
            if line:
                ax.plot(*zip(*line, strict=True), "o-", color=look.colour(role))
            at = {"transform": ax.transAxes, "va": "top", "fontsize": 9.5}
            ax.text(0.02, 1.02 - 0.16 * k, name, color=look.colour(role), **at)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.set(xlim=(0, self.steps), ylim=(0, 1), xlabel="step", ylabel="right")


def training_log(log: Mapping[str, ArrayLike]) -> Figure:
    """Draw a training run: loss by step, and accuracy where it was measured."""
    fig, (above, below) = plt.subplots(2, 1, figsize=(5.2, 3.6), sharex=True)
    step = np.asarray(log["step"])
    above.plot(step, log["loss"], color=look.colour("ink"))
    look.powers_of_ten(above.yaxis)
    above.set_ylabel("loss")
    for name, role, text, height in (
        ("held_out", "query", "new sentences", 0.62),
        ("pairs", "key", "new pairs", 0.42),
    ):
        values = np.asarray(log[name])
        known = ~np.isnan(values)
        below.plot(step[known], values[known], color=look.colour(role))
        at = {"transform": below.transAxes, "fontsize": 9.5}
        below.text(0.45, height, text, color=look.colour(role), **at)
    below.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    below.set(xlabel="step", ylabel="right", ylim=(0, 1.02))
    fig.tight_layout()
    return fig


def accuracy_by_variant(found: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw the share of right translations of every variant, a dot a seed."""
    names = list(found)[::-1]
    fig, ax = plt.subplots(figsize=(5.6, 0.42 * len(names) + 0.9))
    sets = (("held-out sentences", "query", 0.13), ("held-out pairs", "key", -0.13))
    for name, role, lift in sets:
        for i, variant in enumerate(names):
            values = np.asarray(found[variant][name])
            style = {"color": look.colour(role), "alpha": 0.75, "markersize": 6}
            ax.plot(values, np.full(len(values), i + lift), "o", **style)
    for (name, role, _), x in zip(sets, (0.0, 0.5), strict=True):
        text = {"color": look.colour(role), "transform": ax.transAxes, "va": "bottom"}
        ax.text(x, 1.02, name, fontsize=9.5, **text)
    ax.set_yticks(range(len(names)), names)
    ax.set(
        xlim=(-0.03, 1.03), ylim=(-0.5, len(names) - 0.5), xlabel="right to the word"
    )
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.grid(axis="x")
    ax.set_axisbelow(True)
    fig.tight_layout()
    return fig


def right_by_heads(
    panels: Mapping[str, Mapping[int, Mapping[int, ArrayLike]]], xlabels: Sequence[str]
) -> Figure:
    """Draw what few and many heads get right: a dot a seed, a line through the means.

    Parameters
    ----------
    panels : mapping of str to mapping of int to mapping of int to array_like
        By the title of a panel, the number of heads, and what stands on its x axis (the
        same for all heads): the share right from every seed.
    xlabels : sequence of str
        What stands on the x axis of each panel.
    """
    fig, ((*axes,),) = plt.subplots(
        1, len(panels), figsize=(3.4 * len(panels) + 0.4, 2.9), squeeze=False
    )
    for ax, (title, lines), xlabel in zip(axes, panels.items(), xlabels, strict=True):
        _lines_by_heads(ax, lines)
        every = sorted({x for points in lines.values() for x in points})
        ax.set_xscale("log", base=2)
        ax.set_xticks(every, [f"{x:,}" for x in every])
        ax.minorticks_off()
        ax.margins(x=0.3)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.set(xlabel=xlabel, title=title)
    axes[0].set_ylabel("right")
    fig.tight_layout()
    return fig


def _lines_by_heads(ax: Axes, lines: Mapping[int, Mapping[int, ArrayLike]]) -> None:
    """Draw a line a number of heads, named at the end where they are farthest apart."""
    shades = {1: "key", 2: "value", 4: "query", 8: "output"}
    means = {
        heads: {x: float(np.mean(values)) for x, values in points.items()}
        for heads, points in lines.items()
    }
    apart = np.ptp([list(points.values()) for points in means.values()], axis=0)
    side = 1 if apart[-1] >= apart[0] else -1
    for heads, points in lines.items():
        colour = look.colour(shades[heads])
        ax.plot(list(points), list(means[heads].values()), color=colour)
        for x, values in points.items():
            values = np.asarray(values)
            dots = {"color": colour, "alpha": 0.6, "markersize": 4}
            ax.plot(np.full(len(values), x), values, "o", **dots)
        end = max(points) if side > 0 else min(points)
        near = {"textcoords": "offset points", "xytext": (7 * side, 0), "va": "center"}
        near["ha"] = "left" if side > 0 else "right"
        text = f"{heads} head{'s' if heads > 1 else ''}"
        at = (end, means[heads][end])
        ax.annotate(text, at, color=colour, fontsize=9.5, **near)


def alignment_by_head(
    heads: ArrayLike, layers: int, chance: float, diagonal: float
) -> Figure:
    """Draw how often each head's largest weight lies on an aligned word.

    Parameters
    ----------
    heads : array_like, shape (seeds, layers * heads)
    layers : int
    chance, diagonal : float
        Levels of a blind head and of one that only counts places.
    """
    heads = np.asarray(heads)
    each = heads.shape[1] // layers
    fig, ax = plt.subplots(figsize=(5.4, 2.9))
    for level, text in ((chance, "blind"), (diagonal, "same place")):
        ax.axhline(
            level, color=look.colour("muted"), linewidth=1, linestyle=(0, (4, 2))
        )
        style = {"ha": "right", "fontsize": 9.5, "color": look.colour("muted")}
        ax.text(each - 0.55, level + 0.015, text, **style)  # below it the dots are few
    for layer in range(layers):
        part = np.sort(heads[:, layer * each : (layer + 1) * each], axis=1)[:, ::-1]
        places = np.arange(each) + layer * each
        for row in part:
            ax.plot(places, row, "o", color=look.colour("output"), alpha=0.7)
    ranks = ["1st", "2nd", "3rd", *(f"{k}th" for k in range(4, each + 1))][:each]
    ax.set_xticks(range(heads.shape[1]), ranks * layers)
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(ylim=(0, 1.02), xlim=(-0.5, heads.shape[1] - 0.5), ylabel="aligned")
    for layer in range(layers):
        middle = (layer + 0.5) / layers
        under = {"transform": ax.transAxes, "ha": "center", "va": "top"}
        ax.text(middle, -0.14, f"heads of layer {layer + 1}, best first", **under)
    fig.tight_layout()
    return fig


def weights_by_ending(rows: Mapping[str, ArrayLike], words: Sequence[str]) -> Figure:
    """Draw a head's weights on the words of sentences that differ in the last one.

    Parameters
    ----------
    rows : mapping of str to array_like, shape (m,)
        By the last word: the weights on all words, on the last one too.
    words : sequence of str, length m - 1
        What the sentences share.

    Returns
    -------
    Figure
    """
    endings = [f"… {word}" for word in rows]
    weights = np.array([np.asarray(row) for row in rows.values()])
    return equation([[Matrix(weights, "", endings, [*words, "…"], fill="weights")]])


def looks_at(rows: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Figure:
    """Draw for each head its mean weight on the noun that is meant and on the other.

    Parameters
    ----------
    rows : mapping of str to (float, float)
        By the head's name: mean weight on the meant noun, and on the other.
    """
    names = list(rows)[::-1]
    fig, ax = plt.subplots(figsize=(5.4, 0.27 * len(names) + 0.9))
    for i, name in enumerate(names):
        meant, other = rows[name]
        ax.plot([other, meant], [i, i], color=look.colour("line"), zorder=1)
        ax.plot(other, i, "o", color=look.colour("muted"), markersize=5)
        ax.plot(meant, i, "o", color=look.colour("output"), markersize=7)
    ax.set_yticks(range(len(names)), names, fontsize=9.5)
    for x, text, role in (
        (0, "on the noun meant", "output"),
        (0.5, "on the other", "muted"),
    ):
        style = {"transform": ax.transAxes, "va": "bottom", "fontsize": 9.5}
        ax.text(x, 1.01, text, color=look.colour(role), **style)
    ax.set(xlim=(-0.02, 1.02), xlabel="mean weight")
    fig.tight_layout()
    return fig
