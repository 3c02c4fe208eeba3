"""Every error message once; `test_attention_bad_calls` tests all kinds of values."""

import numpy as np
import pytest
from refusals import refused

from attention import (
    KeyValueCache,
    MultiHeadAttention,
    alibi,
    rotary_embedding,
    rotary_table,
    scaled_dot_product_attention,
    scaled_dot_product_attention_gradients,
    softmax,
    split_heads,
)

NAN, INF = np.nan, np.inf


def ones(*shape):
    return np.ones(shape)


QKV = {"query": ones(5, 3), "key": ones(7, 3), "value": ones(7, 2)}
NARROW = {name: array.astype("f") for name, array in QKV.items()}
BATCH = {"query": ones(11, 13, 5, 3), "key": ones(11, 13, 7, 3), "value": ones(7, 2)}
HEADS = {"query": ones(6, 5, 3), "key": ones(2, 7, 3), "value": ones(2, 7, 2)}
GROUPED = HEADS | {"enable_gqa": True}

ATTENTION = [
    (
        QKV,
        {"query": ones(5)},
        r"query .* \(\.\.\., n, d_k\), at least 2.* shape \(5,\)",
    ),
    (QKV, {"key": ones(7, 4)}, r"key .* d_k = 3 .*query .*\(5, 3\), got .*\(7, 4\)"),
    (QKV, {"value": ones(8, 2)}, r"value .* m = 7 .*key .*\(7, 3\), got .*\(8, 2\)"),
    (QKV, {"query": ones(5, 0), "key": ones(7, 0)}, r"query .* d_k >= 1, .* \(5, 0\)"),
    (
        QKV,
        {"query": ones(2, 5, 3), "key": ones(3, 7, 3)},
        r"batch axes .* \(2, 5, 3\), \(3, 7, 3\), \(7, 2\); .* enable_gqa",
    ),
    (QKV, {"query": [[1.0], [1.0, 2.0]]}, "query must be an array with rows of equal"),
    (QKV, {"dropout_p": 0.1}, r"dropout_p must be 0.0, got 0.1: .* training"),
    (
        QKV,
        {"attn_mask": ones(7, 5)},
        r"attn_mask .* \(\.\.\., n, m\) = \(5, 7\), got sh",
    ),
    (QKV, {"attn_mask": ones(5, 7) * NAN}, r"attn_mask .* float64 or -inf, got nan"),
    (
        NARROW,
        {"attn_mask": [[-1e300] * 7]},
        r"attn_mask .* float32 or -inf, got -1e\+30",
    ),
    (
        QKV,
        {"attn_mask": ones(5, 7) > 0, "is_causal": True},
        "attn_mask must be None when is_causal is True, got a mask; put causality",
    ),
    (QKV, {"scale": -INF}, "scale must be finite, got -inf"),
    (NARROW, {"scale": 1e300}, r"scale must be finite in float32, got 1e\+300"),
    (QKV, {"softcap": 0}, "softcap must be above 0 in float64, got 0"),
    (QKV, {"alignment": "left"}, "alignment must be 'top-left' or .* got 'left'"),
    (QKV, {"local_window_size": (2, -1)}, "local_window_size .* at least 0, got -1"),
    (QKV, {"local_window_size": (1, 2, 3)}, r"local_window_size .* got \(1, 2, 3\)"),
    (
        BATCH,
        {"key_value_seq_lengths": [4, 5]},
        r"key_value_seq_lengths .* \(11, 13\) with as many axes, got shape \(2,\)",
    ),
    (QKV, {"key_value_seq_lengths": 8}, r"key_value_seq_lengths .* m = 7, got 8 to 8"),
    (QKV, {"query_seq_lengths": -1}, r"query_seq_lengths .* 0 and n = 5, got -1 to -1"),
    (
        QKV,
        {"enable_gqa": True},
        r"enable_gqa .* axis -3 in query and key, got shapes \(5, 3\) and \(7, 3\)",
    ),
    (GROUPED, {"key": ones(4, 7, 3)}, r"key .* divides the 6 heads of .* \(4, 7, 3\)"),
    (GROUPED, {"value": ones(0, 7, 2)}, r"value .* divides the 6 heads .* \(0, 7, 2\)"),
]
WRONG_TYPES = [
    (
        {"query": ones(5, 3) > 0},
        r"query must hold integers, .* got dtype bool; use query.astype\(float\)$",
    ),
    ({"value": np.ma.array(ones(7, 2))}, r"value must be a plain array, got a masked"),
    ({"key": "no"}, r"key must hold .* got dtype <U2"),
    (
        {"attn_mask": np.ones((5, 7), int)},
        r"attn_mask .* int64; use mask.astype\(bool\)",
    ),
    ({"is_causal": 1}, r"is_causal must be True or False, got 1 of type int"),
    ({"scale": True}, r"scale must be a real number, got True of type bool"),
    ({"query": ones(5, 3) * 1j}, "query must hold .* got dtype complex128$"),
    ({"query": None}, "query must hold .* got type NoneType$"),
    ({"query": (None, None)}, "query must hold .* got dtype object$"),
    ({"attn_mask": True}, "attn_mask must be an array, got True .*; give is_causal"),
    ({"attn_mask": 0.5}, "attn_mask must be an array, got 0.5 of type float; give"),
    ({"scale": "x" * 10**6}, r"scale must be a real number, got '.{58}' of type str$"),
    ({"is_causal": ones(9, 9)}, r"is_causal must be .* got array.{4,56} of type nd"),
    ({"local_window_size": 1.5}, r"local_window_size must be one .* or a tuple .* 1.5"),
    (
        {"local_window_size": np.array([1, 0])},
        r"local_window_size must be one integer or a tuple \(left, right\), got array",
    ),
    (
        {"key_value_seq_lengths": 2.0},
        r"key_value_seq_lengths must hold integers, got d",
    ),
]


@pytest.mark.parametrize(("good", "wrong", "message"), ATTENTION)
def test_a_wrong_call_of_attention_is_explained(good, wrong, message):
    with refused(ValueError, message):
        scaled_dot_product_attention(**(good | wrong))


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 makes at most 32 axes")
def test_33_axes_are_explained():
    with refused(ValueError, "query must have at most 32 axes, got 33"):
        scaled_dot_product_attention(ones(*(1,) * 33), ones(7, 3), ones(7, 2))


@pytest.mark.parametrize(("wrong", "message"), WRONG_TYPES)
def test_a_wrong_type_is_explained(wrong, message):
    with refused(TypeError, message):
        scaled_dot_product_attention(**(QKV | wrong))


def cache():
    filled = KeyValueCache()
    filled.append(ones(5, 7, 3), ones(5, 7, 2))
    return filled


NEW_KEY, NEW_VALUE = ones(5, 1, 3), ones(5, 1, 2)
WIDE, COS = ones(2, 7, 6), ones(7, 3)
FUNCTIONS = [
    (softmax, (1.0,), ValueError, r"axis .* which have shape \(\), got -1"),
    (softmax, (ones(2, 3), 2), ValueError, r"axis .* of logits.* \(2, 3\), got 2"),
    (softmax, (ones(2), 10**20), ValueError, "got an integer of 67 bits$"),
    (softmax, (ones(2), 1 - 10**20), ValueError, "got -" + "9" * 20 + "$"),
    (softmax, (ones(2), -1, -1), ValueError, "beta must be finite and at least 0, g"),
    (softmax, (ones(2), -1, 10**400), ValueError, "beta must be finite .* got inf"),
    (split_heads, (ones(5, 6), 4), ValueError, r"num_heads .* of x, h \* d = 6 in .*4"),
    (split_heads, (ones(5, 6), 0), ValueError, "num_heads must be at least 1, got 0"),
    (split_heads, (ones(*(1,) * 32), 1), ValueError, "x must have at most 31 axes"),
    (
        rotary_embedding,
        (WIDE, COS, COS[1:]),
        ValueError,
        r"sin must have the shape of cos, \(7, 3\), .*\(6, 3\)",
    ),
    (
        rotary_embedding,
        (WIDE, ones(7, 4), ones(7, 4)),
        ValueError,
        r"cos .* w <= d .*= \(2, 7, 6\), got shape \(7, 4\)",
    ),
    (rotary_embedding, (WIDE, 1.0, 0.0), ValueError, r"^cos must have .* shape \(\)"),
    (rotary_table, ([NAN], 2), ValueError, "positions must be finite, got nan"),
    (rotary_table, ([1], 3), ValueError, "width must be even, .* got 3"),
    (rotary_table, ([1], 2, 0.5), ValueError, "base must be finite and at least 1, g"),
    (alibi, (1, 2, -1), ValueError, "m must be at least 0, got -1"),
    (alibi, (1, 10**30, 1), ValueError, "n must be a size of an array, got an integer"),
    (KeyValueCache, (0,), ValueError, "max_length must be at least 1, got 0"),
    (cache().drop, (8,), ValueError, "n must be at most 7, all there are, got 8"),
    (
        cache().append,
        (NEW_KEY, ones(5, 2, 2)),
        ValueError,
        r"value .* n = 1 as in key of shape \(5, 1, 3\), got shape \(5, 2, 2\)",
    ),
    (
        cache().append,
        (NEW_KEY, ones(5, 1, 3)),
        ValueError,
        r"value .* cache, \(5, 7, 2\), but for axis -2, got shape \(5, 1, 3\)",
    ),
    (
        cache().append,
        (NEW_KEY.astype("f"), NEW_VALUE),
        TypeError,
        "key must have the dtype of the cache, float64, got dtype float32$",
    ),
    (
        scaled_dot_product_attention_gradients,
        (ones(5, 3), *QKV.values()),
        ValueError,
        r"d_output .* shape \(..., n, d_v\) = \(5, 2\), got shape \(5, 3\)",
    ),
]


@pytest.mark.parametrize(("function", "arguments", "error", "message"), FUNCTIONS)
def test_a_wrong_call_of_another_function_is_explained(
    function, arguments, error, message
):
    with refused(error, message):
        function(*arguments)


WEIGHTS = dict(
    zip(
        ("W_Q", "W_K", "W_V", "W_O"),
        map(np.ones, [(3, 11, 2), (3, 11, 2), (3, 11, 13), (39, 11)]),
        strict=True,
    )
)
LAYERS = [
    ({"W_Q": ones(11, 2)}, r"W_Q must have shape \(h, d_model, d_k\), got .*\(11, 2\)"),
    ({"W_K": ones(2, 11, 2)}, r"W_K .* with h = 3, d_k = 2, got shape \(2, 11, 2\)"),
    ({"W_O": ones(13, 11)}, r"W_O .* h \* d_v = 39, d_model = 11, got .* \(13, 11\)"),
    ({"W_Q": ones(3, 11, 0), "W_K": ones(3, 11, 0)}, r"^W_Q .* at least one .*11, 0"),
    ({"b_V": ones(3, 2)}, r"b_V .* with h = 3, d_v = 13, got shape \(3, 2\)"),
    ({"bias_v": ones(3, 13)}, "bias_k must be given with bias_v, got None"),
    ({"bias_k": ones(3, 2)}, "bias_v must be given with bias_k, got None"),
]


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V", "W_O"])
def test_a_missing_matrix_is_named(name):
    with refused(TypeError, f"^{name} must be an array, got None"):
        MultiHeadAttention(**(WEIGHTS | {name: None}))


@pytest.mark.parametrize(("wrong", "message"), LAYERS)
def test_wrong_weights_are_explained(wrong, message):
    with refused(ValueError, message):
        MultiHeadAttention(**(WEIGHTS | wrong))


TOKENS = [
    ({"x": ones(11)}, r"^x .*\(..., n, d_model\) with d_model = 11 as in W_Q, got sh"),
    ({"context": ones(7, 5)}, r"^context .*m, d_key\) with d_key = 11 as in W_K.*7, 5"),
    ({"values": ones(5, 5)}, r"^values .*m, d_value\) with d_value = 11 as in W_V.*5"),
    ({"values": ones(7, 11)}, r"values .* m = 5 as in context .* got shape \(7, 11\)"),
    ({"x": ones(*(1,) * 31, 11)}, "^x must have at most 31 axes, got 32"),
    (
        {"x": ones(2, 5, 11), "context": ones(3, 7, 11)},
        r"context .* broadcast with those of x .*\(2, 5, 11\), got shape \(3, 7, 11\)",
    ),
    (
        {"x": ones(5, 11), "context": ones(2, 7, 11), "values": ones(3, 7, 11)},
        r"^values must .* x of shape \(5, 11\) and context .*\(2, 7, 11\), got .*\(3, ",
    ),
    (
        {"cache": cache()},
        r"^cache must fit the tokens of this call: key .* \(5, 7, 3\), .*\(3, 5, 2\)",
    ),
    (
        {"x": ones(2, 5, 11), "attn_mask": ones(2, 5, 5)},
        r"attn_mask .* = \(2, 3, 5, 5\), got shape \(2, 5, 5\)",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), TOKENS)
def test_wrong_tokens_are_explained(wrong, message):
    with refused(ValueError, message):
        MultiHeadAttention(**WEIGHTS)(**({"x": ones(5, 11)} | wrong))


def test_a_gradient_of_another_shape_than_the_output_is_explained():
    with refused(ValueError, r"d_output .*, n, d_model\) = \(5, 11\), got .*\(5, 12\)"):
        MultiHeadAttention(**WEIGHTS).gradients(ones(5, 12), ones(5, 11))


@pytest.mark.parametrize("method", ["__call__", "trace", "gradients"])
def test_every_method_refuses_a_wrong_cache_and_an_unknown_argument(method):
    call = getattr(MultiHeadAttention(**WEIGHTS), method)
    arguments = [ones(5, 11)] * (2 if method == "gradients" else 1)
    with refused(TypeError, "^cache must be a KeyValueCache, got 'x' of type str"):
        call(*arguments, cache="x")
    unexpected = rf"MultiHeadAttention.{method}\(\) got an unexpected .* 'foo'"
    with pytest.raises(TypeError, match=unexpected):
        call(*arguments, foo=1)


PACKED = {
    "in_proj_weight": ones(18, 6),
    "in_proj_bias": ones(18),
    "out_proj.weight": ones(6, 6),
    "out_proj.bias": ones(6),
    "bias_k": ones(1, 1, 6),
    "bias_v": ones(1, 1, 6),
}
KEYS = {"k_proj_weight": ones(6, 5)}
STATES = [
    ([1], {}, TypeError, "state_dict must be a mapping .* got type list"),
    ({}, {}, ValueError, "state_dict must hold k_proj_weight, out_proj.weight, q_proj"),
    (PACKED | {"foo": 1, 2: 3}, {}, ValueError, "must not hold foo, 2; got the names"),
    (PACKED | KEYS, {}, ValueError, "must not hold k_proj_weight; got the names in_pr"),
    (
        PACKED | {"in_proj_weight": ones(17, 6)},
        {},
        ValueError,
        r"state_dict\['in_proj_weight'\] .* 3 \* E = 18, E = 6, got .*\(17, 6\)",
    ),
    (
        PACKED | {"bias_k": ones(2, 2, 6)},
        {},
        ValueError,
        r"'bias_k'\] .*\(1, 1, E\) with E = 6, got shape \(2, 2, 6\)",
    ),
    (PACKED, {"num_heads": 4}, ValueError, "num_heads .* of out_proj.weight, .* got 4"),
    (PACKED, {"prefix": 1}, TypeError, "prefix must be a text, got type int"),
    (PACKED, {"prefix": "a."}, ValueError, "prefix must begin .* got 'a.' and the nam"),
]


@pytest.mark.parametrize(("state", "options", "error", "message"), STATES)
def test_a_wrong_state_dict_is_explained(state, options, error, message):
    with refused(error, message):
        MultiHeadAttention.from_torch(state, **({"num_heads": 2} | options))


def test_a_layer_that_pytorch_cannot_hold_is_explained():
    with refused(
        ValueError, r"to_torch .* h \* d_v = d_model, got h = 3, d_k = 2, d_v"
    ):
        MultiHeadAttention(**WEIGHTS).to_torch()


def test_an_entry_of_a_whole_model_is_named_with_its_prefix():
    model = {f"layers.1.{name}": array for name, array in PACKED.items()}
    model["layers.1.in_proj_bias"] = ones(3)
    with pytest.raises(ValueError, match=r"state_dict\['layers.1.in_proj_bias'\] must"):
        MultiHeadAttention.from_torch(model, 2, prefix="layers.1.")


def test_the_first_wrong_number_of_a_mask_is_named():
    mask = np.zeros((5, 7))
    mask[1, 2], mask[2, 1] = INF, NAN
    with refused(ValueError, r"attn_mask must hold finite .* got inf$"):
        scaled_dot_product_attention(**QKV, attn_mask=mask)
