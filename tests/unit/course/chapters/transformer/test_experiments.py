"""Experiments of chapter 6: stacks of layers, norm, influence of words."""

import numpy as np
import pytest

from course.chapters.transformer import experiments
from transformer.vocabulary import START

RNG = np.random.default_rng(7)


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
    x = RNG.standard_normal((5, 6))
    previous = experiments.influence(lambda x: np.roll(x, 1, axis=0), x)
    np.testing.assert_array_equal(previous > 0, np.roll(np.eye(5), 1, axis=0) > 0)


def test_the_three_heads_are_masked_wrongly_or_read_the_wrong_words():
    heads = experiments.three_heads(["I", "am", "good"], [START, "je"])
    own, masked, cross = heads.values()
    assert (own.shape, masked.shape, cross.shape) == ((3, 3), (2, 2), (2, 3))
    assert masked[0, 1] == 0 < masked[1, 0]
    assert (own[0, 1:] > 0).all()
