import copy
import pickle

import numpy as np
import pytest
from agreement import assert_read_only, normal

from attention import KeyValueCache

N, D_K, D_V, BATCH = 11, 3, 2, (5, 2)
KEY, VALUE = normal(0, (*BATCH, N, D_K), (*BATCH, N, D_V))


def tokens(begin, end, sign=1):
    """Return the keys and the values of tokens `begin` to `end`."""
    return sign * KEY[..., begin:end, :], sign * VALUE[..., begin:end, :]


def assert_equal(found, expected):
    for array, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(array, other)


@pytest.mark.parametrize("max_length", [None, 1, 2, 5, N, 40])
@pytest.mark.parametrize("steps", [[1] * N, [4, 7], [7, 1, 1, 2], [0, 3, 0, 8]])
def test_a_cache_returns_wrong_tokens_or_changes_earlier_ones(max_length, steps):
    cache, begin, returned = KeyValueCache(max_length=max_length), 0, []
    for step in steps:
        end = begin + step
        # The first new token attends to itself and to max_length - 1 older tokens.
        older = (max_length or N) - (step > 0 and max_length is not None)
        expected = tokens(max(begin - older, 0), end)
        found = cache.append(*tokens(begin, end))
        assert_equal(found, expected)
        assert_read_only(*found)
        assert len(cache) == min(end, max_length or N)
        returned.append((found, expected))
        begin = end
    for found, expected in returned:
        assert_equal(found, expected)


def test_repr_lacks_the_shapes():
    cache = KeyValueCache()
    assert repr(cache) == "KeyValueCache()"
    cache.append(KEY, VALUE)
    assert repr(cache) == "KeyValueCache((5, 2, 11, 3), (5, 2, 11, 2))"
    assert repr(KeyValueCache(max_length=4)) == "KeyValueCache(max_length=4)"


@pytest.mark.parametrize("max_length", [None, 6])
def test_new_tokens_do_not_replace_dropped_tokens_or_forgotten_ones_come_back(
    max_length,
):
    cache = KeyValueCache(max_length)
    before = cache.append(KEY, VALUE)
    cache.drop(4)
    length = (max_length or N) - 4
    assert len(cache) == length
    keys, _ = cache.append(*tokens(N - 4, N - 3, sign=-1))
    old = KEY[..., N - 4 - length : N - 4, :]
    new = -KEY[..., N - 4 : N - 3, :]
    np.testing.assert_array_equal(keys, np.concatenate([old, new], axis=-2))
    assert_equal(before, (KEY, VALUE))
    cache.drop(length + 1)
    assert len(cache) == 0


def pickled(cache):
    return pickle.loads(pickle.dumps(cache, protocol=5))  # has read-only buffers


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("max_length", [None, 6])
def test_a_copied_cache_shares_a_buffer(max_length, copied):
    """Beam search continues the same tokens in several ways, each on its own copy."""
    original = KeyValueCache(max_length)
    for i in range(5):  # the buffer has room for three more tokens
        original.append(*tokens(i, i + 1))
    copy_of_it, returned = copied(original), []
    for cache, sign in ((original, 1), (copy_of_it, -1)):
        returned.append((sign, cache.append(*tokens(0, 1, sign))))
        cache.append(*tokens(0, 3))
        assert len(cache) == (max_length or 9)
    for sign, found in returned:
        assert_equal([array[..., :5, :] for array in found], tokens(0, 5))
        assert_equal([array[..., 5:, :] for array in found], tokens(0, 1, sign))
