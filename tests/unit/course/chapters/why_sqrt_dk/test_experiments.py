import statistics
from functools import cache

import numpy as np
import pytest
from repeats import ends_and_weekly, first_and_weekly

from attention import softmax
from course.chapters.why_sqrt_dk import claims, experiments, training
from course.kit.measures import entropy, jacobian, jacobian_norm

RNG = np.random.default_rng(0)
query_gradients = cache(experiments.query_gradients)  # three tests ask for the same


def test_score_rows_have_the_asked_shape_and_spread():
    rows = experiments.score_rows(16, m=7, rows=3000)
    assert rows.shape == (3000, 7)
    assert rows.std() == pytest.approx(4, rel=0.03)


def test_entropy_of_even_and_of_settled_rows():
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(np.log(8))
    assert entropy([1.0, 0.0, 0.0]) == 0


def test_jacobian_is_the_derivative():
    x, tiny = RNG.normal(size=5), 1e-6
    steps = tiny * np.eye(5)
    numeric = np.array([softmax(x + s) - softmax(x - s) for s in steps]) / (2 * tiny)
    np.testing.assert_allclose(jacobian(softmax(x)), numeric.T, atol=1e-9)


def test_rows_of_the_jacobian_sum_to_0_by_shift_and_columns_by_conservation():
    x, tiny = RNG.normal(size=5), 1e-6
    slopes = jacobian(softmax(x))
    shifted = (softmax(x + tiny) - softmax(x)) / tiny  # all logits alike
    np.testing.assert_allclose(slopes.sum(axis=1), shifted, atol=1e-9)
    nudged = (softmax(x + tiny * np.eye(5)[2]) - softmax(x)) / tiny  # one logit
    assert slopes[:, 2].sum() == pytest.approx(nudged.sum(), abs=1e-9)
    np.testing.assert_allclose(slopes.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(slopes.sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("m", [2, 3, 8, 64])
@pytest.mark.parametrize("spread", [0, 0.1, 1, 5, 30])
def test_jacobian_norm_is_the_largest_eigenvalue(m, spread):
    weights = softmax(spread * RNG.normal(size=(20, m)))
    largest = np.linalg.eigvalsh(jacobian(weights))[:, -1]
    np.testing.assert_allclose(jacobian_norm(weights), largest, atol=1e-12)


def test_jacobian_norm_never_exceeds_one_half():
    weights = RNG.dirichlet(np.full(8, 0.3), size=2000)
    assert jacobian_norm(weights).max() <= 0.5
    assert jacobian_norm([0.5, 0.5]) == pytest.approx(0.5)


def test_how_settled_rows_are_is_told_by_their_mean():
    weights = softmax(experiments.score_rows(64, 8, 50, seed=4) / 8)
    found = experiments.saturation([64], 8, 50, "√dₖ", seed=4)
    assert found["largest"][0] == pytest.approx(weights.max(axis=-1).mean())
    assert found["entropy"][0] == pytest.approx(entropy(weights).mean())


def test_the_gap_that_is_told_is_the_median(monkeypatch):
    gaps = np.array([1.0, 2.0, 30.0])
    monkeypatch.setattr(experiments, "score_gaps", lambda *_, **__: gaps)
    assert claims.middle_gap(0, d_k=8) == pytest.approx(2 / 4)


def test_rows_saturate_without_the_division_and_not_with_it():
    widths = [1, 64, 1024]
    raw = experiments.saturation(widths, m=8, rows=100)
    kept = experiments.saturation(widths, m=8, rows=100, divisor="√dₖ")
    flat = experiments.saturation(widths, m=8, rows=100, divisor="dₖ")
    assert (np.diff(raw["largest"]) > 0).all()
    assert (np.diff(raw["entropy"]) < 0).all()
    assert np.ptp(kept["largest"][1:]) < 0.05
    assert flat["largest"][-1] == pytest.approx(1 / 8, abs=0.02)


def over_seeds(measure, seeds=5):
    """Mean of a measurement over seeds, and four times its spread over them."""
    found = np.array([measure(seed) for seed in range(seeds)])
    return found.mean(axis=0), 4 * found.std(axis=0, ddof=1)


def agrees(expected, measure, seeds=5):
    """Whether figures lie within four spreads over the seeds of what is measured."""
    middle, width = over_seeds(measure, seeds)
    return (np.abs(np.array(expected) - middle) <= width).all()


GRADIENTS = {  # keys, d_k: median without, with, share larger without
    (8, 64): (0.262, 0.310, 0.482),
    (64, 64): (0.838, 0.166, 0.735),
    (512, 64): (1.14, 0.068, 0.888),
    (512, 256): (0.54, 0.068, 0.672),
    (512, 1024): (0.023, 0.068, 0.445),
}


@pytest.mark.parametrize(("m", "d_k"), ends_and_weekly(GRADIENTS))
def test_which_gradient_is_larger_depends_on_width_and_number_of_keys(m, d_k):
    def measure(seed):
        raw, kept = query_gradients(d_k, m, seed=seed)
        return np.log(np.median(raw)), np.median(kept), np.mean(raw > kept)

    raw, kept, share = GRADIENTS[m, d_k]
    assert agrees((np.log(raw), kept, share), measure)


@pytest.mark.more
@pytest.mark.parametrize("seed", first_and_weekly(range(3)))
def test_the_median_gradient_turns_round_with_the_number_of_keys(seed):
    medians = {
        size: [np.median(g) for g in query_gradients(*size, seed=seed)]
        for size in [(64, 8), (64, 64), (64, 512), (1024, 8), (1024, 512)]
    }
    ratios = {size: raw / kept for size, (raw, kept) in medians.items()}
    assert ratios[64, 8] < 1.3 < 4 < ratios[64, 64] < ratios[64, 512]
    assert ratios[1024, 8] < 1e-3 < ratios[1024, 512] < 1.2


@pytest.mark.more
@pytest.mark.parametrize("seed", first_and_weekly(range(3)))
def test_gradients_are_uneven_without_the_division_at_every_size(seed):
    starved = np.array(
        [
            [
                [experiments.starved(g) for g in both]
                for both in (
                    query_gradients(d_k, m, seed=seed) for d_k in (64, 256, 1024)
                )
            ]
            for m in (8, 64, 512)
        ]
    )
    assert (starved[..., 1] == 0).all()
    raw = starved[..., 0]
    assert 0.02 < raw.min() < 0.12 < 0.6 < raw.max() < 0.8
    assert (np.diff(raw, axis=1) > 0).all()  # more with the width
    assert (np.diff(raw, axis=0) < 0).all()  # fewer with the number of keys


@pytest.mark.parametrize("seed", range(3))
def test_where_one_key_is_asked_for_more_queries_starve_the_more_keys_there_are(seed):
    found = {
        m: experiments.query_gradients(64, m, seed=seed, one_key=True)
        for m in (8, 64, 512)
    }
    raw = [experiments.starved(both.undivided) for both in found.values()]
    assert 0.5 < raw[0] < raw[1] < raw[2]
    assert all(experiments.starved(both.divided) == 0 for both in found.values())
    medians = [
        np.median(both.undivided) / np.median(both.divided) for both in found.values()
    ]
    assert 0.02 > medians[0] > medians[1] > medians[2]


def test_query_gradient_is_the_derivative():
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((20, 3)), rng.standard_normal((8, 3))
    above = rng.standard_normal((20, 8))

    def loss(q):
        return above[0] @ softmax(key @ q / np.sqrt(3))

    steps = 1e-6 * np.eye(3)
    numeric = [(loss(query[0] + s) - loss(query[0] - s)) / 2e-6 for s in steps]
    found = experiments.query_gradients(3, m=8, sequences=1).divided
    assert found[0] == pytest.approx(np.linalg.norm(numeric), rel=1e-6)


@pytest.mark.more
def test_gaps_between_scores_of_one_query():
    @cache
    def measure(seed):
        gaps = experiments.score_gaps(64, pairs=20_000, seed=seed)
        rms = np.sqrt((gaps**2).mean())
        return rms, np.median(gaps), np.mean(gaps > np.log(80_000))

    assert agrees((8 * np.sqrt(2), 7.55, 0.317), measure)
    assert np.exp(over_seeds(measure)[0][1]) == pytest.approx(1900, rel=0.1)


def peaks(m, rows, seed):
    """Spreads at which the mean and the median norm of random rows peak."""
    spreads = np.arange(0.05, 6, 0.1)
    norms = jacobian_norm(experiments.weights_by_spread(spreads, m, rows, seed))
    return [spreads[f(norms, axis=1).argmax()].round(2) for f in (np.mean, np.median)]


def test_with_two_keys_the_norm_falls_all_the_way():
    spreads = np.arange(0, 8, 0.25)
    for seed in range(3):
        rows = experiments.weights_by_spread(spreads, m=2, rows=100, seed=seed)
        np.testing.assert_allclose(
            jacobian_norm(rows), 2 * rows.prod(axis=-1), atol=1e-12
        )
        assert (np.diff(jacobian_norm(rows), axis=0) < 0).all()


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
def test_from_three_keys_on_the_norm_rises_then_falls(m, rows, mean, median):
    for seed in range(3):
        at = peaks(m, rows, seed)
        assert mean[0] <= at[0] <= mean[1]
        assert median[0] <= at[1] <= median[1]


def test_an_even_row_of_m_keys_has_a_norm_of_one_over_m():
    for m in (2, 3, 8, 64):
        assert jacobian_norm(np.full(m, 1 / m)) == pytest.approx(1 / m)


@pytest.mark.parametrize(("m", "half"), [(8, 1.7), (64, 3.2), (512, 4.3)])
def test_where_one_key_has_half_depends_on_the_number_of_keys(m, half):
    # Stretched logits, larger largest weight: it crosses one half in a single place.
    for seed in range(3):
        rows = experiments.weights_by_spread([half - 0.3, half + 0.2], m, 500, seed)
        below, above = rows.max(axis=-1).mean(axis=1)
        assert below <= 0.5 < above


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("d_k", [16, 64, 128])
@pytest.mark.parametrize("d_model", [256, 512, 768])
def test_a_fresh_network_starts_at_the_width_times_the_variance(d_model, d_k, seed):
    found = experiments.starting_spreads(d_model, d_k, seed=seed)
    expected = [1, 1 / 2, 1 / 3, d_model * 0.02**2]
    np.testing.assert_allclose(list(found.values()), expected, rtol=0.13)


def test_the_spread_of_a_fresh_head_is_that_of_all_its_logits():
    """Of a sentence of two words, where rows by themselves spread otherwise."""
    [name, *_] = experiments.STARTS
    rng = np.random.default_rng(2)
    X = rng.standard_normal((2, 4))
    W_Q, W_K = experiments.STARTS[name](4)(rng, size=(2, 4, 3))
    logits = [float(q @ k) / np.sqrt(3) for q in X @ W_Q for k in X @ W_K]
    found = experiments.starting_spreads(4, 3, words=2, seed=2)
    assert found[name] == pytest.approx(statistics.pstdev(logits))


def test_spreads_where_the_assumptions_fail():
    spreads = list(experiments.unusual_spreads(64, count=4000).values())
    np.testing.assert_allclose(spreads, [1, 4, 8, 1, np.sqrt(2)], rtol=0.06)
    assert spreads[3] == pytest.approx(spreads[0])


def test_the_spread_of_a_row_is_that_of_a_sample_of_eight():
    """Divided by seven, the mean of many rows' variances is the variance drawn from."""
    spreads = experiments.unusual_spreads(4, count=400_000)
    assert spreads["independent, variance 1"] == pytest.approx(1, rel=0.01)
    rng = np.random.default_rng(5)
    query, key = rng.standard_normal((2, 1, 3)), rng.standard_normal((2, 8, 3))
    rows = [
        [k @ q / np.sqrt(3) for k in ks] for [q], ks in zip(query, key, strict=True)
    ]
    expected = np.sqrt(statistics.mean(map(statistics.variance, rows)))
    found = experiments.unusual_spreads(3, count=16, seed=5)
    assert found["independent, variance 1"] == pytest.approx(expected)


def test_the_late_loss_is_a_mean_of_the_last_twenty_steps_and_of_seeds(monkeypatch):
    def train(setting, seed):
        late = np.where(np.arange(100) == 82, 20 * 2.0**seed, 0)
        return np.where(np.arange(100) < 80, 1e9, late)

    monkeypatch.setattr(training, "train", train)
    assert training.late_loss(training.scaled(16, rate=1), seeds=3) == 7 / 3


def test_training_gradients_are_derivatives():
    rng = np.random.default_rng(1)
    rotation = np.linalg.qr(rng.standard_normal((training.WIDTH,) * 2))[0]
    batch = training._batch(rng, rotation, size=3)
    weights = rng.standard_normal((2, training.WIDTH, 5)) / 6
    found = training._step(*weights, 0.3, batch)[1:]
    for which, gradient in enumerate(found):
        step = np.zeros_like(weights)
        step[which, 2, 4] = 1e-6
        up = training._step(*(weights + step), 0.3, batch)[0]
        down = training._step(*(weights - step), 0.3, batch)[0]
        assert gradient[2, 4] == pytest.approx((up - down) / 2e-6, rel=1e-5)


def test_the_division_can_be_folded_into_start_and_rate():
    divided = training.train(training.scaled(16, rate=3), steps=20, batch=8)
    folded = training.train(training.folded(16, rate=3), steps=20, batch=8)
    np.testing.assert_allclose(folded, divided)


@pytest.mark.more
def test_the_head_that_divides_learns_the_task():
    losses = training.train(training.scaled(64, rate=3), steps=60)
    assert losses[-10:].mean() < 0.05 < 0.5 < losses[0]


def test_stored_sweep_is_what_the_code_gives():
    stored = {
        (r["d_k"], r["way"], r["rate"]): r["loss"] for r in training.stored_sweep()
    }
    assert len(stored) == 5 * 2 * len(training.RATES)
    for make, rate in ((training.scaled, 3.0), (training.unscaled, 0.3)):
        found = training.late_loss(make(16, rate))
        assert found == pytest.approx(stored[16, make.__name__, rate], abs=2e-3)


def test_the_wider_the_head_the_more_the_division_is_worth():
    best = {}
    for row in training.stored_sweep():
        size = row["way"], row["d_k"]
        best[size] = min(row["loss"], best.get(size, np.inf))
    ratios = [best["unscaled", d_k] / best["scaled", d_k] for d_k in (16, 64, 256)]
    assert ratios[0] < 1.3
    assert ratios[1] > 3
    assert ratios[2] > 30


@pytest.mark.more
@pytest.mark.parametrize("seed", first_and_weekly(range(3)))
def test_from_every_start_the_wide_head_that_divides_ends_lower(seed):
    divided = training.train(training.scaled(256, rate=10), seed=seed)
    undivided = training.train(training.unscaled(256, rate=0.3), seed=seed)
    assert divided[-20:].mean() < undivided[-20:].mean() / 10
    assert divided[0] < 1 < undivided[0]


def test_sweep_covers_what_is_stored(monkeypatch):
    monkeypatch.setattr(training, "late_loss", lambda setting: setting.rate)
    keys = [(r["d_k"], r["way"], r["rate"]) for r in training.sweep()]
    assert keys == [(r["d_k"], r["way"], r["rate"]) for r in training.stored_sweep()]


def test_the_command_stores_the_sweep(monkeypatch, tmp_path):
    rows = [{"d_k": 16, "way": "scaled", "rate": 0.1, "loss": 0.12345}]
    monkeypatch.setattr(training, "sweep", lambda: rows)
    monkeypatch.setattr(training, "__file__", str(tmp_path / "module.py"))
    training.main()
    text = (tmp_path / training.SWEEP).read_text(encoding="utf-8")
    assert text == "d_k,way,rate,loss\n16,scaled,0.1,0.1235\n"
