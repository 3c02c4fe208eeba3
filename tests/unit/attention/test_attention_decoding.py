"""A layer and its cache, token by token."""

import copy

import numpy as np
import pytest
from agreement import assert_near, normal

from attention import KeyValueCache, MultiHeadAttention

N, H, D_MODEL, D_K, D_V = 5, 3, 7, 2, 11


def tokens(*shape, seed=1):
    return normal(seed, shape)[0]


WEIGHTS = {
    "W_Q": tokens(H, D_MODEL, D_K, seed=5) / 2,
    "W_K": tokens(H, D_MODEL, D_K, seed=6) / 2,
    "W_V": tokens(H, D_MODEL, D_V, seed=7) / 2,
    "W_O": tokens(H * D_V, D_MODEL, seed=8) / 2,
}


def layer(**more):
    return MultiHeadAttention(**WEIGHTS | more)


@pytest.mark.parametrize("steps", [[1] * N, [2, 3], [N]])
def test_decoding_with_a_cache_differs_from_the_whole_sequence(steps):
    x = tokens(2, N, D_MODEL)
    mha = layer(b_K=np.ones((H, D_K)))
    whole, cache, begin = mha(x, is_causal=True), KeyValueCache(), 0
    for step in steps:
        at = np.s_[:, begin : begin + step]
        begin += step
        output = mha(x[at], is_causal=True, cache=cache)
        assert_near(output, whole[at], atol=1e-13)
    assert len(cache) == N


def refused(mha, x, cache):
    with pytest.raises(ValueError, match="attn_mask"):
        mha(x, cache=cache, attn_mask=np.ones((1, 2), bool))
    with pytest.raises(TypeError, match="softcap"):
        mha(x, cache=cache, softcap="one")


def interrupted(mha, x, cache):
    """Make a call fail at its first `np.exp`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "exp", lambda *arguments, **options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mha(x, cache=cache)


def traced(mha, x, cache):
    """Trace or take gradients, without writing where another thread may write."""
    mha.trace(-x, cache=cache)
    buffers = [buffer.copy() for buffer in cache._stored.buffers]
    trace = mha.trace(x, cache=cache, is_causal=True)
    expected = mha(x, cache=copy.deepcopy(cache), is_causal=True)
    assert_near(trace.output, expected, atol=1e-13)
    assert trace.heads[0].weights.shape == (len(x), len(cache) + len(x))
    mha.gradients(x, x, cache=cache)
    for buffer, before in zip(cache._stored.buffers, buffers, strict=True):
        np.testing.assert_array_equal(buffer, before)


@pytest.mark.parametrize("call", [refused, interrupted, traced])
@pytest.mark.parametrize("max_length", [None, 9])
def test_a_failed_call_a_trace_or_gradients_change_the_cache(call, max_length):
    x, cache, mha = tokens(N, D_MODEL), KeyValueCache(max_length), layer()
    for i in range(3):  # the buffers have room for one more token
        mha(x[i : i + 1], cache=cache)
    call(mha, x[3:4], cache)
    assert len(cache) == 3
    output = mha(x[3:], cache=cache, is_causal=True)
    assert_near(output, mha(x, is_causal=True)[3:], atol=1e-13)


def test_a_bounded_cache_differs_from_a_window_over_the_whole_sequence():
    """Several tokens at once need the window that the docstring of the cache states."""
    x, mha = tokens(2, 9, D_MODEL), layer()
    whole = mha(x, is_causal=True, local_window_size=(2, 0))
    one_by_one, in_steps = KeyValueCache(max_length=3), KeyValueCache(max_length=3)
    for i in range(9):
        output = mha(x[:, i : i + 1], cache=one_by_one)
        assert_near(output, whole[:, i : i + 1], atol=1e-13)
    options = {"cache": in_steps, "is_causal": True, "local_window_size": (2, None)}
    for at in (slice(0, 1), slice(1, 5), slice(5, 9)):
        assert_near(mha(x[:, at], **options), whole[:, at], atol=1e-13)
    assert len(one_by_one) == len(in_steps) == 3


def test_an_empty_cache_does_not_align_the_last_query_with_the_last_key():
    query, context = tokens(2, 3, D_MODEL), tokens(2, N, D_MODEL, seed=2)
    mha = layer()
    aligned = mha(query, context, is_causal=True, alignment="bottom-right")
    output = mha(query, context, is_causal=True, cache=KeyValueCache())
    assert_near(output, aligned, atol=1e-13)


@pytest.mark.parametrize("zero", [False, True])
def test_gradients_with_a_cache_differ_from_finite_differences(zero):
    """Cached keys and values are constants for the gradients of tokens and weights."""
    x, d_output = tokens(2, N, D_MODEL), tokens(2, N - 3, D_MODEL, seed=3)
    arrays = {"x": x[:, 3:], "b_K": tokens(H, D_K), **WEIGHTS}

    def split(x, **weights):
        return layer(**weights, add_zero_attn=zero), x

    mha, new = split(**arrays)
    cache = KeyValueCache()
    mha(x[:, :3], cache=cache)

    def loss(**arrays):
        mha, new = split(**arrays)
        output = mha(new, cache=copy.deepcopy(cache), is_causal=True)
        return np.sum(d_output * output)

    ours = mha.gradients(d_output, new, cache=cache, is_causal=True)
    for name in ("x", "W_K", "b_K", "W_Q"):
        step = 1e-6 * tokens(*arrays[name].shape, seed=4)
        ends = (loss(**{**arrays, name: arrays[name] + s * step}) for s in (1, -1))
        slope = (getattr(ours, name) * step).sum()
        assert slope == pytest.approx(np.subtract(*ends) / 2, rel=1e-5), name
