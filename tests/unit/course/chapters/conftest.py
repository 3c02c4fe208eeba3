"""Fixtures for tests of figures: the course's style, and readers of drawn figures."""

import io
import re
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from repeats import is_quick

from course.kit import look
from course.kit.prose import number

mpl.use("svg")
NAME = 12  # font size of the name above a matrix; names of columns are smaller
RAMPS = {mpl.colors.to_hex(c) for m in (look.WEIGHTS, look.SIGNED) for c in m.colors}
COLOURS = {colour.light for colour in look.ROLES.values()} | RAMPS


def as_svg(figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg")
    return file.getvalue()


@pytest.fixture(autouse=True)
def _style(request):
    """Draw in the course's style, then check colours and width of each open figure.

    `make check` leaves these checks out, because they draw every figure once more.
    """
    with mpl.rc_context():
        look.use()
        yield
        try:
            checked = [] if is_quick(request.config) else plt.get_fignums()
            for figure in map(plt.figure, checked):
                drawn = set(re.findall(r"#[0-9a-f]{6}\b", as_svg(figure)))
                assert drawn <= COLOURS, "colours come from course.kit.look"
                assert figure.get_figwidth() <= 7.2, "at most 7.2 inches wide"
        finally:
            plt.close("all")


def texts_of(figure):
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
    """A matrix as a reader sees it: its entries, and the labels of rows and columns."""

    entries: list[list[str]]
    rows: list[str]
    columns: list[str]


def drawn_matrices(figure) -> list[tuple[str, DrawnMatrix]]:
    """Return the matrices of an equation, each with the name above the matrix."""
    [axes] = figure.axes
    brackets = zip(axes.lines[::2], axes.lines[1::2], strict=True)
    return [_read(axes.texts, *_body(*pair)) for pair in brackets]


def _body(left, right) -> tuple[float, float, float, float]:
    """Return left, right, low and high side of the space between two brackets."""
    low, high = min(left.get_ydata()), max(left.get_ydata())
    return max(left.get_xdata()), min(right.get_xdata()), low, high


def _read(texts, left, right, low, high) -> tuple[str, DrawnMatrix]:
    """Read the texts inside a matrix, left of it and above it."""
    lines: dict[float, list] = {}
    rows, columns, name = [], [], ""
    for text in texts:
        x, y = text.get_position()
        if low < y < high and left < x < right:
            lines.setdefault(round(y, 3), []).append(text)
        elif low < y < high and left - 0.2 < x < left and text.get_ha() == "right":
            rows.append(text)
        elif left < x < right and high < y < high + 0.4:
            if text.get_fontsize() == NAME:
                name = text.get_text()
            else:
                columns.append(text)
    down, across = (lambda t: -t.get_position()[1]), (lambda t: t.get_position()[0])
    ordered = [sorted(lines[y], key=across) for y in sorted(lines, reverse=True)]
    return name, DrawnMatrix(
        [[t.get_text() for t in line] for line in ordered],
        [t.get_text() for t in sorted(rows, key=down)],
        [t.get_text() for t in sorted(columns, key=across)],
    )


def check_matrices(figure, *expected: tuple) -> None:
    """Compare drawn matrices with their names, values, row labels and column labels."""
    drawn = drawn_matrices(figure)
    assert [name for name, _ in drawn] == [name for name, *_ in expected]
    for (name, found), (_, values, *labels) in zip(drawn, expected, strict=True):
        decimals = len(found.entries[0][0].partition(".")[2])
        due = [[number(v, decimals) for v in row] for row in np.atleast_2d(values)]
        assert found.entries == due, name
        rows, columns = (*labels, (), ())[:2]
        assert found[1:] == (list(rows), list(columns)), name


@pytest.fixture
def texts():
    """Return a function that lists the texts of a figure."""
    return texts_of


@pytest.fixture
def svg():
    """Return a function that writes a figure as SVG."""
    return as_svg


@pytest.fixture
def named():
    """Return a function that reads the lines of axes by their names."""
    return named_lines


@pytest.fixture
def shows():
    """Return a function that compares the matrices of a figure with expected ones.

    ``shows(figure, (name, values, row labels, column labels), ...)`` takes one tuple
    for each matrix; labels may be left out.
    """
    return check_matrices
