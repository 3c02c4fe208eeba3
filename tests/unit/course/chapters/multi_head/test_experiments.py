"""Compare experiments of chapter 3 with formulas, a second program and counts."""

from types import SimpleNamespace

import numpy as np
import pytest

from course.chapters.multi_head import experiments


@pytest.mark.parametrize("share", [0, 0.2, 0.5, 0.9, 1])
def test_blend_errors_differ_from_measured_errors(share):
    who, how = experiments.blend_errors(share)
    assert who + how == pytest.approx(1)
    rng = np.random.default_rng(0)
    measured = experiments.measured_blend_errors(share, draws=100_000, rng=rng)
    np.testing.assert_allclose(measured, (who, how), atol=0.02)


LEAKS = {  # (a, b): errors of "who" and "how" without noise
    (0, 0): (0.498, 0.493),
    (0.5, 0): (0.075, 0.542),
    (0.1, -3): (0.018, 0.003),
}


def leaks(a, b, noise, seeds=4):
    """Return what `leak_errors` returns, one row a seed, by a second implementation."""
    found = []
    for seed in range(100, 100 + seeds):
        rng = np.random.default_rng(seed)
        u0, u1, v0, v1 = rng.standard_normal((4, 20_000))
        w = 1 / (1 + np.exp(a * v0 - a * u0 - b))
        outputs = [w * u0 + (1 - w) * v0, w * u1 + (1 - w) * v1, w]
        read = np.stack([o + noise * rng.standard_normal(20_000) for o in outputs])
        read = np.vstack([read, np.ones(20_000)])
        fit, test = read[:, ::2], read[:, 1::2]
        errors = []
        for wanted in (u0, v1):
            beta = np.linalg.pinv(fit.T) @ wanted[::2]
            errors.append(np.mean((beta @ test - wanted[1::2]) ** 2))
        found.append(errors)
    return np.array(found)


@pytest.mark.parametrize(("a", "b"), LEAKS)
@pytest.mark.parametrize("noise", [0, 0.1])
def test_leak_errors_differ_from_a_second_implementation(a, b, noise):
    others = leaks(a, b, noise)
    places = experiments.draw_places(20_000, np.random.default_rng(0))
    got = experiments.leak_errors(a, b, places, noise=noise)
    spread = others.std(axis=0, ddof=1) + 0.01 * others.mean(axis=0)
    assert np.all(np.abs(others.mean(axis=0) - got) < 5 * spread)
    if not noise:
        np.testing.assert_allclose(LEAKS[a, b], got, rtol=0.03, atol=5e-4)


def test_leak_errors_of_constant_weights_differ_from_blend_errors():
    for b in (-2.0, 1.0):
        places = experiments.draw_places(100_000, np.random.default_rng(5))
        got = experiments.leak_errors(0, b, places, noise=0)
        due = experiments.blend_errors(1 / (1 + np.exp(-b)))
        np.testing.assert_allclose(got, due, atol=0.02)


def test_a_split_head_reads_columns_of_another_head():
    rng = np.random.default_rng(1)
    x, blocks = rng.standard_normal((7, 15)), rng.standard_normal((3, 5, 2))
    full = experiments.split_as_projection(blocks)
    assert full.shape == (3, 15, 2)
    assert np.count_nonzero(full) == blocks.size
    for i in range(3):
        own = x[:, 5 * i : 5 * i + 5] @ blocks[i]
        np.testing.assert_allclose(x @ full[i], own, rtol=1e-13)


@pytest.mark.parametrize(("n", "d_model", "h"), [(3, 4, 2), (5, 12, 3), (11, 7, 1)])
def test_cost_differs_from_counted_multiplications(n, d_model, h):
    count = SimpleNamespace(multiplications=0)

    def product(a, b):
        count.multiplications += a.shape[0] * a.shape[1] * b.shape[1]
        return a @ b

    d_k = d_model // h
    x, W = np.ones((n, d_model)), np.ones((d_model, d_k))
    heads, stored = [], 0
    for _ in range(h):
        q, k, v = (product(x, W) for _ in range(3))
        scores = product(q, k.T)
        stored += scores.size
        heads.append(product(scores, v))
    product(np.hstack(heads), np.ones((h * d_k, d_model)))
    cost = experiments.cost(n, d_model, h)
    assert cost.multiplications == count.multiplications
    assert cost.attention_weights == stored
    assert cost.parameters == h * 3 * W.size + h * d_k * d_model


def test_h_that_does_not_divide_d_model_raises_no_error():
    with pytest.raises(ValueError, match="h=3 and d_model=512"):
        experiments.cost(10, 512, 3)
