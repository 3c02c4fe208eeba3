"""Chapter 2: experiments and training against derivatives and closed forms; figures.

The register of claims checks gradients and starting weights at more sizes.
"""

import numpy as np
import pytest
from drawn import named_lines

from attention import softmax
from course.chapters.why_sqrt_dk import experiments, figures, training


def test_the_spread_of_random_scores_is_not_sqrt_d_k():
    rows = experiments.score_rows(16, m=7, rows=3000)
    assert rows.shape == (3000, 7)
    assert rows.std() == pytest.approx(4, rel=0.03)


def test_a_query_gradient_differs_from_finite_differences():
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


def test_broken_assumptions_give_other_spreads_than_the_page_says():
    spreads = list(experiments.unusual_spreads(64, count=4000).values())
    np.testing.assert_allclose(spreads, [1, 4, 8, 1, np.sqrt(2)], rtol=0.06)
    assert spreads[3] == pytest.approx(spreads[0])


def test_a_nudged_bar_has_a_wrong_panel_or_height():
    rows = {"divided": ([0.6, 0.4], [0.5, 0.5]), "not divided": ([1, 0], [0.9, 0.1])}
    panels = figures.nudged(rows).axes
    for axes, (title, (before, after)) in zip(panels, rows.items(), strict=True):
        assert axes.get_title() == title
        assert [bar.get_height() for bar in axes.patches] == [*before, *after]


def test_a_median_or_a_range_has_a_wrong_panel_or_height():
    both = {"undivided": 10.0 ** np.arange(-12, 9), "divided": np.full(21, 2.0)}
    norms = {
        (m, d): (both["undivided"] * m, both["divided"])
        for m in (3, 5)
        for d in (4, 16)
    }
    for axes, m in zip(figures.reach(norms).axes, (3, 5), strict=True):
        assert axes.get_title() == f"{m} keys"
        without, divided = (line.get_ydata() for line in axes.lines)
        np.testing.assert_allclose([without, divided], [[m * 1e-2] * 2, [2] * 2])
        low, high = axes.collections[0].get_segments()[0][:, 1]
        np.testing.assert_allclose([low, high], [1e-9, m * 1e6])  # not below the axis


def test_a_learning_rate_curve_has_wrong_data_or_a_wrong_name():
    rows = [
        {"d_k": d_k, "way": way, "rate": 10.0**power, "loss": loss + power}
        for d_k, more in ((64, 9), (256, 0))
        for way, loss in {"unscaled": 2.0 + more, "scaled": 1.0 + more}.items()
        for power in range(5)
    ]
    axes = figures.learning_rates(rows, 256).axes[0]
    assert named_lines(axes) == {
        "not divided": [2, 3, 4, 5, 6],
        "divided by √dₖ": [1, 2, 3, 4, 5],
    }


# --- training -------------------------------------------------------------------------


STORED = training.stored_sweep()
KEYS = [(row["d_k"], row["way"], row["rate"]) for row in STORED]


def test_gradients_differ_from_finite_differences():
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


def test_late_loss_is_not_the_mean_of_the_last_20_steps_of_all_seeds(monkeypatch):
    def train(setting, seed):
        losses = np.full(100, 1e9)
        losses[80:] = np.where(np.arange(20) == 2, 20 * 2.0**seed, 0)
        return losses

    monkeypatch.setattr(training, "train", train)
    assert training.late_loss(training.scaled(16, rate=1), seeds=3) == 7 / 3


@pytest.mark.more
def test_the_stored_sweep_is_not_what_the_code_gives():
    stored = dict(zip(KEYS, (row["loss"] for row in STORED), strict=True))
    assert len(stored) == 5 * 2 * len(training.RATES)
    for make, rate in ((training.scaled, 3.0), (training.unscaled, 0.3)):
        found = training.late_loss(make(16, rate))
        assert found == pytest.approx(stored[16, make.__name__, rate], abs=2e-3)
