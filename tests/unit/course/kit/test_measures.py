"""Entropy against closed forms; barycentric shares rebuild their points."""

import numpy as np
import pytest

from course.kit.measures import barycentric, entropy


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
