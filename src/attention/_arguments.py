"""The checked arguments of a call of attention, or of a part of a call."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._block import Visibility

Place = tuple[slice, ...]  # one slice for each batch axis, and one for the queries


class Arguments(NamedTuple):
    """Checked arguments of the kernels. No array except a mask has ``n * m`` entries.

    Attributes
    ----------
    query, key, value : ndarray, shape (..., n, d_k), (..., m, d_k), (..., m, d_v)
        In the dtype to compute in, all with the same number of axes; an axis of length
        1 broadcasts. With grouped heads, axis -4 counts the key heads, and axis -3 the
        query heads that share one key head.
    visibility : Visibility
        Which keys each query sees. The mask has the number of axes of `query`; `start`
        and `stop` have one axis fewer.
    scale : float
        In the dtype to compute in; so is `softcap`.
    softcap : float or None
    dtype : dtype
        The dtype of the result.
    batch : tuple of int
        The batch axes of the result, in which grouped heads share one axis.
    extra : int
        Number of keys at the end that every query sees; `visibility` omits them.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    visibility: Visibility
    scale: float
    softcap: float | None
    dtype: np.dtype
    batch: tuple[int, ...]
    extra: int = 0

    @property
    def rows_shape(self) -> tuple[int, ...]:
        """The batch axes of the computation, then the number of queries."""
        batch, n = self.batch, self.query.shape[-2]
        if self.query.ndim > len(batch) + 2:  # grouped heads have two axes
            groups = self.key.shape[-4]
            batch = (*batch[:-1], groups, batch[-1] // groups)
        return (*batch, n)

    def part(self, place: Place) -> "Arguments":
        """Return the arguments of the heads and queries at `place`, as views."""
        if not place:
            return self
        return self._replace(
            query=cut(self.query, place),
            key=cut(self.key, place[:-1]),
            value=cut(self.value, place[:-1]),
            visibility=self.visibility.map(lambda array, _: cut(array, place)),
        )

    def rows(self, rows: NDArray) -> "Arguments":
        """Return arguments with only the queries at the indices `rows` of each head."""

        def take(array: NDArray, axis: int) -> NDArray:
            return array if array.shape[axis] == 1 else array.take(rows, axis)

        return self._replace(
            query=self.query.take(rows, -2), visibility=self.visibility.map(take)
        )

    def broadcast(self) -> "Arguments":
        """Return arguments with full batch axes in query, key and value, as views."""
        query, key, value = (
            np.broadcast_to(array, (*self.rows_shape[:-1], *array.shape[-2:]))
            for array in (self.query, self.key, self.value)
        )
        return self._replace(query=query, key=key, value=value)

    def as_result(self, array: NDArray) -> NDArray:
        """Return an array (..., n, x) in the batch axes and the dtype of the result."""
        if array.shape[:-2] != self.batch:
            array = array.reshape(*self.batch, *array.shape[-2:])
        if array.dtype == self.dtype:
            return array
        with np.errstate(all="ignore"):
            return array.astype(self.dtype)


def cut(array: NDArray, place: Place) -> NDArray:
    """Return the part of an array at a place; an axis of length 1 stays whole."""
    pairs = zip(place, array.shape, strict=False)
    return array[tuple(piece if n > 1 else slice(None) for piece, n in pairs)]


def group_heads(arguments: Arguments) -> Arguments:
    """Return arguments whose query heads are grouped by the key head that they share.

    If key and value have different numbers of heads, their heads are repeated up to
    the least common multiple. In all other cases nothing is copied.
    """
    h, key_and_value = arguments.batch[-1], (arguments.key, arguments.value)
    groups = math.lcm(*(array.shape[-3] for array in key_and_value)) if h else 0
    key, value = (
        array
        if array.shape[-3] == groups
        else np.repeat(array, groups // array.shape[-3], axis=-3)
        for array in key_and_value
    )
    if groups == h:
        return arguments._replace(key=key, value=value)

    def split(array: NDArray, axis_of_queries: int) -> NDArray:
        axis = array.ndim + axis_of_queries - 1
        heads = (1, 1) if array.shape[axis] == 1 else (groups, h // groups)
        return array.reshape(*array.shape[:axis], *heads, *array.shape[axis + 1 :])

    return arguments._replace(
        query=split(arguments.query, -2),
        key=key[..., None, :, :],
        value=value[..., None, :, :],
        visibility=arguments.visibility.map(split),
    )
