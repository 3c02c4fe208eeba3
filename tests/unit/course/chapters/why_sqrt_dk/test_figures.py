"""Figures of chapter 2 show their data under the right names."""

import numpy as np
from drawn import named_lines

from course.chapters.why_sqrt_dk import figures


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
