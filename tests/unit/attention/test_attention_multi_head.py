import copy
import dataclasses
import pickle

import numpy as np
import pytest
import reference
from agreement import assert_near, assert_read_only, normal

from attention import MultiHeadAttention, trace_attention

N, M, H, D_MODEL, D_K, D_V = 5, 7, 3, 11, 2, 13
INF = np.inf


def weights(dtype=np.float64):
    shapes = [(H, D_MODEL, D_K), (H, D_MODEL, D_K), (H, D_MODEL, D_V)]
    shapes.append((H * D_V, D_MODEL))
    return [(W / 3).astype(dtype) for W in normal(0, *shapes)]


def tokens(*shape, seed=1):
    return normal(seed, shape)[0]


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
def test_batch_axes_do_not_broadcast_or_an_empty_sequence_has_influence(
    x_batch, context_batch
):
    mha = MultiHeadAttention(*weights())
    x, context = tokens(*x_batch, N, D_MODEL), tokens(*context_batch, M, D_MODEL)
    output = mha(x, context)
    batch = np.broadcast_shapes(x_batch, context_batch)
    assert output.shape == (*batch, N, D_MODEL)
    x = np.broadcast_to(x, (*batch, N, D_MODEL))
    context = np.broadcast_to(context, (*batch, M, D_MODEL))
    for at in np.ndindex(*batch):
        assert_near(output[at], mha(x[at], context[at]), atol=1e-13)
    np.testing.assert_array_equal(mha(x, context[..., :0, :]), np.zeros_like(x))


@pytest.mark.parametrize("batch", [(), (2,)])
def test_a_head_of_the_trace_differs_from_a_trace_of_this_head_alone(batch):
    x = tokens(*batch, N, D_MODEL)
    W_Q, W_K, W_V, W_O = weights()
    mha = MultiHeadAttention(W_Q, W_K, W_V, W_O)
    mask = np.tri(N, dtype=bool)
    trace = mha.trace(x, attn_mask=mask)
    per_head = zip(trace.heads, W_Q, W_K, W_V, strict=True)
    for head, *matrices in per_head:
        alone = trace_attention(*(x @ W for W in matrices), mask)
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
    for frozen, field in ((mha, "W_Q"), (trace, "heads")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(frozen, field, ())
    assert isinstance(trace.heads, tuple)


def test_a_hidden_nan_has_influence_beside_an_extra_key():
    extra = {"bias_k": tokens(H, D_K), "bias_v": tokens(H, D_V), "add_zero_attn": True}
    mha = MultiHeadAttention(*weights(), **extra)
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
    shapes = {"out_proj.weight": (6, 6), "in_proj_weight": (18, 6)}
    if not packed:
        shapes = {"out_proj.weight": (6, 6), "q_proj_weight": (6, 6)}
        shapes |= {"k_proj_weight": (6, 5), "v_proj_weight": (6, 7)}
    if bias:
        shapes |= {"in_proj_bias": (18,), "out_proj.bias": (6,)}
    if bias_kv:
        shapes |= {"bias_k": (1, 1, 6), "bias_v": (1, 1, 6)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("bias_kv", [True, False])
def test_a_state_dict_gives_wrong_weights_or_to_torch_changes_it(packed, bias, bias_kv):
    s = state_dict(np.random.default_rng(7), packed, bias, bias_kv)
    mha, equal = MultiHeadAttention.from_torch(s, 3), np.testing.assert_array_equal
    separate = [s.get(f"{role}_proj_weight") for role in "qkv"]
    matrices = np.split(s["in_proj_weight"], 3) if packed else separate
    biases = np.split(s["in_proj_bias"], 3) if bias else [None] * 3
    for role, W, b in zip("QKV", matrices, biases, strict=True):
        for i, rows in enumerate((slice(2), slice(2, 4), slice(4, 6))):  # of the heads
            equal(getattr(mha, f"W_{role}")[i], W[rows].T)
            if bias:
                equal(getattr(mha, f"b_{role}")[i], b[rows])
            if bias_kv and role != "Q":
                name = f"bias_{role.lower()}"
                equal(getattr(mha, name)[i], s[name][0, 0, rows])
    equal(mha.W_O, s["out_proj.weight"].T)
    equal(mha.b_O, s.get("out_proj.bias"))
    back = mha.to_torch()
    assert back.keys() == s.keys()
    for name, array in s.items():
        equal(back[name], array, err_msg=name)
        assert back[name].flags.writeable


def test_to_torch_does_not_fill_missing_biases_with_zeros_of_the_dtype():
    state = state_dict(np.random.default_rng(9), bias=False)
    mha = MultiHeadAttention.from_torch(state, 2)
    arrays = {f"W_{x}": getattr(mha, f"W_{x}").astype(np.float32) for x in "QKVO"}
    four = np.full((2, 3), 4, np.float32)
    back = MultiHeadAttention(**arrays, b_K=four).to_torch()
    np.testing.assert_array_equal(back["in_proj_bias"], np.repeat([0, 4, 0], 6))
    np.testing.assert_array_equal(back["out_proj.bias"], np.zeros(6))
    back = MultiHeadAttention(**arrays, b_O=four.ravel()).to_torch()
    np.testing.assert_array_equal(back["in_proj_bias"], np.zeros(18))
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
    others = "embedding.weight", "layers.10.self_attn.foo", "old.layers.0.self_attn.foo"
    model = {name: np.ones(1) for name in others}
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
