"""One query, two relations: questions, gradients, equal heads, stored results."""

from itertools import islice

import numpy as np
import pytest
from repeats import first_and_weekly

from course.chapters.heads_that_learn import relations
from course.chapters.heads_that_learn.relations import RelationTask
from transformer.parameters import as_dtype
from transformer.training import EARLY

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


@pytest.mark.parametrize(
    ("task", "fixed"),
    [
        (RelationTask(), set()),
        (RelationTask(output="none"), {"W_O"}),
        (RelationTask(frozen=True), {"W_V", "readouts"}),
    ],
)
def test_training_changes_what_is_frozen(task, fixed):
    *_, last = islice(relations.train(task), 3)
    start = relations.initial(task)
    same = {n for n, w in last.weights.items() if np.array_equal(w, start[n])}
    assert same == fixed | {"colours", "shapes", "values"}


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


TASKS = [RelationTask(output="blocks", frozen=True, seed=2), RelationTask(4)]


@pytest.mark.parametrize("task", first_and_weekly(TASKS))
def test_the_early_loss_differs_from_the_stored_row(task):
    *_, last = islice(relations.train(task), EARLY)
    assert last.loss == pytest.approx(relations.results()[task][0].early, rel=1e-3)


@pytest.mark.more
@pytest.mark.weekly
def test_a_retrained_model_differs_from_the_stored_shares():
    task = RelationTask(2, seed=3)
    rows = relations.results()[task]
    for row, new in zip(rows, relations.measure(task), strict=True):
        assert new.off == row.off
        assert sorted(new.right) == pytest.approx(sorted(row.right), abs=0.05)
