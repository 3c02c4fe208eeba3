"""The map of tiles counts the tiles and scores that a mask leaves."""

import numpy as np
import pytest

from course.widgets import TileMap
from course.widgets.tiles import WORDS


@pytest.mark.parametrize("block", range(1, WORDS + 1))
def test_a_tile_with_a_seen_key_is_skipped(block):
    side = -(-WORDS // block)
    mask = np.zeros((side * block,) * 2, bool)
    mask[:WORDS, :WORDS] = np.tri(WORDS)
    seen = mask.reshape(side, block, side, block).any(axis=(1, 3))
    found = TileMap(block=block).numbers()
    assert (found["computed"], found["skipped"]) == (seen.sum(), (~seen).sum())
    inside = np.zeros_like(mask)
    inside[:WORDS, :WORDS] = True
    computed = np.kron(seen, np.ones((block, block))) * inside
    assert found["scores"] == computed.sum() >= mask.sum()
    everything = TileMap(block=block, causal=False).numbers()
    assert (everything["skipped"], everything["scores"]) == (0, WORDS**2)
