"""The stored maps of the real model."""

import numpy as np
import pytest

from course.kit import real_maps
from course.kit.real_maps import HEADS, LAYERS


def test_an_unpacked_map_differs_by_more_than_half_a_step():
    rng = np.random.default_rng(0)
    weights = np.tril(rng.random((LAYERS, HEADS, 7, 7)))
    back = real_maps.unpack(real_maps.pack(weights), 7)
    np.testing.assert_allclose(back, weights, rtol=0, atol=0.5 / 255 + 1e-9)


@pytest.mark.parametrize("name", real_maps.SENTENCES)
def test_a_stored_map_has_wrong_words_or_rows_that_do_not_add_up_to_one(name):
    stored = real_maps.stored(name)
    n = len(stored.words)
    assert "".join(stored.words) == real_maps.SENTENCES[name]
    assert stored.weights.shape == (LAYERS, HEADS, n, n)
    np.testing.assert_allclose(stored.weights.sum(axis=-1), 1, atol=n * 0.5 / 255)
    assert stored.chances == sorted(stored.chances, reverse=True)
