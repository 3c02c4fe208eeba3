"""Every argument of everything public, given what it should not be given.

A bad call is refused with an error that names the argument, or it is answered like the
same call with a plain array of floats: no warning, no wrong number.
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
from refusals import assert_well_put
from table import trust

import attention
from attention import (
    KeyValueCache,
    MultiHeadAttention,
    alibi,
    log_softmax,
    merge_heads,
    rotary_embedding,
    rotary_table,
    scaled_dot_product_attention,
    scaled_dot_product_attention_gradients,
    softmax,
    split_heads,
    trace_attention,
)

REFUSED = object()
GOOD = np.random.default_rng(0)


def whole(*shape):
    """Small whole numbers, so that any dtype holds them."""
    return GOOD.integers(-3, 4, size=shape).astype(float)


class Convertible:
    """What pandas, JAX or PyTorch hand out: no array, but it can become one."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype)


class Inconvertible:
    """A tensor on another device or in need of a detach, and whatever fails else."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error


NUMPY_1 = np.__version__.startswith("1.")  # its arrays have at most 32 axes
DEEP_LIST = functools.reduce(lambda inner, _: [inner], range(33), 1.0)

# What no array argument takes, whatever its shape.
NO_ARRAYS = {
    "text": "abc",
    "bytes": b"abc",
    "an object": object(),
    "a dictionary": {"a": 1.0},
    "a set": {1.0},
    "a function": len,
    "a generator": (x for x in [1.0]),
    "a list of None": [[None, None]],
    "a ragged list": [[1.0], [1.0, 2.0]],
    "an integer beyond 64 bits": [[2**70]],
    "fractions": [[Fraction(1, 3)]],
    "on another device": Inconvertible(TypeError("can't convert, copy it first")),
    "in need of detach": Inconvertible(RuntimeError("call detach() first")),
    "a failing key": Inconvertible(KeyError("data")),
    "a failing value": Inconvertible(ValueError("buffer is gone")),
    "a failing attribute": [Inconvertible(AttributeError("no attribute 'data'"))],
    "a date": datetime.datetime(2020, 1, 1),
    "a list of masked arrays": [np.ma.ones(2), np.ma.ones(2)],
    "a masked number in a tuple": [(1.0, np.ma.masked)],
    "a list of 33 axes": DEEP_LIST,
}
if not NUMPY_1:
    NO_ARRAYS["33 axes"] = np.array(DEEP_LIST)
# Dtypes that none takes.
NO_DTYPES = {
    "booleans": bool,
    "complex numbers": complex,
    "objects": object,
    "texts": str,
    "dates": "M8[s]",
    "durations": "m8[s]",
    "long doubles": np.longdouble,
    "fields": [("a", float)],
    "float8": ml_dtypes.float8_e4m3fn,
    "int4": ml_dtypes.int4,
}


def like(good):
    """What is as good as this array of floats."""
    yield "a list", good.tolist()
    yield "a tuple", tuple(good.tolist())
    yield "convertible", Convertible(good)
    yield "integers", good.astype(int)
    yield "small integers", good.astype(np.int8)
    yield "float16", good.astype(np.float16)
    yield "float32", good.astype(np.float32)
    yield "bfloat16", good.astype(ml_dtypes.bfloat16)
    yield "the other byte order", good.astype(good.dtype.newbyteorder())
    yield "reversed twice", good[::-1].copy()[::-1]
    yield "Fortran order", np.asfortranarray(good)
    yield "a subclass", good.view(type("Subclass", (np.ndarray,), {}))


def bad_arrays(good, shapes):
    """Kinds of a bad array argument, and `REFUSED` or what it counts as."""
    return [
        *refuse(NO_ARRAYS),
        *refuse({kind: np.zeros(good.shape, t) for kind, t in NO_DTYPES.items()}),
        ("a masked array", np.ma.array(good), REFUSED),
        *((kind, value, good) for kind, value in like(good)),
        *((f"shape {shape}", np.ones(shape), REFUSED) for shape in shapes),
    ]


def refuse(kinds):
    return [(kind, value, REFUSED) for kind, value in kinds.items()]


def first_of(arguments):
    """One bad value of each argument: another function is given all of them."""
    first = {}
    for name, kinds in arguments:
        for kind in kinds:
            if kind[-1] is REFUSED:
                first.setdefault(name, kind)
    return [(name, [kind]) for name, kind in first.items()]


# What the arguments that are no arrays refuse, and what they count as otherwise.
BAD_FLAGS = {"text": "yes", "1": 1, "0.0": 0.0, "None": None, "a list": [True]}
BAD_INTEGERS = {
    "text": "1",
    "a float": 1.0,
    "a fraction": Fraction(2),
    "True": True,
    "NaN": np.nan,
    "None": None,
    "an array": np.array([2]),
    "an array of no axes": np.array(2),
    "a list": [2],
    "below zero": -1,
    "beyond any size": 10**400,
    "too long to print": -(10**5000),
}
NO_BOUNDS = {k: v for k, v in BAD_INTEGERS.items() if k != "None"} | {"zero": 0}
BAD_REALS = {
    "text": "1",
    "True": True,
    "NaN": np.nan,
    "infinity": np.inf,
    "minus infinity": -np.inf,
    "complex": 1j,
    "a list": [1.0],
    "an array": np.array([1.0]),
    "an integer beyond floats": 10**400,
}


N, M, D_K, D_V, H = 3, 5, 7, 2, 11
QUERY, KEY, VALUE = whole(2, N, D_K), whole(2, M, D_K), whole(2, M, D_V)
SHAPES = {
    "query": [(), (D_K,), (N, 0), (N, D_K + 1), (3, N, D_K)],
    "key": [(), (D_K,), (M, D_K + 1), (M + 1, D_K), (3, M, D_K)],
    "value": [(), (D_V,), (M + 1, D_V), (3, M, D_V)],
    "d_output": [(), (D_V,), (N, D_V), (2, N, D_V + 1), (2, N + 1, D_V), (1, N, D_V)],
}
ATTENTION = [
    *((n, bad_arrays(a, SHAPES[n])) for n, a in
      [("query", QUERY), ("key", KEY), ("value", VALUE)]),
    ("attn_mask", [
        *refuse(NO_ARRAYS),
        *refuse({
            kind: np.zeros((N, M), t) for kind, t in NO_DTYPES.items() if t is not bool
        }),
        ("integers", np.ones((N, M), int), REFUSED),
        ("NaN", np.full((N, M), np.nan), REFUSED),
        ("infinity", np.full((N, M), np.inf), REFUSED),
        ("masked", np.ma.ones((N, M)), REFUSED),
        *((f"shape {s}", np.ones(s, bool), REFUSED) for s in
          [(M, N), (N,), (3, N, M), (N + 1, M), (5, 2, N, M), (N, M, 1), (0, M)]),
        ("a list of booleans", [[True] * M] * N, np.ones((N, M), bool)),
        ("float16", np.full((N, M), 0.5, np.float16), np.full((N, M), 0.5)),
        ("bfloat16", np.full((N, M), 0.5, ml_dtypes.bfloat16), np.full((N, M), 0.5)),
        ("a list of floats", [[0.5] * M] * N, np.full((N, M), 0.5)),
    ]),
    ("is_causal", refuse(BAD_FLAGS)),
    ("is_causal", [("NumPy's True", np.True_, True)]),
    ("enable_gqa", refuse(BAD_FLAGS)),
    ("scale", refuse(BAD_REALS)),
    ("scale", [("a fraction", Fraction(1, 2), 0.5), ("float32", np.float32(0.5), 0.5)]),
    ("query_seq_lengths", [
        *refuse({"a float": 2.0, "True": True, "below zero": -1, "too many": N + 1}),
        *refuse({"three for two": [1, 1, 1], "axes too many": [[[1]], [[1]]]}),
        ("a list", [1, 2], np.array([1, 2])),
        ("one for all", 2, np.array([2, 2])),
    ]),
    ("softcap", [
        *refuse(BAD_REALS), *refuse({"zero": 0.0, "below zero": -1.0, "tiny": 5e-324})
    ]),
    ("alignment", refuse({
        "another": "left", "None": None, "a number": 0, "bytes": b"top-left",
        "capitals": "Top-Left", "a list": ["top-left"], "an array": np.zeros(2),
    })),
    ("key_value_seq_lengths", [
        *refuse({k: v for k, v in NO_ARRAYS.items() if k != "a ragged list"}),
        *refuse({
            "a float": 2.0, "floats": [1.0, 2.0], "True": True, "below zero": -1,
            "more than there are": M + 1, "three for two": [1, 1, 1],
            "axes too many": [[[1]], [[1]]], "NaN": np.nan,
            "a ragged list": [[1], [1, 2]], "unsigned, too many": np.uint64(2**63),
        }),
        ("a list", [1, 2], np.array([1, 2])),
        ("one for all", 3, np.array([3, 3])),
        ("unsigned", np.array([1, 2], np.uint8), np.array([1, 2])),
    ]),
    ("local_window_size", [
        *refuse({
            kind: value for kind, value in BAD_INTEGERS.items()
            if kind not in ("None", "a list", "beyond any size")
        }),
        *refuse({
            "one side": (1,), "three sides": (1, 1, 1), "a float side": (1.0, 1),
            "a side below zero": (1, -1), "a text side": ("1", 1), "a flag": (True, 0),
        }),
        ("a list", [1, 2], (1, 2)),
        ("NumPy's integers", (np.int8(1), np.uint8(2)), (1, 2)),
        ("wider than anything", 10**30, None),
    ]),
]  # fmt: skip
BIAS = np.zeros((H, D_K))
WEIGHTS = {
    "W_Q": whole(H, D_K, 13),
    "W_K": whole(H, D_K, 13),
    "W_V": whole(H, D_K, 2),
    "W_O": whole(H * 2, D_K),
}
OPTIONAL = {
    "b_Q": whole(H, 13),
    "b_K": whole(H, 13),
    "b_V": whole(H, 2),
    "b_O": whole(D_K),
}
EXTRA = {"bias_k": whole(H, 13), "bias_v": whole(H, 2)}
LAYER = MultiHeadAttention(**WEIGHTS, **OPTIONAL)
X, CONTEXT = whole(2, N, D_K), whole(2, M, D_K)
DEEP = (*(1,) * 30, M, D_K)  # no room for the heads' axis
TOKENS = [
    ("x", bad_arrays(X, [(), (D_K,), (N, D_K + 1), (N, 0), (3, N, D_K), DEEP])),
    ("context", bad_arrays(CONTEXT, [(), (D_K,), (M, 1), (3, M, D_K), DEEP])),
    ("values", bad_arrays(CONTEXT, [(), (D_K,), (M, 1), (M + 1, D_K), DEEP])),
    ("cache", refuse({"text": "x", "a list": [], "the class": KeyValueCache})),
]
OPTIONS = [
    # a layer chooses its alignment where none is given
    (name, [kind for kind in kinds if (name, kind[0]) != ("alignment", "None")])
    for name, kinds in ATTENTION
    if name not in (*SHAPES, "enable_gqa")
]
COS, SIN = whole(N, 2), whole(N, 2)
STATE = {
    "in_proj_weight": whole(12, 4),
    "in_proj_bias": whole(12),
    "out_proj.weight": whole(4, 4),
    "out_proj.bias": whole(4),
}


def calls(name):
    """Note which public function a wrapper calls."""

    def decorate(function):
        function.calls = name
        return function

    return decorate


@calls("append")
def cached(key, value):
    cache = KeyValueCache()
    cache.append(np.zeros((2, 1, D_K)), np.zeros((2, 1, D_V)))
    return cache.append(key, value)


@calls("append")
def filled(key, value):
    return KeyValueCache().append(key, value)


@calls("drop")
def dropped(n):
    KeyValueCache().drop(n)


@calls("MultiHeadAttention")
def built(**weights):
    return MultiHeadAttention(**weights)(X, CONTEXT)


def from_torch(state_dict, num_heads, **options):
    return MultiHeadAttention.from_torch(state_dict, num_heads, **options).W_Q


def entry(name):
    """Calls of `from_torch` with one bad entry; the error names the entry."""

    def call(**arguments):
        return from_torch({**STATE, **arguments}, 2)

    call.__name__ = "from_torch"
    return call, {name: STATE[name]}, [(name, bad_arrays(STATE[name], [(), (5,)]))]


QKV = {"query": QUERY, "key": KEY, "value": VALUE}
D_OUTPUT = whole(2, N, D_V)
TARGETS = [
    (scaled_dot_product_attention, QKV, [
        *ATTENTION,
        ("dropout_p", refuse(BAD_REALS | {"None": None, "a tenth": 0.1, "one": 1})),
        ("dropout_p", [("an integer", 0, 0.0), ("float32", np.float32(0), 0.0)]),
        ("return_lse", refuse(BAD_FLAGS)),
    ]),
    (KeyValueCache, {}, [("max_length", refuse(NO_BOUNDS))]),
    (dropped, {}, [("n", refuse(BAD_INTEGERS | {"one of none": 1}))]),
    (trace_attention, QKV, first_of(ATTENTION)),
    (
        scaled_dot_product_attention_gradients,
        {"d_output": D_OUTPUT, **QKV},
        [
            ("d_output", bad_arrays(D_OUTPUT, SHAPES["d_output"])),
            *first_of(ATTENTION),
        ],
    ),
    *(
        (
            function,
            {"logits": whole(N, M)},
            [
                ("logits", bad_arrays(whole(N, M), [()])),
                ("axis", refuse(BAD_INTEGERS | {"below zero": -3, "too many": 2})),
            ],
        )
        for function in (softmax, log_softmax)
    ),
    (
        softmax,
        {"logits": whole(N, M)},
        [
            ("beta", refuse(BAD_REALS | {"None": None, "below zero": -1.0})),
            ("beta", [("a fraction", Fraction(1, 2), 0.5)]),
        ],
    ),
    (
        split_heads,
        {"x": whole(N, 6), "num_heads": 2},
        [
            ("x", bad_arrays(whole(N, 6), [(), (6,), (N, 5)])),
            ("num_heads", refuse(BAD_INTEGERS | {"zero": 0, "four": 4})),
            ("num_heads", [("NumPy's integer", np.int8(3), 3)]),
        ],
    ),
    (
        merge_heads,
        {"x": whole(2, N, 3)},
        [("x", bad_arrays(whole(2, N, 3), [(), (N, 3)]))],
    ),
    (
        rotary_embedding,
        {"x": whole(2, N, 4), "cos": COS, "sin": SIN},
        [
            ("x", bad_arrays(whole(2, N, 4), [(), (4,), (N, 3), (N + 1, 4)])),
            ("cos", bad_arrays(COS, [(), (N, 3), (N + 1, 2), (3, N, 2)])),
            ("sin", bad_arrays(SIN, [(), (N, 3), (N + 1, 2), (3, N, 2)])),
            ("interleaved", refuse(BAD_FLAGS)),
        ],
    ),
    (
        rotary_table,
        {"positions": whole(N), "width": 4},
        [
            ("positions", bad_arrays(whole(N), [])),
            ("positions", refuse({"NaN": [np.nan], "infinity": [np.inf]})),
            ("width", refuse(BAD_INTEGERS | {"odd": 3, "zero": 0})),
            ("base", refuse(BAD_REALS | {"None": None, "below one": 0.5})),
        ],
    ),
    (
        alibi,
        {"num_heads": 4, "n": 2, "m": 3},
        [
            ("num_heads", refuse(BAD_INTEGERS | {"zero": 0})),
            ("n", refuse(BAD_INTEGERS)),
            ("m", refuse(BAD_INTEGERS)),
        ],
    ),
    (
        filled,
        {"key": KEY, "value": VALUE},
        [
            ("key", bad_arrays(KEY, [(), (D_K,)])),
            ("value", bad_arrays(VALUE, [(), (D_V,), (2, M + 1, D_V)])),
        ],
    ),
    (
        cached,
        {"key": KEY, "value": VALUE},
        [
            ("key", refuse({
                "float32": KEY.astype(np.float32), "integers": KEY.astype(int),
                "wider": np.ones((2, M, D_K + 1)), "no batch": np.ones((M, D_K)),
                "another batch": np.ones((3, M, D_K)),
            })),
            ("value", refuse({
                "float32": VALUE.astype(np.float32), "wider": np.ones((2, M, D_V + 1)),
                "longer": np.ones((2, M + 1, D_V)), "no batch": np.ones((M, D_V)),
            })),
        ],
    ),
    (
        built,
        {**WEIGHTS, **OPTIONAL, **EXTRA},
        [
            *(
                (name, bad_arrays(good, [(), (19,), (17, *good.shape[1:])]))
                for name, good in (WEIGHTS | OPTIONAL | EXTRA).items()
                if name not in ("W_Q",)
            ),
            ("W_Q", bad_arrays(WEIGHTS["W_Q"], [(), (3,), (4, 3), (H, D_K, 3, 1)])),
            ("bias_k", [("None", None, REFUSED)]),
            ("bias_v", [("None", None, REFUSED)]),
            ("add_zero_attn", refuse(BAD_FLAGS)),
        ],
    ),
    (LAYER.__call__, {"x": X, "context": CONTEXT}, [*TOKENS, *first_of(OPTIONS)]),
    (LAYER.trace, {"x": X, "context": CONTEXT}, first_of(TOKENS + OPTIONS)),
    (
        LAYER.gradients,
        {"d_output": X, "x": X, "context": CONTEXT},
        [
            ("d_output", bad_arrays(X, [(), (D_K,), (N, D_K), (2, N, D_K + 1)])),
            *first_of(TOKENS + OPTIONS),
        ],
    ),
    (
        from_torch,
        {"state_dict": STATE, "num_heads": 2},
        [
            ("state_dict", refuse({
                "a list": [1], "None": None, "text": "weights", "an array": whole(3, 3),
                "nothing": {}, "an unknown name": STATE | {"foo": whole(1)},
                "a missing name": {"in_proj_weight": STATE["in_proj_weight"]},
                "a name that is no text": STATE | {1: whole(1)},
            })),
            ("num_heads", refuse(BAD_INTEGERS | {"zero": 0, "three": 3})),
            ("add_zero_attn", refuse(BAD_FLAGS)),
            ("prefix", refuse({"a number": 1, "None": None, "another": "layer."})),
        ],
    ),
    *(entry(name) for name in STATE),
]  # fmt: skip


def expand():
    """Every call: the function, good arguments, the bad one, and what to expect."""
    for function, good, bad in TARGETS:
        for name, kinds in bad:
            for kind, value, expected in kinds:
                yield pytest.param(
                    function,
                    good,
                    name,
                    value,
                    expected,
                    id=f"{function.__name__}, {name}: {kind}",
                )


CALLS = list(expand())


def arrays_in(result):
    """The arrays of a result of whatever kind, as float64."""
    if isinstance(result, np.ndarray):
        return [result.astype(float)]
    if not isinstance(result, tuple):
        result = tuple(vars(result).values())
    return [a.astype(float) for a in result if isinstance(a, np.ndarray)]


def by_argument():
    """The calls of each function and argument; one test each would take longer."""
    groups = {}
    for call in CALLS:
        groups.setdefault(call.id.partition(":")[0], []).append(call)
    return [pytest.param(calls, id=name) for name, calls in groups.items()]


@pytest.mark.parametrize("calls", by_argument())
def test_bad_calls_are_refused_by_name_or_answered(calls):
    for call in calls:
        try:
            check(*call.values)
        except BaseException as error:
            error.add_note(f"The call: {call.id}")
            raise


def check(function, good, name, value, expected):
    arguments = {**good, name: value}
    if expected is REFUSED:
        with pytest.raises((TypeError, ValueError)) as refusal:
            function(**arguments)
        assert re.search(rf"\b{re.escape(name)}\b", str(refusal.value)), refusal.value
        assert_well_put(refusal.value)
        assert types_named(refusal.value) <= types_in(value)
        return
    plain = arrays_in(function(**{**good, name: expected}))
    for ours, theirs in zip(arrays_in(function(**arguments)), plain, strict=True):
        largest = max(1, np.abs(theirs[np.isfinite(theirs)]).max(initial=0))
        rounding = 0.02 * largest if narrow(value) else 1e-6 * largest
        assert not np.isnan(ours).any()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=rounding)


def types_named(error):
    return set(re.findall(r"\btype (\w+)", str(error)))


def types_in(value):
    entries = value if isinstance(value, list | tuple) else ()
    return {type(each).__name__ for each in (value, *entries)}


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [value]])
@pytest.mark.parametrize("error", [ValueError, AttributeError])
def test_what_an_array_says_of_its_failure_is_passed_on(error, wrap):
    failing = wrap(Inconvertible(error("the buffer is gone")))
    rows = isinstance(failing, list) and error is ValueError  # as NumPy says it
    says = "rows of equal length" if rows else "which says: the buffer is gone"
    with pytest.raises(ValueError if rows else TypeError, match=says):
        softmax(failing)


def narrow(value):
    return getattr(value, "dtype", None) in (np.float16, ml_dtypes.bfloat16)


@pytest.mark.skipif(NUMPY_1, reason="the book counts the calls of NumPy 2")
def test_the_book_says_how_many_there_are():
    refused = sum(call.values[-1] is REFUSED for call in CALLS)
    assert len({call.id for call in CALLS}) == len(CALLS)
    assert trust() == [refused, len(CALLS) - refused]


def everything_public():
    """Every public function, class and method that takes arguments."""
    for name in attention.__all__:
        thing = getattr(attention, name)
        if not inspect.isclass(thing):
            yield thing
        elif thing in (KeyValueCache, MultiHeadAttention):
            yield from (thing, *methods_of(thing))


def methods_of(thing):
    names = [name for name in vars(thing) if name == "__call__" or name[0] != "_"]
    return filter(inspect.isroutine, (getattr(thing, name) for name in names))


@pytest.mark.parametrize(
    "thing", [*everything_public()], ids=lambda each: each.__qualname__
)
def test_every_argument_is_given_bad_values(thing):
    asked = {
        argument
        for function, _, argument, *_ in (call.values for call in CALLS)
        if getattr(function, "calls", function.__name__) == thing.__name__
    }
    missing = set(inspect.signature(thing).parameters) - {"self"} - asked
    assert not missing, f"add bad values of {missing} to TARGETS of this file"


def test_the_largest_that_can_be_is_not_too_large():
    assert repr(KeyValueCache(sys.maxsize)).endswith(f"={sys.maxsize})")
    largest, zero = np.finfo(float).max, [[0.0]]
    assert scaled_dot_product_attention(zero, zero, [[2.0]], scale=largest) == 2
    for below in (1e-300, np.finfo(float).tiny):
        assert scaled_dot_product_attention(zero, zero, [[2.0]], softcap=below) == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", [scaled_dot_product_attention, trace_attention])
def test_no_finite_value_makes_nan_where_the_scores_are_finite(function, dtype):
    """The largest and the smallest numbers there are."""
    largest, tiny = np.finfo(dtype).max, np.finfo(dtype).tiny
    small = np.full((N, 1), tiny, dtype)
    for value in (largest, -largest, tiny, 0):
        values = np.full((M, 1), value, dtype)
        for mask in (None, np.full((N, M), -largest), np.full((N, M), largest)):
            result = function(small, np.full((M, 1), largest, dtype), values, mask)
            for array in arrays_in(result):
                assert np.isfinite(array).all()
