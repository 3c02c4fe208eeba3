"""Figures of chapter 9 draw the numbers that they get."""

import numpy as np

from course.chapters.a_real_model import figures


def test_each_text_and_the_mean_have_a_line(svg):
    beta = np.array([0, 0.125, 1, 8])
    losses = np.array([[9.0, 7, 3, 6], [9, 5, 1, 8]])
    figure = figures.loss_by_sharpness(beta, losses, ["story", "list"])
    *texts, mean = figure.axes[0].lines
    for line, loss in zip(texts, losses, strict=True):
        np.testing.assert_allclose(line.get_xdata(), [-3, 0, 3])
        np.testing.assert_allclose(line.get_ydata(), loss[1:])
    np.testing.assert_allclose(mean.get_ydata(), [6, 2, 7])
    assert "sharpness of all heads" in svg(figure)
    named = {text.get_text().split()[0]: text for text in figure.axes[0].texts}
    assert named["not"].get_position()[0] == 3  # times 8: the division is gone
    assert named["divided"].get_position()[0] in (-3, 0)


def test_each_head_is_a_square_of_its_measure(svg):
    values = np.arange(270).reshape(30, 9) / 270
    figure = figures.grids({"first": values, "previous": 1 - values})
    for ax, expected in zip(figure.axes, (values, 1 - values), strict=True):
        (squares,) = ax.collections
        np.testing.assert_allclose(squares.get_array(), expected.T)
        assert squares.get_clim() == (0, 1)
    assert "previous" in svg(figure)


def test_each_head_is_a_point_at_its_two_costs(svg):
    story, words = np.zeros((30, 9)), np.zeros((30, 9))
    story[2, 3], words[18, 6] = 0.5, 2
    figure = figures.switches(story, words, labels=1)
    (ax,) = figure.axes
    points = ax.lines[-1].get_xydata()
    np.testing.assert_allclose(points, np.stack([story.ravel(), words.ravel()], 1))
    drawn = svg(figure)
    assert "(2, 3)" in drawn
    assert "(18, 6)" in drawn


def test_each_word_has_its_curve_and_its_controls(svg):
    layer = np.arange(31)
    found = {"layer": layer, "right": layer / 31, "right_word_before": layer / 62}
    found |= {"chance_best_layer": 0.7 + 0 * layer}
    figure = figures.senses({"bank": found, "bat": found})
    for ax in figure.axes:
        right, before, chance = ax.lines
        np.testing.assert_allclose(right.get_ydata(), layer / 31)
        np.testing.assert_allclose(before.get_ydata(), layer / 62)
        np.testing.assert_allclose(chance.get_ydata(), 0.7)
    assert "“bank”" in svg(figure)


def test_each_sentence_is_a_point_of_its_sense(svg):
    found = {"river": np.array([[0.0, 1], [1, 1]]), "money": np.array([[2.0, 0]])}
    figure = figures.planes({0: found, 5: found})
    for ax in figure.axes:
        for line, points in zip(ax.lines, found.values(), strict=True):
            np.testing.assert_allclose(line.get_xydata(), points)
    assert "after 5 layers" in svg(figure)
