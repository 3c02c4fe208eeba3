"""Chapter 8: one query with two relations, the stored runs, the figures."""

from itertools import islice

import numpy as np
import pytest
from repeats import first_and_weekly

from course.chapters.heads_that_learn import experiments, figures, relations
from course.chapters.heads_that_learn.relations import RelationTask
from transformer.parameters import as_dtype
from transformer.small import pronouns
from transformer.training import EARLY


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


def test_a_division_is_not_the_mean_of_its_seeds():
    one, other = (experiments.split(RelationTask(2, seed=seed)) for seed in (3, 4))
    both = [(one.own + other.own) / 2, (one.foreign + other.foreign) / 2]
    assert experiments.division(2, [3, 4]) == pytest.approx(both)


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


# --- one query, two relations ---------------------------------------------------------


MATRICES = ("W_Q", "W_K", "W_V")


def test_the_labels_are_not_the_values_of_the_asked_tokens():
    questions = relations.draw(np.random.default_rng(0), 307, 6)
    assert (questions.asked[:, 0] != questions.asked[:, 1]).all()
    for kind in (questions.colours, questions.shapes):
        every = np.tile(range(6), (307, 1))
        np.testing.assert_array_equal(np.sort(kind, axis=1), every)
    values = [v[a] + 1 for v, a in zip(questions.values, questions.asked, strict=True)]
    np.testing.assert_array_equal(questions.labels(twice=False), values)
    twice = [[first, first] for first, _ in values]
    np.testing.assert_array_equal(questions.labels(twice=True), twice)


def test_a_gradient_differs_from_finite_differences():
    weights = as_dtype(relations.initial(RelationTask(4, 7)), np.float64)
    rng = np.random.default_rng(1)
    questions, d_logits = relations.draw(rng, 5, 7), rng.normal(size=(5, 2, 17))
    _, backward = relations.forward(questions, weights)
    for name, gradient in backward(d_logits).items():
        direction = rng.normal(size=gradient.shape)
        above, below = (
            (relations.forward(questions, weights | {name: moved})[0] * d_logits).sum()
            for moved in (weights[name] + step * direction for step in (1e-6, -1e-6))
        )
        slope = (above - below) / 2e-6
        assert (gradient * direction).sum() == pytest.approx(slope, rel=1e-5), name


def test_training_moves_equal_heads_apart():
    task = RelationTask(4, equal=True)
    *_, last = islice(relations.train(task), 9)
    start = relations.initial(task)
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        by_head = last.weights[name].reshape(4, -1)
        np.testing.assert_array_equal(by_head, by_head[:1].repeat(4, 0))
        assert (last.weights[name] != start[name]).any()


def test_a_head_that_is_off_still_contributes():
    """The logits are linear in W^O: logits of single heads add up to the whole."""
    weights = relations.initial(RelationTask(4))
    questions = relations.draw(np.random.default_rng(1), 5, 8)

    def logits(off):
        return relations.forward(questions, relations.without(weights, off))[0]

    alone = [logits([i for i in range(4) if i != head]) for head in range(4)]
    np.testing.assert_allclose(np.sum(alone, axis=0), logits([]), atol=1e-4)
    np.testing.assert_allclose(logits([1]) + alone[1], logits([]), atol=1e-4)
    assert relations.sets_of(2) == [(), (0,), (1,), (0, 1)]


TASKS = [
    RelationTask(output="blocks", frozen=True, seed=2),
    RelationTask(output="none"),
    RelationTask(4),
]


@pytest.mark.parametrize("task", first_and_weekly(TASKS, 2))
def test_the_early_loss_differs_from_the_stored_row(task):
    *_, last = islice(relations.train(task), EARLY)
    assert last.loss == pytest.approx(relations.results()[task][0].early, rel=1e-3)
