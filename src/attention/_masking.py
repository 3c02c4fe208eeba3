"""Who sees what: shared by the formula to read and by the blocked kernel.

Every function takes the whole of the scores or any block of them.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Sight(NamedTuple):
    """Which keys each query sees: all that none of these hides.

    Attributes
    ----------
    mask : ndarray or None, shape (..., n, m)
        Of booleans or floats; any axis may have the length 1.
    start, stop : ndarray or None, shape (..., n)
        Query ``i`` sees the keys from ``start[i]`` up to, not including, ``stop[i]``:
        what causality, a window and the lengths leave. The last axis may have the
        length 1.
    """

    mask: NDArray | None = None
    start: NDArray | None = None
    stop: NDArray | None = None

    def seen(self, columns: slice) -> NDArray | None:
        """Return where a query (row) sees a key (column), or None: all see all."""
        j = np.arange(columns.start, columns.stop)
        conditions = []
        if self.mask is not None:
            mask = columns_of(self.mask, columns)
            conditions.append(mask if mask.dtype == bool else mask > -np.inf)
        if self.start is not None and self.start.max(initial=0) > columns.start:
            conditions.append(self.start[..., None] <= j)
        if self.stop is not None and self.stop.min(initial=columns.stop) < columns.stop:
            conditions.append(j < self.stop[..., None])
        return reduce(np.logical_and, conditions) if conditions else None

    def hide(self, scores: NDArray, columns: slice) -> NDArray | None:
        """Mask the scores of some keys, in place, and return where they are seen.

        A mask of floats is added; where nothing is seen stands ``-inf``.
        """
        if self.mask is self.start is self.stop is None:
            return None
        if self.mask is not None and self.mask.dtype != bool:
            scores += np.asarray(columns_of(self.mask, columns), scores.dtype)
        seen = self.seen(columns)
        if seen is not None:
            np.copyto(scores, -np.inf, where=~seen)
        return seen


def columns_of(mask: NDArray, columns: slice) -> NDArray:
    """Return the part of a mask that belongs to some keys."""
    return mask if mask.shape[-1] == 1 else mask[..., columns]


def cap_scores(scaled: NDArray, softcap: float, out: NDArray | None = None) -> NDArray:
    """Return ``softcap * tanh(scaled / softcap)``: nothing lies beyond the cap."""
    capped = np.divide(scaled, softcap, out=out)
    np.tanh(capped, out=capped)
    return np.multiply(capped, softcap, out=capped)


def product(a: NDArray, b: NDArray, out: NDArray | None = None) -> NDArray:
    """Return ``a @ b``; heads that share `b` (its axis -3 is 1) go into one product.

    BLAS then reads what they share once, and not once for each.
    """
    if a.ndim < 3 or b.shape[-3] > 1 or a.shape[-3] == 1:
        return np.matmul(a, b, out=out)
    *_, h, r, _ = a.shape
    if out is not None and not out.flags.c_contiguous:
        out[...] = product(a, b)
        return out
    together = np.matmul(
        a.reshape(*a.shape[:-3], 1, h * r, a.shape[-1]),
        b,
        out=out if out is None else out.reshape(*out.shape[:-3], 1, h * r, b.shape[-1]),
    )
    return together.reshape(*together.shape[:-3], h, r, b.shape[-1])


def shared(shape: tuple[int, ...], by: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes of length 1 along which an array of a shape serves many."""
    return tuple(np.flatnonzero(np.less(shape, by)))


def weighted_sum(
    weights: NDArray, value: NDArray, seen: NDArray | None, out: NDArray | None = None
) -> NDArray:
    """Return ``weights @ value``; what is not seen is left out even if it is NaN."""
    if seen is None or np.isfinite(value).all():
        return product(weights, value, out)
    seen = np.broadcast_to(seen, weights.shape)
    axes = shared(value.shape[:-2], seen.shape[:-2])
    used = np.any(seen, axis=(*axes, -2), keepdims=True)
    value = np.where(np.swapaxes(used, -1, -2), value, 0)  # padding may be anything
    finite = np.isfinite(value)
    output = product(weights, np.where(finite, value, 0), out)
    sound = finite.all(axis=(*range(value.ndim - 2), -1))  # (m,)
    for j in np.flatnonzero(~sound):
        term = weights[..., :, j, None] * value[..., None, j, :]  # (..., n, d_v)
        counts = seen[..., :, j, None] & ~finite[..., None, j, :]
        output += np.where(counts, term, 0)
    return output
