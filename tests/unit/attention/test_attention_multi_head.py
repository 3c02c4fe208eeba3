import copy
import dataclasses

import numpy as np
import pytest
import reference

from attention import MultiHeadAttention, trace_attention

N, M, H, D_MODEL, D_K, D_V = 5, 7, 3, 11, 2, 13
INF = np.inf


def weights(seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    shapes = [(H, D_MODEL, D_K), (H, D_MODEL, D_K), (H, D_MODEL, D_V)]
    shapes.append((H * D_V, D_MODEL))
    return [rng.normal(size=shape).astype(dtype) / 3 for shape in shapes]


def tokens(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape)


def test_sizes_and_repr():
    mha = MultiHeadAttention(*weights())
    assert (mha.num_heads, mha.d_model, mha.d_k, mha.d_v) == (H, D_MODEL, D_K, D_V)
    assert repr(mha) == "MultiHeadAttention(h=3, d_model=11, d_k=2, d_v=13)"


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("cross", [False, True])
def test_agrees_with_the_loops(cross, causal):
    x = tokens(N, D_MODEL)
    context = tokens(M, D_MODEL, seed=2) if cross else None
    expected = reference.multi_head(
        x, context if cross else x, *weights(), causal=causal
    )
    output = MultiHeadAttention(*weights())(x, context, is_causal=causal)
    np.testing.assert_allclose(output, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(N, M), (1, M), (H, N, M), (H, 1, M), (2, H, N, M)])
@pytest.mark.parametrize("as_float", [False, True])
def test_masks_broadcast_over_batch_and_heads(shape, as_float):
    x, context = tokens(2, N, D_MODEL), tokens(2, M, D_MODEL, seed=2)
    mask = np.random.default_rng(3).random(shape) > 0.4
    mask = np.where(mask, 0.5, -INF) if as_float else mask
    full = np.broadcast_to(mask, (2, H, N, M))
    output = MultiHeadAttention(*weights())(x, context, mask)
    for b in range(2):
        expected = reference.multi_head(x[b], context[b], *weights(), mask=full[b])
        np.testing.assert_allclose(output[b], expected, rtol=0, atol=1e-12)


def test_a_mask_per_sequence_takes_an_axis_for_the_heads():
    x = tokens(2, N, D_MODEL)
    mask = np.random.default_rng(4).random((2, N, N)) > 0.4
    mha = MultiHeadAttention(*weights())
    output = mha(x, attn_mask=mask[:, None])
    for b in range(2):
        np.testing.assert_allclose(
            output[b], mha(x[b], attn_mask=mask[b]), rtol=0, atol=1e-13
        )
    with pytest.raises(ValueError, match=r"attn_mask .* \(2, 3, 5, 5\), got .*\(2, 5"):
        mha(x, attn_mask=mask)


@pytest.mark.parametrize(
    ("x_batch", "context_batch"), [((), (7,)), ((7,), ()), ((7, 1), (2,)), ((0,), ())]
)
def test_batch_axes_broadcast(x_batch, context_batch):
    mha = MultiHeadAttention(*weights())
    x, context = tokens(*x_batch, N, D_MODEL), tokens(*context_batch, M, D_MODEL)
    output = mha(x, context)
    batch = np.broadcast_shapes(x_batch, context_batch)
    assert output.shape == (*batch, N, D_MODEL)
    x = np.broadcast_to(x, (*batch, N, D_MODEL))
    context = np.broadcast_to(context, (*batch, M, D_MODEL))
    for at in np.ndindex(*batch):
        np.testing.assert_allclose(
            output[at], mha(x[at], context[at]), rtol=0, atol=1e-13
        )


@pytest.mark.parametrize("batch", [(), (2,)])
def test_each_head_of_the_trace_is_that_head_on_its_own(batch):
    x = tokens(*batch, N, D_MODEL)
    W_Q, W_K, W_V, W_O = weights()
    mha = MultiHeadAttention(W_Q, W_K, W_V, W_O)
    mask = np.tri(N, dtype=bool)
    trace = mha.trace(x, attn_mask=mask)
    assert len(trace.heads) == H
    for i, head in enumerate(trace.heads):
        alone = trace_attention(x @ W_Q[i], x @ W_K[i], x @ W_V[i], mask)
        for field in dataclasses.fields(head)[:-1]:
            np.testing.assert_allclose(
                getattr(head, field.name), getattr(alone, field.name), atol=1e-13
            )
        assert head.scale == alone.scale
    joined = np.concatenate([head.output for head in trace.heads], axis=-1)
    np.testing.assert_array_equal(trace.concat, joined)
    np.testing.assert_array_equal(trace.output, mha(x, attn_mask=mask))
    summed = sum(
        head.output @ W_O[i * D_V : (i + 1) * D_V] for i, head in enumerate(trace.heads)
    )
    np.testing.assert_allclose(trace.concat @ W_O, summed, rtol=0, atol=1e-13)
    np.testing.assert_allclose(trace.output, summed, rtol=0, atol=1e-13)
    assert repr(trace).startswith("MultiHeadTrace(h=3, concat(")


def test_attending_to_oneself_is_the_default():
    x = tokens(N, D_MODEL)
    mha = MultiHeadAttention(*weights())
    np.testing.assert_array_equal(mha(x), mha(x, context=x))


def test_shuffling_the_tokens_shuffles_the_outputs():
    x, order = tokens(N, D_MODEL), np.random.default_rng(5).permutation(N)
    mha = MultiHeadAttention(*weights())
    np.testing.assert_allclose(mha(x[order]), mha(x)[order], rtol=0, atol=1e-13)


def test_a_causal_past_does_not_depend_on_the_future():
    x = tokens(N, D_MODEL)
    mha = MultiHeadAttention(*weights())
    before = mha(x, is_causal=True)
    x[3:] = np.nan
    after = mha(x, is_causal=True)
    np.testing.assert_array_equal(after[:3], before[:3])
    assert np.isnan(after[3:]).all()


def test_empty_sequences():
    mha = MultiHeadAttention(*weights())
    assert mha(np.zeros((0, D_MODEL))).shape == (0, D_MODEL)
    output = mha(tokens(N, D_MODEL), np.zeros((0, D_MODEL)))
    np.testing.assert_array_equal(output, np.zeros((N, D_MODEL)))


def test_values_of_no_width_leave_nothing():
    W_Q, W_K, _, _ = weights()
    mha = MultiHeadAttention(W_Q, W_K, np.ones((H, D_MODEL, 0)), np.ones((0, D_MODEL)))
    np.testing.assert_array_equal(mha(tokens(N, D_MODEL)), np.zeros((N, D_MODEL)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_each_float_dtype_is_kept(dtype):
    x = tokens(N, D_MODEL).astype(dtype)
    mha = MultiHeadAttention(*weights(dtype=dtype))
    trace = mha.trace(x)
    assert {a.dtype for a in (mha.W_Q, mha.W_O, trace.output, trace.concat)} == {
        np.dtype(dtype)
    }
    assert trace.heads[0].weights.dtype == mha(x).dtype == dtype
    wide = [np.asarray(w, np.float64) for w in weights(dtype=dtype)]
    expected = reference.multi_head(x.astype(float), x.astype(float), *wide)
    working = np.finfo(np.result_type(dtype, np.float32)).eps
    tolerance = 100 * working + (np.spacing(dtype(8)) / 2 if dtype == np.float16 else 0)
    np.testing.assert_allclose(mha(x), expected, rtol=0, atol=tolerance)


def test_dtypes_promote_and_integers_are_float64():
    half = MultiHeadAttention(*weights(dtype=np.float16))
    x = tokens(N, D_MODEL)
    assert half(x.astype(np.float32)).dtype == np.float32
    assert half(x.astype(np.float16), x).dtype == np.float64
    integers = MultiHeadAttention(*(np.ones(w.shape, int) for w in weights()))
    assert integers.W_Q.dtype == np.float64
    assert integers(x.astype(np.float32)).dtype == np.float64


def test_weights_and_traces_cannot_change():
    arrays, x = weights(), tokens(N, D_MODEL)
    mha = MultiHeadAttention(*arrays)
    before, trace = mha(x), mha.trace(x)
    for array in arrays:
        array[:] = 0
    np.testing.assert_array_equal(mha(x), before)
    x[:] = 0
    np.testing.assert_array_equal(trace.output, before)
    for array in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O, trace.concat, trace.output):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    with pytest.raises(dataclasses.FrozenInstanceError):
        mha.W_Q = arrays[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.heads = ()
    with pytest.raises(TypeError):
        trace.heads[0] = None


def test_a_copy_of_the_layer_computes_the_same():
    mha, x = MultiHeadAttention(*weights()), tokens(N, D_MODEL)
    np.testing.assert_array_equal(copy.deepcopy(mha)(x), mha(x))


Q, K, V, O = (np.ones(s) for s in [(3, 11, 2), (3, 11, 2), (3, 11, 13), (39, 11)])  # noqa: E741


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"W_Q": np.ones((11, 2))}, ValueError, r"W_Q .*\(h, d_m.*, d_k\), .*\(11, 2"),
        ({"W_K": np.ones((11, 2))}, ValueError, r"W_K .*\(h, d_m.*, d_k\), .*\(11, 2"),
        ({"W_V": np.ones((11, 2))}, ValueError, r"W_V .*\(h, d_m.*, d_v\), .*\(11, 2"),
        ({"W_O": np.ones(11)}, ValueError, r"W_O .*\(h \* d_v, d_model\), .*\(11,\)"),
        ({"W_O": np.ones((3, 13, 11))}, ValueError, r"W_O .* got shape \(3, 13, 11\)"),
        ({"W_K": np.ones((3, 11, 5))}, ValueError, r"W_K .*\(3, 11, 2\), .*\(3, 11, 5"),
        ({"W_K": np.ones((2, 11, 2))}, ValueError, r"W_K .*\(3, 11, 2\), .*\(2, 11, 2"),
        ({"W_K": np.ones((3, 7, 2))}, ValueError, r"W_K .*\(3, 11, 2\), .*\(3, 7, 2"),
        ({"W_V": np.ones((2, 11, 13))}, ValueError, r"W_V .* h = 3 .*\(2, 11, 13\)"),
        ({"W_V": np.ones((3, 7, 13))}, ValueError, r"W_V .* d_model = 11 .*\(3, 7, 13"),
        ({"W_O": np.ones((13, 11))}, ValueError, r"W_O .* = \(39, 11\), .*\(13, 11\)"),
        ({"W_O": np.ones((39, 7))}, ValueError, r"W_O .* = \(39, 11\), .*\(39, 7\)"),
        ({"W_Q": np.ones((0, 11, 2))}, ValueError, r"W_Q .* at least one head.*\(0, 1"),
        ({"W_Q": np.ones((3, 0, 2))}, ValueError, r"W_Q .* at least one .*\(3, 0, 2\)"),
        ({"W_Q": np.ones((3, 11, 0))}, ValueError, r"W_Q .* at least .*\(3, 11, 0\)"),
        ({"W_Q": Q > 0}, TypeError, r"W_Q must hold .* got dtype bool"),
        ({"W_O": O * 1j}, TypeError, r"W_O must hold .* got dtype complex128"),
    ],
)
def test_wrong_weights_say_what_is_wrong(arguments, error, message):
    with pytest.raises(error, match=message):
        MultiHeadAttention(**{"W_Q": Q, "W_K": K, "W_V": V, "W_O": O, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": np.ones(11)}, ValueError, r"x .* d_model = 11, got shape \(11,\)"),
        ({"x": np.ones((5, 7))}, ValueError, r"x .* d_model = 11, got shape \(5, 7\)"),
        ({"context": np.ones((7, 5))}, ValueError, r"context .* d_model = 11.*\(7, 5"),
        ({"context": np.ones(11)}, ValueError, r"context .* d_model = 11.*\(11,\)"),
        (
            {"x": np.ones((2, 5, 11)), "context": np.ones((3, 7, 11))},
            ValueError,
            r"context .* x of shape \(2, 5, 11\), got shape \(3, 7, 11\)",
        ),
        ({"x": np.ones((5, 11)) > 0}, TypeError, r"x must hold .* got dtype bool"),
        ({"context": [["a"]]}, TypeError, r"context must hold .* got dtype <U1"),
        (
            {"attn_mask": np.ones((7, 7), bool)},
            ValueError,
            r"attn_mask .* = \(3, 5, 5\), got shape \(7, 7\)",
        ),
        ({"attn_mask": np.ones((5, 5), int)}, TypeError, r"attn_mask .* dtype int64"),
        (
            {"attn_mask": np.ones((5, 5), bool), "is_causal": True},
            ValueError,
            r"attn_mask must be None when is_causal",
        ),
        ({"is_causal": "yes"}, TypeError, r"is_causal must be True or False"),
    ],
)
@pytest.mark.parametrize("method", ["__call__", "trace"])
def test_wrong_calls_say_what_is_wrong(method, arguments, error, message):
    mha = MultiHeadAttention(Q, K, V, O)
    with pytest.raises(error, match=message):
        getattr(mha, method)(**{"x": np.ones((5, 11)), **arguments})
