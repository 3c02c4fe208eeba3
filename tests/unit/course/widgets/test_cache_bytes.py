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


def test_the_bytes_of_a_code_depend_on_the_heads():
    for heads in (1, 4, 16):
        card = CacheBytes(layers=3, heads=heads, n=5, code=640, without_code=False)
        codes, keys = np.zeros((3, 5, 640), np.float16), heads * 2 * WIDTH
        assert card.numbers()["bytes"]["code"] == codes.nbytes
        assert card.numbers()["shares"][3] == 640 / max(640, keys)
        assert card.facts()["share"] == {1: "2.500", 4: "0.625", 16: "0.156"}[heads]
