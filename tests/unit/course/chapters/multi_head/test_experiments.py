"""Compare experiments of chapter 3 with formulas, measurements and counts."""

import numpy as np
import pytest

from course.chapters.multi_head import experiments


@pytest.mark.parametrize("share", [0, 0.2, 0.9])
def test_blend_errors_differ_from_measured_errors(share):
    who, how = experiments.blend_errors(share)
    rng = np.random.default_rng(0)
    measured = experiments.measured_blend_errors(share, draws=100_000, rng=rng)
    np.testing.assert_allclose(measured, (who, how), atol=0.02)


@pytest.mark.parametrize(("n", "d_model", "h"), [(3, 4, 2), (5, 12, 3), (11, 7, 1)])
def test_cost_differs_from_counted_multiplications(n, d_model, h):
    counted = []

    def product(a, b):
        counted.append(a.size * b.shape[1])
        return a @ b

    d_k = d_model // h
    x, W = np.ones((n, d_model)), np.ones((d_model, d_k))
    heads = []
    for _ in range(h):
        q, k, v = (product(x, W) for _ in range(3))
        heads.append(product(product(q, k.T), v))
    product(np.hstack(heads), np.ones((h * d_k, d_model)))
    cost = experiments.cost(n, d_model, h)
    assert cost.multiplications == sum(counted)
    assert cost.attention_weights == h * n * n
    assert cost.parameters == h * 3 * W.size + h * d_k * d_model


def test_h_that_does_not_divide_d_model_raises_no_error():
    with pytest.raises(ValueError, match="h=3 and d_model=512"):
        experiments.cost(10, 512, 3)
