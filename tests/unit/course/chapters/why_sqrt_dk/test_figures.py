"""Figures of chapter 2 show their data under the right names."""

import numpy as np
import pytest

from course.chapters.why_sqrt_dk import experiments, figures
from course.kit import look

SPREADS = np.linspace(0.1, 5, 5)


def test_a_divisor_or_a_curve_of_two_keys_has_another_name(named):
    ends = dict(zip(experiments.DIVISORS, (0.9, 0.5, 0.2), strict=True))
    largest = {divisor: [0.1, 0.2, end] for divisor, end in ends.items()}
    axes = figures.divisors([1, 4, 16], largest, 8).axes[0]
    assert [[*line.get_ydata()] for line in axes.lines[:3]] == [*largest.values()]
    heights = {t.get_text(): t.get_position()[1] for t in axes.texts}
    for divisor, end in ends.items():
        assert heights[f"divided by {divisor}"] == end
    curves = named(figures.two_keys().axes[0])
    p = np.array(curves["weight p"])
    assert p[100] == pytest.approx(0.5)
    np.testing.assert_allclose(curves["slope p (1 − p)"], p - p**2, atol=1e-15)


def test_a_mean_norm_has_another_name_or_is_hidden_by_single_rows():
    norms = {m: SPREADS / (m + 12) for m in (2, 3, 8, 64)}
    single = np.outer(SPREADS, [0.01, 0.02])
    axes = figures.norm_by_spread(SPREADS, norms, single).axes[0]
    *faint, bound = (x for x in axes.lines if x.get_color() == look.colour("line"))
    np.testing.assert_allclose([x.get_ydata() for x in faint], single.T)
    assert set(bound.get_ydata()) == {0.5}
    means = [x for x in axes.lines if x.get_color() != look.colour("line")]
    np.testing.assert_allclose([x.get_ydata() for x in means], [*norms.values()])
    assert max(x.zorder for x in faint) < min(x.zorder for x in means)
    at = {t.get_text(): t.get_position() for t in axes.texts}
    for m, mean in norms.items():
        x, y = at[f"{m} keys"]
        assert SPREADS[0] <= x < SPREADS[1]
        assert abs(y - mean[0]) < 0.05


def test_a_curve_of_learning_rates_has_another_name(named):
    rows = [
        {"d_k": d_k, "way": way, "rate": 10.0**power, "loss": loss + power}
        for d_k, more in ((64, 9), (256, 0))
        for way, loss in {"unscaled": 2.0 + more, "scaled": 1.0 + more}.items()
        for power in range(5)
    ]
    axes = figures.learning_rates(rows, 256).axes[0]
    assert named(axes) == {
        "not divided": [2, 3, 4, 5, 6],
        "divided by √dₖ": [1, 2, 3, 4, 5],
    }
