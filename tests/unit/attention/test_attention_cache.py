import copy

import numpy as np
import pytest
from agreement import assert_read_only

from attention import KeyValueCache

N, D_K, D_V, BATCH = 11, 3, 2, (5, 2)


def tokens():
    """Return query, key and value of N tokens."""
    rng = np.random.default_rng(0)
    shapes = [(*BATCH, N, D_K), (*BATCH, N, D_K), (*BATCH, N, D_V)]
    return [rng.normal(size=shape) for shape in shapes]


def test_arrays_returned_earlier_do_not_change():
    _, key, value = tokens()
    cache = KeyValueCache()
    early = [
        cache.append(key[..., i : i + 1, :], value[..., i : i + 1, :]) for i in range(N)
    ]
    for i, (keys, values) in enumerate(early):
        np.testing.assert_array_equal(keys, key[..., : i + 1, :])
        np.testing.assert_array_equal(values, value[..., : i + 1, :])
        assert_read_only(keys, values)


@pytest.mark.parametrize("max_length", [1, 2, 5, N, 40])
@pytest.mark.parametrize("steps", [[1] * N, [4, 7], [7, 1, 1, 2], [0, 3, 0, 8]])
def test_a_bounded_cache_returns_the_new_tokens_and_the_window_before_them(
    max_length, steps
):
    _, key, value = tokens()
    cache, begin, returned = KeyValueCache(max_length=max_length), 0, []
    for step in steps:
        end = begin + step
        # The first new token attends to itself and to max_length - 1 older tokens.
        older = max_length - 1 if step else max_length
        first = max(begin - older, 0)
        keys, values = cache.append(key[..., begin:end, :], value[..., begin:end, :])
        np.testing.assert_array_equal(keys, key[..., first:end, :])
        np.testing.assert_array_equal(values, value[..., first:end, :])
        assert len(cache) == min(end, max_length)
        returned.append((keys, keys.copy()))
        begin = end
    for keys, keys_when_returned in returned:
        np.testing.assert_array_equal(keys, keys_when_returned)


def test_forgotten_tokens_do_not_come_back():
    _, key, value = tokens()
    cache = KeyValueCache(max_length=4)
    cache.append(key, value)
    cache.drop(3)
    keys, _ = cache.append(key[..., :1, :], value[..., :1, :])
    np.testing.assert_array_equal(keys[..., 0, :], key[..., N - 4, :])
    assert len(cache) == 2


def test_repr_has_the_shapes():
    cache = KeyValueCache()
    assert repr(cache) == "KeyValueCache()"
    cache.append(*tokens()[1:])
    assert repr(cache) == "KeyValueCache((5, 2, 11, 3), (5, 2, 11, 2))"
    assert repr(KeyValueCache(max_length=4)) == "KeyValueCache(max_length=4)"


def test_new_tokens_replace_dropped_tokens():
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
@pytest.mark.parametrize("max_length", [None, 6])
def test_a_copied_cache_shares_no_buffer(max_length, copied):
    """Beam search continues the same tokens in several ways, each on its own copy."""
    _, key, value = tokens()
    original = KeyValueCache(max_length)
    for i in range(5):  # the buffer has room for three more tokens
        original.append(key[..., i : i + 1, :], value[..., i : i + 1, :])
    copy_of_it, returned = copied(original), []
    for cache, sign in ((original, 1), (copy_of_it, -1)):
        keys, values = cache.append(sign * key[..., :1, :], sign * value[..., :1, :])
        returned.append((sign, keys, values))
        cache.append(key[..., :3, :], value[..., :3, :])
        assert len(cache) == (max_length or 9)
    for sign, keys, values in returned:
        np.testing.assert_array_equal(keys[..., :5, :], key[..., :5, :])
        np.testing.assert_array_equal(keys[..., 5:, :], sign * key[..., :1, :])
        np.testing.assert_array_equal(values[..., 5:, :], sign * value[..., :1, :])
