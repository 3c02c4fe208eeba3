"""Drawn matrices: their texts lie inside the figure, their cells have a colour."""

import matplotlib as mpl
import numpy as np
import pytest

from course.kit import look, matrices
from course.kit.matrices import Matrix, equation

mpl.use("svg")


def test_a_text_is_missing_or_lies_outside_the_figure():
    first = Matrix([[1, -2]], "$q$", ("play",), ("a", "b"), decimals=1, note="1 × 2")
    second = Matrix(np.eye(3), "$A$", ("I", "play", "football"), decimals=4, note="x")
    figure = equation([[first, "= q"], [second]])
    one = {"1.0", "−2.0", "$q$", "play", "a", "b", "1 × 2", "= q"}
    other = {"1.0000", "0.0000", "$A$", "I", "play", "football", "x"}
    [ax] = figure.axes
    assert {text.get_text() for text in ax.texts} == one | other
    figure.canvas.draw()
    for text in ax.texts:
        box = text.get_window_extent().transformed(ax.transData.inverted())
        assert 0 < box.x0 < box.x1 < figure.get_figwidth(), text
        assert 0 < box.y0 < box.y1 < figure.get_figheight(), text


def test_a_fill_bar_or_frame_does_not_fit_its_weight():
    matrix = Matrix([[0.25, 0.75]], fill="weights", marked=[(0, 1)])
    _, ax = matrices.canvas(3, 2)
    matrices.draw(ax, matrix, 0.1, 0.1, 0.56)
    cells = [p for p in ax.patches if p.get_height() == matrices.CELL_HEIGHT]
    bars = [p for p in ax.patches if p.get_height() == 0.035]
    [frame] = [p for p in ax.patches if p.get_facecolor()[3] == 0]
    filled = [cell.get_facecolor() for cell in cells]
    assert filled == [look.WEIGHTS(0.25), look.WEIGHTS(0.75)]
    assert [bar.get_width() for bar in bars] == pytest.approx([0.125, 0.375])
    assert cells[1].get_x() < frame.get_x() < cells[1].get_x() + 0.05
