"""The class `WorkedExample`, and two functions that make its arrays read-only."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray


def read_only(values: ArrayLike) -> NDArray[np.float64]:
    """Return a read-only float64 array."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def printed_figures(**figures: ArrayLike) -> Mapping[str, NDArray[np.float64]]:
    """Return an immutable mapping from names of quantities to printed numbers."""
    return MappingProxyType({name: read_only(v) for name, v in figures.items()})


@dataclass(frozen=True, eq=False)
class WorkedExample:
    """A worked example of the notes: its stated inputs and its printed numbers.

    Attributes
    ----------
    source : str
        File of the notes that contains the example.
    tokens : tuple of str
        The ``n`` words, in order.
    X : ndarray, shape (n, d_model)
        Embeddings, one row a token.
    W_Q, W_K : ndarray, shape ([h,] d_model, d_k), or None
        Query and key weights. With several heads, the first axis is the head. None if
        the notes state no weights.
    W_V : ndarray, shape ([h,] d_model, d_v), or None
        Value weights.
    W_O : ndarray, shape (h * d_v, d_model), or None
        Output projection.
    printed : mapping of str to ndarray
        Numbers as the notes print them, right or wrong, by the name of the quantity.

    Notes
    -----
    All arrays are read-only float64.
    """

    source: str
    tokens: tuple[str, ...]
    X: NDArray[np.float64]
    W_Q: NDArray[np.float64] | None
    W_K: NDArray[np.float64] | None
    W_V: NDArray[np.float64] | None
    W_O: NDArray[np.float64] | None
    printed: Mapping[str, NDArray[np.float64]]
