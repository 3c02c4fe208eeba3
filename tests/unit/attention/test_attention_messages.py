"""Every error message once; `test_attention_bad_calls` tests all kinds of values."""

from functools import partial

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
from_torch = MultiHeadAttention.from_torch


def ones(*shape):
    return np.ones(shape)


QKV = {"query": ones(5, 3), "key": ones(7, 3), "value": ones(7, 2)}
NARROW = {name: array.astype("f") for name, array in QKV.items()}
BATCH = {"query": ones(11, 13, 5, 3), "key": ones(11, 13, 7, 3), "value": ones(7, 2)}
HEADS = {"query": ones(6, 5, 3), "key": ones(2, 7, 3), "value": ones(2, 7, 2)}
GROUPED = HEADS | {"enable_gqa": True}

FIRST_INF = np.zeros((5, 7))
FIRST_INF[1, 2], FIRST_INF[2, 1] = INF, NAN

# Arguments beside or instead of those of QKV, and the message.
VALUES = [
    ({"query": ones(5)}, r"query .* \(\.\.\., n, d_k\), at least 2.* shape \(5,\)"),
    ({"key": ones(7, 4)}, r"key .* d_k = 3 .*query .*\(5, 3\), got .*\(7, 4\)"),
    ({"value": ones(8, 2)}, r"value .* m = 7 .*key .*\(7, 3\), got .*\(8, 2\)"),
    ({"query": ones(5, 0), "key": ones(7, 0)}, r"query .* d_k >= 1, .* \(5, 0\)"),
    (
        {"query": ones(2, 5, 3), "key": ones(3, 7, 3)},
        r"batch axes .* \(2, 5, 3\), \(3, 7, 3\), \(7, 2\); .* enable_gqa",
    ),
    ({"query": [[1.0], [1.0, 2.0]]}, "query must be an array with rows of equal"),
    ({"dropout_p": 0.1}, r"dropout_p must be 0.0, got 0.1: .* training"),
    ({"attn_mask": ones(7, 5)}, r"attn_mask .* \(\.\.\., n, m\) = \(5, 7\), got sh"),
    ({"attn_mask": ones(5, 7) * NAN}, r"attn_mask .* float64 or -inf, got nan"),
    ({"attn_mask": FIRST_INF}, r"attn_mask must hold finite .* got inf$"),
    (
        NARROW | {"attn_mask": [[-1e300] * 7]},
        r"attn_mask .* float32 or -inf, got -1e\+30",
    ),
    (
        {"attn_mask": ones(5, 7) > 0, "is_causal": True},
        "attn_mask must be None when is_causal is True, got a mask; for both, give",
    ),
    ({"scale": -INF}, "scale must be finite, got -inf"),
    (NARROW | {"scale": 1e300}, r"scale must be finite in float32, got 1e\+300"),
    ({"softcap": 1e-310}, "softcap must be above 0, at least 2.2e-308 in float64, got"),
    ({"alignment": "left"}, "alignment must be 'top-left' or .* got 'left'"),
    (
        {"local_window_size": (2, -1)},
        r"local_window_size .* 0 .* or None .* got \(2, -1",
    ),
    ({"local_window_size": (1, 2, 3)}, r"local_window_size .* got \(1, 2, 3\)"),
    (
        BATCH | {"key_value_seq_lengths": [4, 5]},
        r"key_value_seq_lengths .* \(11, 13\) with as many axes, got shape \(2,\)",
    ),
    ({"key_value_seq_lengths": 8}, r"key_value_seq_lengths .* m = 7, got 8 to 8"),
    ({"query_seq_lengths": -1}, r"query_seq_lengths .* 0 and n = 5, got -1 to -1"),
    (
        {"enable_gqa": True},
        r"enable_gqa .* axis -3 in query and key, got shapes \(5, 3\) and \(7, 3\)",
    ),
    (GROUPED | {"key": ones(4, 7, 3)}, r"key .* divides the 6 heads of .* \(4, 7, 3\)"),
    (
        GROUPED | {"query": ones(4, 6, 5, 3), "key": ones(3, 2, 7, 3)},
        r"batch axes \(all but the last 3\) .* \(3, 2, 7, 3\), \(2, 7, 2\)$",
    ),
    (
        GROUPED | {"value": ones(0, 7, 2)},
        r"value .* divides the 6 heads .* \(0, 7, 2\)",
    ),
]
TYPES = [
    (
        {"query": ones(5, 3) > 0},
        r"query must hold integers, .* got dtype bool; use np.asarray\(query, float\)$",
    ),
    ({"value": np.ma.array(ones(7, 2))}, r"value must be a plain array, got a masked"),
    ({"key": "no"}, r"key must hold .* got dtype <U2"),
    (
        {"attn_mask": np.ones((5, 7), int)},
        r"attn_mask .* int64; use np.asarray\(attn_mask, bool\)",
    ),
    (
        {"attn_mask": np.full((5, 7), -9)},
        r"attn_mask .* int64; use np.asarray\(attn_mask, float\)$",
    ),
    ({"attn_mask": {1: 2}}, "attn_mask must hold .* got type dict$"),
    ({"alignment": 1}, "alignment must be 'top-left' or 'bottom-right', got 1$"),
    ({"key_value_seq_lengths": 2**70}, "hold integers, got an integer too large for"),
    ({"is_causal": 1}, r"is_causal must be True or False, got 1 of type int"),
    ({"scale": True}, r"scale must be a real number, got True of type bool"),
    ({"query": ones(5, 3) * 1j}, "query must hold .* got dtype complex128$"),
    ({"query": None}, "query must hold .* got type NoneType$"),
    ({"attn_mask": True}, "attn_mask must be an array, got True .*; give is_causal"),
    ({"attn_mask": 0.5}, "attn_mask must be an array, got 0.5 of type float; give"),
    ({"scale": "x" * 10**6}, r"scale must be a real number, got '.{58}' of type str$"),
    ({"is_causal": ones(9, 9)}, r"is_causal must be .* got array.{4,56} of type nd"),
    (
        {"local_window_size": (1.5, 0)},
        r"local_window_size must be one .* or a tuple .* got \(1.5, 0\) of type tuple$",
    ),
    (
        {"key_value_seq_lengths": 2.0},
        r"key_value_seq_lengths must hold integers, got d",
    ),
]


def cache():
    filled = KeyValueCache()
    filled.append(ones(5, 7, 3), ones(5, 7, 2))
    return filled


NEW_KEY, NEW_VALUE = ones(5, 1, 3), ones(5, 1, 2)
WIDE, COS = ones(2, 7, 6), ones(7, 3)
OF_FUNCTIONS = [
    (partial(softmax, 1.0), r"axis .* which have shape \(\), got -1"),
    (partial(softmax, ones(2), 10**20), "got an integer of 67 bits$"),
    (partial(softmax, ones(2), 1 - 10**20), "got -" + "9" * 20 + "$"),
    (partial(softmax, ones(2), -1, -1), "beta must be finite and at least 0, g"),
    (partial(split_heads, ones(5, 6), 4), r"num_heads .* of x, h \* d = 6 in .*4"),
    (partial(split_heads, ones(5, 6), 0), "num_heads must be at least 1, got 0"),
    (partial(split_heads, ones(*(1,) * 32), 1), "x must have at most 31 axes"),
    (
        partial(rotary_embedding, WIDE, COS, COS[1:]),
        r"sin must have the shape of cos, \(7, 3\), .*\(6, 3\)",
    ),
    (
        partial(rotary_embedding, WIDE, ones(7, 4), ones(7, 4)),
        r"cos .* w <= d .*= \(2, 7, 6\), got shape \(7, 4\)",
    ),
    (partial(rotary_embedding, WIDE, 1.0, 0.0), r"^cos must have .* shape \(\)"),
    (partial(rotary_table, [NAN], 2), "positions must be finite, got nan"),
    (partial(rotary_table, [1], 3), "width must be even, .* got 3"),
    (partial(rotary_table, [1], 2, 0.5), "base must be finite and at least 1, g"),
    (partial(alibi, 1, 2, -1), "m must be at least 0, got -1"),
    (partial(alibi, 1, 10**30, 1), "n must be a size of an array, got an integer"),
    (partial(KeyValueCache, 0), "max_length must be at least 1, got 0"),
    (partial(cache().drop, 8), "n must be at most 7, all there are, got 8"),
    (
        partial(cache().append, NEW_KEY, ones(5, 2, 2)),
        r"value .* n = 1 as in key of shape \(5, 1, 3\), got shape \(5, 2, 2\)",
    ),
    (
        partial(KeyValueCache().append, NEW_KEY, ones(4, 1, 3)),
        r"key and value .* broadcast, got shapes \(5, 1, 3\) and \(4, 1, 3\)",
    ),
    (
        partial(cache().append, NEW_KEY, ones(5, 1, 3)),
        r"value .* cache, \(5, 7, 2\), but for axis -2, got shape \(5, 1, 3\)",
    ),
    (
        partial(scaled_dot_product_attention_gradients, ones(5, 3), *QKV.values()),
        r"d_output .* shape \(..., n, d_v\) = \(5, 2\), got shape \(5, 3\)",
    ),
]

WEIGHTS = {"W_Q": ones(3, 11, 2), "W_K": ones(3, 11, 2), "W_V": ones(3, 11, 13)}
WEIGHTS |= {"W_O": ones(39, 11)}
LAYER = MultiHeadAttention(**WEIGHTS)
OF_WEIGHTS = [
    ({"W_Q": ones(11, 2)}, r"W_Q must have shape \(h, d_model, d_k\), got .*\(11, 2\)"),
    ({"W_K": ones(2, 11, 2)}, r"W_K .* with h = 3, d_k = 2, got shape \(2, 11, 2\)"),
    ({"W_O": ones(13, 11)}, r"W_O .* h \* d_v = 39, d_model = 11, got .* \(13, 11\)"),
    ({"W_Q": ones(3, 11, 0), "W_K": ones(3, 11, 0)}, r"^W_Q .* at least one .*11, 0"),
    ({"b_V": ones(3, 2)}, r"b_V .* with h = 3, d_v = 13, got shape \(3, 2\)"),
    ({"bias_v": ones(3, 13)}, "bias_k must be given with bias_v, got None"),
    ({"bias_k": ones(3, 2)}, "bias_v must be given with bias_k, got None"),
]
OF_TOKENS = [
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
]
OF_LAYERS = [
    (
        partial(LAYER.gradients, ones(5, 12), ones(5, 11)),
        r"d_output .*, n, d_model\) = \(5, 11\), got .*\(5, 12\)",
    ),
    (LAYER.to_torch, r"to_torch .* h \* d_v = d_model, got h = 3, d_k = 2, d_v"),
]

PACKED = {
    "in_proj_weight": ones(18, 6),
    "in_proj_bias": ones(18),
    "out_proj.weight": ones(6, 6),
    "out_proj.bias": ones(6),
    "bias_k": ones(1, 1, 6),
    "bias_v": ones(1, 1, 6),
}
KEYS = {"k_proj_weight": ones(6, 5)}
MODEL = {f"layers.1.{name}": array for name, array in PACKED.items()}
MODEL["layers.1.in_proj_bias"] = ones(3)
OF_STATES = [
    (
        partial(from_torch, {}, 2),
        r"hold in_proj_weight \(or q_proj_weight, k_proj_weight, v_proj_weight\); got",
    ),
    (partial(from_torch, KEYS, 2), "must hold out_proj.weight, q_proj_weight, v_"),
    (partial(from_torch, MODEL, 2), "; for a layer of a model .* prefix: layers.1.$"),
    (
        partial(from_torch, PACKED | {"foo": 1, 2: 3}, 2),
        "must not hold foo, 2; got the names",
    ),
    (
        partial(from_torch, PACKED | KEYS, 2),
        "must not hold k_proj_weight; got the names in_pr",
    ),
    (
        partial(from_torch, PACKED | {"in_proj_weight": ones(17, 6)}, 2),
        r"state_dict\['in_proj_weight'\] .* 3 \* E = 18, E = 6, got .*\(17, 6\)",
    ),
    (
        partial(from_torch, PACKED | {"bias_k": ones(2, 2, 6)}, 2),
        r"'bias_k'\] .*\(1, 1, E\) with E = 6, got shape \(2, 2, 6\)",
    ),
    (
        partial(from_torch, MODEL, 2, prefix="layers.1."),
        r"state_dict\['layers.1.in_proj_bias'\] must",
    ),
    (partial(from_torch, PACKED, 4), "num_heads .* of out_proj.weight, .* got 4"),
    (
        partial(from_torch, PACKED, 2, prefix="a."),
        "prefix must begin .* got 'a.' and the nam",
    ),
]


def calls(function, good, table):
    """Return (call, message) for the keyword arguments and messages of a table."""
    return [(partial(function, **(good | wrong)), message) for wrong, message in table]


VALUE_ERRORS = [
    *calls(scaled_dot_product_attention, QKV, VALUES),
    *calls(MultiHeadAttention, WEIGHTS, OF_WEIGHTS),
    *calls(LAYER, {"x": ones(5, 11)}, OF_TOKENS),
    *(*OF_FUNCTIONS, *OF_LAYERS, *OF_STATES),
]
MISSING = [({name: None}, f"^{name} must be an array, got None") for name in WEIGHTS]
TYPE_ERRORS = [
    *calls(scaled_dot_product_attention, QKV, TYPES),
    *calls(MultiHeadAttention, WEIGHTS, MISSING),
    (
        partial(cache().append, NEW_KEY.astype("f"), NEW_VALUE),
        "key must have the dtype of the cache, float64, got dtype float32$",
    ),
    (partial(from_torch, [1], 2), "state_dict must be a mapping .* got type list"),
    (partial(from_torch, PACKED, 2, prefix=1), "prefix must be a text, got type int"),
]


@pytest.mark.parametrize(("call", "message"), VALUE_ERRORS)
def test_a_wrong_value_is_accepted_or_not_explained(call, message):
    with refused(ValueError, message):
        call()


@pytest.mark.parametrize(("call", "message"), TYPE_ERRORS)
def test_a_wrong_type_is_accepted_or_not_explained(call, message):
    with refused(TypeError, message):
        call()


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 makes at most 32 axes")
def test_33_axes_are_not_explained():
    with refused(ValueError, "query must have at most 32 axes, got 33"):
        scaled_dot_product_attention(ones(*(1,) * 33), ones(7, 3), ones(7, 2))


@pytest.mark.parametrize("method", ["__call__", "trace", "gradients"])
def test_a_method_accepts_a_wrong_cache_or_an_unknown_argument(method):
    call = getattr(LAYER, method)
    arguments = [ones(5, 11)] * (2 if method == "gradients" else 1)
    with refused(TypeError, "^cache must be a KeyValueCache, got 'x' of type str"):
        call(*arguments, cache="x")
    unexpected = rf"MultiHeadAttention.{method}\(\) got an unexpected .* 'foo'"
    with pytest.raises(TypeError, match=unexpected):
        call(*arguments, foo=1)
