"""Who sees what: shared by the formula to read and by the blocked kernel.

Every function takes the whole of the scores or any block of them.
"""

from functools import reduce

import numpy as np
from numpy.typing import NDArray


def visible(
    mask: NDArray | None,
    start: NDArray | None,
    stop: NDArray | None,
    columns: range,
) -> NDArray | None:
    """Return where a query (row) sees a key (column), or None if it sees them all."""
    conditions = []
    if mask is not None:
        conditions.append(mask if mask.dtype == bool else mask > -np.inf)
    j = np.arange(columns.start, columns.stop)
    if start is not None and start.max(initial=0) > columns.start:
        conditions.append(start[..., None] <= j)
    if stop is not None and stop.min(initial=columns.stop) < columns.stop:
        conditions.append(j < stop[..., None])
    return reduce(np.logical_and, conditions) if conditions else None


def cap_scores(scaled: NDArray, softcap: float, out: NDArray | None = None) -> NDArray:
    """Return ``softcap * tanh(scaled / softcap)``: nothing lies beyond the cap."""
    capped = np.divide(scaled, softcap, out=out)
    np.tanh(capped, out=capped)
    return np.multiply(capped, softcap, out=capped)


def mask_scores(scores: NDArray, mask: NDArray | None, seen: NDArray | None) -> None:
    """Add a mask of floats and write ``-inf`` where nothing is seen, in place."""
    if mask is not None and mask.dtype != bool:
        scores += mask.astype(scores.dtype, copy=False)
    if seen is not None:
        np.copyto(scores, -np.inf, where=~seen)


def weighted_sum(weights: NDArray, value: NDArray, seen: NDArray | None) -> NDArray:
    """Return ``weights @ value``; what is not seen is left out even if it is NaN."""
    if seen is None or (finite := np.isfinite(value)).all():
        return weights @ value
    output = weights @ np.where(finite, value, 0)
    seen = np.broadcast_to(seen, weights.shape)
    sound = finite.all(axis=-1).reshape(-1, value.shape[-2]).all(axis=0)  # (m,)
    for j in np.flatnonzero(~sound):
        term = weights[..., :, j, None] * value[..., None, j, :]  # (..., n, d_v)
        counts = seen[..., :, j, None] & ~finite[..., None, j, :]
        output = output + np.where(counts, term, 0)
    return output
