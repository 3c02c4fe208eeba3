"""Compare experiments of the walkthrough with library, formulas and derivatives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention import trace_attention
from course.chapters.walkthrough_apple import claims
from course.chapters.walkthrough_apple import experiments as apple
from course.notes import APPLE

WORDS = APPLE.tokens


def query_and_key_weights(head):
    return APPLE.W_Q[head], APPLE.W_K[head]


@pytest.mark.parametrize("head", range(3))
def test_apple_s_weights_are_not_those_of_the_library(head):
    W_Q, W_K = query_and_key_weights(head)
    trace = trace_attention(APPLE.X @ W_Q, APPLE.X @ W_K, APPLE.X @ APPLE.W_V[head])
    assert_allclose(apple.focus_weights(W_Q, W_K), trace.weights[apple.FOCUS])
    direction = apple.direction(W_Q, W_K)
    assert_allclose(APPLE.X @ direction, trace.scores[apple.FOCUS])


def test_the_smallest_cosine_misses_the_pair_with_the_largest_angle():
    rows = [[1, 0], [3, 0], [1, 1]]
    assert_allclose(apple.smallest_cosine(rows), np.sqrt(0.5))
    assert apple.smallest_cosine(np.ones((2, 7, 3, 4))).shape == (2, 7)


@pytest.mark.parametrize("head", range(3))
def test_nearest_keys_do_not_give_the_wanted_weights(head):
    wanted = APPLE.printed["apple_weights"][head]
    W_Q, W_K = query_and_key_weights(head)
    changed = apple.nearest_keys(W_Q, W_K, wanted)
    assert_allclose(apple.focus_weights(W_Q, changed), wanted / wanted.sum())
    assert np.linalg.matrix_rank(changed - W_K, tol=1e-9) == 1


def test_a_weight_of_zero_raises_no_error():
    with pytest.raises(ValueError, match="positive"):
        apple.nearest_keys(*query_and_key_weights(0), [0, 1, 1, 1, 1])


def test_the_gradient_differs_from_finite_differences():
    W_Q, W_K = query_and_key_weights(0)
    goal = apple.target("eat")
    _, grad_q, grad_k = apple.gradient(W_Q, W_K, goal)
    step = np.zeros((4, 4))
    step[1, 2] = 1e-6

    def slope(dq, dk):
        ahead = apple.gradient(W_Q + dq, W_K + dk, goal)[0]
        behind = apple.gradient(W_Q - dq, W_K - dk, goal)[0]
        return (ahead - behind) / 2e-6

    assert_allclose(slope(step, 0), grad_q[1, 2], rtol=1e-6)
    assert_allclose(slope(0, step), grad_k[1, 2], rtol=1e-6)


def test_a_direction_within_the_limit_angle_puts_another_word_first():
    limit = apple.limit_angle("bought", "eat")
    along = np.ones(4) / 2
    away = APPLE.X[WORDS.index("eat")] - APPLE.X[WORDS.index("bought")]
    away -= (away @ along) * along  # towards eat, at a right angle to the diagonal
    away /= np.linalg.norm(away)
    for angle, first in ((limit - 0.1, "bought"), (limit + 0.1, "eat")):
        a = np.cos(np.radians(angle)) * along + np.sin(np.radians(angle)) * away
        assert_allclose(apple.angle(a), angle)
        assert WORDS[np.argmax(APPLE.X @ a)] == first


def test_the_claim_on_cosines_or_angles_is_not_a_median(monkeypatch):
    monkeypatch.setattr(claims, "cosines_after", lambda *_: np.array([0.9, 0.2, 0.1]))
    assert claims.smallest_cosine_after(seed=0, n=2, d=3) == 0.2

    def law(rng, shape):
        """W_K q points along (1, 1) in two of three heads, else along (1, -1)."""
        across = np.arange(shape[1]) % 3 == 0
        keys = np.where(across[:, None, None], [[1, 1], [-1, -1]], [[1, 1], [1, 1]])
        return np.broadcast_to(np.eye(2), keys.shape), keys

    monkeypatch.setitem(claims.SIGNS, "thirds", law)
    assert_allclose(claims.angle_to_diagonal(0, 2, "thirds"), 0, atol=1e-5)
