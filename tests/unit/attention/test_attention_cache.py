import copy

import numpy as np
import pytest

from attention import KeyValueCache
from attention import scaled_dot_product_attention as sdpa

N, D_K, D_V, BATCH = 11, 3, 2, (5, 2)


def tokens(dtype=np.float64, n=N):
    rng = np.random.default_rng(0)
    shapes = [(*BATCH, n, D_K), (*BATCH, n, D_K), (*BATCH, n, D_V)]
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("steps", [[1] * N, [4, 7], [7, 1, 1, 2], [0, N], [N, 0]])
def test_decoding_step_by_step_equals_the_whole_sequence(steps):
    query, key, value = tokens()
    cache, begin = KeyValueCache(), 0
    for step in steps:
        at = np.s_[..., begin : begin + step, :]
        begin += step
        seen = cache.append(key[at], value[at])
        assert len(cache) == begin
        np.testing.assert_array_equal(seen[0], key[..., :begin, :])
        np.testing.assert_array_equal(seen[1], value[..., :begin, :])
    whole = sdpa(query, key, value, is_causal=True)
    last = sdpa(query[..., -1:, :], *cache.append(key[..., :0, :], value[..., :0, :]))
    np.testing.assert_allclose(last, whole[..., -1:, :], rtol=0, atol=1e-14)


def test_arrays_returned_earlier_do_not_change():
    _, key, value = tokens()
    cache = KeyValueCache()
    early = [
        cache.append(key[..., i : i + 1, :], value[..., i : i + 1, :]) for i in range(N)
    ]
    for i, (keys, values) in enumerate(early):
        np.testing.assert_array_equal(keys, key[..., : i + 1, :])
        np.testing.assert_array_equal(values, value[..., : i + 1, :])
        for array in (keys, values):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0


def test_room_grows_by_doubling():
    cache, buffers = KeyValueCache(), set()
    for _ in range(100):
        keys, _ = cache.append([[1.0]], [[1.0]])
        buffers.add(keys.base.__array_interface__["data"][0])
    assert len(buffers) == 8  # room for 1, 2, 4, ... 128


@pytest.mark.parametrize("most", [1, 2, 5, N, 40])
@pytest.mark.parametrize("steps", [[1] * N, [4, 7], [7, 1, 1, 2], [0, 3, 0, 8]])
def test_a_bounded_cache_returns_the_new_tokens_and_the_window_before_them(most, steps):
    _, key, value = tokens()
    cache, begin, early = KeyValueCache(max_length=most), 0, []
    for step in steps:
        at = np.s_[..., begin : begin + step, :]
        before = min(begin, most - 1 if step else most)
        keys, values = cache.append(key[at], value[at])
        first, begin = begin - before, begin + step
        np.testing.assert_array_equal(keys, key[..., first:begin, :])
        np.testing.assert_array_equal(values, value[..., first:begin, :])
        assert len(cache) == min(begin, most)
        early.append((keys, keys.copy()))
    for keys, before in early:
        np.testing.assert_array_equal(keys, before)


def test_a_bounded_cache_needs_room_for_twice_what_it_keeps():
    cache, rooms = KeyValueCache(max_length=10), set()
    for _ in range(1000):
        keys, _ = cache.append([[1.0]], [[1.0]])
        rooms.add(keys.base.nbytes)
    assert max(rooms) <= 8 * 2 * 10


def test_forgotten_tokens_do_not_come_back():
    _, key, value = tokens()
    cache = KeyValueCache(max_length=4)
    cache.append(key, value)
    cache.drop(3)
    keys, _ = cache.append(key[..., :1, :], value[..., :1, :])
    np.testing.assert_array_equal(keys[..., 0, :], key[..., N - 4, :])
    assert len(cache) == 2


def test_repr_says_the_shapes():
    cache = KeyValueCache()
    assert repr(cache) == "KeyValueCache()"
    cache.append(*tokens()[1:])
    assert repr(cache) == "KeyValueCache((5, 2, 11, 3), (5, 2, 11, 2))"
    assert repr(KeyValueCache(max_length=4)) == "KeyValueCache(max_length=4)"


def test_the_next_tokens_replace_dropped_ones():
    _, key, value = tokens()
    cache = KeyValueCache()
    before, _ = cache.append(key, value)
    cache.drop(4)
    assert len(cache) == N - 4
    keys, _ = cache.append(2 * key[..., -4:-3, :], value[..., -4:-3, :])
    np.testing.assert_array_equal(keys[..., :-1, :], key[..., :-4, :])
    np.testing.assert_array_equal(keys[..., -1:, :], 2 * key[..., -4:-3, :])
    np.testing.assert_array_equal(before, key)
    cache.drop(N - 3)
    assert len(cache) == 0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("most", [None, 6])
def test_a_copied_cache_shares_no_buffer(most, copied):
    """Two ways on from the same tokens, as a search with several beams takes them."""
    _, key, value = tokens()
    one = KeyValueCache(most)
    for i in range(5):  # room for three more
        one.append(key[..., i : i + 1, :], value[..., i : i + 1, :])
    other, ways = copied(one), []
    for cache, sign in ((one, 1), (other, -1)):
        keys, values = cache.append(sign * key[..., :1, :], sign * value[..., :1, :])
        ways.append((sign, keys, values))
        cache.append(key[..., :3, :], value[..., :3, :])
        assert len(cache) == (most or 9)
    for sign, keys, values in ways:
        np.testing.assert_array_equal(keys[..., :5, :], key[..., :5, :])
        np.testing.assert_array_equal(keys[..., 5:, :], sign * key[..., :1, :])
        np.testing.assert_array_equal(values[..., 5:, :], sign * value[..., :1, :])
