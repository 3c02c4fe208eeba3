"""Experiments of *Before attention* against finite differences and closed forms."""

import numpy as np
import pytest

from course.chapters.before_attention import experiments

each_kind = pytest.mark.parametrize("kind", experiments.KINDS)


@each_kind
def test_gradients_are_not_those_of_finite_differences(kind):
    rng = np.random.default_rng(0)
    network = experiments.KINDS[kind](5, rng)
    x, d_last = rng.standard_normal((7, 5)), rng.standard_normal(5)
    step, expected = 1e-6, np.empty_like(x)
    for at in np.ndindex(x.shape):
        moved = np.zeros_like(x)
        moved[at] = step
        ends = (network.states(x + moved)[-1], network.states(x - moved)[-1])
        expected[at] = (ends[0] - ends[1]) @ d_last / (2 * step)
    states, gradients = network.states_and_gradients(x, d_last)
    np.testing.assert_allclose(gradients, expected, atol=1e-8)
    np.testing.assert_allclose(states, network.states(x), rtol=1e-12)


@each_kind
def test_reach_is_not_measured_from_the_neighbour(kind):
    reach = experiments.reach(kind, d=4, n=6, seeds=2)
    for runs in reach:
        assert runs.shape == (2, 5)
        np.testing.assert_allclose(runs[:, 0], 1)
        assert (
            runs[0, 1:] != runs[1, 1:]
        ).all()  # each seed draws a network of its own


def test_an_orthogonal_step_changes_lengths():
    R = experiments.orthogonal(np.random.default_rng(1), 17)
    np.testing.assert_allclose(R @ R.T, np.eye(17), atol=1e-12)


@pytest.mark.parametrize("n", [2, 9, 41])
def test_a_path_between_words_has_another_length(n):
    steps = experiments.steps_until_reached
    assert steps(n, lambda i, j: i - j in (0, 1)) == n - 1
    assert steps(n, lambda i, j: abs(i - j) <= 3) == -(-(n - 1) // 3)
    assert steps(n, lambda i, j: True) == 1


def test_one_word_is_not_read_back_or_64_words_are():
    np.testing.assert_array_equal(experiments.recalled(32, 1), 1)
    np.testing.assert_array_equal(experiments.recalled(2, 1), 1)  # vectors of length 1
    assert experiments.recalled(32, 64).max() < 0.1


def test_recall_depends_on_earlier_calls_or_not_on_the_seed():
    first = experiments.recalled(16, 12, seeds=2)
    experiments.recalled(16, 5, seeds=2)
    np.testing.assert_allclose(
        experiments.recalled(16, 12, seeds=2), first, rtol=0, atol=1e-14
    )
    assert first[0] != first[1]


def test_additive_attention_does_not_follow_its_formula():
    rng = np.random.default_rng(2)
    query, states = rng.standard_normal(3), rng.standard_normal((5, 3))
    W, U, v = (rng.standard_normal(shape) for shape in ((3, 2), (3, 2), 2))
    scores = [v @ np.tanh(query @ W + state @ U) for state in states]
    due = np.exp(scores) / np.exp(scores).sum()
    weights, context = experiments.additive_attention(query, states, W, U, v)
    np.testing.assert_allclose(weights, due)
    np.testing.assert_allclose(context, due @ states)
