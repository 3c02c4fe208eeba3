"""Experiments of chapter 2 against derivatives, closed forms and stated figures."""

import statistics
from functools import cache

import numpy as np
import pytest
from repeats import ends_and_weekly, first_and_weekly

from attention import softmax
from course.chapters.why_sqrt_dk import claims, experiments
from course.chapters.why_sqrt_dk.questions import spread_of_144
from course.kit.measures import entropy, jacobian, jacobian_norm

query_gradients = cache(experiments.query_gradients)  # three tests need the same


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


def over_seeds(measure, seeds=5):
    """Mean of a measurement over seeds, and four times its spread over the seeds."""
    found = np.array([measure(seed) for seed in range(seeds)])
    return found.mean(axis=0), 4 * found.std(axis=0, ddof=1)


GRADIENTS = {  # keys, d_k: median without, with, share larger without
    (8, 64): (0.262, 0.310, 0.482),
    (64, 64): (0.838, 0.166, 0.735),
    (512, 64): (1.14, 0.068, 0.888),
    (512, 256): (0.54, 0.068, 0.672),
    (512, 1024): (0.023, 0.068, 0.445),
}


@pytest.mark.parametrize(("m", "d_k"), ends_and_weekly(GRADIENTS))
def test_the_gradients_of_the_page_are_not_those_that_are_measured(m, d_k):
    def measure(seed):
        raw, kept = query_gradients(d_k, m, seed=seed)
        return np.log(np.median(raw)), np.median(kept), np.mean(raw > kept)

    raw, kept, share = GRADIENTS[m, d_k]
    middle, width = over_seeds(measure)
    assert (np.abs(np.array([np.log(raw), kept, share]) - middle) <= width).all()


@pytest.mark.more
@pytest.mark.parametrize("seed", first_and_weekly(range(3)))
def test_gradients_are_even_without_the_division_or_uneven_with_it(seed):
    norms = {
        (m, d_k): query_gradients(d_k, m, seed=seed)
        for m in (8, 64, 512)
        for d_k in (64, 256, 1024)
    }
    ratios = {
        size: np.median(both.undivided) / np.median(both.divided)
        for size, both in norms.items()
    }
    assert ratios[8, 64] < 1.3 < 4 < ratios[64, 64] < ratios[512, 64]
    assert ratios[8, 1024] < 1e-3 < ratios[512, 1024] < 1.2
    starved = np.array([[experiments.starved(g) for g in b] for b in norms.values()])
    assert (starved[:, 1] == 0).all()
    raw = starved[:, 0].reshape(3, 3)
    assert 0.02 < raw.min() < 0.12 < 0.6 < raw.max() < 0.8
    assert (np.diff(raw, axis=1) > 0).all()  # more with the width
    assert (np.diff(raw, axis=0) < 0).all()  # fewer with the number of keys


@pytest.mark.parametrize("seed", range(3))
def test_fewer_queries_starve_with_more_keys_if_one_key_is_asked_for(seed):
    found = [
        experiments.query_gradients(64, m, seed=seed, one_key=True)
        for m in (8, 64, 512)
    ]
    raw = [experiments.starved(both.undivided) for both in found]
    assert 0.5 < raw[0] < raw[1] < raw[2]
    assert all(experiments.starved(both.divided) == 0 for both in found)
    ratios = [np.median(both.undivided) / np.median(both.divided) for both in found]
    assert 0.02 > ratios[0] > ratios[1] > ratios[2]


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


@pytest.mark.more
def test_gaps_between_two_scores_are_not_those_of_the_page():
    @cache
    def measure(seed):
        gaps = experiments.score_gaps(64, pairs=20_000, seed=seed)
        rms = np.sqrt((gaps**2).mean())
        return rms, np.median(gaps), np.mean(gaps > np.log(80_000))

    middle, width = over_seeds(measure)
    assert (np.abs(np.array([8 * np.sqrt(2), 7.55, 0.317]) - middle) <= width).all()
    assert np.exp(middle[1]) == pytest.approx(1900, rel=0.1)


def test_with_two_keys_the_norm_rises():
    for seed in range(3):
        rows = experiments.weights_by_spread(np.arange(0, 8, 0.25), 2, 100, seed)
        norms = jacobian_norm(rows)
        np.testing.assert_allclose(norms, 2 * rows.prod(axis=-1), atol=1e-12)
        assert (np.diff(norms, axis=0) < 0).all()


@pytest.mark.more
@pytest.mark.parametrize(
    ("m", "rows", "mean", "median"),
    first_and_weekly(
        [
            (8, 1000, (1.5, 1.9), (2.2, 2.6)),
            (3, 2000, (0.5, 0.6), (0.6, 0.8)),
            (64, 400, (3.1, 3.7), (3.7, 4.8)),
        ]
    ),
)
def test_from_three_keys_on_the_norm_peaks_at_another_spread(m, rows, mean, median):
    spreads = np.arange(0.05, 6, 0.1)
    for seed in range(3):
        norms = jacobian_norm(experiments.weights_by_spread(spreads, m, rows, seed))
        assert mean[0] <= spreads[norms.mean(axis=1).argmax()].round(2) <= mean[1]
        peak = spreads[np.median(norms, axis=1).argmax()].round(2)
        assert median[0] <= peak <= median[1]


@pytest.mark.parametrize(("m", "half"), [(8, 1.7), (64, 3.2), (512, 4.3)])
def test_one_key_has_half_of_the_weight_at_another_spread(m, half):
    for seed in range(3):
        rows = experiments.weights_by_spread([half - 0.3, half + 0.2], m, 500, seed)
        below, above = rows.max(axis=-1).mean(axis=1)
        assert below <= 0.5 < above


@pytest.mark.parametrize(("d_model", "d_k"), [(256, 128), (512, 64), (768, 16)])
def test_a_fresh_head_starts_at_another_spread_than_predicted(d_model, d_k):
    for seed in range(3):
        found = experiments.starting_spreads(d_model, d_k, seed=seed)
        expected = [1, 1 / 2, 1 / 3, d_model * 0.02**2]
        np.testing.assert_allclose(list(found.values()), expected, rtol=0.13)


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
