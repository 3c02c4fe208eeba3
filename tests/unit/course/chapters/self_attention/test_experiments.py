"""Compare normalisers of chapter 1 with the rules that softmax obeys."""

import numpy as np
import pytest

from course.chapters.self_attention import experiments

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("name", experiments.NORMALISERS)
def test_a_normaliser_gives_invalid_weights_or_a_wrong_order(name):
    logits = RNG.normal(size=13)
    weights = experiments.NORMALISERS[name](logits)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert weights.argmax() == logits.argmax()
    assert (np.diff(weights[logits.argsort()]) >= 0).all()


def test_sparsemax_is_not_the_nearest_row_of_weights():
    logits = np.array([1.2, 0.9, -0.5])
    weights = experiments.sparsemax(logits)
    np.testing.assert_allclose(weights, [0.65, 0.35, 0.0])
    others = RNG.dirichlet(np.ones(3), size=500)
    distance = np.linalg.norm(others - logits, axis=1)
    assert distance.min() >= np.linalg.norm(weights - logits)


def test_another_normaliser_has_both_properties_of_softmax():
    row, lower = np.array([0.3, 1.1, 0.8]), np.array([0, 0, -0.5])
    keeps_shifts, keeps_ratios = set(), set()
    for name in ("softmax", "softplus shares", "sparsemax"):
        weights = experiments.NORMALISERS[name]
        before, after = weights(row), weights(row + lower)
        if np.allclose(before, weights(row + 2)):
            keeps_shifts.add(name)
        if np.isclose(before[0] / before[1], after[0] / after[1]):
            keeps_ratios.add(name)
    assert keeps_shifts == {"softmax", "sparsemax"}
    assert keeps_ratios == {"softmax", "softplus shares"}
