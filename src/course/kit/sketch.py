"""Drawings of boxes, arrows, links and sums of vectors.

All functions draw on axes of `course.kit.matrices.canvas`, whose unit is the inch.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.matrices import FONT, LABEL_FONT, canvas, text_width
from course.kit.prose import number, percent

MIDDLE = {"ha": "center", "va": "center_baseline"}
QUIET = {**MIDDLE, "fontsize": LABEL_FONT, "color": look.colour("muted")}
BELOW = "₁₂₃₄₅₆₇₈₉"
"""Subscripts from 1 in plain text; Matplotlib's formulas take longer to draw."""
Point = tuple[float, float]
_LIFTS = {"^": 0.41, "_": -0.15}  # height of an index, in font sizes of its letter


def arrow(ax: Axes, *points: Point, role: str = "muted") -> None:
    """Draw an arrow that passes through points in straight segments."""
    colour = look.colour(role)
    if len(points) > 2:
        ax.plot(*zip(*points[:-1], strict=True), color=colour, linewidth=1.3)
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.3}
    style |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 10}
    ax.annotate("", points[-1], points[-2], arrowprops=style)


def box(
    ax: Axes, centre: Point, size: Point, text: str = "", role: str = "muted"
) -> None:
    """Draw a box with rounded corners around a line of text."""
    (x, y), (width, height) = centre, size
    style = {"facecolor": look.colour("surface"), "edgecolor": look.colour(role)}
    ax.add_patch(
        FancyBboxPatch(
            (x - width / 2 + 0.05, y - height / 2 + 0.05),
            width - 0.1,
            height - 0.1,
            boxstyle="round,pad=0.05",
            linewidth=1.2,
            **style,
        )
    )
    ax.text(x, y, text, fontsize=10, **MIDDLE)


def symbol(ax: Axes, at: Point, name: str, size: float, role: str) -> None:
    """Write a letter with an index, such as ``W^Q`` or ``z_1``, like a formula.

    The two texts meet at one point, so they are adjacent in every font. A formula of
    Matplotlib can take longer to draw than the whole figure.
    """
    letter, mark, index = name[0], name[1], name[2:]
    share = 0.7  # size of an index, relative to its letter
    x = at[0] + text_width(letter, size) / 2 - text_width(index, share * size) / 2
    y = at[1] - 0.36 * size / 72  # a capital letter is centred at at[1]
    style = {"color": look.colour(role), "va": "baseline"}
    slanted = "normal" if index.isdigit() else "italic"
    ax.text(x, y, letter, fontsize=size, fontstyle="italic", ha="right", **style)
    above = y + _LIFTS[mark] * size / 72
    ax.text(x, above, index, fontsize=share * size, fontstyle=slanted, **style)


def links(
    words: Sequence[str], source: int, weights: ArrayLike | None = None
) -> Figure:
    """Draw lines from one word, with the index `source`, to every word of its sentence.

    The thickness of a line, and the number below a word, show the attention weight.
    Without weights all lines are equally thick, and no numbers are shown.
    """
    xs, x = [], 0.3
    for word in words:
        width = max(text_width(word, 11), 0.34)
        xs.append(x + width / 2)
        x += width + 0.16
    fig, ax = canvas(x + 0.15, 1.75)
    shares = np.full(len(words), 0.12) if weights is None else np.asarray(weights)
    for j, (word, at, share) in enumerate(zip(words, xs, shares, strict=True)):
        strong = {"fontweight": "bold"} if j == source else {}
        ax.text(at, 0.45, word, fontsize=11, **strong, **MIDDLE)
        line = {"color": look.colour("output"), "linewidth": max(16 * share, 0.6)}
        ax.plot([xs[source], at], [1.35, 0.66], solid_capstyle="round", **line)
        if weights is not None:
            ax.text(at, 0.2, percent(share, 0), **QUIET)
    query = {"fontsize": 11, "fontweight": "bold", "color": look.colour("query")}
    ax.text(xs[source], 1.52, words[source], **query, **MIDDLE)
    return fig


def mixture(result: str, words: Sequence[str], weights: ArrayLike) -> Figure:
    """Draw an output as the sum of value vectors, each as wide as its weight.

    `result` is the name of the sum, a `symbol` such as ``z_1``, and `words` are the
    words whose values are added. Sums of more than four terms are drawn smaller.
    """
    return mixtures([result], words, [weights])


def mixtures(
    results: Sequence[str], words: Sequence[str], weights: ArrayLike
) -> Figure:
    """Draw sums as `mixture` does, one below the other; `weights` have shape (n, m)."""
    weights = np.asarray(weights)
    many = len(words) > 4
    unit, gap = (1.5, 0.24) if many else (1.9, 0.34)
    plain = text_width("0.00 v₁")
    widths = [
        max(unit * w, text_width(word, LABEL_FONT) if many else plain)
        for w, word in zip(weights.max(axis=0), words, strict=True)
    ]
    height = 1.35 * len(results)
    fig, ax = canvas(0.9 + sum(widths) + gap * len(words), height)
    face = {"facecolor": look.colour("value"), "edgecolor": "none"}
    style = {"fontsize": LABEL_FONT if many else FONT, **MIDDLE}
    for i, (result, row) in enumerate(zip(results, weights, strict=True), start=1):
        y = height - 1.35 * i
        symbol(ax, (0.28, y + 0.64), result, 14, "output")
        ax.text(0.62, y + 0.64, "=", fontsize=13, **MIDDLE)
        x = 0.85
        for j, (word, weight, width) in enumerate(zip(words, row, widths, strict=True)):
            middle, bar = x + width / 2, unit * weight
            ax.add_patch(Rectangle((middle - bar / 2, y + 0.48), bar, 0.32, **face))
            label = number(weight, 2) if many else f"{weight:g} v{BELOW[j]}"
            ax.text(middle, y + 1.0, label, color=look.colour("value"), **style)
            ax.text(middle, y + 0.24, word, **QUIET)
            x += width + gap
            if j + 1 < len(words):
                ax.text(x - gap / 2, y + 0.64, "+", fontsize=11, **MIDDLE)
    return fig
