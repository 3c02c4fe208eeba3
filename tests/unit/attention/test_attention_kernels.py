"""The blocked kernel beside the plain formula, its memory and its threads."""

import math
import os
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repeats import first_and_more

from attention import _blocked, _checks, _dot_product, _threads
from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients
from attention._blocked import attend_blocked
from attention._dot_product import attend

INF, NAN = np.inf, np.nan
TOLERANCE = {"float64": 1e-12, "float32": 1e-5}


def both(arrays, sizes=(3, 6), **how):
    """Return plain and blocked output and log_sum of one call, unrounded."""
    arguments = _checks.attention(*arrays, **how)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(_blocked, "ROWS", sizes[0])
        patch.setattr(_blocked, "BLOCK", sizes[1])
        patch.setenv(_threads.LIMIT, "1")
        steps = attend(arguments)
        return steps.output, steps.log_sum, *attend_blocked(arguments)


def assert_agree(arrays, tolerance, **how):
    plain, plain_sum, blocked, blocked_sum = both(arrays, **how)
    assert blocked.dtype == plain.dtype
    assert blocked_sum.dtype == plain_sum.dtype
    np.testing.assert_array_equal(np.isnan(blocked), np.isnan(plain))
    largest = np.abs(plain[np.isfinite(plain)]).max(initial=0)
    np.testing.assert_allclose(blocked, plain, rtol=0, atol=tolerance * largest)
    largest = np.abs(plain_sum[np.isfinite(plain_sum)]).max(initial=1)
    np.testing.assert_allclose(blocked_sum, plain_sum, rtol=0, atol=tolerance * largest)


def random_call(rng, dtype):
    """Return arrays and options of a call, any of them or none."""
    n, m, d_k, d_v = (int(size) for size in rng.integers(1, [13, 13, 5, 5]))
    heads, groups = ((4, 2), (3, 1), (2, 2))[rng.integers(3)]
    shapes = (2, heads, n, d_k), (2, groups, m, d_k), (2, groups, m, d_v)
    arrays = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    how = {"enable_gqa": True, "alignment": rng.choice(_checks.ALIGNMENTS).item()}
    masks = {
        "none": None,
        "bool": rng.random((n, m)) > 0.4,
        "float": np.where(rng.random((heads, n, m)) > 0.4, rng.normal(size=m), -INF),
        "column": rng.normal(size=(n, 1)),
    }
    how["attn_mask"] = masks[rng.choice(list(masks))]
    how["is_causal"] = how["attn_mask"] is None and rng.random() < 0.5
    if rng.random() < 0.3:
        how["local_window_size"] = tuple(rng.integers(0, 6, size=2).tolist())
    if rng.random() < 0.3:
        how["key_value_seq_lengths"] = rng.integers(0, m + 1, size=(2, 1))
    if rng.random() < 0.3:
        how["softcap"] = float(rng.uniform(0.5, 5))
    if rng.random() < 0.3:
        how["scale"] = float(rng.normal())
    sizes = int(rng.integers(1, 7)), int(rng.integers(8, 40))
    return arrays, {**how, "sizes": sizes}


@pytest.mark.parametrize("hundred", first_and_more(range(10)))
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_both_kernels_agree_in_a_thousand_random_calls(dtype, hundred):
    for seed in range(100 * hundred, 100 * hundred + 100):
        arrays, how = random_call(np.random.default_rng(seed), dtype)
        assert_agree(arrays, TOLERANCE[dtype], **how)


@pytest.mark.parametrize("seed", first_and_more(range(100), first=20))
def test_both_ways_back_agree_in_random_calls(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    arrays, how = random_call(rng, np.float64)
    del how["sizes"]
    d_output = rng.normal(size=(*arrays[0].shape[:-1], arrays[2].shape[-1]))
    found = []
    for limit in (math.inf, -1):
        monkeypatch.setattr(_dot_product, "PLAIN_UP_TO", limit)
        monkeypatch.setattr(_blocked, "ROWS", 3)
        monkeypatch.setattr(_blocked, "BLOCK", 9)
        found.append(sdpa_gradients(d_output, *arrays, **how))
    for plain, blocked in zip(*found, strict=True):
        if plain is None:
            assert blocked is None
        else:
            np.testing.assert_allclose(blocked, plain, rtol=0, atol=1e-12)


@settings(max_examples=3 * settings().max_examples, derandomize="CI" in os.environ)
@given(
    seed=st.integers(0, 2**32 - 1),
    dtype=st.sampled_from(["float64", "float32", "float16", ml_dtypes.bfloat16]),
    sharpness=st.sampled_from([1, 30, 1000, 10_000]),
    size=st.sampled_from([0, 1, 1e-30, 1e30]),
    poison=st.sampled_from([None, NAN, INF, -INF]),
)
def test_both_kernels_agree_where_it_is_hard(seed, dtype, sharpness, size, poison):
    rng = np.random.default_rng(seed)
    arrays, how = random_call(rng, np.float64)
    query, key, value = arrays = [a.astype(dtype) for a in arrays]
    working = _checks.WORKING[query.dtype.name]
    with np.errstate(over="ignore"):
        query *= query.dtype.type(sharpness)
    value *= value.dtype.type(min(size, 1) if dtype == "float16" else size)
    if poison is not None:
        hit = rng.random(key.shape[:-1]) < 0.1
        key[hit] = poison
    # A logit of size s is rounded by s eps: so are the weights, relative to themselves.
    tolerance = 64 * float(np.finfo(working).eps) * max(1, sharpness)
    assert_agree(arrays, tolerance, **how)


@pytest.mark.parametrize("logit", [0, 9, -9, 30, -30, 100, -100])
@pytest.mark.parametrize("size", [3.4e38, 1e19, 1.0, 1e-19, 1e-30, 1e-37])
def test_no_size_of_logit_or_value_overflows_or_vanishes_in_float32(size, logit):
    value = np.full((40, 2), size, np.float32)
    query, key = np.ones((40, 1), np.float32), np.full((40, 1), logit, np.float32)
    *_, output, log_sum = both((query, key, value), sizes=(7, 70))
    np.testing.assert_allclose(output, value, rtol=1e-5)
    np.testing.assert_allclose(log_sum, logit + math.log(40), rtol=1e-6)


def test_logits_of_ten_thousand_have_the_closed_form():
    key = np.repeat([[0.0], [1e4], [1e4 - 1], [-1e4]], 3, axis=0)
    *_, output, log_sum = both(([[1.0]], key, np.arange(12.0)[:, None]), sizes=(1, 2))
    share = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(output, [[4 * share + 7 * (1 - share)]], rtol=1e-13)
    expected = 1e4 + math.log(3) + math.log1p(math.exp(-1))
    np.testing.assert_allclose(log_sum, [[expected]], rtol=1e-15)


@pytest.mark.parametrize("as_float", [False, True])
def test_a_row_may_be_masked_in_some_blocks_only(as_float):
    mask = np.ones((4, 12), bool)
    mask[0, :4] = mask[1, 4:8] = mask[2, 8:] = mask[3] = False
    rng = np.random.default_rng(0)
    arrays = [50 * rng.normal(size=(rows, 3)) for rows in (4, 12, 12)]
    mask = np.where(mask, 0, -INF) if as_float else mask
    assert_agree(arrays, 1e-12, attn_mask=mask, sizes=(4, 16))
    output = both(arrays, attn_mask=mask, sizes=(4, 16))[2]
    np.testing.assert_array_equal(output[3], 0)


@pytest.mark.parametrize("poison", [NAN, INF, -INF])
@pytest.mark.parametrize("how", [{"is_causal": True}, {"attn_mask": np.tri(9) > 0}])
def test_a_value_that_is_not_finite_reaches_the_rows_that_see_it(poison, how):
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(9, 2)) for _ in range(3)]
    arrays[2][4, 1] = poison
    plain, _, blocked, _ = both(arrays, **how)
    np.testing.assert_allclose(blocked, plain, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(blocked[4:, 1], poison)


def test_padding_may_hold_anything_and_costs_no_bit():
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(9, 2)) for _ in range(3)]
    clean = both(arrays, key_value_seq_lengths=6)[2]
    arrays[1][6:], arrays[2][6:] = NAN, INF
    output = both(arrays, key_value_seq_lengths=6)[2]
    np.testing.assert_array_equal(output, clean)


# The choice


def test_the_number_of_scores_chooses_the_kernel(monkeypatch):
    called = []
    monkeypatch.setattr(_dot_product, "attend_blocked", lambda a: called.append(a) or a)
    rows = _dot_product.PLAIN_UP_TO // 64
    few, many = np.ones((rows, 1), np.float32), np.ones((rows + 1, 1), np.float32)
    key = np.ones((64, 1), np.float32)
    sdpa(few, key, key)
    assert not called
    arguments = _checks.attention(many, key, key)
    _dot_product.attend_output(arguments)
    assert called == [arguments]


# Memory


def peak(function):
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


LONG = 4096
LENGTHY = {
    "full": {},
    "causal": {"is_causal": True},
    "bool mask": {"attn_mask": np.tri(LONG, dtype=bool)},
    "float mask": {"attn_mask": np.zeros((LONG, LONG), np.float16)},
    "window": {"local_window_size": 100, "key_value_seq_lengths": LONG - 7},
    "softcap": {"softcap": 1.0},
    "all masked": {"attn_mask": np.zeros((LONG, 1), bool)},
}


@pytest.mark.parametrize("kind", LENGTHY)
def test_memory_grows_with_the_length_and_not_with_its_square(kind, monkeypatch):
    monkeypatch.setenv(_threads.LIMIT, "2")
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=(LONG, 2)).astype(np.float32) for _ in range(3)]
    scores = 4 * LONG * LONG
    assert peak(lambda: sdpa(*arrays, **LENGTHY[kind])) < scores / 20


@pytest.mark.parametrize("kind", ["full", "causal", "bool mask", "window", "softcap"])
def test_the_way_back_needs_no_more_than_the_length_either(kind, monkeypatch):
    monkeypatch.setenv(_threads.LIMIT, "2")
    rng = np.random.default_rng(6)
    arrays = [rng.normal(size=(LONG, 2)).astype(np.float32) for _ in range(4)]
    scores = 4 * LONG * LONG
    assert peak(lambda: sdpa_gradients(*arrays, **LENGTHY[kind])) < scores / 10


def test_grouped_keys_are_never_copied():
    rng = np.random.default_rng(4)
    query = rng.normal(size=(64, 2, 8)).astype(np.float32)
    key = rng.normal(size=(1, 2**17, 8)).astype(np.float32)
    arguments = _checks.attention(query, key, key, enable_gqa=True)
    assert np.shares_memory(arguments.key, key)
    assert peak(lambda: attend_blocked(arguments)) < 2 * key.nbytes


def test_blocks_that_nobody_sees_are_skipped():
    n = 16 * 256
    ones = np.ones((n, 1), np.float32)
    arguments = _checks.attention(ones, ones, ones, is_causal=True)
    head = _blocked.head_of(arguments, ())
    scores = sum(
        256 * (columns.stop - columns.start)
        for i in range(0, n, 256)
        for columns, _ in _blocked.column_blocks(head.rows(slice(i, i + 256)))
    )
    assert scores == n * (n + 256) // 2


# Threads


@pytest.fixture
def large():
    rng = np.random.default_rng(5)
    return [rng.normal(size=(3, 600, 8)).astype(np.float32) for _ in range(3)]


def threads_of(call, limit, monkeypatch):
    """Return the threads in which the rows of a call were computed."""
    found, rows = set(), _blocked.attend_rows
    came = threading.Event()  # the last thread that is allowed

    def seen(*arguments):
        found.add(threading.get_ident())
        if len(found) < limit:
            came.wait(5)
        came.set()
        return rows(*arguments)

    monkeypatch.setattr(_blocked, "attend_rows", seen)
    call()
    monkeypatch.setattr(_blocked, "attend_rows", rows)
    return found


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_environment_limits_the_threads(limit, large, monkeypatch):
    expected = sdpa(*large)
    monkeypatch.setenv("ATTENTION_NUM_THREADS", str(limit))
    found = threads_of(lambda: sdpa(*large), limit, monkeypatch)
    assert len(found) == limit
    assert (threading.get_ident() in found) == (limit == 1)
    np.testing.assert_allclose(sdpa(*large), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("wrong", ["0", "-1", "two", "1.5", " "])
def test_a_wrong_limit_is_refused_by_name(wrong, large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", wrong)
    with pytest.raises(ValueError, match=f"ATTENTION_NUM_THREADS .* got '{wrong}'"):
        sdpa(*large)


@pytest.mark.parametrize("cores", [1, 3])
def test_without_a_limit_there_is_a_thread_for_each_core_it_may_use(cores, monkeypatch):
    monkeypatch.delenv(_threads.LIMIT, raising=False)
    monkeypatch.setattr(
        os, "sched_getaffinity", lambda _: set(range(cores)), raising=False
    )
    assert _threads.thread_limit() == cores


@pytest.mark.parametrize(("counted", "threads"), [(6, 6), (None, 1)])
def test_a_system_that_cannot_say_which_cores_counts_them(
    counted, threads, monkeypatch
):
    monkeypatch.delenv(_threads.LIMIT, raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert _threads.thread_limit() == threads


def blas_threads():
    info = _threads.blas_controller().info()
    return [library["num_threads"] for library in info if library["user_api"] == "blas"]


@pytest.fixture
def two_blas_threads():
    """Give BLAS two threads, whatever the environment says: a change can be seen."""
    with _threads.blas_controller().limit(limits=2, user_api="blas"):
        assert set(blas_threads()) == {2}
        yield


@pytest.mark.usefixtures("two_blas_threads")
def test_blas_has_one_thread_meanwhile_and_its_own_again(large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", "2")
    rows, inside, before = _blocked.attend_rows, [], blas_threads()

    def seen(*arguments):
        inside.append(blas_threads())
        return rows(*arguments)

    monkeypatch.setattr(_blocked, "attend_rows", seen)
    sdpa(*large)
    assert all(set(threads) == {1} for threads in inside)
    assert blas_threads() == before


@pytest.mark.usefixtures("two_blas_threads")
def test_calls_from_many_threads_are_right_and_leave_blas_as_it_was(large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", "2")
    monkeypatch.setattr(_blocked, "ROWS", 64)  # products too small for BLAS's threads,
    monkeypatch.setattr(_blocked, "BLOCK", 64 * 64)  # which would wait for each other
    before, expected = blas_threads(), sdpa(*large)
    with ThreadPoolExecutor(4) as pool:
        for call in [pool.submit(sdpa, *large) for _ in range(24)]:
            np.testing.assert_allclose(call.result(), expected, rtol=0, atol=1e-6)
    assert blas_threads() == before


@pytest.mark.usefixtures("two_blas_threads")
def test_an_error_in_a_thread_reaches_the_caller(large, monkeypatch):
    monkeypatch.setenv("ATTENTION_NUM_THREADS", "2")
    before = blas_threads()
    monkeypatch.setattr(_blocked, "attend_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sdpa(*large)
    assert blas_threads() == before


def test_it_works_without_threadpoolctl(large, monkeypatch):
    expected = sdpa(*large)
    monkeypatch.setattr(_threads, "blas_controller", lambda: None)
    np.testing.assert_allclose(sdpa(*large), expected, rtol=0, atol=1e-6)
