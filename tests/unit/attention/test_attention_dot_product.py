"""One call against the reference: masks, batches, NaN, overflow, dtypes, the trace."""

import dataclasses
import itertools
import math

import ml_dtypes
import numpy as np
import pytest
import reference
from agreement import assert_as_reference, assert_near, assert_read_only, normal, qkv

from attention import scaled_dot_product_attention as sdpa
from attention import softmax, trace_attention

pytestmark = pytest.mark.usefixtures("kernel")

INF, NAN = np.inf, np.nan
N, M, D_K, D_V = 5, 7, 3, 2  # the sizes of `qkv`
ROUNDING = 2e-15  # allowed if the same terms are added in another order


def some_mask(shape, kind="bool"):
    """Return a mask that hides some keys, and all keys of row 1, unless it is float."""
    rng = np.random.default_rng(28)
    seen, added = (
        np.asarray(a) for a in (rng.random(shape) > 0.3, rng.normal(0, 1, shape))
    )
    if len(shape) > 1:
        seen[..., 1:2, :] = False
    masks = {"bool": seen, "float": added, "float32": added.astype(np.float32)}
    return (masks | {"float, -inf": np.where(seen, added, -INF)})[kind]


@pytest.mark.parametrize("kind", ["bool", "float", "float32", "float, -inf"])
@pytest.mark.parametrize(
    "shape", [(N, M), (M,), (N, 1), (), (4, N, M), (6, 1, N, M), (6, 4, 1, M)]
)
def test_a_mask_or_broadcast_axes_give_another_result_than_the_reference(shape, kind):
    batch = (6, 4) if len(shape) > 3 else (4,)
    shapes = (*batch, N, D_K), (*batch[:-1], 1, M, D_K), (4, M, D_V)
    arrays, mask = normal(0, *shapes), some_mask(shape, kind)
    assert_as_reference(arrays, mask, attn_mask=mask)
    assert trace_attention(*arrays, mask).query.shape == (*batch, N, D_K)


def test_a_step_of_the_trace_does_not_follow_from_the_previous_step():
    query, key, value = qkv(seed=5)
    mask = np.where(np.random.default_rng(6).random((N, M)) > 0.3, 0.25, -INF)
    trace = trace_attention(query, key, value, mask)
    scores = np.einsum("nd,md->nm", query, key)
    for name, array in (("query", query), ("key", key), ("value", value)):
        np.testing.assert_array_equal(getattr(trace, name), array)
    assert_near(trace.scores, scores, atol=1e-14)
    np.testing.assert_array_equal(trace.scaled, trace.scores * trace.scale)
    np.testing.assert_array_equal(trace.logits, trace.scaled + mask)
    np.testing.assert_array_equal(trace.weights, softmax(trace.logits))
    assert_near(trace.output, trace.weights @ value, atol=1e-14)
    assert trace.scale == 1 / math.sqrt(D_K)
    assert repr(trace).startswith("AttentionTrace(query(5, 3), key(7, 3)")
    assert repr(trace).endswith("output(5, 2), scale=0.57735)")


# The logarithm of the sum of exponentials


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("batch", [(), (2, 3)])
def test_weights_differ_from_exp_of_logits_minus_lse(dtype, batch):
    arrays = [np.broadcast_to(a, (*batch, *a.shape)) for a in qkv(dtype=dtype)]
    mask = some_mask((N, M))
    output, lse = sdpa(*arrays, mask, return_lse=True)
    assert_near(output, sdpa(*arrays, mask), atol=2 * np.finfo(dtype).eps)
    assert lse.shape == (*batch, N)
    assert lse.dtype == np.result_type(dtype, np.float32)  # at least float32
    wide = trace_attention(*(a.astype(float) for a in arrays), mask)
    seen = mask.any(axis=1)
    np.testing.assert_array_equal(lse[..., ~seen], -INF)
    again = np.exp(wide.logits[..., seen, :] - lse[..., seen, None])
    rounding = 8 * float(np.finfo(lse.dtype).eps)
    assert_near(again, wide.weights[..., seen, :], atol=rounding)


# Properties


@pytest.mark.parametrize("poison", [0.0, 1e200, NAN, INF, -INF])
@pytest.mark.parametrize("as_float", [False, True])
def test_masked_keys_differ_from_deleted_keys(poison, as_float):
    query, key, value = qkv(seed=13)
    keep = np.array([1, 0, 1, 1, 0, 1, 0], dtype=bool)
    deleted = sdpa(query, key[keep], value[keep])
    key[~keep], value[~keep] = poison, poison
    mask = np.where(keep, 0, -INF) if as_float else keep
    masked = sdpa(query, key, value, mask)
    assert_near(masked, deleted, atol=1e-14)


# Nothing to attend to


@pytest.mark.parametrize("mask", [np.zeros((N, M), bool), np.full((N, M), -INF)])
@pytest.mark.parametrize("poison", [0.0, NAN, INF])
def test_a_fully_masked_row_has_weights_or_output(mask, poison):
    query, key, value = qkv(seed=14)
    mask = mask.copy()
    mask[2:] = True if mask.dtype == bool else 0.0
    query[0] = poison
    trace = trace_attention(query, key, value, mask)
    assert (trace.weights[:2] == 0).all()
    assert (trace.output[:2] == 0).all()
    assert (trace.logits[:2] == -INF).all()
    output = sdpa(query, key, value, mask)
    np.testing.assert_array_equal(output[:2], trace.output[:2])
    rest = sdpa(query[2:], key, value)
    assert_near(output[2:], rest, atol=ROUNDING)


def test_a_call_without_a_batch_or_a_query_fails_or_has_a_wrong_shape():
    q, k, v = np.ones((3, 5, 2))[:, :0, None]  # NumPy makes floats of an empty list
    assert sdpa(q, k, v, key_value_seq_lengths=[]).shape == (0, 1, 2)
    arrays = np.ones((2, 0, D_K)), np.ones((M, D_K)), np.ones((M, D_V))
    for options in ({}, {"is_causal": True}, {"local_window_size": 1}):
        assert sdpa(*arrays, **options).shape == (2, 0, D_V)
        assert trace_attention(*arrays, **options).output.shape == (2, 0, D_V)


# NaN, infinity, overflow


def test_nan_does_not_reach_exactly_the_rows_that_see_it():
    query, key, value = qkv(seed=15)
    mask = np.ones((N, M), bool)
    mask[1:3, 4] = False
    clean = sdpa(query, key, value, mask)
    key[4, 0] = NAN
    output = sdpa(query, key, value, mask)
    np.testing.assert_array_equal(np.isnan(output).all(axis=1), mask[:, 4])
    assert_near(output[1:3], clean[1:3], atol=ROUNDING)
    query, key, value = qkv(seed=15)
    query[3, 0] = NAN
    output = sdpa(query, key, value)
    np.testing.assert_array_equal(np.isnan(output).all(axis=1), np.arange(N) == 3)


@pytest.mark.parametrize(
    ("batch", "at"), [((), ...), ((2,), ...), ((2, 3), ...), ((2, 3), 0)]
)
@pytest.mark.parametrize("poison", [NAN, INF, -INF])
def test_a_bad_value_changes_other_columns_or_rows_that_hide_it(poison, batch, at):
    """The value is in all sequences, or (`at` is 0) only in the first ones."""
    query, key, value = (np.broadcast_to(a, (*batch, *a.shape)) for a in qkv(seed=16))
    mask = np.ones((N, M), bool)
    mask[2:, 4] = False
    clean = sdpa(query, key, value, mask)
    value = value.copy()
    value[at][..., 4, 1] = poison
    output = sdpa(query, key, value, mask)
    expected = clean.copy()
    expected[at][..., :2, 1] = poison
    assert_near(output, expected, atol=1e-15)


@pytest.mark.parametrize("mask", [None, np.ones((1, 2), bool), np.zeros((1, 2))])
def test_scores_beyond_the_dtype_give_a_wrong_number(mask):
    value = [[1.0], [2.0]]
    lost = sdpa([[1e200]], [[-1e200], [-1e200]], value, mask)
    above = sdpa([[1e200]], [[1e200], [1.0]], value, mask)
    below = sdpa([[1e200]], [[-1e200], [1.0]], value, mask)
    assert np.isnan(lost).all()
    assert np.isnan(sdpa([[1e200]], [[-1e200]], [[1.0]])).all(), "the only key"
    assert np.isnan(above).all()
    np.testing.assert_array_equal(below, [[2.0]])


@pytest.mark.parametrize("seen", [np.ones(4, bool), np.arange(4) < 2])
def test_an_overflowed_row_is_a_number_or_changes_other_rows_of_a_batch(seen):
    query = np.ones((2, 3, 1))
    query[1, 2] = 1e200  # in this row alone all scores are -inf
    key, value = np.full((2, 4, 1), -1e200), np.ones((2, 4, 1))
    expected = np.ones((2, 3, 1))
    expected[1, 2] = NAN
    for mask in (None if seen.all() else seen, np.broadcast_to(seen, (3, 4))):
        found = trace_attention(query, key, value, mask).output
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(sdpa(query, key, value, mask), expected)


# Dtypes


def test_float32_is_less_accurate_than_its_rounding_errors():
    """`test_float16_is_not_rounded_once_from_float32` compares float16 with float32."""
    query, key, value = qkv(17, 23, dtype=np.float32)
    mask = np.where(np.random.default_rng(0).random((17, 23)) > 0.3, 0.5, -INF)
    _, expected = reference.attention(query, key, value, mask)
    output = sdpa(query, key, value, mask)
    assert output.dtype == np.float32
    assert_near(output, expected, atol=32 * float(np.finfo(np.float32).eps))


@pytest.mark.parametrize("narrow", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"attn_mask": "float"}])
def test_float16_or_bfloat16_is_not_rounded_once_from_float32(narrow, how):
    arrays = [a.astype(narrow) for a in qkv(seed=19)]
    if "attn_mask" in how:
        how = {"attn_mask": np.where(np.tri(N, M), 0.5, -INF).astype(narrow)}
    in_float32 = [a.astype(np.float32) for a in arrays]
    found, wide = (trace_attention(*a, **how) for a in (arrays, in_float32))
    for field in dataclasses.fields(found)[:-1]:
        array, expected = (getattr(each, field.name) for each in (found, wide))
        assert array.dtype == narrow
        np.testing.assert_array_equal(array, expected.astype(narrow))
    expected = sdpa(*in_float32, **how).astype(narrow)
    np.testing.assert_array_equal(sdpa(*arrays, **how), expected, strict=True)


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        *[("e e e", "e"), ("e f f", "f"), ("f d f", "d")],
        *[("i i i", "d"), ("f f i", "d"), ("B H Q", "d")],
        *[(">f4 >f4 >f4", "f"), (">f8 >f8 >f8", "d")],  # the output is native
        *[("bfloat16 e e", "f"), ("bfloat16 f f", "f")],
        *[("bfloat16 d d", "d"), ("bfloat16 b b", "d")],
    ],
)
def test_integers_are_not_float64_or_bfloat16_beside_others_not_float32(
    dtypes, expected
):
    """Other floats promote as in NumPy."""
    shapes = [(N, D_K), (M, D_K), (M, D_V)]
    for order in itertools.permutations(dtypes.split()):
        arrays = [np.ones(s, dtype=t) for s, t in zip(shapes, order, strict=True)]
        for mask in (None, np.zeros((N, M)), np.zeros((N, M), np.float16)):
            trace = trace_attention(*arrays, attn_mask=mask)
            for field in dataclasses.fields(trace)[:-1]:
                assert getattr(trace, field.name).dtype == expected
            assert sdpa(*arrays, attn_mask=mask).dtype == expected


# Traces are read-only copies


def test_a_trace_can_change():
    query, key, value = qkv(seed=24)
    trace = trace_attention(query, key, value, np.zeros((N, M)))
    before = trace.value.copy()
    value[:] = 0
    np.testing.assert_array_equal(trace.value, before)
    for field in dataclasses.fields(trace)[:-1]:
        assert_read_only(getattr(trace, field.name))
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.output = before
