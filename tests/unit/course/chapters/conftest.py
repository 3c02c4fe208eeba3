"""What every room's tests of figures share: our style, and the text of a drawing."""

import io
import re

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from course.kit import look

mpl.use("svg")


@pytest.fixture(autouse=True)
def _our_style():
    with mpl.rc_context():
        look.use()
        yield
        try:
            for figure in map(plt.figure, plt.get_fignums()):
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


@pytest.fixture
def svg():
    """Give the text of a figure's SVG, which must hold no colour but ours."""
    return check
