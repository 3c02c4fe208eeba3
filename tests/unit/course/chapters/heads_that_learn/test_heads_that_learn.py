"""Chapter 8: numbers of the stored runs against closed forms, and the figures."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import experiments, figures
from course.chapters.heads_that_learn.relations import RelationTask
from transformer.small import pronouns


def test_a_baseline_has_a_wrong_share():
    rules = experiments.baselines(503)
    assert rules["the first noun"] + rules["the nearest noun"] == 1
    assert rules["the first noun"] == rules["always the animal"] == 0.5
    assert rules["any noun that the adjective is said of"] == 1 / 15


def test_a_model_of_one_layer_breaks_the_bound_of_one_half():
    runs = [r for r in pronouns.SWEEP.results if r.task.num_layers == 1]
    assert len(runs) == 60
    for run in runs:
        assert run.mass <= 0.5
        assert run.best_mass <= 0.5
        assert run.task.num_heads > 1 or run.pointed == 0.5


def test_split_returns_wrong_groups_or_costs(monkeypatch):
    """Heads 0 and 2 answer the colour, head 1 the shape; head 2 partly replaces 0."""
    losses = {(): (0.1, 0.2), (0,): (1.1, 0.2), (1,): (0.1, 3.2), (2,): (0.1, 0.7)}
    losses |= {(0, 1): (1.1, 3.2), (0, 2): (4.1, 0.9), (1, 2): (0.1, 3.7)}
    losses |= {(0, 1, 2): (4.1, 3.9)}
    found = {off: np.array(pair) for off, pair in losses.items()}
    monkeypatch.setattr(experiments, "losses", lambda task: found)
    groups, own, foreign = experiments.split(RelationTask(3))
    assert groups == ((0, 2), (1,))
    assert (own, foreign) == pytest.approx((3.0, 0.7))
    assert experiments.loss(RelationTask(3)) == pytest.approx(0.15)


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
