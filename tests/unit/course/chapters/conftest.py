"""What every room's tests of figures share: our style, and how a drawing is read."""

import io
import re
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from course.kit import look
from course.kit.prose import number

mpl.use("svg")


@pytest.fixture(autouse=True)
def _our_style(request):
    """Draw in our style, and look at what was drawn; `make check` asks that once."""
    with mpl.rc_context():
        look.use()
        yield
        try:
            drawn = map(plt.figure, plt.get_fignums())
            for figure in drawn if not request.config.option.markexpr else ():
                check(figure)
        finally:
            plt.close("all")


def written(figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg")
    return file.getvalue()


def foreign_colours(text: str) -> set[str]:
    ramps = {
        mpl.colors.to_hex(c) for m in (look.WEIGHTS, look.SIGNED) for c in m.colors
    }
    ours = {c.light for c in look.ROLES.values()} | ramps
    return set(re.findall(r"#[0-9a-f]{6}\b", text)) - ours


def check(figure) -> str:
    text = written(figure)
    assert foreign_colours(text) == set()
    assert figure.get_figwidth() <= 7.2, "wider than the text"
    plt.close(figure)
    return text


def named_lines(axes) -> dict:
    """Heights of each line by its name: the legend's, or the text of its colour."""
    written = {mpl.colors.to_hex(t.get_color()): t.get_text() for t in axes.texts}
    return {
        written.get(mpl.colors.to_hex(line.get_color()), line.get_label()): [
            *line.get_ydata()
        ]
        for line in axes.lines
    }


@pytest.fixture
def named():
    """Give what axes draw by the names that a reader finds beside it."""
    return named_lines


NAME = 12  # points, of what stands above a matrix; the names of columns are smaller


class DrawnMatrix(NamedTuple):
    """A matrix as a reader finds it: entries, and the words beside them."""

    entries: list[list[str]]
    rows: list[str]
    columns: list[str]


def drawn_matrices(figure) -> list[tuple[str, DrawnMatrix]]:
    """Matrices of an equation, each with the name above it."""
    [axes] = figure.axes
    brackets = zip(axes.lines[::2], axes.lines[1::2], strict=True)
    return [_read(axes.texts, *_body(*pair)) for pair in brackets]


def _body(left, right) -> tuple[float, float, float, float]:
    """Sides of what stands between two brackets."""
    low, high = min(left.get_ydata()), max(left.get_ydata())
    return max(left.get_xdata()), min(right.get_xdata()), low, high


def _read(texts, left, right, low, high) -> tuple[str, DrawnMatrix]:
    """Name of a matrix, and what stands in it, left of it and above it."""
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
    """Compare drawn matrices with a name, values, names of rows and columns of each."""
    drawn = drawn_matrices(figure)
    assert [name for name, _ in drawn] == [name for name, *_ in expected]
    for (name, found), (_, values, *words) in zip(drawn, expected, strict=True):
        decimals = len(found.entries[0][0].partition(".")[2])
        said = [[number(v, decimals) for v in row] for row in np.atleast_2d(values)]
        assert found.entries == said, name
        rows, columns = (*words, (), ())[:2]
        assert found[1:] == (list(rows), list(columns)), name


@pytest.fixture
def shows():
    """Demand that a figure's matrices hold what is told, under their names."""
    return check_matrices


@pytest.fixture
def svg():
    """Give the text of a figure's SVG, which must hold no colour but ours."""
    return check
