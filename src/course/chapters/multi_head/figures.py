"""Figures of chapter 3."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from numpy.typing import ArrayLike

from attention import MultiHeadTrace
from course.kit import look
from course.kit.matrices import Matrix, canvas, equation
from course.kit.prose import number
from course.notes.worked_example import WorkedExample

_ROW = 0.28  # inches for a word
_BAR = 0.5  # inches for a weight of one
_QUIET = {"fontsize": 9.5, "color": look.colour("muted")}


def _bars(ax: Axes, x: float, top: float, weights: Sequence[float], name: str) -> None:
    """Draw a column of weights below its name."""
    ax.text(x, top + 0.12, name, fontsize=10.5, color=look.colour("ink"))
    for i, weight in enumerate(weights):
        y = top - (i + 1) * _ROW
        bar = {"facecolor": look.colour("weight-high"), "edgecolor": "none"}
        ax.add_patch(Rectangle((x, y + 0.05), _BAR * weight, _ROW - 0.1, **bar))
        style = {"fontsize": 9.5, "va": "center_baseline"}
        strong = look.colour("ink" if weight >= 0.2 else "muted")
        at = x + _BAR * weight + 0.06, y + _ROW / 2
        ax.text(*at, number(weight), color=strong, **style)


def one_head_or_two(
    words: Sequence[str],
    one: Sequence[float],
    two: tuple[Sequence[float], Sequence[float]],
    query: str,
) -> Figure:
    """Draw one row of weights beside two, for the same query.

    Parameters
    ----------
    words : sequence of str
        The sentence, from top to bottom.
    one : sequence of float
        Weights of a single head.
    two : pair of sequences of float
        Weights of two heads.
    query : str
        The word that attends.
    """
    height = len(words) * _ROW + 0.95
    fig, ax = canvas(3.6, height)
    top = height - 0.5
    for i, word in enumerate(words):
        y = top - (i + 0.5) * _ROW
        weight = "bold" if word == query else "normal"
        style = {"ha": "right", "va": "center_baseline", "fontsize": 10}
        ax.text(0.72, y, word, fontweight=weight, color=look.colour("ink"), **style)
    names = ("one head", "head 1", "head 2")
    columns = (0.82, 1.78, 2.72)
    for x, name, weights in zip(columns, names, (one, *two), strict=True):
        _bars(ax, x, top, weights, name)
    captions = ("both", "who", "how")
    for x, caption in zip(columns, captions, strict=True):
        ax.text(x, 0.14, caption, **_QUIET)
    line = {"color": look.colour("line"), "linewidth": 1.0}
    ax.plot([1.67, 1.67], [0.1, height - 0.15], **line)
    return fig


_CELL = 0.115  # inches for a number of a matrix in the picture of the pipeline


def _grid(
    ax: Axes, centre: float, top: float, shape: tuple[int, int], role: str, name: str
) -> None:
    """Draw the cells of a matrix, with its name beside or above them."""
    rows, columns = shape
    left = centre - columns * _CELL / 2
    for i in range(rows):
        for j in range(columns):
            corner = left + j * _CELL, top - (i + 1) * _CELL
            tint = {"facecolor": "none", "edgecolor": look.colour(role)}
            ax.add_patch(Rectangle(corner, _CELL, _CELL, linewidth=0.9, **tint))
    style = {"ha": "center", "va": "bottom", "color": look.colour(role)}
    ax.text(centre, top + 0.04, name, fontsize=10, **style)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "color": look.colour("muted"), "linewidth": 1.0}
    style |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
    ax.annotate("", end, start, arrowprops=style)


def pipeline(n: int, d_model: int, h: int, d_k: int) -> Figure:
    """Draw multi-head attention from the input to the output, each matrix to scale.

    Parameters
    ----------
    n, d_model, h, d_k : int
        Tokens, width of the model, heads, width of a head (``d_v`` is the same).

    Returns
    -------
    Figure
        From top to bottom: X; for each head its queries, keys and values, its
        weights, its output; the concatenation; the output.
    """
    width, height = 3.75, 4.75
    fig, ax = canvas(width, height)
    tall, middle, lane = n * _CELL, width / 2, width / h
    lanes = [lane * (i + 0.5) for i in range(h)]
    tops = {"X": 4.5, "QKV": 3.65, "A": 2.8, "Z": 1.98, "concat": 1.16, "out": 0.38}
    notes = {"QKV": "project", "A": "softmax", "Z": "mix"}

    _grid(ax, middle, tops["X"], (n, d_model), "ink", "$X$")
    for i, x in enumerate(lanes, start=1):
        _arrow(ax, (middle, tops["X"] - tall - 0.03), (x, tops["QKV"] + 0.24))
        for role, letter, shift in (
            ("query", "Q", -1),
            ("key", "K", 0),
            ("value", "V", 1),
        ):
            at = x + shift * 0.46
            _grid(ax, at, tops["QKV"], (n, d_k), role, f"${letter}_{i}$")
        below = tops["QKV"] - tall - 0.03
        for shift in (-0.46, 0):
            _arrow(ax, (x + shift, below), (x - 0.23, tops["A"] + 0.24))
        _grid(ax, x - 0.23, tops["A"], (n, n), "output", f"$A_{i}$")
        _arrow(ax, (x - 0.23, tops["A"] - tall - 0.03), (x, tops["Z"] + 0.24))
        _arrow(ax, (x + 0.46, below), (x + 0.06, tops["Z"] + 0.24))
        _grid(ax, x, tops["Z"], (n, d_k), "output", f"head {i}")
        _arrow(ax, (x, tops["Z"] - tall - 0.03), (middle, tops["concat"] + 0.24))
    _grid(ax, middle, tops["concat"], (n, h * d_k), "output", "side by side")
    _arrow(ax, (middle, tops["concat"] - tall - 0.03), (middle, tops["out"] + 0.24))
    _grid(ax, middle, tops["out"], (n, d_model), "ink", "output")
    ax.text(middle + 0.1, 0.72, "times $W^O$", va="center", **_QUIET)
    for name, words in notes.items():
        ax.text(
            middle, tops[name] - tall / 2, words, ha="center", va="center", **_QUIET
        )
    return fig


def reachable(values: Mapping[str, tuple[float, float]], wanted: str) -> Figure:
    """Draw what one head and what two heads can return.

    Parameters
    ----------
    values : mapping of str to (float, float)
        The two parts of each of three places.
    wanted : str
        Label of the point that joins the first part of the first place and the second
        part of the last place.

    Returns
    -------
    Figure
        The triangle of all weighted means, inside the box of all pairs.
    """
    fig, ax = plt.subplots(figsize=(3.75, 3.2))
    points = np.array(list(values.values()))
    low, high = points.min(axis=0), points.max(axis=0)
    box = {"facecolor": "none", "edgecolor": look.colour("ink"), "linewidth": 1.4}
    ax.add_patch(Rectangle(low, *(high - low), linestyle=(0, (4, 2)), **box))
    hull = {"facecolor": look.WEIGHTS(0.18), "edgecolor": look.colour("weight-high")}
    ax.add_patch(Polygon(points, closed=True, linewidth=1.4, **hull))
    value = look.colour("value")
    ax.plot(*points.T, "o", color=value, markersize=7)
    centre = points.mean(axis=0)
    for name, at in values.items():
        away = np.array(at) - centre
        shift = tuple(14 * away / np.hypot(*away) * (1.4, 1))
        where = {"textcoords": "offset points", "ha": "center", "va": "center"}
        ax.annotate(name, at, xytext=shift, fontsize=11, color=value, **where)
    target = points[0, 0], points[-1, 1]
    ax.plot(*target, marker="*", markersize=15, color=look.colour("output"))
    over = {"textcoords": "offset points", "xytext": (10, 9), "ha": "right"}
    ax.annotate(wanted, target, color=look.colour("output"), va="bottom", **over)
    ax.text(*centre, "one head:\nthe triangle", ha="center", va="center")
    ax.text(*(high - 0.08), "two heads:\nthe whole box", ha="right", va="top")
    ax.set(xlabel="first part (who)", ylabel="second part (how)")
    ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.margins(x=0.24, y=0.2)
    fig.tight_layout()
    return fig


def blend_budget(
    share: ArrayLike,
    errors: tuple[ArrayLike, ArrayLike],
    measured: Sequence[tuple[float, float, float]],
) -> Figure:
    """Draw the two errors of one head against its weight on the first place.

    Parameters
    ----------
    share : array_like, shape (points,)
        Weight on the first place.
    errors : pair of array_like, shape (points,)
        Errors of "who" and of "how" by formula.
    measured : sequence of (share, who, how)
        Measured errors.
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


def queries_keys_values(trace: MultiHeadTrace, tokens: Sequence[str]) -> Figure:
    """Draw Q, K and V of every head, a line a head."""
    lines = [
        [
            Matrix(head.query, f"$Q_{i}$", tokens, role="query", decimals=1),
            Matrix(head.key, f"$K_{i}$", role="key", decimals=1),
            Matrix(head.value, f"$V_{i}$", role="value", decimals=1),
        ]
        for i, head in enumerate(trace.heads, start=1)
    ]
    return equation(lines)


def inputs(example: WorkedExample) -> Figure:
    """Draw X and the query, key and value weights of every head.

    Parameters
    ----------
    example : WorkedExample
        A short one, with a head axis.

    Returns
    -------
    Figure
        X on the first line, then a line a head.
    """
    lines: list[list[Matrix]] = [[Matrix(example.X, "$X$", example.tokens, decimals=0)]]
    weights = zip(example.W_Q, example.W_K, example.W_V, strict=True)
    for i, (W_Q, W_K, W_V) in enumerate(weights, start=1):
        lines.append(
            [
                Matrix(W_Q, f"$W^Q_{i}$", role="query", decimals=1),
                Matrix(W_K, f"$W^K_{i}$", role="key", decimals=1),
                Matrix(W_V, f"$W^V_{i}$", role="value", decimals=1),
            ]
        )
    return equation(lines)


def heads_and_concat(trace: MultiHeadTrace, tokens: Sequence[str]) -> Figure:
    """Draw the output of each head, and below them their concatenation."""
    heads = [
        Matrix(head.output, f"head {i}", tokens if i == 1 else (), role="output")
        for i, head in enumerate(trace.heads, start=1)
    ]
    names = " | ".join(m.name for m in heads)
    return equation([heads, [Matrix(trace.concat, names, tokens, role="output")]])


def last_step(trace: MultiHeadTrace, W_O: ArrayLike, tokens: Sequence[str]) -> Figure:
    """Draw the concatenation times W_O, and the output, below each other.

    Parameters
    ----------
    trace : MultiHeadTrace
        Of a short example.
    W_O : array_like, shape (h * d_v, d_model)
        Output projection.
    tokens : sequence of str
        Labels of the rows.
    """
    concat = Matrix(trace.concat, "concatenation", tokens, role="output")
    output = Matrix(trace.output, "output", tokens, role="output")
    projection = Matrix(W_O, "$W^O$", decimals=1)
    return equation([[concat], ["×", projection], ["=", output]])


def scores_to_weights(trace: MultiHeadTrace, tokens: Sequence[str]) -> Figure:
    """Draw scaled scores and weights of every head, a line a head.

    Returns
    -------
    Figure
        The largest entry of each row is framed.
    """
    lines = []
    for i, head in enumerate(trace.heads, start=1):
        largest = list(enumerate(head.weights.argmax(axis=-1).tolist()))
        scaled = f"scaled scores, head {i}"
        lines.append(
            [
                Matrix(head.scaled, scaled, tokens, tokens, marked=largest),
                "→",
                Matrix(head.weights, f"weights $A_{i}$", (), tokens, fill="weights"),
            ]
        )
    return equation(lines)


def projecting_and_splitting(whole: ArrayLike, split: ArrayLike) -> Figure:
    """Draw the query weights of two heads: free, and as a split of X implies.

    Parameters
    ----------
    whole, split : array_like, shape (2, d_model, d_k)
        Weights for all columns of X; ``split`` has zeros where a head that is
        given a slice of X never sees a column.
    """
    whole, split = np.asarray(whole), np.asarray(split)
    features = [f"feature {j + 1}" for j in range(whole.shape[1])]
    limit = float(np.abs(whole).max())
    style = {"fill": "signed", "limit": limit, "decimals": 1, "role": "query"}

    def pair(stack: np.ndarray, notes: Sequence[str]) -> list[Matrix]:
        """Weights of both heads; only the first carries row labels."""
        first = Matrix(stack[0], "$W^Q_1$", features, note=notes[0], **style)
        return [first, Matrix(stack[1], "$W^Q_2$", note=notes[1], **style)]

    each = ("reads all of X",) * 2
    half = ("reads 1 and 2", "reads 3 and 4")
    return equation([pair(whole, each), pair(split, half)])


def quality_by_heads(bleu: Mapping[int, float]) -> Figure:
    """Draw the paper's translation quality against the number of heads.

    Parameters
    ----------
    bleu : mapping of int to float
        BLEU by number of heads.
    """
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
