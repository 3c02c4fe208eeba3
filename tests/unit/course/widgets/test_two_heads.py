"""One head stays in its triangle, away from the star; two heads come near the star."""

import numpy as np
import pytest

from course.widgets import TwoHeads
from course.widgets.plane.two_heads import (
    LEAST,
    LIMIT,
    STAR,
    VALUES,
    WITHIN,
    weights_at,
)

PLACES = np.random.default_rng(0).uniform(-1, 1, size=(200, 2)).round(3)


def test_the_limit_is_not_the_distance_from_the_star_to_the_triangle():
    shares = np.linspace(0, 1, 1001)[:, np.newaxis]
    edge = shares * VALUES[0] + (1 - shares) * VALUES[2]
    assert np.hypot(*(edge - STAR).T).min() == pytest.approx(LIMIT)
    np.testing.assert_allclose(edge @ [4, 3], 1)  # the edge is this line
    assert VALUES[1] @ [4, 3] < 1 < STAR @ [4, 3]  # the star is on its other side


def test_a_weight_leaves_its_range_or_another_mean_lies_nearer():
    rows = np.random.default_rng(1).dirichlet([1, 1, 1], size=2000)
    means = (LEAST + (1 - 3 * LEAST) * rows) @ VALUES
    for place in PLACES:
        weights = weights_at(place)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() >= LEAST * (1 - 1e-9)
        distance = np.hypot(*(weights @ VALUES - place))
        assert distance <= np.hypot(*(means - place).T).min() + 1e-12


def test_two_heads_do_not_reach_the_goal():
    both = TwoHeads(two=True, first=list(VALUES[0]), second=list(VALUES[2]))
    assert 0 < both.facts()["distance"] < WITHIN / 2
    assert both.said().key == "within"
    both.two = False
    assert both.said().key == "one"
    both.first = list(STAR)
    assert both.said().key == "limit"
