"""Experiments of chapter 2 against derivatives and closed forms.

The register of claims measures gaps, peaks, gradients and starts at many sizes.
"""

import statistics

import numpy as np
import pytest

from attention import softmax
from course.chapters.why_sqrt_dk import claims, experiments
from course.chapters.why_sqrt_dk.questions import spread_of_144
from course.kit.measures import entropy, jacobian, jacobian_norm


def test_random_scores_have_another_spread_than_the_root_of_d_k():
    rows = experiments.score_rows(16, m=7, rows=3000)
    assert rows.shape == (3000, 7)
    assert rows.std() == pytest.approx(4, rel=0.03)


def test_saturation_is_not_the_mean_over_the_rows():
    weights = softmax(experiments.score_rows(64, 7, 50, seed=4) / 8)
    found = experiments.saturation([64], 7, 50, "√dₖ", seed=4)
    assert found["largest"][0] == pytest.approx(weights.max(axis=-1).mean())
    assert found["entropy"][0] == pytest.approx(entropy(weights).mean())


def test_rows_saturate_with_the_division_or_not_without_it():
    widths = [1, 64, 1024]
    raw = experiments.saturation(widths, m=8, rows=100)
    kept = experiments.saturation(widths, m=8, rows=100, divisor="√dₖ")
    flat = experiments.saturation(widths, m=8, rows=100, divisor="dₖ")
    assert (np.diff(raw["largest"]) > 0).all()
    assert (np.diff(raw["entropy"]) < 0).all()
    assert np.ptp(kept["largest"][1:]) < 0.05
    assert flat["largest"][-1] == pytest.approx(1 / 8, abs=0.02)


def test_the_claimed_gap_is_not_the_median(monkeypatch):
    gaps = np.array([1.0, 2.0, 30.0])
    monkeypatch.setattr(experiments, "score_gaps", lambda *_, **__: gaps)
    assert claims.middle_gap(0, d_k=8) == pytest.approx(2 / 4)


def test_the_gradient_of_a_query_is_not_the_derivative():
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((20, 3)), rng.standard_normal((7, 3))
    above = rng.standard_normal((20, 7))

    def loss(q, scale):
        return above[0] @ softmax(scale * (key @ q))

    steps = 1e-6 * np.eye(3)
    found = experiments.query_gradients(3, m=7, sequences=1)
    for norms, scale in ((found.undivided, 1), (found.divided, 3**-0.5)):
        ends = [loss(query[0] + s, scale) - loss(query[0] - s, scale) for s in steps]
        assert norms[0] == pytest.approx(np.linalg.norm(ends) / 2e-6, rel=1e-6)
        p = softmax(scale * (key @ query[0]))
        formula = scale * key.T @ jacobian(p) @ above[0]
        assert norms[0] == pytest.approx(np.linalg.norm(formula))


def test_with_two_keys_the_norm_rises():
    for seed in range(3):
        rows = experiments.weights_by_spread(np.arange(0, 8, 0.25), 2, 100, seed)
        norms = jacobian_norm(rows)
        np.testing.assert_allclose(norms, 2 * rows.prod(axis=-1), atol=1e-12)
        assert (np.diff(norms, axis=0) < 0).all()


def test_the_spread_of_a_fresh_head_is_that_of_single_rows():
    [name, *_] = experiments.STARTS
    rng = np.random.default_rng(2)
    X = rng.standard_normal((2, 5))
    W_Q, W_K = experiments.STARTS[name](5)(rng, size=(2, 5, 3))
    logits = [float(q @ k) / np.sqrt(3) for q in X @ W_Q for k in X @ W_K]
    found = experiments.starting_spreads(5, 3, words=2, seed=2)
    assert found[name] == pytest.approx(statistics.pstdev(logits))


def test_broken_assumptions_give_other_spreads_than_the_page_says():
    spreads = list(experiments.unusual_spreads(64, count=4000).values())
    np.testing.assert_allclose(spreads, [1, 4, 8, 1, np.sqrt(2)], rtol=0.06)
    assert spreads[3] == pytest.approx(spreads[0])


def test_the_spread_of_a_row_is_not_that_of_a_sample_of_eight():
    """The variance of a row is divided by 7: its mean is the variance drawn from."""
    rng = np.random.default_rng(5)
    query, key = rng.standard_normal((2, 1, 3)), rng.standard_normal((2, 8, 3))
    rows = [
        [k @ q[0] / np.sqrt(3) for k in ks] for q, ks in zip(query, key, strict=True)
    ]
    expected = np.sqrt(statistics.mean(map(statistics.variance, rows)))
    found = experiments.unusual_spreads(3, count=16, seed=5)
    assert found["independent, variance 1"] == pytest.approx(expected)


def test_the_exercise_on_144_components_has_another_answer():
    rows = experiments.score_rows(144, m=2, rows=20_000)
    assert rows.std() == pytest.approx(spread_of_144().truth, rel=0.02)
