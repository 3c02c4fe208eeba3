"""Figures of chapter 10 draw the numbers that they get, under their names."""

import numpy as np
import pytest
from drawn import texts

from course.chapters.attention_since_2017 import figures

CURVES = {"one": [1, 0.9], "two": [0.8, 0.5], "three": [0.3, 0.1]}


@pytest.mark.parametrize(
    ("draw", "curves"),
    [
        (figures.recall, CURVES),
        (figures.similarity_by_distance, {n: CURVES[n] for n in ("one", "two")}),
    ],
)
def test_a_curve_shows_wrong_numbers_or_a_wrong_name(draw, curves):
    figure = draw([8, 16], curves)
    drawn = [line.get_ydata() for line in figure.axes[0].lines[: len(curves)]]
    np.testing.assert_array_equal(drawn, [*curves.values()])
    assert texts(figure) == [*curves]


def test_a_word_within_reach_is_drawn_as_out_of_reach():
    rows = {"1 layer": [False, False, True], "2 layers": [False, True, True]}
    figure = figures.reach(rows)
    places = [dots.get_offsets()[:, 0].tolist() for dots in figure.axes[0].collections]
    assert places == [[2], [0, 1], [1, 2], [0]]
