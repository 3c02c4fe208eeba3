"""Queries and keys, drawn once, for figures that take as many entries as asked."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEYS = 8
WIDEST = 1024
STEPS_PER_UNIT = 16
SEED = 0  # not chosen: the first that comes


@cache
def draws() -> NDArray[np.int8]:
    """Draw 8 queries and 8 keys, standard normal, in sixteenths: (2, 8, 1024).

    On this grid every product and sum is exact in floating point, so Python and
    the view hold the same scores to the last bit, in a byte an entry.
    """
    normal = np.random.default_rng(SEED).standard_normal((2, KEYS, WIDEST))
    drawn = np.clip(np.rint(normal * STEPS_PER_UNIT), -127, 127).astype(np.int8)
    drawn.flags.writeable = False
    return drawn


def packed(queries: int = KEYS) -> dict[str, Any]:
    """Give the first queries and all keys as the views take them (``drawn.js``)."""
    query, key = draws()
    return {
        "query": query[:queries].tobytes(),
        "key": key.tobytes(),
        "widest": WIDEST,
        "per_unit": STEPS_PER_UNIT,
    }
