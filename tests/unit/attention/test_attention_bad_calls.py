"""Bad and unusual values for every argument of every public function and class.

A call with a bad value raises an error that names the argument. A call with an unusual
value returns the result of the call with a plain array of floats, without a warning.
"""

import datetime
import functools
import inspect
import re
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from public import public
from refusals import Inconvertible, assert_well_put
from table import trust

import attention
from attention import KeyValueCache, MultiHeadAttention, trace_attention
from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients

NUMPY_1 = np.__version__.startswith("1.")  # arrays of NumPy 1 have at most 32 axes
RNG = np.random.default_rng(0)


def whole(*shape):
    """Return small whole numbers, which every dtype can hold."""
    return RNG.integers(-3, 4, size=shape).astype(float)


class Convertible:
    """Stands for objects of pandas, JAX or PyTorch that NumPy converts to an array."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype)


# Values that no array argument accepts. Every array argument gets the first three.
NO_ARRAYS = [
    "abc",
    Inconvertible(KeyError("data")),
    [(1.0, np.ma.masked)],
    {"a": 1.0},
    [[None, None]],
    [[1.0], [1.0, 2.0]],
    [[2**70]],
    [[Fraction(1, 3)]],
    Inconvertible(RuntimeError("call detach() first")),
    [Inconvertible(AttributeError("no attribute 'data'"))],
    datetime.datetime(2020, 1, 1),
    Inconvertible(ValueError()) if NUMPY_1 else np.ones((1,) * 33),
    functools.reduce(lambda inner, _: [inner], range(33), 1.0),  # a list of 33 axes
]
NO_DTYPES = [bool, complex, object, str, "M8[s]", "m8[s]", [("a", float)]]
NO_DTYPES += [np.longdouble, ml_dtypes.float8_e4m3fn, ml_dtypes.int4]
BAD_FLAGS = ["yes", 1, 0.0, None, [True]]
BAD_INTEGERS = ["1", 1.0, Fraction(2), True, np.nan, np.array([2]), np.array(2), [2]]
BAD_INTEGERS += [-(10**5000)]
BAD_REALS = ["1", True, np.nan, np.inf, -np.inf, 1j, [1.0], np.array([1.0]), 10**400]

N, M, D_K, D_V, H, D_MODEL = 3, 5, 7, 2, 11, 13
QKV = {"query": whole(2, N, D_K), "key": whole(2, M, D_K), "value": whole(2, M, D_V)}
MASK, LENGTHS = np.tri(N, M, dtype=bool), {"query_seq_lengths": np.array([1, 2])}
LENGTHS |= {"key_value_seq_lengths": np.array([3, 5])}
OPTIONS = {"alignment": "top-left", "local_window_size": (1, 2), "softcap": 2.0}
CALL = {**QKV, "attn_mask": MASK, "is_causal": False, "scale": 0.5, "enable_gqa": False}
CALL |= {**LENGTHS, **OPTIONS}
WEIGHTS = {
    "W_Q": whole(H, D_MODEL, D_K),
    "W_K": whole(H, D_MODEL, D_K),
    "W_V": whole(H, D_MODEL, D_V),
    "W_O": whole(H * D_V, D_MODEL),
    **{name: whole(H, D_K) for name in ("b_Q", "b_K", "bias_k")},
    **{name: whole(H, D_V) for name in ("b_V", "bias_v")},
    "b_O": whole(D_MODEL),
    "add_zero_attn": False,
}
LAYER = MultiHeadAttention(**WEIGHTS)
X, CONTEXT = whole(2, N, D_MODEL), whole(2, M, D_MODEL)
LAYER_CALL = {
    **{"x": X, "context": CONTEXT, "values": CONTEXT, "cache": None},
    **{name: value for name, value in CALL.items() if name not in (*QKV, "enable_gqa")},
    **{name: lengths[:, None] for name, lengths in LENGTHS.items()},
}
STATE = {"in_proj_weight": whole(12, 4), "in_proj_bias": whole(12)}
STATE |= {"out_proj.weight": whole(4, 4), "out_proj.bias": whole(4)}
TURN = {"x": whole(2, N, 4), "cos": whole(N, 2), "sin": whole(N, 2)}


def appended(key, value):
    cache = KeyValueCache()
    cache.append(np.zeros((2, 1, D_K)), np.zeros((2, 1, D_V)))
    return cache.append(key, value)


# Public functions with good arguments; an argument's type determines its bad values.
GOOD = {
    sdpa: {**CALL, "dropout_p": 0.0, "return_lse": False},
    trace_attention: CALL,
    sdpa_gradients: {"d_output": whole(2, N, D_V), **CALL},
    attention.softmax: {"logits": whole(N, M), "axis": -1, "beta": 2.0},
    attention.log_softmax: {"logits": whole(N, M), "axis": -1},
    attention.split_heads: {"x": whole(N, 6), "num_heads": 2},
    attention.merge_heads: {"x": whole(2, N, 3)},
    attention.rotary_embedding: {**TURN, "interleaved": False},
    attention.rotary_table: {"positions": whole(N), "width": 4, "base": 10.0},
    attention.alibi: {"num_heads": 4, "n": 2, "m": 3},
    KeyValueCache: {"max_length": 3},
    KeyValueCache.drop: {"n": 0},
    KeyValueCache.append: {"key": QKV["key"], "value": QKV["value"]},
    MultiHeadAttention: WEIGHTS,
    MultiHeadAttention.__call__: LAYER_CALL,
    MultiHeadAttention.trace: LAYER_CALL,
    MultiHeadAttention.gradients: {"d_output": X, **LAYER_CALL},
    MultiHeadAttention.from_torch: {"state_dict": STATE, "num_heads": 2}
    | {"add_zero_attn": False, "prefix": ""},
}
# Functions that call a public one with the arguments in GOOD.
CALLERS = {
    KeyValueCache.drop: lambda **given: KeyValueCache().drop(**given),
    KeyValueCache.append: appended,
    MultiHeadAttention: lambda **weights: MultiHeadAttention(**weights)(X, CONTEXT),
    MultiHeadAttention.__call__: LAYER,
    MultiHeadAttention.trace: LAYER.trace,
    MultiHeadAttention.gradients: LAYER.gradients,
    MultiHeadAttention.from_torch: lambda **given: MultiHeadAttention.from_torch(
        **given
    )(whole(N, 4)),
}

# Bad values of single arguments, in addition to the bad values of their type.
SPECIAL = {
    "alignment": ["left", None, 0, b"top-left", "Top-Left", ["top-left"], np.zeros(2)],
    "local_window_size": [-1, (1,), (1, 1, 1), (1.0, 1), (1, -1), ("1", 1), (True, 0)],
    "cache": ["x", [], KeyValueCache],
    "softcap": [0.0, -1.0, 5e-324],
    "dropout_p": [0.1, 1],
    "base": [0.5],
    "beta": [-1.0],
    "width": [0, 3],
    "max_length": [0],
    "num_heads": [0, 10**400],
    "positions": [[np.nan], [np.inf]],
    "attn_mask": [np.ones((N, M), int), np.full((N, M), np.nan), np.full(M, np.inf)],
    "state_dict": [[1], None, "W", {}, STATE | {"foo": whole(1)}, STATE | {1: 1}],
    "prefix": [1, None, "layer."],
    "query_seq_lengths": [2.0, True, -1, N + 1, [1, 1, 1], [[[1]], [[1]]]],
    "key_value_seq_lengths": [2.0, True, -1, M + 1, np.uint64(2**63), [[1], [1, 2]]],
}
SHAPES = {name: [(19,)] for name in WEIGHTS} | {
    "query": [(N, 0), (3, N, D_K), (D_K,)],
    "key": [(M, D_K + 1), (3, M, D_K)],
    "value": [(M + 1, D_V), (3, M, D_V)],
    "d_output": [(N, D_V), (1, N, D_V)],
    "context": [(M, 1), (3, M, D_MODEL), (D_MODEL,)],
    "values": [(M, 1), (M + 1, D_MODEL)],
    "cos": [(N, 3), (N + 1, 2), (3, N, 2)],
    "sin": [(N, 3), (N + 1, 2), (3, N, 2)],
}
UNUSUAL = {
    "local_window_size": [([1, 2], (1, 2)), ((np.int8(1), np.uint8(2)), (1, 2))],
    "scale": [(Fraction(1, 2), 0.5), (np.float32(0.5), 0.5)],
    "key_value_seq_lengths": [(3, np.array([3, 3])), ([1, 2], np.array([1, 2]))],
    "dropout_p": [(0, 0.0), (np.float32(0), 0.0)],
    "is_causal": [(np.False_, False)],
    "attn_mask": [(MASK.tolist(), MASK)]
    + [(np.full(M, 0.5, t), np.full(M, 0.5)) for t in ("f2", ml_dtypes.bfloat16)],
}


def bad_values(name, good):
    """Yield bad values of an argument, by the type of a good value."""
    yield from SPECIAL.get(name, [])
    if isinstance(good, bool):
        yield from BAD_FLAGS
    elif isinstance(good, int):
        yield from BAD_INTEGERS
    elif isinstance(good, float):
        yield from BAD_REALS
    elif isinstance(good, np.ndarray):
        yield from NO_ARRAYS[: None if name in QKV else 3]
        yield np.ma.array(good)
        if good.dtype == float:
            wrong = NO_DTYPES if name in (*QKV, "logits") else NO_DTYPES[:2]
            yield from (np.zeros(good.shape, dtype) for dtype in wrong)
            if name != "positions":
                yield from map(np.ones, [(), *SHAPES.get(name, [])])


def unusual_values(name, good):
    """Yield pairs of an unusual value and the plain value with the same result."""
    if not isinstance(good, np.ndarray) or good.dtype != float:
        return
    few = [good.astype(np.float16), good.tolist()]
    dtypes = [int, np.int8, np.float32, ml_dtypes.bfloat16, good.dtype.newbyteorder()]
    layouts = [good[::-1].copy()[::-1], np.asfortranarray(good), tuple(good.tolist())]
    foreign = [Convertible(good), good.view(type("Subclass", (np.ndarray,), {}))]
    more = [*(good.astype(t) for t in dtypes), *layouts, *foreign]
    yield from ((value, good) for value in few + (more if name in QKV else []))


def calls(values):
    """Return calls with each value of each argument, by function and argument."""
    found, checked = {}, set()
    for function, arguments in GOOD.items():
        for name, good in arguments.items():
            each = list(values(name, good))
            if name in (*OPTIONS, *LENGTHS, "attn_mask", "is_causal", "scale"):
                if name in checked:  # other functions share the check
                    del each[1:]
                checked.add(name)
            found[function, name] = [(function, arguments, name, v) for v in each]
    return found


def named(groups):
    """Return a parameter for each group: fewer tests are faster."""
    return [
        pytest.param(g, id=f"{f.__qualname__}, {n}") for (f, n), g in groups.items()
    ]


BAD, ODD = calls(bad_values), calls(unusual_values)
for argument in ("key", "value"):
    del ODD[KeyValueCache.append, argument]  # has the dtype of its first tokens
for name, pairs in UNUSUAL.items():
    ODD[sdpa, name] += [(sdpa, GOOD[sdpa], name, pair) for pair in pairs]


@pytest.mark.parametrize("group", named(BAD))
def test_a_bad_value_is_accepted_or_refused_without_its_name(group):
    for function, good, name, value in group:
        try:
            CALLERS.get(function, function)(**{**good, name: value})
        except (TypeError, ValueError) as error:
            refusal = error
        else:
            pytest.fail(f"accepted: {value!r} (the checks are in attention/_checks)")
        assert re.search(rf"\b{re.escape(name)}\b", str(refusal)), refusal
        assert_well_put(refusal)
        entries = value if isinstance(value, list | tuple) else ()
        types = {type(each).__name__ for each in (value, *entries)}
        assert set(re.findall(r"\btype (\w+)", str(refusal))) <= types


@pytest.mark.parametrize("group", named(ODD))
def test_an_unusual_value_gives_another_result_than_the_plain_value(group):
    for function, good, name, (value, plain) in group:
        call = CALLERS.get(function, function)
        expected = arrays_in(call(**{**good, name: plain}))
        found = arrays_in(call(**{**good, name: value}))
        narrow = getattr(value, "dtype", None) in (np.float16, ml_dtypes.bfloat16)
        for one, other in zip(found, expected, strict=True):
            largest = max(1, np.abs(other[np.isfinite(other)]).max(initial=0))
            rounding = (0.02 if narrow else 1e-6) * largest
            np.testing.assert_allclose(one, other, rtol=0, atol=rounding, err_msg=name)


def arrays_in(result):
    """Return the arrays of any result as float64."""
    if isinstance(result, np.ndarray):
        result = (result,)
    elif not isinstance(result, tuple):
        result = tuple(vars(result).values())
    return [each.astype(float) for each in result if isinstance(each, np.ndarray)]


RESULTS = (attention.AttentionTrace, attention.AttentionGradients)
RESULTS += (attention.MultiHeadTrace, attention.MultiHeadGradients)


def test_an_argument_is_tested_without_bad_values():
    for thing in (each for each in public() if each not in RESULTS):
        asked = GOOD.get(thing, {})
        missing = set(inspect.signature(thing).parameters) - {"self"} - set(asked)
        assert not missing, f"add {missing} to GOOD[{thing}], with a good value"
        for name, good in asked.items():
            assert list(bad_values(name, good)), f"add bad values of {name} to SPECIAL"


@pytest.mark.skipif(NUMPY_1, reason="the book counts the calls of NumPy 2")
def test_the_book_states_other_numbers_of_calls():
    counted = [sum(map(len, groups.values())) for groups in (BAD, ODD)]
    assert trust() == counted, f"write {counted} into tests/conformance/trust.csv"


def test_the_largest_allowed_values_are_refused():
    assert repr(KeyValueCache(sys.maxsize)).endswith(f"={sys.maxsize})")
    largest, zero = np.finfo(float).max, [[0.0]]
    assert sdpa(zero, zero, [[2.0]], scale=largest) == 2
    for below in (1e-300, np.finfo(float).tiny):
        assert sdpa(zero, zero, [[2.0]], softcap=below) == 2
