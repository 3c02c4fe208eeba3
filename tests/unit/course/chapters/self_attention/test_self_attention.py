"""Chapter 1: normalisers against the rules of softmax, and their figure."""

import numpy as np
import pytest
from drawn import texts

from course.chapters.self_attention import experiments, figures
from course.notes import FOOTBALL

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


T = FOOTBALL.tokens


def test_a_bar_of_a_normaliser_has_a_wrong_word_or_height():
    rows = {"softmax": [0.2, 0.5, 0.3], "argmax": [0.0, 1.0, 0.0]}
    figure = figures.normalisers(T, rows)
    assert texts(figure) == ["0.20", "0.50", "0.30", "0.00", "1.00", "0.00"]
    for panel, (name, weights) in zip(figure.axes, rows.items(), strict=True):
        assert panel.get_title() == name
        assert [bar.get_height() for bar in panel.patches] == weights
        middles = [bar.get_x() + bar.get_width() / 2 for bar in panel.patches]
        np.testing.assert_allclose(panel.get_xticks(), middles, atol=1e-12)
        assert [label.get_text() for label in panel.get_xticklabels()] == list(T)
