import copy
import dataclasses
import pickle

import numpy as np
import pytest
import reference
from agreement import assert_near, assert_read_only

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


def test_a_size_or_the_repr_is_wrong():
    mha = MultiHeadAttention(*weights())
    assert (mha.num_heads, mha.d_model, mha.d_k, mha.d_v) == (H, D_MODEL, D_K, D_V)
    assert repr(mha) == "MultiHeadAttention(h=3, d_model=11, d_k=2, d_v=13)"


@pytest.mark.parametrize("shape", [(N, M), (1, M), (H, N, M), (H, 1, M), (2, H, N, M)])
@pytest.mark.parametrize("as_float", [False, True])
def test_a_mask_does_not_broadcast_over_batch_and_heads(shape, as_float):
    x, context = tokens(2, N, D_MODEL), tokens(2, M, D_MODEL, seed=2)
    mask = np.random.default_rng(3).random(shape) > 0.4
    mask = np.where(mask, 0.5, -INF) if as_float else mask
    full = np.broadcast_to(mask, (2, H, N, M))
    output = MultiHeadAttention(*weights())(x, context, attn_mask=mask)
    for b in range(2):
        expected = reference.multi_head(x[b], context[b], *weights(), mask=full[b])
        assert_near(output[b], expected)


@pytest.mark.parametrize(
    ("x_batch", "context_batch"), [((), (7,)), ((7,), ()), ((7, 1), (2,)), ((0,), ())]
)
def test_batch_axes_do_not_broadcast(x_batch, context_batch):
    mha = MultiHeadAttention(*weights())
    x, context = tokens(*x_batch, N, D_MODEL), tokens(*context_batch, M, D_MODEL)
    output = mha(x, context)
    batch = np.broadcast_shapes(x_batch, context_batch)
    assert output.shape == (*batch, N, D_MODEL)
    x = np.broadcast_to(x, (*batch, N, D_MODEL))
    context = np.broadcast_to(context, (*batch, M, D_MODEL))
    for at in np.ndindex(*batch):
        assert_near(output[at], mha(x[at], context[at]), atol=1e-13)


@pytest.mark.parametrize("batch", [(), (2,)])
def test_a_head_of_the_trace_differs_from_a_trace_of_this_head_alone(batch):
    x = tokens(*batch, N, D_MODEL)
    W_Q, W_K, W_V, W_O = weights()
    mha = MultiHeadAttention(W_Q, W_K, W_V, W_O)
    mask = np.tri(N, dtype=bool)
    trace = mha.trace(x, attn_mask=mask)
    assert len(trace.heads) == H
    for i, head in enumerate(trace.heads):
        alone = trace_attention(x @ W_Q[i], x @ W_K[i], x @ W_V[i], mask)
        for field in dataclasses.fields(head):
            found, expected = (getattr(each, field.name) for each in (head, alone))
            np.testing.assert_allclose(found, expected, atol=1e-13)
    joined = np.concatenate([head.output for head in trace.heads], axis=-1)
    np.testing.assert_array_equal(trace.concat, joined)
    output = mha(x, attn_mask=mask)
    assert_near(trace.output, output, atol=1e-13)
    summed = sum(
        h.output @ W for h, W in zip(trace.heads, np.split(W_O, H), strict=True)
    )
    assert_near(trace.output, summed, atol=1e-13)
    assert repr(trace).startswith("MultiHeadTrace(h=3, concat(")


def test_an_empty_sequence_gives_a_wrong_output():
    mha = MultiHeadAttention(*weights())
    assert mha(np.zeros((0, D_MODEL))).shape == (0, D_MODEL)
    output = mha(tokens(N, D_MODEL), np.zeros((0, D_MODEL)))
    np.testing.assert_array_equal(output, np.zeros((N, D_MODEL)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_output_has_another_dtype_or_is_inaccurate(dtype):
    x = tokens(N, D_MODEL).astype(dtype)
    mha = MultiHeadAttention(*weights(dtype=dtype))
    trace = mha.trace(x)
    arrays = mha.W_Q, mha.W_O, trace.output, trace.concat
    assert {array.dtype for array in arrays} == {np.dtype(dtype)}
    assert trace.heads[0].weights.dtype == mha(x).dtype == dtype
    wide = [np.asarray(w, np.float64) for w in weights(dtype=dtype)]
    expected = reference.multi_head(x.astype(float), x.astype(float), *wide)
    working = np.finfo(np.result_type(dtype, np.float32)).eps
    # float16: plus the final rounding of outputs below 16
    last = np.spacing(dtype(8)) / 2 if dtype == np.float16 else 0
    assert_near(mha(x), expected, atol=100 * working + last)


def test_weights_or_a_trace_can_change():
    arrays, x = weights(), tokens(N, D_MODEL)
    mha = MultiHeadAttention(*arrays)
    before, trace = mha(x), mha.trace(x)
    for array in arrays:
        array[:] = 0
    assert_near(mha(x), before, atol=1e-13)
    x[:] = 0
    assert_near(trace.output, before, atol=1e-13)
    assert_read_only(mha.W_Q, mha.W_K, mha.W_V, mha.W_O, trace.concat, trace.output)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mha.W_Q = arrays[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.heads = ()
    with pytest.raises(TypeError):
        trace.heads[0] = None


OPTIONS = {
    "mask": {"attn_mask": np.eye(N, M, dtype=bool)},
    "causal": {"is_causal": True},
    "scale": {"scale": 3.0},
    "alignment": {"is_causal": True, "alignment": "bottom-right"},
    "lengths of queries": {"query_seq_lengths": 2},
    "lengths of keys": {"key_value_seq_lengths": 3},
    "window": {"local_window_size": (1, 0)},
    "softcap": {"softcap": 0.2},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_an_option_is_lost_in_the_call_the_trace_or_the_gradients(options):
    mha = MultiHeadAttention(*weights())
    arrays = tokens(N, D_MODEL), tokens(M, D_MODEL)
    output = mha(*arrays, **options)
    assert np.abs(output - mha(*arrays)).max() > 0.01
    if "alignment" in options:
        assert np.abs(output - mha(*arrays, is_causal=True)).max() > 0.01
    trace = mha.trace(*arrays, **options)
    assert_near(trace.output, output, atol=1e-13)

    d_output, *steps = (tokens(size, D_MODEL, seed=2) for size in (N, N, M))
    ahead, behind = (
        mha(*(a + h * step for a, step in zip(arrays, steps, strict=True)), **options)
        for h in (1e-6, -1e-6)
    )
    gradients = mha.gradients(d_output, *arrays, **options)
    slope = (gradients.x * steps[0]).sum() + (gradients.context * steps[1]).sum()
    expected = (d_output * (ahead - behind)).sum() / 2e-6
    np.testing.assert_allclose(slope, expected, rtol=1e-6)


def test_a_query_that_sees_no_token_does_not_get_bias_v():
    x, bias_v = tokens(N, D_MODEL), tokens(H, D_V)
    mha = MultiHeadAttention(*weights(), bias_k=tokens(H, D_K), bias_v=bias_v)
    nothing = np.zeros((N, N), bool)
    expected = np.tile(bias_v.reshape(-1) @ mha.W_O, (N, 1))
    np.testing.assert_allclose(mha(x, attn_mask=nothing), expected)
    trace = mha.trace(x, attn_mask=nothing)
    np.testing.assert_array_equal(trace.heads[0].weights[:, -1], 1)
    zero = MultiHeadAttention(*weights(), add_zero_attn=True)
    np.testing.assert_array_equal(zero(x, attn_mask=nothing), np.zeros((N, D_MODEL)))


def test_a_hidden_nan_has_influence_beside_an_extra_key():
    mha = MultiHeadAttention(*weights(), add_zero_attn=True)
    x, context, seen = tokens(N, D_MODEL), tokens(M, D_MODEL), np.arange(M) != 2
    output = mha(x, context, attn_mask=seen)
    context[2] = np.nan
    assert_near(mha(x, context, attn_mask=seen), output, atol=1e-13)
    trace = mha.trace(x, context, attn_mask=seen)
    assert_near(trace.output, output, atol=1e-13)

    seen = seen & (np.arange(N)[:, None] > 0)
    context[3] = np.nan  # all queries but the first see this token
    shown = np.isnan(mha.trace(x, context, attn_mask=seen).output).all(axis=-1)
    np.testing.assert_array_equal(shown, np.arange(N) > 0)


@pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
def test_the_trace_hides_a_visible_nan_beside_an_extra_key(poison):
    mha = MultiHeadAttention(*weights(), add_zero_attn=True)
    x, context = tokens(N, D_MODEL), tokens(M, D_MODEL)
    values = np.where(np.arange(M)[:, None] == 2, poison, context)
    output = mha(x, context, values=values)
    assert not np.isfinite(output).any()
    trace = mha.trace(x, context, values=values)
    np.testing.assert_array_equal(trace.output, output)


def state_dict(rng, packed=True, bias=True, bias_kv=False):
    shapes = {"out_proj.weight": (6, 6)}
    if packed:
        shapes |= {"in_proj_weight": (18, 6)}
    else:
        widths = {"q": 6, "k": 5, "v": 7}
        shapes |= {f"{role}_proj_weight": (6, width) for role, width in widths.items()}
    if bias:
        shapes |= {"in_proj_bias": (18,), "out_proj.bias": (6,)}
    if bias_kv:
        shapes |= {"bias_k": (1, 1, 6), "bias_v": (1, 1, 6)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def torch_formula(s, x, context, values, h):
    """Return the documented result of `nn.MultiheadAttention` for one sequence."""
    E = x.shape[-1]
    W = s.get("in_proj_weight")
    parts = np.split(W, 3) if W is not None else [s[f"{r}_proj_weight"] for r in "qkv"]
    b = s.get("in_proj_bias", np.zeros(3 * E)).reshape(3, E)
    q, k, v = (
        a @ w.T + bias
        for a, w, bias in zip((x, context, values), parts, b, strict=True)
    )
    if "bias_k" in s:
        k, v = np.vstack([k, s["bias_k"][0]]), np.vstack([v, s["bias_v"][0]])
    d = E // h
    outputs = []
    for i in range(h):
        at = np.s_[:, i * d : (i + 1) * d]
        outputs.append(reference.attention(q[at], k[at], v[at])[1])
    return np.hstack(outputs) @ s["out_proj.weight"].T + s.get("out_proj.bias", 0)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("bias_kv", [True, False])
def test_a_state_dict_gives_wrong_output_or_to_torch_changes_it(packed, bias, bias_kv):
    rng = np.random.default_rng(7)
    state = state_dict(rng, packed, bias, bias_kv)
    x, context = rng.normal(size=(N, 6)), rng.normal(size=(M, 6 if packed else 5))
    values = rng.normal(size=(M, 6 if packed else 7))
    mha = MultiHeadAttention.from_torch(state, num_heads=3)
    assert_near(mha(x, context, values), torch_formula(state, x, context, values, h=3))
    back = mha.to_torch()
    assert back.keys() == state.keys()
    for name, array in state.items():
        np.testing.assert_array_equal(back[name], array, err_msg=name)
        assert back[name].flags.writeable


def test_to_torch_does_not_fill_missing_biases_with_zeros():
    state = state_dict(np.random.default_rng(9), bias=False)
    mha = MultiHeadAttention.from_torch(state, 2)
    arrays = {name: getattr(mha, name) for name in ("W_Q", "W_K", "W_V", "W_O")}
    back = MultiHeadAttention(**arrays, b_K=np.full((2, 3), 4.0)).to_torch()
    np.testing.assert_array_equal(back["in_proj_bias"], np.repeat([0, 4, 0], 6))
    np.testing.assert_array_equal(back["out_proj.bias"], np.zeros(6))
    back = MultiHeadAttention(**arrays, b_O=np.arange(6.0)).to_torch()
    np.testing.assert_array_equal(back["in_proj_bias"], np.zeros(18))
    np.testing.assert_array_equal(back["out_proj.bias"], np.arange(6))
    single = {name: array.astype(np.float32) for name, array in arrays.items()}
    back = MultiHeadAttention(**single, b_O=np.arange(6, dtype=np.float32)).to_torch()
    assert {array.dtype.name for array in back.values()} == {"float32"}


def test_overflow_in_a_projection_gives_a_warning():
    huge = np.full((1, 1, 1), np.finfo(float).max)
    mha = MultiHeadAttention(huge, huge, huge, huge[0])
    x = np.full((2, 1), 4.0)
    # pytest makes a warning an error
    assert np.isnan(mha(x)).all()
    assert np.isnan(mha.trace(x).output).all()
    assert np.isnan(mha.gradients(x, x).x).all()


def test_a_prefix_selects_the_wrong_layer_of_a_model():
    rng = np.random.default_rng(12)
    states = {f"layers.{i}.self_attn.": state_dict(rng) for i in range(2)}
    model = {"embedding.weight": np.ones((7, 6)), "layers.10.self_attn.foo": np.ones(1)}
    for prefix, state in states.items():
        model |= {prefix + name: array for name, array in state.items()}
    x = tokens(N, 6)
    for prefix, state in states.items():
        alone = MultiHeadAttention.from_torch(state, 2)
        within = MultiHeadAttention.from_torch(model, 2, prefix=prefix)
        assert_near(within(x), alone(x), atol=1e-13)


@pytest.mark.parametrize(
    "make_copy",
    [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))],
)
def test_arrays_become_writeable_in_a_copy_or_from_a_pickle(make_copy):
    mha, x = MultiHeadAttention(*weights()), np.ones((2, D_MODEL))
    trace = mha.trace(x)
    for each in (mha, trace, trace.heads[0]):
        copied = make_copy(each)
        arrays = [a for a in vars(copied).values() if isinstance(a, np.ndarray)]
        assert arrays
        assert not any(array.flags.writeable for array in arrays)
    assert_near(make_copy(mha)(x), mha(x), atol=1e-13)
