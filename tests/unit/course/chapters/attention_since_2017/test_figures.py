"""Figures of chapter 10 draw the numbers that they get."""

import numpy as np

from course.chapters.attention_since_2017 import figures


def test_a_curve_shows_other_numbers(svg):
    distances = np.array([1, 10, 100])
    curves = {"base 7": np.array([1, 0.5, 0.2]), "base 9": np.array([1, 0.7, 0.4])}
    figure = figures.similarity_by_distance(distances, curves)
    drawn = [line.get_ydata() for line in figure.axes[0].lines[:2]]
    np.testing.assert_array_equal(drawn, list(curves.values()))
    assert "base 9" in svg(figure)


def test_a_word_within_reach_is_drawn_as_out_of_reach():
    rows = {"1 layer": [False, False, True], "2 layers": [False, True, True]}
    figure = figures.reach(rows)
    places = [dots.get_offsets()[:, 0].tolist() for dots in figure.axes[0].collections]
    assert places == [[2], [0, 1], [1, 2], [0]]


def test_a_recall_curve_shows_other_numbers(svg):
    shares = {"one": [1, 0.9], "two": [0.8, 0.5], "three": [0.3, 0.1]}
    figure = figures.recall([8, 16], shares)
    drawn = [line.get_ydata() for line in figure.axes[0].lines[:3]]
    np.testing.assert_array_equal(drawn, list(shares.values()))
    assert "three" in svg(figure)
