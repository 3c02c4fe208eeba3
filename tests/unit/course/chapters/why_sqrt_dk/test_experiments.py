import numpy as np
import pytest

from attention import softmax
from course.chapters.why_sqrt_dk import experiments, training
from course.kit.measures import entropy, jacobian, jacobian_norm

RNG = np.random.default_rng(0)


def test_dot_products_spread_like_the_square_root():
    products = experiments.dot_products(64, 20_000)
    assert abs(products.mean()) < 0.2
    assert products.std() == pytest.approx(8, rel=0.03)
    widths = [1, 16, 256]
    found = experiments.spread(widths, count=5000)
    np.testing.assert_allclose(found, np.sqrt(widths), rtol=0.05)


def test_score_rows_have_the_asked_shape_and_spread():
    rows = experiments.score_rows(16, m=7, rows=3000)
    assert rows.shape == (3000, 7)
    assert rows.std() == pytest.approx(4, rel=0.03)


def test_one_row_grows_by_components():
    narrow, wide = experiments.one_row([3, 5], m=7)
    assert narrow.shape == (7,)
    np.testing.assert_array_equal(experiments.one_row([3, 5], m=7)[0], narrow)
    assert not np.allclose(narrow, wide)


def test_entropy_of_even_and_of_settled_rows():
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(np.log(8))
    assert entropy([1.0, 0.0, 0.0]) == 0


def test_jacobian_is_the_derivative():
    x, tiny = RNG.normal(size=5), 1e-6
    steps = tiny * np.eye(5)
    numeric = np.array([softmax(x + s) - softmax(x - s) for s in steps]) / (2 * tiny)
    np.testing.assert_allclose(jacobian(softmax(x)), numeric.T, atol=1e-9)


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


def test_rows_saturate_without_the_division_and_not_with_it():
    widths = [1, 64, 1024]
    raw = experiments.saturation(widths, m=8, rows=100)
    kept = experiments.saturation(widths, m=8, rows=100, divisor="√dₖ")
    flat = experiments.saturation(widths, m=8, rows=100, divisor="dₖ")
    assert (np.diff(raw["largest"]) > 0).all()
    assert (np.diff(raw["entropy"]) < 0).all()
    assert np.ptp(kept["largest"][1:]) < 0.05
    assert flat["largest"][-1] == pytest.approx(1 / 8, abs=0.02)
    assert raw["norm"][-1] < kept["norm"][-1] / 3


def test_norm_peaks_where_the_row_begins_to_concentrate():
    spreads = np.linspace(0.1, 12, 40)
    norms = experiments.norm_by_spread(spreads, m=8, rows=100)
    peak = norms["mean"].argmax()
    assert 0 < peak < 39
    assert spreads[peak] == pytest.approx(np.sqrt(2 * np.log(8)), abs=0.5)
    assert (norms["low"] <= norms["median"]).all()
    assert (norms["median"] <= norms["high"]).all()


def test_most_query_gradients_vanish_without_the_division_but_not_all():
    raw, kept = (
        experiments.query_gradients([1024], scaled=s)[0] for s in (False, True)
    )
    assert np.median(raw) < 1e-3 < 0.1 < np.median(kept)
    assert raw.max() > kept.max()


def test_query_gradient_is_the_derivative():
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((1, 3)), rng.standard_normal((1, 8, 3))
    above = rng.standard_normal((1, 8))

    def loss(q):
        return above[0] @ softmax(key[0] @ q / np.sqrt(3))

    steps = 1e-6 * np.eye(3)
    numeric = [(loss(query[0] + s) - loss(query[0] - s)) / 2e-6 for s in steps]
    found = experiments.query_gradients([3], scaled=True, m=8, rows=1)
    assert found[0, 0] == pytest.approx(np.linalg.norm(numeric), rel=1e-6)


def test_spreads_where_the_assumptions_fail():
    spreads = list(experiments.unusual_spreads(64).values())
    np.testing.assert_allclose(spreads, [1, 4, 8, 1, np.sqrt(2)], rtol=0.06)
    assert spreads[3] == pytest.approx(spreads[0])


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


def test_the_head_that_divides_learns_the_task():
    losses = training.train(training.scaled(64, rate=3), steps=60)
    assert losses[-10:].mean() < 0.05 < 0.5 < losses[0]


def test_stored_sweep_is_what_the_code_gives():
    stored = {
        (r["d_k"], r["way"], r["rate"]): r["loss"] for r in training.stored_sweep()
    }
    assert len(stored) == 2 * 2 * len(training.RATES)
    for make, rate in ((training.scaled, 3.0), (training.unscaled, 0.3)):
        found = training.late_loss(make(16, rate))
        assert found == pytest.approx(stored[16, make.__name__, rate], abs=2e-3)


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
