"""Arithmetic on a block of scores: masks, the softcap and the two matrix products.

`_formula` calls these functions with all scores, the blocked kernels with one block.
"""

from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Visibility(NamedTuple):
    """Which keys each query sees: the keys that none of the three fields hides.

    Attributes
    ----------
    mask : ndarray or None, shape (..., n, m)
        Of booleans or floats; any axis may have length 1.
    start, stop : ndarray or None, shape (..., n)
        Query ``i`` sees the keys ``start[i]`` to ``stop[i] - 1``. Causality, a window
        and the lengths determine both limits. The last axis may have length 1.
    """

    mask: NDArray | None = None
    start: NDArray | None = None
    stop: NDArray | None = None

    def map(self, function: Callable[[NDArray, int], NDArray]) -> "Visibility":
        """Apply ``function(array, axis)`` to each array; `axis` is its query axis."""
        mask, start, stop = self
        return Visibility(
            mask if mask is None else function(mask, -2),
            start if start is None else function(start, -1),
            stop if stop is None else function(stop, -1),
        )

    def visible(self, columns: slice) -> NDArray | None:
        """Return True where a query sees a key, (..., n, keys); None if everywhere."""
        j = np.arange(columns.start, columns.stop)
        conditions = []
        if self.mask is not None:
            mask = mask_columns(self.mask, columns)
            conditions.append(mask if mask.dtype == bool else mask > -np.inf)
        if self.start is not None and self.start.max(initial=0) > columns.start:
            conditions.append(self.start[..., None] <= j)
        if self.stop is not None and self.stop.min(initial=columns.stop) < columns.stop:
            conditions.append(j < self.stop[..., None])
        return reduce(np.logical_and, conditions) if conditions else None

    def hide(self, scores: NDArray, columns: slice) -> NDArray | None:
        """Mask the scores of the keys `columns` in place; return ``visible(columns)``.

        A mask of floats is added to the scores. A hidden score becomes ``-inf``.
        """
        if self.mask is self.start is self.stop is None:
            return None
        if self.mask is not None and self.mask.dtype != bool:
            scores += np.asarray(mask_columns(self.mask, columns), scores.dtype)
        visible = self.visible(columns)
        if visible is not None:
            np.copyto(scores, -np.inf, where=~visible)
        return visible


ALL_VISIBLE = Visibility()


def mask_columns(mask: NDArray, columns: slice) -> NDArray:
    """Return the columns of a mask; a single column serves all keys."""
    return mask if mask.shape[-1] == 1 else mask[..., columns]


def cap_scores(scaled: NDArray, softcap: float, out: NDArray | None = None) -> NDArray:
    """Return ``softcap * tanh(scaled / softcap)``, between -softcap and softcap."""
    capped = np.divide(scaled, softcap, out=out)
    np.tanh(capped, out=capped)
    return np.multiply(capped, softcap, out=capped)


def product(a: NDArray, b: NDArray, out: NDArray | None = None) -> NDArray:
    """Return ``a @ b``; heads that share `b` (axis -3 of length 1) form one product.

    BLAS then reads `b` once instead of once per head.
    """
    if a.ndim < 3 or b.shape[-3] > 1 or a.shape[-3] == 1:
        return np.matmul(a, b, out=out)
    *batch, h, r, width = a.shape
    if out is not None and not out.flags.c_contiguous:
        out[...] = product(a, b)
        return out
    rows = a.reshape(*batch, 1, h * r, width)
    if out is not None:
        out = out.reshape(*out.shape[:-3], 1, h * r, b.shape[-1])  # a view
    together = np.matmul(rows, b, out=out)
    return together.reshape(*together.shape[:-3], h, r, b.shape[-1])


def broadcast_axes(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes of length 1 in `shape` that are longer in `target`."""
    return tuple(np.flatnonzero(np.less(shape, target)))


def weighted_sum(
    weights: NDArray,
    value: NDArray,
    visible: NDArray | None,
    out: NDArray | None = None,
) -> NDArray:
    """Return ``weights @ value``; a hidden value adds nothing, even if it is NaN."""
    if visible is None or np.isfinite(value).all():
        return product(weights, value, out)
    visible = np.broadcast_to(visible, weights.shape)
    axes = broadcast_axes(value.shape[:-2], visible.shape[:-2])
    used = np.any(visible, axis=(*axes, -2), keepdims=True)
    value = np.where(np.swapaxes(used, -1, -2), value, 0)  # padding may hold NaN
    finite = np.isfinite(value)
    output = product(weights, np.where(finite, value, 0), out)
    all_finite = finite.all(axis=(*range(value.ndim - 2), -1))  # (m,)
    for j in np.flatnonzero(~all_finite):
        term = weights[..., :, j, None] * value[..., None, j, :]  # (..., n, d_v)
        counted = visible[..., :, j, None] & ~finite[..., None, j, :]
        output += np.where(counted, term, 0)
    return output
