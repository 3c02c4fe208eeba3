"""Chapter 3: experiments against formulas and counts, figures against their data."""

import numpy as np
import pytest
from drawn import named_lines

from course.chapters.multi_head import experiments, figures


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


def test_a_blend_curve_has_wrong_data_or_a_wrong_name():
    share, who, how = [0.0, 0.5, 1.0], [1.0, 0.25, 0.0], [0.0, 0.25, 1.0]
    axes = figures.blend_budget(share, (who, how), [(0.5, 0.2, 0.3)]).axes[0]
    assert [list(line.get_ydata()) for line in axes.lines[:2]] == [who, how]
    names = named_lines(axes)
    assert names["one head: both together"] == [1.0, 0.5, 1.0]
    assert names["two heads: none"] == [0, 0]
    dots = [dot.get_offsets().tolist() for dot in axes.collections]
    assert dots == [[[0.5, 0.2]], [[0.5, 0.3]], [[0.5, 0.5]]]
    at = {t.get_text(): t.get_position() for t in axes.texts}
    assert at["who"][0] < 0.5 < at["how"][0]  # on the side with the larger error


def test_bleu_is_written_at_a_wrong_number_of_heads():
    figure = figures.quality_by_heads({1: 24.9, 4: 25.5, 8: 25.8})
    points = {t.get_text(): t.xy for t in figure.axes[0].texts}
    assert points == {"24.9": (1, 24.9), "25.5": (4, 25.5), "25.8": (8, 25.8)}
