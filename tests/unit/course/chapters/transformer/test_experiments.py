"""Experiments of chapter 6: queries and keys, stacks of layers, masks."""

import numpy as np
import pytest

from attention import softmax
from course.chapters.transformer import experiments

RNG = np.random.default_rng(7)


@pytest.mark.parametrize("d_k", [3, 11])
def test_queries_and_keys_do_not_give_the_wanted_weights(d_k):
    Q, K = experiments.queries_and_keys(experiments.TOLD, d_k, RNG)
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    np.testing.assert_allclose(weights, experiments.TOLD, rtol=1e-10)
    rows = np.stack(list(experiments.note_embeddings(19, RNG).values()))
    W = experiments.projection_for(rows, Q)
    np.testing.assert_allclose(rows @ W, Q, atol=1e-10)
    assert rows[1, [0, 1, -1]].tolist() == [7.77, 0.631, 5.35]


def test_the_difference_or_size_of_words_is_wrong():
    found = experiments.through_stacks(5, seeds=[3], layers=0, n=4)["residual"]
    x = np.random.default_rng(3).standard_normal((4, 5))
    assert found["size"] ** 2 == pytest.approx(np.vdot(x, x) / x.size)
    others = [x[i] - (x[0] + x[1] + x[2] + x[3]) / 4 for i in range(4)]
    apart = np.vdot(others, others) / np.vdot(x, x)
    assert found["difference"] ** 2 == pytest.approx(apart)


def test_layer_norm_leaves_a_wrong_mean_or_mean_square():
    y = experiments.layer_norm(RNG.normal(3, 5, (7, 4)))
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose((y**2).mean(axis=-1), 1, rtol=1e-4)


def test_influence_is_assigned_to_a_wrong_word():
    previous = experiments.influence(
        lambda x: np.roll(x, 1, axis=0), RNG.standard_normal((5, 6))
    )
    np.testing.assert_array_equal(previous > 0, np.roll(np.eye(5), 1, axis=0) > 0)


@pytest.mark.parametrize(("leak", "leaks"), [(None, 0), ("mask", 4), ("norm", 10)])
def test_a_leak_does_not_show_above_the_diagonal(leak, leaks):
    layer = experiments.masked_layer(8, np.random.default_rng(0), leak)
    moved = experiments.influence(layer, RNG.standard_normal((5, 8)))
    assert (np.triu(moved, 1) > 1e-9).sum() == leaks
