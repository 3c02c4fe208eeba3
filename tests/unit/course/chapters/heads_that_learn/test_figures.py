"""What the figures of chapter 8 draw is what they are given."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import figures


def test_each_seed_is_a_point_at_its_weight(svg):
    groups = {"answers": [0.1, 0.5, 0.9], "pointer": [1.0, 1.0]}
    figure = figures.mass_by_seed(groups, law=0.5)
    points, more, law = figure.axes[0].lines
    np.testing.assert_allclose(points.get_xdata(), groups["answers"])
    np.testing.assert_allclose(more.get_xdata(), groups["pointer"])
    np.testing.assert_allclose(law.get_xdata(), 0.5)
    assert {round(y) for y in points.get_ydata()} == {0}
    assert {round(y) for y in more.get_ydata()} == {1}
    assert {*groups} <= {label.get_text() for label in figure.axes[0].get_yticklabels()}
    assert "weight of “it”" in svg(figure)


@pytest.mark.parametrize("values", [[0.5] * 20, [0, 0.01, 0.02], [0.3]])
def test_points_that_would_hide_each_other_are_moved_apart_within_their_row(values):
    moved = figures.spread_out(values)
    assert abs(moved).max() <= 0.4
    assert len({*moved.tolist()}) >= min(len(values), 9)


def test_a_head_is_a_point_at_what_both_losses_rise_by(svg):
    groups = {"two": [(3.0, 0.1), (0.0, 4.0)], "four": [(1.0, 1.0)]}
    figure = figures.cost_of_cuts(groups)
    for ax, (name, pairs) in zip(figure.axes, groups.items(), strict=True):
        assert ax.get_title() == name
        np.testing.assert_allclose(ax.lines[0].get_xydata(), pairs)
    assert "rise of the loss of the first question" in svg(figure)
