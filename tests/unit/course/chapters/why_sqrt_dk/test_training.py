"""The training of chapter 2: its gradients, its late loss, its stored sweep."""

import numpy as np
import pytest

from course.chapters.why_sqrt_dk import training

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
