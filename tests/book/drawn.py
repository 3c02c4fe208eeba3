"""Drawn figures as a reader sees them: texts, named lines and matrices."""

from collections import defaultdict
from typing import NamedTuple

import matplotlib as mpl
import numpy as np

from course.kit.prose import number

NAME = 12  # font size of the name above a matrix; names of columns are smaller


def texts(figure) -> list[str]:
    """Return the texts of a figure, panel by panel."""
    return [t.get_text() for ax in figure.axes for t in ax.texts if t.get_text()]


def named_lines(axes) -> dict:
    """Return the y values of each line, by the text in its colour or by its label."""
    written = {mpl.colors.to_hex(t.get_color()): t.get_text() for t in axes.texts}
    return {
        written.get(mpl.colors.to_hex(line.get_color()), line.get_label()): [
            *line.get_ydata()
        ]
        for line in axes.lines
    }


class DrawnMatrix(NamedTuple):
    """A matrix of an equation: its name, its entries, labels of rows and columns."""

    name: str
    entries: list[list[str]]
    rows: list[str]
    columns: list[str]


def reading_order(text) -> tuple[float, float]:
    """Return a key that sorts texts from top to bottom, then from left to right."""
    x, y = text.get_position()
    return -round(y, 3), x


def read_matrix(texts, left, right) -> DrawnMatrix:
    """Return the matrix between two brackets, with its name and its labels."""
    low, high = min(left.get_ydata()), max(left.get_ydata())
    start, end = max(left.get_xdata()), min(right.get_xdata())
    name, entries, rows, columns = "", defaultdict(list), [], []
    for text in sorted(texts, key=reading_order):
        (x, y), said = text.get_position(), text.get_text()
        if low < y < high and start < x < end:
            entries[round(y, 3)].append(said)
        elif low < y < high and start - 0.2 < x < start and text.get_ha() == "right":
            rows.append(said)
        elif high < y < high + 0.4 and start < x < end:
            if text.get_fontsize() == NAME:
                name = said
            else:
                columns.append(said)
    return DrawnMatrix(name, [*entries.values()], rows, columns)


def check_matrices(figure, *expected: tuple) -> None:
    """Compare the matrices of an equation with what it should show.

    Each of `expected` holds a name, values, and labels of rows and of columns; labels
    may be left out.
    """
    [axes] = figure.axes
    brackets = zip(axes.lines[::2], axes.lines[1::2], strict=True)
    drawn = [read_matrix(axes.texts, *pair) for pair in brackets]
    assert [found.name for found in drawn] == [name for name, *_ in expected]
    for found, (name, values, *labelled) in zip(drawn, expected, strict=True):
        decimals = len(found.entries[0][0].partition(".")[2])
        entries = [[number(v, decimals) for v in row] for row in np.atleast_2d(values)]
        rows, columns = (*labelled, (), ())[:2]
        assert found == DrawnMatrix(name, entries, [*rows], [*columns])
