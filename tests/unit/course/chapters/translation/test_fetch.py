"""One query that fetches several words: gradients, a model by hand, stored results."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from repeats import first_and_weekly

from course.chapters.translation import fetch
from course.chapters.translation.fetch import (
    LENGTH,
    SEEDS,
    SIZES,
    SWEEP,
    TASKS,
    FetchTask,
    initial,
    share_right,
    train,
)
from transformer.model import cross_entropy
from transformer.stored_files import changed_files
from transformer.training import EARLY

SMALL = [
    FetchTask(3, 2, words=7),
    FetchTask(3, 2, words=7, feed_forward=True),
    FetchTask(2, 4, words=7, learned=True),
]


@pytest.mark.parametrize("task", SMALL, ids=str)
def test_a_gradient_differs_from_finite_differences(task):
    rng = np.random.default_rng(1)
    weights = {k: w.astype(float) for k, w in initial(task, rng).items()}
    numbers = rng.integers(1, 8, (5, LENGTH))

    def loss(weights):
        logits, backward = fetch.fetch(numbers, weights, task)
        return *cross_entropy(logits, numbers[:, : task.places]), backward

    _, d_logits, backward = loss(weights)
    gradients = backward(d_logits)
    fixed = set() if task.learned else {"words", "places"}
    assert gradients.keys() == weights.keys() - fixed
    for name, gradient in gradients.items():
        direction = rng.normal(size=gradient.shape)
        above, below = (
            loss(weights | {name: weights[name] + step * direction})[0]
            for step in (1e-5, -1e-5)
        )
        slope = (above - below) / 2e-5
        assert (gradient * direction).sum() == pytest.approx(slope, rel=1e-4, abs=1e-8)


def test_heads_differ_in_their_number_of_weights():
    rng = np.random.default_rng(0)
    sizes = {
        sum(w.size for w in initial(FetchTask(4, heads), rng).values())
        for heads in (1, 2, 4, 8)
    }
    assert len(sizes) == 1


def test_a_model_made_by_hand_is_counted_wrong():
    """One head, all its weight on the first position, words told apart exactly."""
    task = FetchTask(1, 1, words=20)
    weights = initial(task, np.random.default_rng(0))
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        weights[name] = np.eye(32).reshape(weights[name].shape)
    weights["words"] = np.eye(32)[:21]
    weights["places"] = 40 * np.eye(32)[21:][[0] + [1] * (LENGTH - 1)]
    weights["query"] = 40 * np.eye(32)[21:22]
    weights["readouts"] = np.eye(32)[None, :, :21]
    assert share_right(task, weights) == 1
    weights["query"] = -weights["query"]  # now every other position has the weight
    assert share_right(task, weights) < 0.3


def test_a_stored_row_is_missing_out_of_order_or_not_read_back(tmp_path):
    assert [result.task for result in SWEEP.results] == TASKS
    fetch.store(SWEEP.results, tmp_path / "fetch.csv")
    assert (tmp_path / "fetch.csv").read_bytes() == SWEEP.path.read_bytes()
    assert changed_files(tmp_path) == []
    found = fetch.results()
    assert list(found) == SIZES
    rows = iter(SWEEP.results)
    for shares in found.values():
        assert shares.tolist() == [row.right for row in islice(rows, SEEDS)]


@pytest.mark.parametrize(
    "task", first_and_weekly([FetchTask(4, 2), *SIZES[::6]]), ids=str
)
def test_a_model_is_trained_otherwise_than_its_row_says(task):
    stored = {result.task: result for result in SWEEP.results}
    task = replace(task, seed=1)
    *_, last = islice(train(task), EARLY)
    assert last.loss == pytest.approx(stored[task].early, rel=1e-3)


def test_more_heads_than_places_do_not_help_or_one_head_fetches_all():
    found = fetch.results()
    for places in (1, 2, 4, 8):
        assert found[FetchTask(places, places)].min() > 0.9
    one = [found[FetchTask(places, 1)] for places in (1, 2, 4, 8)]
    for few, more in pairwise(one):
        assert more.max() < few.min()
