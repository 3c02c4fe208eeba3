"""One query, two relations: the task, its gradients, what is stored."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import relations
from course.chapters.heads_that_learn.relations import TASKS, Task
from transformer.parameters import as_dtype


def test_a_question_holds_the_colour_of_one_token_and_the_shape_of_another():
    questions = relations.draw(np.random.default_rng(0), 300, 6)
    assert (questions.asked[:, 0] != questions.asked[:, 1]).all()
    for kind in (questions.colours, questions.shapes):
        np.testing.assert_array_equal(
            np.sort(kind, axis=1), np.tile(range(6), (300, 1))
        )
    values = [v[a] + 1 for v, a in zip(questions.values, questions.asked, strict=True)]
    np.testing.assert_array_equal(questions.labels(twice=False), values)
    assert (np.diff(questions.labels(twice=True)) == 0).all()


def test_the_query_and_the_tokens_are_sums_of_their_vectors():
    weights = relations.initial(Task())
    questions = relations.draw(np.random.default_rng(0), 5, 8)
    query, tokens = relations.inputs(questions, weights)
    one, other = questions.asked[3]
    colour = weights["colours"][questions.colours[3]]
    shape = weights["shapes"][questions.shapes[3]]
    np.testing.assert_allclose(query[3, 0], colour[one] + shape[other])
    values = weights["values"][questions.values[3]]
    np.testing.assert_allclose(tokens[3], colour + shape + values, rtol=1e-6)


def test_gradients_are_those_of_differences():
    weights = as_dtype(relations.initial(Task(4)), np.float64)
    questions = relations.draw(np.random.default_rng(1), 4, 8)
    d_logits = np.random.default_rng(2).normal(size=(4, 2, 17))
    gradients = relations.forward(questions, weights).backward(d_logits)
    for name, gradient in gradients.items():
        at = tuple(n - 1 for n in gradient.shape)
        sides = []
        for step in (1e-6, -1e-6):
            moved = weights | {name: weights[name].copy()}
            moved[name][at] += step
            sides.append((relations.forward(questions, moved).logits * d_logits).sum())
        expected = (sides[0] - sides[1]) / 2e-6
        assert gradient[at] == pytest.approx(expected, abs=1e-6), name


@pytest.mark.parametrize(
    ("task", "kept"),
    [
        (Task(), set()),
        (Task(output="none"), {"W_O"}),
        (Task(frozen=True), {"W_V", "readouts"}),
    ],
)
def test_what_is_frozen_stays_as_it_was_drawn(task, kept):
    *_, last = (p for p, _ in zip(relations.train(task), range(3), strict=False))
    start = relations.initial(task)
    vectors = {"colours", "shapes", "values"}
    same = {n for n, w in last.weights.items() if np.array_equal(w, start[n])}
    assert same == kept | vectors


def test_blocks_stay_blocks():
    task = Task(output="blocks")
    *_, last = (p for p, _ in zip(relations.train(task), range(3), strict=False))
    assert (last.weights["W_O"][relations.written(task) == 0] == 0).all()
    assert (last.weights["W_O"][relations.written(task) == 1] != 0).all()


def equal_gradients(seed=1):
    """Return the gradients of four equal heads for a random gradient of the logits."""
    weights = as_dtype(relations.initial(Task(4, equal=True)), np.float64)
    rng = np.random.default_rng(seed)
    questions = relations.draw(rng, 4, 8)
    d_logits = rng.normal(size=(4, 2, 17))
    return relations.forward(questions, weights).backward(d_logits)


def test_equal_heads_have_equal_gradients_but_for_rounding():
    gradients = equal_gradients()
    gradients["W_O"] = gradients["W_O"].reshape(4, 8, 32)
    terms = 4 * 8 * 32  # products in an entry: questions, tokens, width of a token
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        heads = gradients[name]
        bound = terms * np.finfo(float).eps * np.abs(heads).max()
        np.testing.assert_allclose(heads, heads[:1].repeat(4, 0), rtol=0, atol=bound)


def test_sharing_a_gradient_gives_the_first_heads_to_all():
    gradients = equal_gradients()
    drawn = np.random.default_rng(2)
    gradients = {name: drawn.normal(size=g.shape) for name, g in gradients.items()}
    tied = relations.shared(gradients, 4)
    for name in ("W_Q", "W_K", "W_V"):
        for head in tied[name]:
            np.testing.assert_array_equal(head, gradients[name][0])
    for rows in tied["W_O"].reshape(4, 8, 32):
        np.testing.assert_array_equal(rows, gradients["W_O"][:8])
    np.testing.assert_array_equal(tied["readouts"], gradients["readouts"])


def test_equal_heads_stay_equal():
    task = Task(4, equal=True)
    *_, last = (p for p, _ in zip(relations.train(task), range(9), strict=False))
    start = relations.initial(task)
    for name in ("W_Q", "W_K", "W_V"):
        np.testing.assert_array_equal(
            last.weights[name], last.weights[name][:1].repeat(4, 0)
        )
        assert (last.weights[name] != start[name]).any()


def test_training_enlarges_the_difference_that_one_rounding_makes(monkeypatch):
    monkeypatch.setattr(relations, "shared", lambda gradients, _: gradients)
    drawn, task = relations.initial, Task(2, equal=True, seed=1)

    def rounded(task):
        weights = drawn(task)
        weights["W_Q"][1] *= 1 + np.finfo(np.float32).eps
        return weights

    monkeypatch.setattr(relations, "initial", rounded)
    first, *_, last = (
        np.abs(np.diff(progress.weights["W_Q"], axis=0)).max()
        for progress, _ in zip(relations.train(task), range(250), strict=False)
    )
    assert last > 1000 * first


def test_a_head_switched_off_leaves_the_sum_of_the_others():
    weights = relations.initial(Task(4))
    questions = relations.draw(np.random.default_rng(1), 4, 8)
    every = range(4)
    alone = [
        relations.forward(
            questions, relations.without(weights, [i for i in every if i != head])
        ).logits
        for head in every
    ]
    whole = relations.forward(questions, weights).logits
    np.testing.assert_allclose(np.sum(alone, axis=0), whole, atol=1e-4)
    assert relations.sets_of(2) == [(), (0,), (1,), (0, 1)]


def test_every_task_is_stored_once_with_every_set_of_heads():
    found = relations.results()
    assert list(found) == TASKS
    assert len({*TASKS}) == len(TASKS)
    for task, rows in found.items():
        assert [row.off for row in rows] == relations.sets_of(task.num_heads)
        assert all(0 <= share <= 1 for row in rows for share in row.right)


@pytest.mark.parametrize("task", [Task(4), Task(output="blocks", frozen=True)])
def test_the_first_steps_of_a_run_can_be_repeated(task):
    steps = relations.train(task)
    *_, last = (next(steps) for _ in range(relations.EARLY))
    stored = relations.results()[task][0]
    assert last.loss == pytest.approx(stored.early, rel=1e-3)
