"""The blocked kernel against the formula; its parts and its threads."""

import itertools
import math
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import ml_dtypes
import numpy as np
import pytest
from agreement import assert_near
from hypothesis import given, settings
from hypothesis import strategies as st
from repeats import first_and_weekly

from attention import _blocked, _blocked_backward, _parts, _threads
from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients
from attention._blocked import attend_blocked
from attention._checks import arrays as arrays_checks
from attention._checks import calls
from attention._formula import attend
from attention._options import CALL_DEFAULTS

INF, NAN = np.inf, np.nan


def arguments_of(query, key, value, attn_mask=None, **options):
    """Return the checked arguments of a call."""
    grouped, causal = (options.pop(name, False) for name in ("enable_gqa", "is_causal"))
    rest = grouped, attn_mask, causal, options.pop("scale", None)
    return calls.call_arguments(query, key, value, *rest, CALL_DEFAULTS | options)


def by_formula_and_kernel(arrays, block=(2, 6), **how):
    """Return (output, lse) by formula and by kernel; `block`: its keys and scores."""
    arguments = arguments_of(*arrays, **how)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(_parts, "BLOCK_KEYS", block[0])
        patch.setattr(_parts, "BLOCK_SCORES", block[1])
        patch.setattr(_blocked, "ALIGNED", 2)
        patch.setenv(_threads.LIMIT, "1")
        steps = attend(arguments.broadcast())
        top = steps.logits.max(-1, keepdims=True)
        top = np.where(top == -INF, 0, top)
        log_sum = top + np.log(np.exp(steps.logits - top).sum(-1, keepdims=True))
        found = np.full((*arguments.rows_shape, 1), NAN, arguments.query.dtype)
        return (steps.output, log_sum), (attend_blocked(arguments, found), found)


def random_call(rng, dtype):
    """Return random arrays and random options of a call."""
    n, m, d_k, d_v = (int(size) for size in rng.integers(1, [13, 13, 5, 5]))
    heads, groups = ((4, 2), (3, 1), (2, 2))[rng.integers(3)]
    shapes = (2, heads, n, d_k), (2, groups, m, d_k), (2, groups, m, d_v)
    arrays = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    how = {"enable_gqa": True, "alignment": rng.choice(calls.ALIGNMENTS).item()}
    masks = {
        "none": None,
        "bool": rng.random((n, m)) > 0.4,
        "float": np.where(rng.random((heads, n, m)) > 0.4, rng.normal(size=m), -INF),
        "column": rng.normal(size=(n, 1)),
    }
    how["attn_mask"] = masks[rng.choice(list(masks))]
    how["is_causal"] = how["attn_mask"] is None and rng.random() < 0.5
    options = {
        "local_window_size": lambda: tuple(rng.integers(0, 6, size=2).tolist()),
        "key_value_seq_lengths": lambda: rng.integers(0, m + 1, size=(2, 1)),
        "query_seq_lengths": lambda: rng.integers(0, n + 1, size=(2, 1)),
        "softcap": lambda: float(rng.uniform(0.5, 5)),
        "scale": lambda: float(rng.normal()),
    }
    how |= {name: draw() for name, draw in options.items() if rng.random() < 0.3}
    block = int(rng.integers(1, 7)), int(rng.integers(8, 200))
    return arrays, {**how, "block": block}


@pytest.mark.parametrize("seed", first_and_weekly(range(100), first=5))
def test_gradients_depend_on_the_parts(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    arrays, how = random_call(rng, np.float64)
    del how["block"]
    d_output = rng.normal(size=(*arrays[0].shape[:-1], arrays[2].shape[-1]))
    whole = sdpa_gradients(d_output, *arrays, **how)
    monkeypatch.setattr(_parts, "BLOCK_KEYS", 3)
    monkeypatch.setattr(_parts, "BLOCK_SCORES", 9)
    for one, cut in zip(whole, sdpa_gradients(d_output, *arrays, **how), strict=True):
        if one is None:
            assert cut is None
        else:
            assert_near(cut, one)


@pytest.mark.more
@settings(max_examples=3 * settings().max_examples, derandomize="CI" in os.environ)
@given(
    seed=st.integers(0, 2**32 - 1),
    dtype=st.sampled_from(["float64", "float32", "float16", ml_dtypes.bfloat16]),
    sharpness=st.sampled_from([1, 30, 1000, 10_000]),
    size=st.sampled_from([0, 1, 1e-30, 1e30]),
    poison=st.sampled_from([None, NAN, INF, -INF]),
)
def test_the_kernels_disagree_on_extreme_numbers(seed, dtype, sharpness, size, poison):
    rng = np.random.default_rng(seed)
    arrays, how = random_call(rng, np.float64)
    query, key, value = arrays = [a.astype(dtype) for a in arrays]
    working = arrays_checks.WORKING[query.dtype.name]
    with np.errstate(over="ignore"):
        query *= query.dtype.type(sharpness)
    value *= value.dtype.type(min(size, 1) if dtype == "float16" else size)
    if poison is not None:
        key[rng.random(key.shape[:-1]) < 0.1] = poison
    # A rounding error of s * eps in a logit changes its weight by a share of s * eps.
    tolerance = 64 * float(np.finfo(working).eps) * max(1, sharpness)
    pairs = zip(*by_formula_and_kernel(arrays, **how), (0, 1), strict=True)
    for plain, blocked, least in pairs:
        assert blocked.dtype == plain.dtype
        largest = np.abs(plain[np.isfinite(plain)]).max(initial=least)
        assert_near(blocked, plain, atol=tolerance * largest)


@pytest.mark.parametrize("logit", [0, 30, -30, 100, -100])
@pytest.mark.parametrize("size", [3.4e38, 1.0, 1e-19, 1e-37])
def test_float32_output_is_wrong_for_some_size_of_logit_or_value(size, logit):
    value = np.full((40, 2), size, np.float32)
    query, key = np.ones((40, 1), np.float32), np.full((40, 1), logit, np.float32)
    for block in ((7, 70), (40, 1600)):
        for output, log_sum in by_formula_and_kernel((query, key, value), block):
            np.testing.assert_allclose(output, value, rtol=1e-5)
            np.testing.assert_allclose(log_sum, logit + math.log(40), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("below", [0.1, 0.6, 0.7, 1.0])
def test_weights_are_wrong_when_only_the_sum_of_exponentials_overflows(dtype, below):
    """The products with small values stay in range: only the sum overflows."""
    logit = np.log(np.finfo(dtype).max) - below
    query, key = np.ones((1, 1), dtype), np.full((2, 1), logit, dtype)
    value = np.array([[0.25], [-0.5]], dtype)
    output, log_sum = sdpa(query, key, value, scale=1.0, return_lse=True)
    np.testing.assert_allclose(output, [[-0.125]], rtol=1e-6)
    np.testing.assert_allclose(log_sum, [logit + math.log(2)], rtol=1e-6)
    d = sdpa_gradients(query, query, key, value, scale=1.0)
    np.testing.assert_allclose(d.value, [[0.5], [0.5]], rtol=1e-4)


@pytest.mark.parametrize("score", [-6, -15, -100, 77])
def test_a_tiny_column_of_values_vanishes_beside_others(score):
    """The product of a small exponential and a tiny value could underflow."""
    tiny = np.float32(1e-37)
    value = np.tile(np.array([tiny, 1, -2], np.float32), (300, 1))
    query, key = np.ones((300, 1), np.float32), np.full((300, 1), score, np.float32)
    output = sdpa(query, key, value, scale=1.0)
    np.testing.assert_allclose(output, value, rtol=1e-5)
    key[1:] -= 100  # the first key gets all weight and has the only value
    value[1:] = 0
    output = sdpa(query, key, value, scale=1.0)
    np.testing.assert_allclose(output, np.tile(value[0], (300, 1)), rtol=1e-6)


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_tiny_value_vanishes_in_a_batch_entry(place):
    """In the entries 0 and `place` the exponentials of a row add up to less than 1."""
    query, key = np.ones((4, 1, 1, 1), np.float32), np.zeros((4, 1, 2, 1), np.float32)
    key[[0, place]] = -6
    value = np.ones((4, 1, 2, 1), np.float32)
    value[place] = 1e-37
    rounding = 4 * np.finfo(np.float32).eps  # more than five roundings of eps / 2
    output = sdpa(query, key, value, scale=1.0)
    np.testing.assert_allclose(output, value[:, :, :1], rtol=rounding)


# Parts


@pytest.mark.parametrize("threads", ["1", "5"])
@pytest.mark.parametrize(
    "axes", [(3, 5, 7), (64, 8, 128), (2, 1, 4, 3000), (7, 0, 3), (1,)]
)
@pytest.mark.parametrize("m", [0, 1, 200, 5000])
def test_parts_miss_or_repeat_a_row_or_exceed_a_block(axes, m, threads, monkeypatch):
    monkeypatch.setenv(_threads.LIMIT, threads)
    monkeypatch.setattr(_threads, "blas_controller", object)  # as with threadpoolctl
    query, key = (np.broadcast_to(1.0, (*shape, 64)) for shape in (axes, (m,)))
    arguments = arguments_of(query, key, key)
    counted = np.zeros(axes, int)
    places, used, _ = _parts.split_call(arguments)
    for place in places:
        counted[place] += 1
        assert counted[place].size * min(m, _parts.BLOCK_KEYS) <= _parts.BLOCK_SCORES
    assert (counted == 1).all()
    size = counted.size * m * 128 / _threads.WORTH_A_THREAD  # d_k + d_v = 128
    assert used <= int(threads)
    assert used == int(threads) or size < 5
    assert used == 1 or size > 1 / (1 + _parts.READING_QUERIES)
    assert len(places) >= min(used, counted.size)


@pytest.mark.parametrize(
    ("n", "m", "threads"), [(64, 64, 2), (65, 64, 1), (1, 144, 2), (1, 145, 1)]
)
def test_a_large_product_gets_threads_without_threadpoolctl(n, m, threads, monkeypatch):
    """BLAS itself uses threads above 2**18 multiplications, or 9216 of a vector."""
    monkeypatch.setenv(_threads.LIMIT, "2")
    monkeypatch.setattr(_threads, "WORTH_A_THREAD", 1)
    query, key = np.ones((4, n, 64)), np.ones((4, m, 64))
    assert _parts.split_call(arguments_of(query, key, key))[1] == 2
    monkeypatch.setattr(_threads, "blas_controller", lambda: None)
    assert _parts.split_call(arguments_of(query, key, key))[1] == threads
    assert_near(sdpa(query, key, key), query)


# Batch axes of the shared array: (2 sequences or 1 for all, 3 heads or 1 for all).
# Second entry: the number of units, which different threads may compute.
SHARED = {
    "nothing is shared": ({}, 6),
    "all sequences share the keys": ({"key": (1, 3)}, 3),
    "all heads share the keys": ({"key": (2, 1)}, 2),
    "all share the values": ({"value": (1, 1)}, 1),
    "all heads share the mask": ({"mask": (2, 1)}, 2),
    "all share the mask": ({"mask": (1, 1)}, 1),
}


@pytest.mark.parametrize(("shared", "count"), SHARED.values(), ids=SHARED)
def test_two_threads_add_to_one_gradient(shared, count, monkeypatch):
    """Parts that add to the same rows of a gradient must be in one unit."""
    monkeypatch.setattr(_parts, "BLOCK_SCORES", 8)
    shapes = dict.fromkeys(["query", "key", "value", "mask"], (2, 3)) | shared
    totals = _blocked_backward.Totals(*(np.zeros((*s, 4, 4)) for s in shapes.values()))
    arguments = arguments_of(*totals[:3], totals.mask)
    places, *_ = _parts.split_call(arguments)
    units = _blocked_backward.group_parts(places, totals, arguments.rows_shape)
    assert len(units) == count
    assert sorted(map(str, itertools.chain(*units))) == sorted(map(str, places))
    for total, unit in itertools.product(totals, units):
        written = np.zeros(total.shape, bool)
        for place in unit:
            rows = place if total is totals.query else place[:-1]
            _blocked_backward.cut(written, rows)[...] = True
        assert not total[written].any()
        total[written] = 1


# Threads


@pytest.fixture
def large(monkeypatch):
    """Return arrays so large that a call uses as many threads as its limit allows."""
    monkeypatch.setattr(_threads, "WORTH_A_THREAD", 2**20)
    rng = np.random.default_rng(5)
    return [rng.normal(size=(3, 600, 8)).astype(np.float32) for _ in range(3)]


@pytest.mark.parametrize("wrong", ["0", "-1", "two", "1.5", " ", "9" * 5000])
def test_a_bad_thread_limit_is_accepted_or_unnamed(wrong, large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", wrong)
    for arrays in (large, [a[:, :2] for a in large]):
        with pytest.raises(ValueError, match=r"ATTENTION_NUM_THREADS .* '.{,60}'$"):
            sdpa(*arrays)


def blas_threads():
    info = _threads.blas_controller().info()
    return [library["num_threads"] for library in info if library["user_api"] == "blas"]


@pytest.fixture
def two_blas_threads():
    """Give BLAS two threads in any environment, so that a limit of one is visible."""
    with _threads.blas_controller().limit(limits=2, user_api="blas"):
        assert set(blas_threads()) == {2}
        yield


@pytest.mark.usefixtures("two_blas_threads")
@pytest.mark.parametrize(("limit", "fails"), [("1", False), ("2", False), ("1", True)])
def test_blas_has_two_threads_during_a_call_or_one_after_it(
    limit, fails, large, monkeypatch
):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", limit)
    before, inside, part = blas_threads(), [], _blocked.attend_part

    def watched(*arguments):
        inside.extend(blas_threads())
        return 1 / 0 if fails else part(*arguments)

    monkeypatch.setattr(_blocked, "attend_part", watched)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) if fails else nullcontext():
            sdpa(*large)
        assert set(inside) == {1}
        assert blas_threads() == before


@pytest.mark.more
@pytest.mark.usefixtures("two_blas_threads")
def test_calls_from_many_threads_are_wrong_or_leave_blas_limited(large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", "2")
    # Small blocks: for large products BLAS starts threads, which wait for each other.
    monkeypatch.setattr(_parts, "BLOCK_KEYS", 64)
    monkeypatch.setattr(_parts, "BLOCK_SCORES", 64 * 64)
    before, expected = blas_threads(), sdpa(*large)
    with ThreadPoolExecutor(4) as pool:
        for call in [pool.submit(sdpa, *large) for _ in range(24)]:
            assert_near(call.result(), expected, atol=1e-6)
    assert blas_threads() == before


@pytest.mark.parametrize("failing", ["caller", "helper"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_a_thread_begins_another_part_after_an_error(failing, error, monkeypatch):
    """There are 1000 tasks of 5 ms each: a thread that goes on would take seconds."""
    begun, raised, main = [], threading.Event(), threading.get_ident()

    def work(tasks):
        thread = "caller" if threading.get_ident() == main else "helper"
        for task in tasks:
            begun.append(task)
            if thread == failing:
                raised.set()
                raise error
            raised.wait(5)
            time.sleep(0.005)

    units = [list(range(500)), list(range(500, 1000))]
    with pytest.raises(error):
        _threads.run_units(work, units, 2, limit_blas=False)
    assert len(begun) <= 4  # at most two tasks for each of the two threads
