"""Figures of chapter 9 draw the numbers that they get, under their names.

The records of the pages hold the other words of the figures.
"""

import numpy as np
from drawn import texts
from numpy.testing import assert_allclose

from course.chapters.a_real_model import figures


def test_a_text_or_the_mean_has_no_line_or_wrong_numbers():
    beta = np.array([0, 0.125, 1, 8])
    losses = np.array([[9.0, 7, 3, 6], [9, 5, 1, 8]])
    axes = figures.loss_by_sharpness(beta, losses, ["story", "list"]).axes[0]
    assert_allclose([line.get_xdata() for line in axes.lines], [[-3, 0, 3]] * 3)
    drawn = [line.get_ydata() for line in axes.lines]
    assert_allclose(drawn, [*losses[:, 1:], [6, 2, 7]])
    named = {text.get_text().split()[0]: text for text in axes.texts}
    assert named["not"].get_position()[0] == 3  # log2 of 8, which undoes the division
    assert named["divided"].get_position()[0] in (-3, 0)


def test_a_square_has_the_measure_of_another_head():
    values = np.arange(270).reshape(30, 9) / 270
    measures = {"first": values, "previous": 1 - values}
    figure = figures.grids(measures)
    for ax, (name, expected) in zip(figure.axes, measures.items(), strict=True):
        (squares,) = ax.collections
        assert_allclose(squares.get_array(), expected.T)
        assert squares.get_clim() == (0, 1)
        assert ax.get_title(loc="left") == name


def test_a_point_is_not_at_the_two_costs_of_its_head():
    story, words = np.zeros((30, 9)), np.zeros((30, 9))
    story[2, 3], words[18, 6] = 0.5, 2
    figure = figures.switches(story, words, labels=1)
    points = figure.axes[0].lines[-1].get_xydata()
    assert_allclose(points, np.stack([story.ravel(), words.ravel()], 1))
    assert sorted(texts(figure)) == ["(18, 6)", "(2, 3)"]


def test_a_curve_belongs_to_another_word_or_control():
    layer = np.arange(31)
    bank = {"right": layer / 31, "right_word_before": layer / 62}
    bank |= {"chance_best_layer": 0.7 + 0 * layer}
    bat = {name: 1 - curve for name, curve in bank.items()}
    found = {"bank": {"layer": layer} | bank, "bat": {"layer": layer} | bat}
    figure = figures.senses(found)
    for ax, curves in zip(figure.axes, (bank, bat), strict=True):
        assert_allclose([line.get_ydata() for line in ax.lines], [*curves.values()])
    assert [ax.get_title() for ax in figure.axes] == ["“bank”", "“bat”"]


def test_a_point_has_another_place_or_sense_than_its_sentence():
    found = {"river": np.array([[0.0, 1], [1, 1]]), "money": np.array([[2.0, 0]])}
    figure = figures.planes({0: found, 5: found})
    for ax in figure.axes:
        for line, points in zip(ax.lines, found.values(), strict=True):
            assert_allclose(line.get_xydata(), points)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["after 0 layers", "after 5 layers"]
