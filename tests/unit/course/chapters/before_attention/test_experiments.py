"""What came before: gradients, reach and memory are what they are said to be."""

import numpy as np
import pytest

from course.chapters.before_attention import experiments

each_kind = pytest.mark.parametrize("kind", experiments.KINDS)


@each_kind
def test_gradients_are_those_of_finite_differences(kind):
    rng = np.random.default_rng(0)
    network = experiments.KINDS[kind](5, rng)
    x, d_last = rng.standard_normal((6, 5)), rng.standard_normal(5)
    step, expected = 1e-6, np.empty_like(x)
    for at in np.ndindex(x.shape):
        moved = np.zeros_like(x)
        moved[at] = step
        ends = (network.states(x + moved)[-1], network.states(x - moved)[-1])
        expected[at] = (ends[0] - ends[1]) @ d_last / (2 * step)
    states, gradients = network.states_and_gradients(x, d_last)
    np.testing.assert_allclose(gradients, expected, atol=1e-8)
    np.testing.assert_array_equal(states, network.states(x))


@each_kind
def test_reach_is_counted_from_the_neighbour(kind):
    reach = experiments.reach(kind, d=4, n=6, seeds=2)
    assert reach.signal.shape == reach.gradient.shape == (2, 5)
    np.testing.assert_allclose(reach.signal[:, 0], 1)
    np.testing.assert_allclose(reach.gradient[:, 0], 1)
    for runs in reach:  # each seed draws a network and a sentence of its own
        assert (runs[0, 1:] != runs[1, 1:]).all()


@pytest.mark.parametrize("d", [16, 64, 256])
def test_a_linear_orthogonal_step_would_lose_nothing(d):
    R = experiments.orthogonal(np.random.default_rng(1), d)
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=1e-12)


def test_an_open_forget_gate_keeps_what_a_closed_one_loses():
    closed, opened = (
        experiments.reach(kind, d=16, n=31, seeds=5).gradient[:, -1]
        for kind in ("gated", "gated, forget bias 3")
    )
    assert opened.min() > 1e4 * closed.max()


@pytest.mark.parametrize("n", [2, 9, 40])
def test_paths(n):
    assert experiments.steps_until_reached(n, lambda i, j: i - j in (0, 1)) == n - 1
    assert experiments.steps_until_reached(n, lambda i, j: abs(i - j) <= 3) == -(
        -(n - 1) // 3
    )
    assert experiments.steps_until_reached(n, lambda i, j: True) == 1


def test_a_word_alone_is_read_back_and_many_are_not():
    np.testing.assert_array_equal(experiments.recalled(32, 1), 1)
    np.testing.assert_array_equal(experiments.recalled(2, 1), 1)  # all of one length
    assert experiments.recalled(32, 64).max() < 0.1


def test_what_is_read_back_depends_on_nothing_that_was_asked_before():
    first = experiments.recalled(16, 12, seeds=2)
    experiments.recalled(16, 5, seeds=2)
    np.testing.assert_array_equal(experiments.recalled(16, 12, seeds=2), first)
    assert first[0] != first[1]  # each seed draws a memory and sentences of its own


def test_additive_attention_weighs_states_by_a_network():
    rng = np.random.default_rng(2)
    query, states = rng.standard_normal(3), rng.standard_normal((4, 3))
    W, U, v = rng.standard_normal((3, 2)), rng.standard_normal((3, 2)), np.zeros(2)
    weights, context = experiments.additive_attention(query, states, W, U, v)
    np.testing.assert_allclose(weights, 0.25)  # no score, no preference
    np.testing.assert_allclose(context, states.mean(axis=0))
