"""One query that fetches several words: its gradients, and its stored results."""

import csv
from itertools import pairwise

import numpy as np
import pytest
from repeats import first_and_weekly

from course.chapters.translation import fetch
from course.chapters.translation.fetch import (
    EARLY,
    LENGTH,
    SEEDS,
    TASKS,
    Task,
    initial,
    share_right,
    train,
)
from transformer.model import cross_entropy

SMALL = [
    Task(3, 2, words=7),
    Task(3, 2, words=7, feed_forward=True),
    Task(2, 4, words=7, learned=True),
]


@pytest.mark.parametrize("task", SMALL, ids=str)
def test_gradients_agree_with_finite_differences(task):
    rng = np.random.default_rng(1)
    weights = {k: w.astype(float) for k, w in initial(task, rng).items()}
    numbers = rng.integers(1, 8, (5, LENGTH))

    def loss():
        logits, backward = fetch.fetch(numbers, weights, task)
        return *cross_entropy(logits, numbers[:, : task.places]), backward

    _, d_logits, backward = loss()
    gradients = backward(d_logits)
    kept = set() if task.learned else {"words", "places"}
    assert gradients.keys() == weights.keys() - kept
    for name, gradient in gradients.items():
        direction = rng.normal(size=gradient.shape)
        step, ends = 1e-5, []
        for sign in (1, -2):
            weights[name] += sign * step * direction
            ends.append(loss()[0])
        weights[name] += step * direction
        slope = (ends[0] - ends[1]) / (2 * step)
        assert (gradient * direction).sum() == pytest.approx(slope, rel=1e-4, abs=1e-8)


def test_heads_share_the_same_number_of_weights():
    sizes = {
        heads: sum(
            w.size for w in initial(Task(4, heads), np.random.default_rng(0)).values()
        )
        for heads in (1, 2, 4, 8)
    }
    assert len(set(sizes.values())) == 1


@pytest.mark.more
def test_a_machine_that_fetches_by_hand_is_counted_right():
    """One head, all its weight on the first place, and words that are told apart."""
    task = Task(1, 1, words=20)
    weights = initial(task, np.random.default_rng(0))
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        weights[name] = np.eye(32).reshape(weights[name].shape)
    weights["words"] = np.eye(32)[:21]
    weights["places"] = 40 * np.eye(32)[21:][[0] + [1] * (LENGTH - 1)]
    weights["query"] = 40 * np.eye(32)[21:22]
    weights["readouts"] = np.eye(32)[None, :, :21]
    assert share_right(task, weights) == 1
    weights["query"] = -weights["query"]  # now it looks anywhere else
    assert share_right(task, weights) < 0.3


def test_every_task_is_stored_once_from_every_seed():
    with fetch.CSV.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(TASKS) * SEEDS
    assert [row["seed"] for row in rows] == [str(s) for s in range(SEEDS)] * len(TASKS)
    found = fetch.results()
    assert list(found) == TASKS
    assert {right.shape for right in found.values()} == {(SEEDS,)}


@pytest.mark.parametrize("task", first_and_weekly([Task(4, 2), *TASKS[::6]]), ids=str)
def test_the_first_steps_can_be_repeated(task):
    steps = train(task, seed=1)
    *_, loss = (next(steps)[0] for _ in range(EARLY))
    with fetch.CSV.open(newline="") as file:
        rows = list(csv.DictReader(file))
    row = rows[SEEDS * TASKS.index(task) + 1]
    assert loss == pytest.approx(float(row["early"]), rel=1e-3)


def test_as_many_heads_as_places_get_nearly_all_and_one_head_gets_ever_less():
    found = fetch.results()
    for places in (1, 2, 4, 8):
        assert found[Task(places, places)].min() > 0.9
    one = [found[Task(places, 1)] for places in (1, 2, 4, 8)]
    for few, more in pairwise(one):
        assert more.max() < few.min()
