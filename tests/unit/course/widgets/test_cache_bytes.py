"""The figure of a cache counts the bytes of its arrays."""

import numpy as np

from course.widgets.cache_bytes import SIZES, WIDTH, CacheBytes


def test_a_cache_has_other_bytes_than_its_arrays():
    for precision, dtype in enumerate((np.float32, np.float16, np.int8)):
        card = CacheBytes(layers=3, heads=16, n=5, precision=precision)
        found = card.numbers()
        assert np.dtype(dtype).itemsize == SIZES[precision]
        for heads, name in ((16, "own"), (2, "grouped"), (1, "single")):
            keys = np.zeros((3, heads, 5, WIDTH), dtype)
            assert found["bytes"][name] == 2 * keys.nbytes
        assert found["shares"] == [1, 1 / 8, 1 / 16]


def test_a_cache_larger_than_the_memory_is_said_to_fit():
    assert CacheBytes(n=2**20, heads=128, layers=128).said().key == "larger"
    assert CacheBytes(heads=1).said().key == "one"
    card = CacheBytes(layers=1, heads=2, n=1)
    assert card.facts() == {"own_bytes": 1024, "own": "1,024", "texts": "78,125,000"}
