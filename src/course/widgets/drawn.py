"""Random queries and keys, for figures that use their first entries."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEYS = 8
WIDEST = 1024
STEPS_PER_UNIT = 16
SEED = 0  # the first seed, not selected by its results


@cache
def draws() -> NDArray[np.int8]:
    """Return 8 queries and 8 keys in sixteenths, as integers: shape (2, 8, 1024).

    They are rounded normal numbers. Products and sums of sixteenths are exact in
    floating point, so Python and the view compute exactly the same scores.
    """
    normal = np.random.default_rng(SEED).standard_normal((2, KEYS, WIDEST))
    drawn = np.clip(np.rint(normal * STEPS_PER_UNIT), -127, 127).astype(np.int8)
    drawn.flags.writeable = False
    return drawn


def packed(queries: int) -> dict[str, Any]:
    """Return the first `queries` queries and all keys, packed for ``drawn.js``."""
    query, key = draws()
    return {
        "query": query[:queries].tobytes(),
        "key": key.tobytes(),
        "widest": WIDEST,
        "per_unit": STEPS_PER_UNIT,
    }
