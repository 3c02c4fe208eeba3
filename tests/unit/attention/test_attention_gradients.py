"""Gradients against the package `autograd`.

`autograd` differentiates the formula, which is written here with einsum. The reference
shares no code with the library.
"""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from agreement import assert_near, normal

from attention import MultiHeadAttention
from attention import scaled_dot_product_attention_gradients as sdpa_gradients

pytestmark = pytest.mark.usefixtures("kernel")

N, M, D_K, D_V = 5, 7, 3, 2
INF, NAN = np.inf, np.nan


def reference(query, key, value, mask=0.0, scale=None, shared=False, softcap=None):
    """Return the output; hidden keys have a large negative number in `mask`."""
    if shared:  # each head of keys, or of values, is for several heads of queries
        key, value = (
            anp.repeat(a, query.shape[-3] // a.shape[-3], a.ndim - 3)
            for a in (key, value)
        )
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    logits = anp.einsum("...nd,...md->...nm", query, key) * scale
    logits = logits if softcap is None else softcap * anp.tanh(logits / softcap)
    logits = logits + mask
    powers = anp.exp(logits - anp.max(logits, axis=-1, keepdims=True))
    weights = powers / anp.sum(powers, axis=-1, keepdims=True)
    return anp.einsum("...nm,...md->...nd", weights, value)


def differentiated(d_output, *arrays, **options):
    """Return the gradient for each of the arrays, from `autograd` and the reference."""

    def loss(arrays):
        return anp.sum(d_output * reference(*arrays, **options))

    return autograd.grad(loss)(tuple(arrays))


def close(ours, theirs, atol=1e-12):
    for name, a, b in zip(ours._fields, ours, theirs, strict=False):
        assert_near(a, b, atol=atol, name=name)


ROW, COLUMN = np.ogrid[:N, :M]
BOOLEANS = np.random.default_rng(1).random((N, M)) > 0.4
LENGTHS = np.array([3, 7])


def hidden(seen, added=0.0):
    """Return what the reference adds to the logits if queries see only some keys."""
    return np.where(seen, added, -1e5)


# Options of a call, and what the reference adds to its logits.
CALLS = {
    "plain": ({}, 0.0),
    "scale": ({"scale": -0.7}, 0.0),
    "causal": ({"is_causal": True}, hidden(ROW >= COLUMN)),
    "boolean mask": ({"attn_mask": BOOLEANS}, hidden(BOOLEANS)),
    "key mask": ({"attn_mask": np.arange(M) < 4}, hidden(COLUMN < 4)),
    "bottom-right": (
        {"is_causal": True, "alignment": "bottom-right"},
        hidden(COLUMN <= ROW + M - N),
    ),
    "window": (
        {"local_window_size": (1, 2)},
        hidden((ROW - 1 <= COLUMN) & (COLUMN <= ROW + 2)),
    ),
    "lengths": (
        {"key_value_seq_lengths": LENGTHS},
        hidden(LENGTHS[:, None, None] > COLUMN),
    ),
    "softcap": ({"softcap": 0.8}, 0.0),
    "softcap, causal": ({"softcap": 1.2, "is_causal": True}, hidden(ROW >= COLUMN)),
}


@pytest.mark.parametrize(("options", "mask"), CALLS.values(), ids=CALLS)
def test_gradients_differ_from_autograd(options, mask):
    arrays = normal(2, (2, N, D_K), (2, M, D_K), (2, M, D_V))
    (d_output,) = normal(3, (2, N, D_V))
    formula = {name: options.get(name) for name in ("scale", "softcap")}
    theirs = differentiated(d_output, *arrays, mask=mask, **formula)
    close(sdpa_gradients(d_output, *arrays, **options), theirs)


@pytest.mark.parametrize("shape", [(N, M), (M,), (N, 1), (), (4, N, M), (3, 1, 1, M)])
@pytest.mark.parametrize("softcap", [None, 0.8])
def test_the_gradient_of_a_mask_of_floats_differs_from_autograd(shape, softcap):
    arrays = normal(4, (3, 4, N, D_K), (4, M, D_K), (M, D_V))
    mask, d_output = normal(5, shape, (3, 4, N, D_V))
    theirs = differentiated(d_output, *arrays, mask, softcap=softcap)
    close(sdpa_gradients(d_output, *arrays, mask, softcap=softcap), theirs)


@pytest.mark.parametrize(
    ("batches", "shared"),
    [  # of query, key and value; the last axis counts heads that others share
        *[([(11,), (), ()], False), ([(13, 1), (11,), (1, 11)], False)],
        *[([(0,), (1,), ()], False), ([(2, 6), (2, 2), (2,)], True)],
        *[([(2, 6), (1,), (1,)], True), ([(6,), (2, 6), (6,)], True)],
        *[([(6,), (2, 2), (3,)], True), ([(2, 6), (2,), (3,)], True)],
    ],
)
def test_gradients_of_broadcast_axes_or_shared_heads_are_not_summed(batches, shared):
    tails = [(N, D_K), (M, D_K), (M, D_V)]
    arrays = normal(8, *(b + t for b, t in zip(batches, tails, strict=True)))
    heads = [b[:-1] for b in batches] if shared else batches
    batch = (*np.broadcast_shapes(*heads), *batches[0][-1:][:shared])
    (d_output,) = normal(9, (*batch, N, D_V))
    theirs = differentiated(d_output, *arrays, shared=shared)
    close(sdpa_gradients(d_output, *arrays, enable_gqa=shared), theirs)


@pytest.mark.parametrize("softcap", [None, 2.0])
def test_hidden_nan_keys_and_values_have_an_influence(softcap):
    query, key, value, d_output = normal(10, (N, D_K), (M, D_K), (M, D_V), (N, D_V))
    seen = np.arange(M) < 4
    expected = sdpa_gradients(d_output, query, key[:4], value[:4], softcap=softcap)
    key[4:], value[4:] = NAN, INF
    d = sdpa_gradients(d_output, query, key, value, seen, softcap=softcap)
    assert_near(d.query, expected.query, atol=1e-14)
    for gradient, short in [(d.key, expected.key), (d.value, expected.value)]:
        assert_near(gradient[:4], short, atol=1e-14)
        np.testing.assert_array_equal(gradient[4:], 0)


def test_nan_reaches_gradients_of_rows_that_do_not_see_it():
    query, key, value, d_output = normal(11, (N, D_K), (N, D_K), (N, D_V), (N, D_V))
    query[2] = NAN
    d = sdpa_gradients(d_output, query, key, value, is_causal=True)
    nan = [np.isnan(gradient).any(axis=-1).tolist() for gradient in d[:3]]
    assert nan[0] == [False, False, True, False, False]
    assert nan[1] == nan[2] == [True, True, True, False, False]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ulps", [1, 1e2, 1e6, INF, -1, -1e2, -1e6, -INF])
def test_a_large_constant_mask_changes_the_weights_or_the_gradients(dtype, ulps):
    """Some callers mask a row with the lowest number of the dtype instead of -inf."""
    info = np.finfo(dtype)
    large = {INF: info.max, -INF: info.min}.get(ulps, ulps / info.eps)
    query, key, d_output = (np.zeros((n, 3), dtype) for n in (2, M, 2))
    (value,) = normal(13, (M, 3), dtype=dtype)
    d_output += 1
    mask = np.full((2, M), large, dtype)
    found = sdpa_gradients(d_output, query, key, value, mask)
    expected = sdpa_gradients(d_output, query, key, value, 0 * mask)
    tolerance = {"rtol": 10 * info.eps, "atol": 10 * info.eps}
    np.testing.assert_allclose(found.value, np.full((M, 3), 2 / M), **tolerance)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, **tolerance)


def test_a_query_that_sees_no_key_has_gradients():
    arrays = normal(12, (N, D_K), (M, D_K), (M, D_V))
    (d_output,) = normal(13, (N, D_V))
    mask = np.ones((N, M), bool)
    mask[1] = False
    d = sdpa_gradients(d_output, *arrays, np.where(mask, 0.0, -INF))
    np.testing.assert_array_equal(d.query[1], 0)
    np.testing.assert_array_equal(d.attn_mask[1], 0)
    d_output[1], arrays[0][1] = NAN, INF
    again = sdpa_gradients(d_output, *arrays, mask)
    for before, after in zip(d[:3], again, strict=False):
        assert_near(before, after, atol=2e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gradients_have_another_dtype_than_the_call(dtype):
    arrays = normal(15, (N, D_K), (M, D_K), (M, D_V), dtype=dtype)
    mask, d_output = normal(16, (N, M), (N, D_V), dtype=dtype)
    d = sdpa_gradients(d_output, *arrays, mask)
    assert {gradient.dtype for gradient in d} == {np.dtype(dtype)}
    wide = (array.astype(float) for array in (d_output, *arrays, mask))
    close(d, differentiated(*wide), atol=8 * float(np.finfo(dtype).eps))


H, D_MODEL = 13, 11

# Tokens of different widths, and all weights that a layer can have.
TOKENS = {"x": (2, N, D_MODEL), "context": (2, M, 5), "values": (2, M, 7)}
WEIGHTS = {"W_Q": (H, D_MODEL, D_K), "W_K": (H, 5, D_K), "W_V": (H, 7, D_V)}
WEIGHTS |= {"W_O": (H * D_V, D_MODEL), "b_O": (D_MODEL,)}
WEIGHTS |= {"b_Q": (H, D_K), "b_K": (H, D_K), "b_V": (H, D_V)}
WEIGHTS |= {"bias_k": (H, D_K), "bias_v": (H, D_V)}


def heads_reference(x, W, b):
    return anp.einsum("...nc,hcd->...hnd", x, W) + b[:, None, :]


def with_row(heads, row):
    *batch, _, d = heads.shape
    row = anp.reshape(row, (H, 1, d)) + anp.zeros((*batch, 1, d))
    return anp.concatenate([heads, row], axis=-2)


def multi_head_reference(arrays, mask, zero, **options):
    """Return the output for the arrays in TOKENS and WEIGHTS, by their names."""
    query = heads_reference(arrays["x"], arrays["W_Q"], arrays["b_Q"])
    key = heads_reference(arrays["context"], arrays["W_K"], arrays["b_K"])
    value = heads_reference(arrays["values"], arrays["W_V"], arrays["b_V"])
    key, value = with_row(key, arrays["bias_k"]), with_row(value, arrays["bias_v"])
    if zero:
        key = with_row(key, anp.zeros((H, D_K)))
        value = with_row(value, anp.zeros((H, D_V)))
    heads = reference(query, key, value, mask, **options)
    W_O = anp.reshape(arrays["W_O"], (H, D_V, D_MODEL))
    return anp.einsum("...hnd,hdc->...nc", heads, W_O) + arrays["b_O"]


SOME = BOOLEANS & (ROW != 1)  # query 1 sees no key
OF_LAYERS = CALLS | {
    "boolean mask": ({"attn_mask": SOME}, hidden(SOME)),
    "mask of one column": ({"attn_mask": ROW != 1}, hidden(ROW != 1)),
    "mask of floats": ({"attn_mask": np.where(SOME, 0.3, -INF)}, hidden(SOME, 0.3)),
    "lengths": (
        {"key_value_seq_lengths": LENGTHS[:, None]},
        hidden(LENGTHS[:, None, None, None] > COLUMN),
    ),
    "lengths of queries": ({"query_seq_lengths": 3}, hidden(ROW + 0 * COLUMN < 3)),
}


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize(("options", "mask"), OF_LAYERS.values(), ids=OF_LAYERS)
def test_a_layer_its_trace_or_its_gradients_differ_from_autograd(options, mask, zero):
    tokens = dict(zip(TOKENS, normal(30, *TOKENS.values()), strict=True))
    weights = dict(zip(WEIGHTS, normal(33, *WEIGHTS.values()), strict=True))
    (d_output,) = normal(31, (2, N, D_MODEL))
    mask = mask + np.zeros((N, M))
    extra = np.zeros((*mask.shape[:-1], 1 + zero))  # keys that every query sees
    mask = np.concatenate([mask, extra], axis=-1)
    formula = {name: options.get(name) for name in ("scale", "softcap")}

    def output(arrays):
        return multi_head_reference(arrays, mask, zero, **formula)

    mha, arrays = MultiHeadAttention(**weights, add_zero_attn=zero), tokens | weights
    assert_near(mha(**tokens, **options), output(arrays))
    assert_near(mha.trace(**tokens, **options).output, output(arrays))
    ours = mha.gradients(d_output, **tokens, **options)._asdict()
    theirs = autograd.grad(lambda arrays: anp.sum(d_output * output(arrays)))(arrays)
    assert theirs.keys() == ours.keys()
    for name, gradient in theirs.items():
        assert_near(ours[name], gradient, atol=1e-10, name=name)


PLAIN = [(H, D_MODEL, D_K), (H, D_MODEL, D_K), (H, D_MODEL, D_V), (H * D_V, D_MODEL)]


def test_self_attention_does_not_sum_the_gradients_of_all_three_roles():
    x, *weights = normal(22, (2, N, D_MODEL), *PLAIN)
    (d_output,) = normal(23, (2, N, D_MODEL))
    mha, mask = MultiHeadAttention(*weights), np.tri(N, dtype=bool)
    alone = mha.gradients(d_output, x, attn_mask=mask)
    apart = mha.gradients(d_output, x, x, attn_mask=mask, values=x)
    assert alone.context is alone.values is None
    assert_near(alone.x, apart.x + apart.context + apart.values)
    assert_near(alone.W_K, apart.W_K)
    own_values = mha.gradients(d_output, x, attn_mask=mask, values=x)
    assert_near(own_values.x, apart.x + apart.context)
    assert_near(own_values.values, apart.values)


def test_missing_weights_or_inputs_have_a_gradient():
    x, *weights = normal(33, (N, D_MODEL), *PLAIN)
    ours = MultiHeadAttention(*weights, b_V=np.ones((H, D_V))).gradients(x, x)
    absent = {name for name, d in ours._asdict().items() if d is None}
    assert absent == {"context", "values", "b_Q", "b_K", "b_O", "bias_k", "bias_v"}


@pytest.mark.parametrize("poison", [NAN, INF])
@pytest.mark.parametrize("own", [True, False], ids=["self", "cross"])
def test_a_hidden_nan_token_changes_gradients_of_weights(poison, own):
    *weights, x, context = normal(14, *(3 * [(2, 4, 3)]), (6, 4), (N, 4), (M, 4))
    layer = MultiHeadAttention(*weights)
    tokens = x if own else context
    lengths = {"key_value_seq_lengths": 3} | ({"query_seq_lengths": 3} if own else {})

    def gradients(number):
        tokens[3:] = number
        call = (x,) if own else (x, context)
        return layer.gradients(np.ones((N, 4)), *call, **lengths)

    for found, expected in zip(gradients(poison), gradients(0.0), strict=True):
        if expected is not None:
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_overflow_in_sums_of_shared_heads_gives_a_warning():
    query, key = np.full((6, 1, 1), 3e38, "f4"), np.ones((2, 1, 1), "f4")
    value, d_output = np.ones((3, 1, 1), "f4"), np.full((6, 1, 1), 3e38, "f4")
    found = sdpa_gradients(d_output, query, key, value, enable_gqa=True)
    assert np.isinf(found.value).all()
