"""Figures of chapter 8 draw the numbers that they get."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import figures


def test_a_seed_is_not_at_its_weight():
    groups = {"answers": [0.1, 0.5, 0.9], "pointer": [1.0, 1.0]}
    axes = figures.mass_by_seed(groups, law=0.4).axes[0]
    *rows, law = axes.lines
    names = {text.get_text(): text.get_position()[1] for text in axes.texts}
    above = sorted(names, key=names.__getitem__)  # the y-axis points down
    assert all(row - 0.5 < names[name] < row for row, name in enumerate(above))
    for points in rows:
        [row] = {round(y) for y in points.get_ydata()}
        np.testing.assert_allclose(points.get_xdata(), groups[above[row]])
    assert len(rows) == 2
    np.testing.assert_allclose(law.get_xdata(), 0.4)
    assert axes.get_xlabel() == "weight of “it” on the noun it stands for"


@pytest.mark.parametrize("values", [[0.5] * 20, [0, 0.01, 0.02], [0.3]])
def test_a_point_hides_another_or_leaves_its_row(values):
    moved = figures.spread_out(values)
    assert abs(moved).max() <= 0.4
    assert len({*moved.tolist()}) >= min(len(values), 9)


def test_a_head_is_not_at_its_two_costs():
    groups = {"two": [(3.0, 0.1), (0.0, 4.0), (1.0, 2.0)], "four": [(1.0, 0.5)]}
    figure = figures.cost_of_cuts(groups)
    for ax, (name, pairs) in zip(figure.axes, groups.items(), strict=True):
        assert ax.get_title() == name
        np.testing.assert_allclose(ax.lines[0].get_xydata(), pairs)
    assert figure.get_supxlabel().startswith("rise of the loss of the first question")
    assert figure.get_supylabel() == "of the second"
