"""Figures of *Before attention* show their data under the right names."""

import numpy as np
import pytest

from course.chapters.before_attention import figures


def test_reach_is_not_the_median_over_the_seeds():
    seeds = np.outer([1, 3, 2], np.geomspace(1, 1e-19, 70))
    figure = figures.reach_by_distance({"simple": figures.Reach(seeds, seeds[:1])})
    for axes, middle in zip(figure.axes, (seeds[2], seeds[0]), strict=True):
        [line] = axes.lines
        assert line.get_xdata().tolist() == list(range(1, 71))
        drawn = ~np.isnan(line.get_ydata())
        np.testing.assert_array_equal(drawn, middle > 1e-15)
        np.testing.assert_array_equal(line.get_ydata()[drawn], middle[drawn])


def test_a_curve_of_reach_has_the_wrong_name(named):
    kinds = ("simple", "gated", "simple, orthogonal")
    drawn = {
        kind: figures.Reach(np.full((1, 99), 0.1 * k), np.full((1, 99), 0.01 * k))
        for k, kind in enumerate(kinds, start=1)
    }
    forward = figures.reach_by_distance(drawn).axes[0]
    assert named(forward) == {kind: [*drawn[kind].signal[0]] for kind in kinds}


def test_recall_is_not_the_mean_or_its_band_does_not_reach_the_seeds():
    axes = figures.recall_by_length([2, 4], {8: [[0.85, 0.85, 1.0], [0.2, 0.4, 0.6]]})
    [axes] = axes.axes
    mean, whole = (line.get_xydata().tolist() for line in axes.lines)
    np.testing.assert_allclose(mean, [[2, 0.9], [4, 0.4]])
    assert whole == [[2, 1], [4, 1]]
    corners = axes.collections[0].get_paths()[0].vertices
    assert {tuple(c) for c in corners} == {(2, 0.85), (2, 1), (4, 0.2), (4, 0.6)}


def test_a_width_is_written_on_the_line_of_another():
    shares = {8: [[0.8, 1.0, 1.0], [0.2, 0.6, 0.5]], 32: [[1, 1, 1], [0.5, 0.7, 0.7]]}
    axes = figures.recall_by_length([2, 4], shares).axes[0]
    at = {t.get_text(): t.xy for t in axes.texts if hasattr(t, "xy")}
    for width, measured in shares.items():
        x, y = at[str(width)]
        assert y == pytest.approx(np.mean(measured[[2, 4].index(x)]))
