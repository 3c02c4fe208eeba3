"""Masks: True lets a query attend to a key, as everywhere in `attention`."""

import numpy as np
from numpy.typing import NDArray


def padding(tokens: NDArray) -> NDArray:
    """Return a mask that hides padding, the 0s of `tokens`, shape (..., m).

    It has the shape (..., 1, 1, m), because it is the same for every head and query.
    """
    return (tokens != 0)[..., None, None, :]


def causal(n: int) -> NDArray:
    """Return a mask, shape (n, n): a word attends to itself and to earlier words.

    >>> causal(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tri(n, dtype=bool)
