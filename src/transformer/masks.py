"""Who may look at whom. True takes part, as everywhere in `attention`."""

import numpy as np
from numpy.typing import NDArray

from attention import alibi


def padding(tokens: NDArray) -> NDArray:
    """Return a mask that hides the filling at the end of short sentences.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., m)
        0 is filling.

    Returns
    -------
    ndarray of bool, shape (..., 1, 1, m)
        The same for every head and every query.
    """
    return (tokens != 0)[..., None, None, :]


def causal(n: int) -> NDArray:
    """Return a mask, shape (n, n), that lets a word see itself and what came before.

    >>> causal(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tri(n, dtype=bool)


def by_distance(mask: NDArray, num_heads: int, n: int, dtype: np.dtype) -> NDArray:
    """Return a mask of booleans as one that also takes from the scores by distance.

    Parameters
    ----------
    mask : ndarray of bool
        Broadcasts to (..., h, n, n).
    num_heads, n : int
    dtype : numpy.dtype

    Returns
    -------
    ndarray, shape (..., h, n, n)
        To be added to the scores: ALiBi where the mask is True, ``-inf`` elsewhere.
    """
    return np.where(mask, alibi(num_heads, n, n), -np.inf).astype(dtype)
