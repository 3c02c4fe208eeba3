"""The experiments of chapter 4 against what they claim."""

import numpy as np
import pytest

from course.chapters.output_projection import experiments


@pytest.fixture
def task():
    return experiments.routing_task(np.random.default_rng(3), sentences=11, n=5)


def test_routing_task_wants_the_sum_of_its_maps(task):
    assert task.mixed.shape == (2, 55, 4)
    wanted = task.mixed[0] @ task.maps[0] + task.mixed[1] @ task.maps[1]
    np.testing.assert_allclose(task.wanted, wanted, rtol=1e-12)
    assert [np.linalg.matrix_rank(m) for m in task.maps] == [2, 2]


def test_aligned_task_keeps_each_head_to_its_slot():
    task = experiments.routing_task(np.random.default_rng(3), aligned=True)
    assert not task.maps[0, :, 2:].any()
    assert not task.maps[1, :, :2].any()
    assert experiments.missed_without_projection(task) < 1e-20


def test_factors_give_the_maps_back(task):
    W_V, W_O = experiments.low_rank_factors(task.maps, rank=2)
    assert W_V.shape == (2, 4, 2)
    assert W_O.shape == (2, 2, 4)
    np.testing.assert_allclose(W_V @ W_O, task.maps, rtol=0, atol=1e-12)


def test_only_the_projection_reaches_everything(task):
    assert experiments.missed_with_projection(task) < 1e-20
    assert 0 < experiments.missed_without_projection(task) < 1


def test_no_other_values_miss_less_without_projection(task):
    best = experiments.missed_without_projection(task)
    rng = np.random.default_rng(0)
    for _ in range(20):
        W_V = rng.standard_normal((2, 4, 2))
        heads = np.hstack(list(task.mixed @ W_V))
        assert experiments.unexplained(heads, task.wanted) >= best


def test_unexplained_runs_from_none_to_all():
    wanted = np.array([[3.0, -4.0]])
    assert experiments.unexplained(wanted, wanted) == 0
    assert experiments.unexplained(np.zeros((1, 2)), wanted) == 1


def test_next_layer_takes_over_only_where_nothing_is_added():
    rng = np.random.default_rng(2)
    x, concat = rng.standard_normal((2, 300, 4))
    W_O, W_next = rng.standard_normal((2, 4, 4))
    missed = experiments.missed_by_next_layer
    assert missed(x, concat, W_O, W_next, residual=False) < 1e-20
    assert missed(x, concat, W_O, W_next, residual=True) > 0.01
    assert missed(x, concat, np.eye(4), W_next, residual=True) < 1e-20
