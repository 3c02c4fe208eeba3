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


@pytest.mark.parametrize("seed", range(3))
def test_each_place_gathers_shares_of_the_words(seed):
    """From three words of four numbers the shares of a mixture can be read back."""
    task = experiments.routing_task(np.random.default_rng(seed), sentences=6, n=3)
    words = np.random.default_rng(seed).standard_normal((6, 1, 3, 4))
    mixed = task.mixed.reshape(2, 6, 3, 4).swapaxes(0, 1)
    shares = mixed @ np.linalg.pinv(words)
    np.testing.assert_allclose(shares @ words, mixed, atol=1e-12)
    np.testing.assert_allclose(shares.sum(axis=-1), 1)
    assert 0 <= shares.min() <= shares.max() <= 1


@pytest.mark.parametrize("h", [2, 5])
def test_aligned_task_keeps_each_head_to_its_slot(h):
    task = experiments.routing_task(np.random.default_rng(3), h, aligned=True)
    for i, written in enumerate(task.maps):
        (columns,) = np.nonzero(written.any(axis=0))
        assert list(columns) == [2 * i, 2 * i + 1]
    assert experiments.missed_without_projection(task) < 1e-20


@pytest.mark.parametrize("h", [3, 6])
def test_what_is_missed_is_about_what_each_map_writes_outside_its_slot(h):
    task = experiments.routing_task(np.random.default_rng(h), h)
    assert task.maps.shape == (h, 2 * h, 2 * h)
    assert experiments.missed_with_projection(task) < 1e-20
    written = np.sum(task.maps**2, axis=1).reshape(h, h, 2).sum(axis=-1)
    outside = 1 - np.trace(written) / written.sum()
    assert abs(experiments.missed_without_projection(task) - outside) < 0.1


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


def test_heads_that_gather_the_same_can_write_for_each_other(task):
    same = np.stack([task.mixed[0]] * 2)
    wanted = same[0] @ task.maps.sum(axis=0)
    alike = task._replace(mixed=same, wanted=wanted)
    assert experiments.missed_without_projection(alike) < 1e-20


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


@pytest.mark.parametrize(("width", "read"), [(4, 3), (7, 2), (16, 16)])
def test_what_is_out_of_reach_tends_to_the_formula(width, read):
    rng = np.random.default_rng(width)
    x, concat = rng.standard_normal((2, 60_000, width))
    W_O = rng.standard_normal((width, width))
    W_next = rng.standard_normal((width, read))
    got = experiments.missed_by_next_layer(x, concat, W_O, W_next, residual=True)
    np.testing.assert_allclose(
        got, experiments.expected_out_of_reach(W_O, W_next), atol=0.01
    )


def test_the_formula_gives_what_its_sign_says():
    W_next = np.random.default_rng(1).standard_normal((5, 2))
    reach = experiments.expected_out_of_reach
    np.testing.assert_allclose(reach(np.eye(5), W_next), 0, atol=1e-15)
    np.testing.assert_allclose(reach(-np.eye(5), W_next), 1)
    W_O = np.random.default_rng(2).standard_normal((5, 5))
    np.testing.assert_allclose(reach(W_O, W_next) + reach(-W_O, W_next), 1)


def test_over_200_draws_half_is_out_of_reach_and_one_draw_says_little():
    draws = [
        experiments.draw_out_of_reach(np.random.default_rng(seed))
        for seed in range(200)
    ]
    error = np.std(draws, ddof=1) / np.sqrt(len(draws))
    assert abs(np.mean(draws) - 0.5) < 3 * error
    np.testing.assert_allclose(np.mean(draws), 0.51, atol=0.005)
    np.testing.assert_allclose([min(draws), max(draws)], [0.19, 0.88], atol=0.005)
