"""The six right ways against the library's independent reference."""

import numpy as np
import pytest
from reference import attention as reference

from course.practice import right
from course.practice.outcomes import ROUNDING


@pytest.mark.parametrize(
    "way", [right.attention, *right.WAYS], ids=lambda w: w.__name__
)
@pytest.mark.parametrize("causal", [False, True])
def test_each_is_attention(way, causal):
    rng = np.random.default_rng(0)
    for _ in range(30):
        n, m, d_k, d_v = (int(i) for i in rng.integers(1, 7, size=4))
        m = n if causal else m
        Q, K, V = (rng.normal(size=s) for s in ((n, d_k), (m, d_k), (m, d_v)))
        _, due = reference(Q, K, V, causal=causal)
        exact = way is not right.float32
        tolerance = 1e-12 if exact else ROUNDING / 10
        np.testing.assert_allclose(way(Q, K, V, causal), due, rtol=0, atol=tolerance)


def test_one_of_them_takes_a_batch():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 2, 4, 5))
    each = [right.loops(*one, causal=True) for one in zip(Q, K, V, strict=True)]
    np.testing.assert_allclose(right.batched(Q, K, V, causal=True), each, atol=1e-12)


def test_several_heads_are_those_of_the_library():
    from attention import MultiHeadAttention

    rng = np.random.default_rng(1)
    X, W_Q, W_K, W_V, W_O = (
        rng.normal(size=s) for s in ((5, 6), (6, 6), (6, 6), (6, 4), (4, 6))
    )
    apart = [np.stack(np.hsplit(W, 2)) for W in (W_Q, W_K, W_V)]
    np.testing.assert_allclose(
        right.multi_head(X, W_Q, W_K, W_V, W_O, 2),
        MultiHeadAttention(*apart, W_O)(X),
        atol=1e-12,
    )
