"""One checked call of attention, and any part of it: the same record for both."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._masking import Sight

Place = tuple[slice, ...]  # of the batch axes, and of the queries


class Arguments(NamedTuple):
    """What to compute with. Nothing here has ``n * m`` entries but the caller's mask.

    Attributes
    ----------
    query, key, value : ndarray, shape (..., n, d_k), (..., m, d_k), (..., m, d_v)
        In the dtype to compute in, all with the same number of axes; one of length 1
        serves all along it. With grouped heads, axis -4 counts the heads of the key,
        and axis -3 the heads of the query that share each.
    sight : Sight
        Which keys each query sees; with as many axes.
    scale : float
    softcap : float or None
        Both as scalars of the dtype to compute in.
    dtype : dtype
        Of the result.
    batch : tuple of int
        The batch axes of the result, in which grouped heads are one axis.
    extra : int
        How many keys, the last ones, every query sees whatever `sight` says: it knows
        nothing of them.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    sight: Sight
    scale: float
    softcap: float | None
    dtype: np.dtype
    batch: tuple[int, ...]
    extra: int = 0

    @property
    def axes(self) -> tuple[int, ...]:
        """The batch axes to compute in, and the number of queries."""
        batch, n = self.batch, self.query.shape[-2]
        if self.query.ndim > len(batch) + 2:  # heads of the key, those that share each
            h = self.key.shape[-4]
            batch = (*batch[:-1], h, batch[-1] // h)
        return (*batch, n)

    def part(self, place: Place) -> "Arguments":
        """Return some of the heads and of their queries, as views; ``()`` for all."""
        if not place:
            return self
        return self._replace(
            query=cut(self.query, place),
            key=cut(self.key, place[:-1]),
            value=cut(self.value, place[:-1]),
            sight=Sight(*(a if a is None else cut(a, place) for a in self.sight)),
        )

    def rows(self, rows: NDArray) -> "Arguments":
        """Return some of the queries of all heads."""
        mask, start, stop = self.sight
        return self._replace(
            query=self.query[..., rows, :],
            sight=Sight(
                mask if mask is None or mask.shape[-2] == 1 else mask[..., rows, :],
                start if start is None or start.shape[-1] == 1 else start[..., rows],
                stop if stop is None or stop.shape[-1] == 1 else stop[..., rows],
            ),
        )

    def spread_out(self) -> "Arguments":
        """Return the same with every batch axis in query, key and value, as views."""
        query, key, value = (
            np.broadcast_to(array, (*self.axes[:-1], *array.shape[-2:]))
            for array in (self.query, self.key, self.value)
        )
        return self._replace(query=query, key=key, value=value)

    def result(self, array: NDArray) -> NDArray:
        """Return an array (..., n, x) with the batch axes and dtype of the result."""
        if array.shape[:-2] != self.batch:
            array = array.reshape(*self.batch, *array.shape[-2:])
        if array.dtype == self.dtype:
            return array
        with np.errstate(all="ignore"):
            return array.astype(self.dtype)


def cut(array: NDArray, place: Place) -> NDArray:
    """Return the part of an array at a place; an axis of length 1 serves everywhere."""
    return array[tuple(map(piece_of, place, array.shape))]


def piece_of(piece: slice, length: int) -> slice:
    """Return the piece of an axis, or all of one that serves everywhere."""
    return piece if length > 1 else slice(None)


def aligned(array: NDArray, axes: int) -> NDArray:
    """Return a view with so many axes, the first of them of length 1."""
    if array.ndim == axes:
        return array
    return array.reshape((1,) * (axes - array.ndim) + array.shape)


def share_heads(arguments: Arguments) -> Arguments:
    """Split the axis of heads in two: heads of the key, heads that share each of them.

    Where key and value differ in their number of heads, both get the least number that
    serves both: only then are heads copied.
    """
    h = arguments.batch[-1]
    given = (arguments.key, arguments.value)
    groups = math.lcm(*(array.shape[-3] for array in given)) if h else 0
    key, value = (
        array
        if array.shape[-3] == groups
        else np.repeat(array, groups // array.shape[-3], axis=-3)
        for array in given
    )
    if groups == h:
        return arguments._replace(key=key, value=value)

    def split(array: NDArray, axis: int) -> NDArray:
        heads = (1, 1) if array.shape[axis] == 1 else (groups, h // groups)
        before, after = array.shape[:axis], array.shape[array.ndim + axis + 1 :]
        return array.reshape(*before, *heads, *after)

    mask, start, stop = arguments.sight
    return arguments._replace(
        query=split(arguments.query, -3),
        key=np.expand_dims(key, -3),
        value=np.expand_dims(value, -3),
        sight=Sight(
            mask if mask is None else split(mask, -3),
            start if start is None else split(start, -2),
            stop if stop is None else split(stop, -2),
        ),
    )
