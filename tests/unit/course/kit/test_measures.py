"""Measures against closed forms, finite differences and NumPy."""

import numpy as np
import pytest

from attention import softmax
from course.kit.measures import barycentric, entropy, jacobian

RNG = np.random.default_rng(0)


def test_the_entropy_of_equal_or_concentrated_weights_is_wrong():
    assert entropy(np.full(7, 1 / 7)) == pytest.approx(np.log(7))
    rows = [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]]
    assert entropy(rows) == pytest.approx([0, 1.5 * np.log(2)])


def test_the_jacobian_is_not_the_formula_or_the_derivative():
    x, tiny = RNG.normal(size=5), 1e-6
    p = softmax(x)
    np.testing.assert_allclose(jacobian(p), np.diag(p) - np.outer(p, p), atol=1e-15)
    steps = tiny * np.eye(5)
    numeric = np.array([softmax(x + s) - softmax(x - s) for s in steps]) / (2 * tiny)
    np.testing.assert_allclose(jacobian(p), numeric.T, atol=1e-9)
    assert jacobian(np.full((2, 3, 7), 1 / 7)).shape == (2, 3, 7, 7)


def test_the_jacobian_has_a_norm_above_one_half():
    p = RNG.dirichlet(np.full(8, 0.3), size=2000)
    assert np.linalg.norm(jacobian(p), 2, axis=(-2, -1)).max() <= 0.5
    assert np.linalg.norm(jacobian([0.5, 0.5]), 2) == pytest.approx(0.5)


def test_barycentric_shares_do_not_rebuild_the_points():
    corners = [[1.0, 0.0], [1.25, 0.65], [0.7, 0.0]]
    points = RNG.normal(size=(11, 2))
    shares = barycentric(points, corners)
    np.testing.assert_allclose(shares @ corners, points)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


GIVEN = {
    "weights": [[0.2, 0.5, 0.3], [1.0, 0.0, 0.0]],
    "points": [[0.2, 0.3], [1.0, 2.0]],
    "corners": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
}
