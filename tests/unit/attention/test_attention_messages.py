"""Every error message once; `test_attention_bad_calls` tests all kinds of values."""

import re
from functools import partial

import numpy as np
import pytest
from refusals import Inconvertible, refused

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
    trace_attention,
)

NAN, INF = np.nan, np.inf


def ones(*shape):
    return np.ones(shape)


QKV = {"query": ones(5, 3), "key": ones(7, 3), "value": ones(7, 2)}
NARROW = {name: array.astype("f") for name, array in QKV.items()}
BATCH = {"query": ones(11, 13, 5, 3), "key": ones(11, 13, 7, 3)}
GROUPED = {"query": ones(6, 5, 3), "key": ones(2, 7, 3), "value": ones(2, 7, 2)}
GROUPED |= {"enable_gqa": True}
FIRST_INF = np.zeros((5, 7))
FIRST_INF[1, 2], FIRST_INF[2, 1] = INF, NAN

WEIGHTS = {"W_Q": ones(3, 11, 2), "W_K": ones(3, 11, 2), "W_V": ones(3, 11, 13)}
WEIGHTS |= {"W_O": ones(39, 11)}
LAYER = MultiHeadAttention(**WEIGHTS)
TOKENS = ones(5, 11)

PACKED = {"in_proj_weight": ones(18, 6), "in_proj_bias": ones(18)}
PACKED |= {"out_proj.weight": ones(6, 6), "out_proj.bias": ones(6)}
PACKED |= {"bias_k": ones(1, 1, 6), "bias_v": ones(1, 1, 6)}
KEYS = {"k_proj_weight": ones(6, 5)}
MODEL = {f"layers.1.{name}": array for name, array in PACKED.items()}
MODEL["layers.1.in_proj_bias"] = ones(3)
ALL = {f"all.{name}": array for name, array in MODEL.items()}

COS, NEW_KEY, NEW_VALUE = ones(7, 3), ones(5, 1, 3), ones(5, 1, 2)
CACHE = KeyValueCache()
CACHE.append(ones(5, 7, 3), ones(5, 7, 2))


def sdpa(**wrong):
    return partial(scaled_dot_product_attention, **QKV | wrong)


def layer(**wrong):
    return partial(LAYER, **{"x": TOKENS} | wrong)


def built(**wrong):
    return partial(MultiHeadAttention, **WEIGHTS | wrong)


def loaded(state, num_heads=2, **options):
    return partial(MultiHeadAttention.from_torch, state, num_heads, **options)


# Patterns of the messages, and calls that raise them.
VALUES = {
    r"^query .* \(\.\.\., n, d_k\), at least 2.* shape \(5,\)": sdpa(query=ones(5)),
    r"^key .* d_k = 3 .*query .*\(5, 3\), got .*\(7, 4\)": sdpa(key=ones(7, 4)),
    r"^value .* m = 7 .*key .*\(7, 3\), got .*\(8, 2\)": sdpa(value=ones(8, 2)),
    r"query .* d_k >= 1, .* \(5, 0\)": sdpa(query=ones(5, 0), key=ones(7, 0)),
    r"batch axes .* \(2, 5, 3\), \(3, 7, 3\), \(7, 2\); .* enable_gqa": sdpa(
        query=ones(2, 5, 3), key=ones(3, 7, 3)
    ),
    "query must be an array with rows of equal": sdpa(query=[[1.0], [1.0, 2.0]]),
    r"dropout_p must be 0.0, got 0.1: .* training": sdpa(dropout_p=0.1),
    r"\(\.\.\., n, m\) = \(5, 7\), got shape \(7, 5\)": sdpa(attn_mask=ones(7, 5)),
    "attn_mask must hold finite .* float64 .* got inf$": sdpa(attn_mask=FIRST_INF),
    r"float32 or -inf, got -1e\+30": sdpa(**NARROW, attn_mask=[[-1e300] * 7]),
    "scale must be finite, got -inf": sdpa(scale=-INF),
    r"scale must be finite in float32, got 1e\+300": sdpa(**NARROW, scale=1e300),
    "softcap must be above 0, at least 2.2e-308 in float64": sdpa(softcap=1e-310),
    "alignment must be 'top-left' or .* got 'left'": sdpa(alignment="left"),
    r"0 on each side, or None .* got \(2, -1\)": sdpa(local_window_size=(2, -1)),
    r"one integer or .* got \(1, 2, 3\)$": sdpa(local_window_size=(1, 2, 3)),
    r"batch axes \(11, 13\) with as many axes, got shape \(13,\)": sdpa(
        **BATCH, key_value_seq_lengths=[4] * 13
    ),
    r"key_value_seq_lengths .* m = 7, got 8 to 8": sdpa(key_value_seq_lengths=8),
    r"query_seq_lengths .* 0 and n = 5, got -1 to -1": sdpa(query_seq_lengths=-1),
    r"axis -3 in query and key, got shapes \(5, 3\) and": sdpa(enable_gqa=True),
    r"key .* divides the 6 heads of .* \(4, 7, 3\)": sdpa(
        **GROUPED | {"key": ones(4, 7, 3)}
    ),
    r"value .* divides the 6 heads .* \(0, 7, 2\)": sdpa(
        **GROUPED | {"value": ones(0, 7, 2)}
    ),
    r"batch axes \(all but the last 3\) .* \(3, 2, 7, 3\), \(2, 7, 2\)$": sdpa(
        **GROUPED | {"query": ones(4, 6, 5, 3), "key": ones(3, 2, 7, 3)}
    ),
    r"axis .* which have shape \(\), got -1": partial(softmax, 1.0),
    "got an integer of 67 bits$": partial(softmax, ones(2), 10**20),
    "got -" + "9" * 20 + "$": partial(softmax, ones(2), 1 - 10**20),
    "beta must be finite and at least 0, g": partial(softmax, ones(2), -1, -1),
    r"num_heads .* of x, h \* d = 6 in .*4": partial(split_heads, ones(5, 6), 4),
    "num_heads must be at least 1, got 0": partial(split_heads, ones(5, 6), 0),
    "x must have at most 31 axes": partial(split_heads, ones(*(1,) * 32), 1),
    r"sin must have the shape of cos, \(7, 3\), .*\(6, 3\)": partial(
        rotary_embedding, ones(2, 7, 6), COS, COS[1:]
    ),
    r"cos .* w <= d .*= \(2, 7, 5\), got shape \(7, 3\)": partial(
        rotary_embedding, ones(2, 7, 5), COS, COS
    ),
    r"^cos must have .* shape \(\)": partial(rotary_embedding, ones(7, 6), 1.0, 0.0),
    "positions must be finite, got nan": partial(rotary_table, [NAN], 2),
    "width must be even, .* got 3": partial(rotary_table, [1], 3),
    "n must be a size of an array, got an integer": partial(alibi, 1, 10**30, 1),
    "n must be at most 7, all there are, got 8": partial(CACHE.drop, 8),
    r"value .* n = 1 as in key of shape \(5, 1, 3\), got shape \(5, 2, 2\)": partial(
        CACHE.append, NEW_KEY, ones(5, 2, 2)
    ),
    r"broadcast, got shapes \(5, 1, 3\) and \(4, 1, 3\)": partial(
        KeyValueCache().append, NEW_KEY, ones(4, 1, 3)
    ),
    r"^value .* cache, \(5, 7, 2\), but for axis -2, got shape \(5, 1, 3\)": partial(
        CACHE.append, NEW_KEY, ones(5, 1, 3)
    ),
    r"d_output .* shape \(..., n, d_v\) = \(5, 2\), got shape \(2, 5\)": partial(
        scaled_dot_product_attention_gradients, ones(2, 5), *QKV.values()
    ),
    r"W_Q must have shape \(h, d_model, d_k\), got .*\(11, 2\)": built(W_Q=ones(11, 2)),
    r"W_K .* with h = 3, d_k = 2, got .* \(2, 11, 2\)": built(W_K=ones(2, 11, 2)),
    r"W_O .* h \* d_v = 39, d_model = 11, got .*\(13, 11\)": built(W_O=ones(13, 11)),
    r"^W_Q .* at least one .*\(3, 11, 0\)": built(
        W_Q=ones(3, 11, 0), W_K=ones(3, 11, 0)
    ),
    "bias_k must be given with bias_v, got None": built(bias_v=ones(3, 13)),
    "bias_v must be given with bias_k, got None": built(bias_k=ones(3, 2)),
    r"^x .*\(..., n, d_model\) with d_model = 11 as in W_Q, got": layer(x=ones(11)),
    r"^context .*d_key\) with d_key = 11 as in W_K.*7, 5": layer(context=ones(7, 5)),
    r"^values .*d_value\) with d_value = 11 as in W_V.*5": layer(values=ones(5, 5)),
    r"values .* m = 5 as in context .* shape \(7, 11\)": layer(values=ones(7, 11)),
    "^x must have at most 31 axes, got 32": layer(x=ones(*(1,) * 31, 11)),
    r"^context .* broadcast with those of x .*\(2, 5, 11\), got .*\(3, 7, 11\)": layer(
        x=ones(2, 5, 11), context=ones(3, 7, 11)
    ),
    r"^values .* x of shape \(5, 11\) and context .*\(2, 7, 11\), got .*\(3, ": layer(
        context=ones(2, 7, 11), values=ones(3, 7, 11)
    ),
    "^cache must fit the tokens of this call: key must ": layer(cache=CACHE),
    r"d_output .*, n, d_model\) = \(5, 11\), got .*\(5, 12\)": partial(
        LAYER.gradients, ones(5, 12), TOKENS
    ),
    r"to_torch .* h \* d_v = d_model, got h = 3, d_k = 2, d_v": LAYER.to_torch,
    "hold in_proj_weight .or q_proj_weight, k_proj_weight, v_proj_weight": loaded({}),
    "must hold out_proj.weight, q_proj_weight, v_proj_weight": loaded(KEYS),
    "; for a layer of a model .* prefix: all.layers.1.$": loaded(ALL, prefix="all."),
    "must not hold foo, 2; got the names": loaded(PACKED | {"foo": 1, 2: 3}),
    "must not hold k_proj_weight; got the names in_pr": loaded(PACKED | KEYS),
    r"state_dict\['in_proj_weight'\] .* 3 \* E = 18, E = 6, got .*\(17, 6\)": loaded(
        PACKED | {"in_proj_weight": ones(17, 6)}
    ),
    r"'bias_k'\] .*\(1, 1, E\) with E = 6, got": loaded(PACKED | {"bias_k": ones(2)}),
    r"state_dict\['layers.1.in_proj_bias'\]": loaded(MODEL, prefix="layers.1."),
    "num_heads .* of out_proj.weight, .* got 4": loaded(PACKED, 4),
    "prefix must begin .* got 'a.' and the names": loaded(PACKED, prefix="a."),
}
TYPES = {
    r"hold integers, .* got dtype bool; use .*\(query, float\)$": sdpa(
        query=ones(5, 3) > 0
    ),
    "value must be a plain array, got a masked": sdpa(value=np.ma.array(ones(7, 2))),
    "key must hold .* got dtype <U2": sdpa(key="no"),
    r"use np.asarray\(attn_mask, bool\) for": sdpa(attn_mask=np.ones((5, 7), int)),
    r"int64; use np.asarray\(attn_mask, float\)$": sdpa(attn_mask=np.full((5, 7), -9)),
    "attn_mask must hold .* got type dict$": sdpa(attn_mask={1: 2}),
    "attn_mask must be an array, got 0.5 of type float; give": sdpa(attn_mask=0.5),
    "alignment must be 'top-left' or 'bottom-right', got 1$": sdpa(alignment=1),
    "got an integer too large for NumPy": sdpa(key_value_seq_lengths=2**70),
    "lengths must hold integers, got dtype float": sdpa(key_value_seq_lengths=2.0),
    "is_causal must be True or False, got 1 of type int": sdpa(is_causal=1),
    r"is_causal must be .* got array.{4,56} of type nd": sdpa(is_causal=ones(9, 9)),
    r"scale must be a real number, got '.{58}' of type str$": sdpa(scale="x" * 10**6),
    "query must hold .* got dtype complex128$": sdpa(query=ones(5, 3) * 1j),
    r"or a tuple .* got \(1.5, 0\) of type tuple$": sdpa(local_window_size=(1.5, 0)),
    "query .* makes one of, got type Inconvertible, which says: gone": sdpa(
        query=Inconvertible(ValueError("gone"))
    ),
    "key must have the dtype of the cache, float64, got dtype float32$": partial(
        CACHE.append, NEW_KEY.astype("f"), NEW_VALUE
    ),
    "state_dict must be a mapping .* got type list": loaded([1]),
    "prefix must be a text, got type int": loaded(PACKED, prefix=1),
}
TYPES |= {f"^{w} must be an array, got None": built(**{w: None}) for w in WEIGHTS}
RAISED = [(ValueError, *case) for case in VALUES.items()]
RAISED += [(TypeError, *case) for case in TYPES.items()]


@pytest.mark.parametrize(("error", "message", "call"), RAISED)
def test_a_wrong_argument_is_accepted_or_not_explained(error, message, call):
    with refused(error, message):
        call()


@pytest.mark.parametrize("method", ["__call__", "trace", "gradients"])
def test_a_method_accepts_a_wrong_cache_or_an_unknown_argument(method):
    call = partial(getattr(LAYER, method), *[TOKENS] * (1 + (method == "gradients")))
    with refused(TypeError, "^cache must be a KeyValueCache, got 'x' of type str"):
        call(cache="x")
    unexpected = rf"MultiHeadAttention.{method}\(\) got an unexpected .* 'foo'"
    with pytest.raises(TypeError, match=unexpected):
        call(foo=1)


@pytest.mark.parametrize("alignment", ["top-left", "bottom-right"])
def test_advice_for_causal_with_a_mask_changes_the_visible_keys(alignment):
    mask = np.arange(15).reshape(3, 5) % 4 > 0
    trace = partial(trace_attention, ones(3, 2), *ones(2, 5, 2), alignment=alignment)
    with refused(ValueError, "attn_mask must be None when .* for both, give ") as said:
        trace(attn_mask=mask, is_causal=True)
    advice = re.search("give (.*) instead of is_causal", str(said.value))[1]
    both = eval(f"trace(attn_mask=mask, {advice})", locals()).weights > 0
    np.testing.assert_array_equal(both, mask & (trace(is_causal=True).weights > 0))


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("query", [[True, False]]),
        ("query", np.ones((1, 2), np.longdouble)),
        ("attn_mask", [[1, 0]]),
        ("attn_mask", np.array([[0, -INF]], np.longdouble)),
    ],
)
def test_advice_for_a_wrong_dtype_fails_or_changes_the_visible_keys(argument, value):
    good = {"query": [[1.0, 0.0]], "key": np.eye(2), "value": np.eye(2)}
    with refused(TypeError, "; use ") as said:
        scaled_dot_product_attention(**good | {argument: value})
    advice = re.search(r"use (np.asarray\(.*?\))", str(said.value))[1]
    array = eval(advice, {"np": np, argument: value})
    weights = trace_attention(**good | {argument: array}).weights
    assert (weights > 0).tolist() == [[True, argument == "query"]]
