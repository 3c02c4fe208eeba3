"""Experiments of chapter 1, and claims of the page about mixtures and order."""

import numpy as np
import pytest

from attention import scaled_dot_product_attention, softmax
from course.chapters.self_attention import experiments
from course.kit.measures import barycentric
from course.notes import FOOTBALL

RNG = np.random.default_rng(0)


def test_an_output_leaves_the_triangle_of_its_values():
    V = np.array([[1.0, 0.0], [1.25, 0.65], [0.7, 0.0]])
    for _ in range(20):
        Q, K = 10 * RNG.normal(size=(2, 3, 2))
        Z = scaled_dot_product_attention(Q, K, V)
        assert barycentric(Z, V).min() > -1e-12


def test_shuffled_words_change_their_outputs():
    order = RNG.permutation(11)
    X, W = RNG.normal(size=(11, 5)), RNG.normal(size=(3, 5, 7))
    before = scaled_dot_product_attention(*(X @ W))
    after = scaled_dot_product_attention(*(X[order] @ W))
    np.testing.assert_allclose(after, before[order])


def test_division_after_softmax_keeps_outputs_in_a_triangle_without_zero():
    Q, K, V = (FOOTBALL.X @ W for W in (FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V))
    weights = softmax(Q @ K.T) / np.sqrt(2)
    assert (barycentric(weights @ V, V).min(axis=1) < 0).all()
    around_zero = V - V.mean(axis=0)
    assert barycentric(weights @ around_zero, around_zero).min() > 0


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


def test_the_longest_query_scores_higher_with_another_word():
    X, W = RNG.normal(size=(13, 7)), RNG.normal(size=(7, 3))
    scores = (X @ W) @ (X @ W).T
    longest = np.linalg.norm(X @ W, axis=1).argmax()
    np.testing.assert_allclose(scores, scores.T)
    assert scores[longest].argmax() == longest


def attend_to_both(facts, W_V, W_O):
    """Return the output of a head with equal weights on two facts, times `W_O`."""
    silent = np.zeros_like(facts)
    return scaled_dot_product_attention(silent, silent, facts @ W_V)[:, 0] @ W_O


@pytest.mark.parametrize("draw", ["standard_normal", "exponential"])
def test_a_head_with_fixed_weights_cannot_add_or_can_multiply(draw):
    facts = getattr(np.random.default_rng(0), draw)(size=(4000, 2, 1))
    one = np.eye(1)
    mean, total, turned = (
        attend_to_both(facts, sign * one, scale * one).ravel()
        for sign, scale in ((1, 1), (1, 2), (-1, 2))
    )
    low, high = facts.min(axis=(1, 2)), facts.max(axis=(1, 2))
    assert ((low <= mean) & (mean <= high)).all()
    np.testing.assert_allclose(total, facts.sum(axis=(1, 2)))
    np.testing.assert_allclose(turned, -total)
    outside = (total < low) | (total > high)  # no mixture is the sum
    assert (outside == (facts.prod(axis=(1, 2)) > 0)).all()
    if draw == "standard_normal":
        product = facts.prod(axis=(1, 2))
        left = product - mean * (mean @ product) / (mean @ mean)
        assert left.var() > 0.95 * product.var()


@pytest.mark.parametrize("seed", range(3))
def test_weights_that_depend_on_one_fact_cannot_multiply(seed):
    one, other = np.random.default_rng(seed).standard_normal((2, 4000))
    query, key = 0.1 * one[:, None, None], np.array([[[1.0], [0.0]]])  # logit: one/10
    value = np.stack([other, np.zeros(4000)], axis=1)[..., None]
    mixed = scaled_dot_product_attention(query, key, value).ravel()
    columns = np.stack([mixed, one, other], axis=1)
    readout, *_ = np.linalg.lstsq(columns[:2000], (one * other)[:2000], rcond=None)
    left = (one * other - columns @ readout)[2000:]
    assert left.var() < 0.01
