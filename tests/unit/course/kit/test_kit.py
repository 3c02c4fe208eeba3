"""Measures, the stored maps of the real model, drawn matrices."""

import matplotlib as mpl
import numpy as np
import pytest

from course.kit import look, matrices, real_maps
from course.kit.matrices import Matrix, equation
from course.kit.measures import barycentric, entropy
from course.kit.real_maps import HEADS, LAYERS


def test_the_entropy_of_equal_or_concentrated_weights_is_wrong():
    assert entropy(np.full(7, 1 / 7)) == pytest.approx(np.log(7))
    rows = [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]]
    assert entropy(rows) == pytest.approx([0, 1.5 * np.log(2)])


def test_barycentric_shares_do_not_rebuild_the_points():
    corners = [[1.0, 0.0], [1.25, 0.65], [0.7, 0.0]]
    points = np.random.default_rng(0).normal(size=(11, 2))
    shares = barycentric(points, corners)
    np.testing.assert_allclose(shares @ corners, points)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_an_unpacked_map_differs_by_more_than_half_a_step():
    rng = np.random.default_rng(0)
    weights = np.tril(rng.random((LAYERS, HEADS, 7, 7)))
    back = real_maps.unpack(real_maps.pack(weights), 7)
    np.testing.assert_allclose(back, weights, rtol=0, atol=0.5 / 255 + 1e-9)


@pytest.mark.parametrize("name", real_maps.SENTENCES)
def test_a_stored_map_has_wrong_words_or_rows_that_do_not_add_up_to_one(name):
    stored = real_maps.stored(name)
    n = len(stored.words)
    assert "".join(stored.words) == real_maps.SENTENCES[name]
    assert stored.weights.shape == (LAYERS, HEADS, n, n)
    np.testing.assert_allclose(stored.weights.sum(axis=-1), 1, atol=n * 0.5 / 255)
    assert stored.chances == sorted(stored.chances, reverse=True)


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
