"""The class `WorkedExample`, and functions that make its arrays."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.notes.extract import load

_NUMBERS = load()


def read_only(values: ArrayLike) -> NDArray[np.float64]:
    """Return a read-only float64 array."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def last_figures(
    source: str, shape: tuple[int, ...], *lines: int
) -> NDArray[np.float64]:
    """Return the last figures of some lines of a note as a read-only array.

    Each line gives the same number of figures. Labels stand before them.
    """
    width = math.prod(shape) // len(lines)
    figures = [_NUMBERS[source][line][-width:] for line in lines]
    return read_only(np.reshape(figures, shape))


def printed_figures(**figures: ArrayLike) -> Mapping[str, NDArray[np.float64]]:
    """Return an immutable mapping from names of quantities to printed numbers."""
    return MappingProxyType({name: read_only(v) for name, v in figures.items()})


@dataclass(frozen=True, eq=False)
class WorkedExample:
    """A worked example of the notes: its stated inputs and its printed numbers.

    X, the embeddings of the n words, has shape (n, d_model). W_Q and W_K have shape
    (d_model, d_k), and W_V has shape (d_model, d_v); with several heads, the first axis
    is the head. W_O has shape (h * d_v, d_model). Matrices that the notes do not state
    are None. All arrays are read-only float64.
    """

    source: str  # the file of the notes
    tokens: tuple[str, ...]
    X: NDArray[np.float64]
    W_Q: NDArray[np.float64] | None
    W_K: NDArray[np.float64] | None
    W_V: NDArray[np.float64] | None
    W_O: NDArray[np.float64] | None
    printed: Mapping[str, NDArray[np.float64]]  # numbers as printed, right or wrong
