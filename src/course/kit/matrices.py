"""Drawings of matrices: brackets, labels, aligned numbers.

A figure is a list of lines. A line is a list of matrices with operators between them
("=", "×", "softmax →"). Lengths are in inches, so all cells of a figure have one size,
and text has the same size in every figure::

    equation([[Matrix(X, "$X$"), "×", Matrix(W, "$W^Q$", role="query")]])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course.kit import look
from course.kit.prose import number

CELL_HEIGHT = 0.33
NAME_HEIGHT = 0.30
LABEL_HEIGHT = 0.24
GAP = 0.14  # between an item and the next
BRACKET = 0.07
FONT = 10.5  # points, numbers in cells
LABEL_FONT = 9.5
_EM = 0.0086  # width of a character in inches, for each point of its size
_PAD = 0.12


def text_width(text: str, size: float = FONT) -> float:
    """Estimate the width of a line of text in inches, without its mathtext marks."""
    visible = "".join(c for c in text if c not in "${}\\^_")
    return len(visible) * _EM * size


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix to draw.

    Use mathtext in the name for a single symbol only: in the page's fonts it loses
    spaces between words and breaks roots. With ``fill="weights"`` the colours run from
    0 to 1, and a bar in each cell is as long as the weight.
    """

    values: ArrayLike  # shape (n, m); a vector is drawn as one row
    name: str = ""  # above the matrix, in the colour of the role
    rows: Sequence[str] = ()  # labels, such as tokens
    columns: Sequence[str] = ()
    role: str = "ink"  # in `course.kit.look`: colours name, brackets, numbers
    fill: Literal["weights"] | None = None  # colour scale of the cells
    decimals: int = 2
    note: str = ""  # a line below the matrix, such as its shape
    marked: Sequence[tuple[int, int]] = ()  # cells to frame

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """Entries as an array with two axes."""
        return np.atleast_2d(np.asarray(self.values, dtype=float))

    @cached_property
    def texts(self) -> list[list[str]]:
        """Entries as texts."""
        return [[number(v, self.decimals) for v in row] for row in self.array]

    @cached_property
    def widest(self) -> float:
        """Width of the widest entry in inches."""
        return max(text_width(t) for row in self.texts for t in row)


Line = Sequence[Matrix | str]


def cell_width(matrices: Sequence[Matrix]) -> float:
    """Return a cell width that fits every number and column label."""
    texts = [t for m in matrices for row in m.texts for t in row]
    labels = [label for m in matrices for label in m.columns]
    number_width = max((text_width(t) for t in texts), default=0.0)
    label_width = max((text_width(t, LABEL_FONT) for t in labels), default=0.0)
    return max(number_width + 0.16, label_width + 0.08, 0.40)


def _left(matrix: Matrix) -> float:
    """Return the width of the row labels."""
    widths = [text_width(t, LABEL_FONT) for t in matrix.rows]
    return max(widths) + 0.08 if widths else 0.0


def _above(matrix: Matrix) -> float:
    """Return the height of the name and the column labels."""
    return NAME_HEIGHT * bool(matrix.name) + LABEL_HEIGHT * bool(len(matrix.columns))


def size(matrix: Matrix, width: float) -> tuple[float, float]:
    """Return the width and height in inches of a matrix with cells of this width.

    The width includes row labels and brackets, the height includes name, column labels
    and note.
    """
    n, m = matrix.array.shape
    body = _left(matrix) + m * width + 2 * BRACKET
    below = LABEL_HEIGHT if matrix.note else 0.0
    return body, _above(matrix) + n * CELL_HEIGHT + below


def _cell(
    ax: Axes, matrix: Matrix, x: float, y: float, width: float, at: tuple
) -> None:
    """Draw one cell, with its number, whose lower left corner is (x, y)."""
    if matrix.fill:
        share, paper = float(np.clip(matrix.array[at], 0, 1)), look.colour("paper")
        box = {"facecolor": look.WEIGHTS(share), "edgecolor": paper, "linewidth": 1.0}
        ax.add_patch(Rectangle((x, y), width, CELL_HEIGHT, **box))
        bar = {"facecolor": look.colour("muted"), "edgecolor": "none"}
        place = (x + 0.03, y + 0.03)
        ax.add_patch(Rectangle(place, share * (width - 0.06), 0.035, **bar))
    if at in [tuple(cell) for cell in matrix.marked]:
        frame = {"facecolor": "none", "edgecolor": look.colour("ink"), "linewidth": 1.6}
        ax.add_patch(Rectangle((x + 0.01, y + 0.01), width - 0.02, 0.31, **frame))
    ink = look.colour("ink" if matrix.fill else matrix.role)
    lift = 0.015 if matrix.fill else 0.0
    ax.text(
        x + (width + matrix.widest) / 2,
        y + CELL_HEIGHT / 2 + lift,
        matrix.texts[at[0]][at[1]],
        ha="right",
        va="center_baseline",
        fontsize=FONT,
        color=ink,
    )


def brackets(
    ax: Axes, corner: tuple[float, float], size: tuple[float, float], role: str
) -> None:
    """Draw square brackets around the rectangle with this lower left corner."""
    (x, y), (w, h) = corner, size
    style = {"color": look.colour(role), "linewidth": 1.3, "solid_capstyle": "butt"}
    for inner, outer in ((x, x - BRACKET), (x + w, x + w + BRACKET)):
        ax.plot([inner, outer, outer, inner], [y, y, y + h, y + h], **style)


def _labels(ax: Axes, matrix: Matrix, x: float, y: float, width: float) -> None:
    """Write row labels, column labels, name and note around the body at (x, y)."""
    n, m = matrix.array.shape
    top, middle = y + n * CELL_HEIGHT, x + m * width / 2
    quiet = {"fontsize": LABEL_FONT, "color": look.colour("muted")}
    for i, label in enumerate(matrix.rows):
        height = top - (i + 0.5) * CELL_HEIGHT
        left = {"ha": "right", "va": "center_baseline"}
        ax.text(x - BRACKET - 0.07, height, label, **left, **quiet)
    for j, label in enumerate(matrix.columns):
        ax.text(x + (j + 0.5) * width, top + 0.08, label, ha="center", **quiet)
    if matrix.name:
        height = top + 0.11 + LABEL_HEIGHT * bool(len(matrix.columns))
        colour = look.colour(matrix.role)
        ax.text(middle, height, matrix.name, ha="center", fontsize=12, color=colour)
    if matrix.note:
        ax.text(middle, y - 0.18, matrix.note, ha="center", **quiet)


def draw(ax: Axes, matrix: Matrix, x: float, y: float, width: float) -> None:
    """Draw a matrix on axes whose unit is the inch, see `canvas`.

    The row labels begin at x, the lower edge of the body is at y, and `width` is the
    width of a cell.
    """
    n, m = matrix.array.shape
    left = x + _left(matrix) + BRACKET
    for i, j in np.ndindex(n, m):
        at = left + j * width, y + (n - 1 - i) * CELL_HEIGHT
        _cell(ax, matrix, *at, width, (i, j))
    brackets(ax, (left, y), (m * width, n * CELL_HEIGHT), matrix.role)
    _labels(ax, matrix, left, y, width)


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure with one set of empty axes whose unit is the inch."""
    fig = plt.figure(figsize=(width, height))
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(0, height))
    ax.set_axis_off()
    return fig, ax


def _measure(line: Line, width: float) -> tuple[float, float, float]:
    """Return the width of a line, and its extents above and below its middle."""
    total, above, below = -GAP, 0.0, 0.0
    for item in line:
        if isinstance(item, str):
            total += text_width(item, 12) + GAP
            above, below = max(above, 0.12), max(below, 0.12)
            continue
        w, h = size(item, width)
        half = item.array.shape[0] * CELL_HEIGHT / 2
        total += w + GAP
        above = max(above, _above(item) + half)
        below = max(below, h - _above(item) - half)
    return total, above, below


def _draw_line(ax: Axes, line: Line, x: float, middle: float, width: float) -> None:
    """Draw matrices and operators from left to right."""
    for item in line:
        if isinstance(item, str):
            step = text_width(item, 12)
            centre = {"ha": "center", "va": "center_baseline", "fontsize": 12}
            ax.text(x + step / 2, middle, item, **centre)
        else:
            step, _ = size(item, width)
            half = item.array.shape[0] * CELL_HEIGHT / 2
            draw(ax, item, x, middle - half, width)
        x += step + GAP


def equation(lines: Sequence[Line]) -> Figure:
    """Draw lines of matrices and operators, all cells of one size.

    Lines are centred, one below the other. The figure is as large as its content. Three
    matrices of three columns make about 7 inches.
    """
    matrices = [item for line in lines for item in line if isinstance(item, Matrix)]
    width = cell_width(matrices)
    sizes = [_measure(line, width) for line in lines]
    full = max(total for total, _, _ in sizes) + 2 * _PAD
    between = 0.16 * (len(lines) - 1)
    fig, ax = canvas(full, sum(a + b for _, a, b in sizes) + between + 2 * _PAD)
    y = fig.get_figheight() - _PAD
    for line, (total, above, below) in zip(lines, sizes, strict=True):
        _draw_line(ax, line, (full - total) / 2, y - above, width)
        y -= above + below + 0.16
    return fig
