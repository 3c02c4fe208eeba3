"""Peak memory of calls and of gradients."""

import tracemalloc

import numpy as np
import pytest

from attention import MultiHeadAttention, _threads
from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients


def peak(function):
    """Return the largest number of bytes that a call holds at one time."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


SHAPES = {
    "many short heads": ((48, 8, 96, 32),) * 2,
    "longer heads": ((8, 8, 300, 32),) * 2,
    "decoding": ((8, 32, 1, 32), (8, 8, 1024, 32)),
}


@pytest.mark.more
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("back", [False, True])
def test_peak_memory_is_much_more_than_the_result(kind, causal, back, monkeypatch):
    monkeypatch.setenv(_threads.LIMIT, "1")
    rng = np.random.default_rng(8)
    query, key = (rng.normal(size=shape).astype(np.float32) for shape in SHAPES[kind])
    how = {"is_causal": causal, "enable_gqa": query.shape != key.shape}
    returned = query.nbytes
    if back:
        returned += 2 * key.nbytes
        grown = peak(lambda: sdpa_gradients(query, query, key, key, **how))
    else:
        grown = peak(lambda: sdpa(query, key, key, **how))
    assert grown < 1.5 * returned + 4 * 2**20


@pytest.mark.more
@pytest.mark.parametrize("how", [{"is_causal": True}, {"key_value_seq_lengths": 4000}])
def test_memory_with_an_extra_key_is_quadratic_in_the_length(how):
    """4096 tokens have 16 million scores, and the kernel must not store all of them."""
    x = np.ones((4096, 2), np.float32)
    one = np.ones((1, 2, 1), np.float32)
    extra = {"bias_k": one[:, 0], "bias_v": one[:, 0], "add_zero_attn": True}
    mha = MultiHeadAttention(one, one, one, np.ones((1, 2)), **extra)
    mha(x[:1], key_value_seq_lengths=1)  # the first such call imports numpy.ma
    assert peak(lambda: mha(x, **how)) < 4096 * 4096 / 2
    assert peak(lambda: mha.gradients(x, x, **how)) < 4096 * 4096 / 2


@pytest.mark.more
def test_weight_gradients_are_stored_for_each_sequence():
    """A gradient for each sequence of the batch would need too much memory."""
    rng = np.random.default_rng(15)
    mha = MultiHeadAttention(*rng.normal(size=(3, 8, 64, 8)), rng.normal(size=(64, 64)))
    x = rng.normal(size=(256, 1, 64))
    d_output = np.ones_like(x)
    assert peak(lambda: mha.gradients(d_output, x)) < 40 * x.nbytes + 4_000_000
