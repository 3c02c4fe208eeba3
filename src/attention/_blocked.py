"""The same attention block by block: no array of n x m entries, whatever the length.

A block of queries meets the keys one block at a time. What it keeps of each row: the
largest logit so far (`top`), the sum of the powers (`total`), the sum of the values
that they weigh (`output`). When the largest rises, the sums shrink by the same factor.

Milakov and Gimelshein (2018), Online normalizer calculation for softmax; Rabe and
Staats (2021), Self-attention does not need O(n^2) memory; Dao et al. (2022),
FlashAttention.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._checks import Arguments
from attention._masking import cap_scores, mask_scores, visible, weighted_sum
from attention._threads import spread

# Queries and scores of a block: 512 KB of float32, which stay in a core's cache.
ROWS, BLOCK = 256, 2**17


class Head(NamedTuple):
    """What one head computes with: views of the call's arrays, or a block of rows."""

    query: NDArray  # (n, d_k)
    key: NDArray  # (m, d_k)
    value: NDArray  # (m, d_v)
    mask: NDArray | None  # (n, m)
    start: NDArray | None  # (n,)
    stop: NDArray | None  # (n,)

    def rows(self, rows: slice) -> "Head":
        """Return the same for some of the queries."""
        names = ("query", "mask", "start", "stop")
        whole = {name: getattr(self, name) for name in names}
        return self._replace(
            **{name: a[rows] for name, a in whole.items() if a is not None}
        )


def attend_blocked(arguments: Arguments) -> tuple[NDArray, NDArray]:
    """Return the output (..., n, d_v) and the `log_sum` (..., n, 1) of `attend`."""
    *batch, n, _ = arguments.query.shape
    dtype = arguments.query.dtype
    output = np.empty((*batch, n, arguments.value.shape[-1]), dtype)
    log_sum = np.empty((*batch, n, 1), dtype)
    lengths = magnitudes(arguments)

    def work(tasks: Iterator[tuple]) -> None:
        scratch = np.empty(BLOCK, dtype)
        with np.errstate(all="ignore"):
            for at, rows in tasks:
                head = head_of(arguments, at).rows(rows)
                reach = [of_head(array, batch, at) for array in lengths]
                output[at][rows], log_sum[at][rows] = attend_rows(
                    head, reach, arguments.scale, arguments.softcap, scratch
                )

    spread(work, [(at, rows) for at in np.ndindex(*batch) for rows in row_slices(n)])
    return output, log_sum


def row_slices(n: int) -> list[slice]:
    """Return the blocks of queries, last first: under a causal mask they see most."""
    return [slice(i, i + ROWS) for i in range(0, n, ROWS)][::-1]


def head_of(arguments: Arguments, at: tuple[int, ...]) -> Head:
    """Return the head with the index `at`; grouped heads are looked up, not copied."""
    query, key, value, mask, start, stop = arguments[:6]
    *batch, n, _ = query.shape
    scores = (*batch, n, key.shape[-2])
    return Head(
        query[at],
        of_head(key, batch, at),
        of_head(value, batch, at),
        None if mask is None else np.broadcast_to(mask, scores)[at],
        None if start is None else np.broadcast_to(start, scores[:-1])[at],
        None if stop is None else np.broadcast_to(stop, scores[:-1])[at],
    )


def of_head(array: NDArray, batch: list[int], at: tuple[int, ...]) -> NDArray:
    """Return what the head `at` uses of an array in which heads may be grouped."""
    if not at:
        return array
    groups = array.shape[len(at) - 1]
    return array[(*at[:-1], at[-1] * groups // batch[-1])]


def attend_rows(
    head: Head,
    reach: list[NDArray],
    scale: float,
    softcap: float | None,
    scratch: NDArray,
) -> tuple[NDArray, NDArray]:
    """Return the output (n, d_v) and the `log_sum` (n, 1) of a block of queries."""
    query = head.query * scale
    small, spare = how_large(head, query, reach, softcap)
    top = np.full((len(query), 1), 0 if small else -np.inf, query.dtype)
    total = np.zeros_like(top)
    output = np.zeros((len(query), head.value.shape[-1]), query.dtype)
    for columns, whole in column_blocks(head):
        scores = block_scores(query, head.key[columns], softcap, scratch)
        seen = mask_block(head, scores, columns, whole)
        if not small:
            top, shrink = shift_scores(scores, top, spare)
            total *= shrink
            output *= shrink
        np.exp(scores, out=scores)
        total += scores @ np.ones((scores.shape[1], 1), scores.dtype)
        output += weighted_sum(scores, head.value[columns], seen)
    total[lost_rows(head, total)] = np.nan
    output /= np.where(total == 0, 1, total)
    return output, np.where(top == -np.inf, 0, top) + spare + np.log(total)


def how_large(
    head: Head, query: NDArray, reach: list[NDArray], softcap: float | None
) -> tuple[bool, float]:
    """Return whether the powers need no shift at all, and what to add to the shift.

    No logit is beyond ``|query| |key|`` or the cap. Where that is within a quarter of
    the range of ``exp`` and the values within half of it, neither powers nor sums can
    overflow or vanish, and no maximum needs to be subtracted. Where values are so large
    that they add up to infinity, no power may exceed ``1 / m``.
    """
    most, m = float(np.finfo(query.dtype).max), len(head.key)
    seen = slice(m)
    if head.start is not None and head.stop is not None:
        seen = slice(head.start.min(), head.stop.max())
    norms, sizes = reach
    largest = float(sizes[seen].max(initial=0)) * m
    bound = row_norms(query).max() * norms[seen].max(initial=0)
    bound = bound if softcap is None else softcap
    added = head.mask is not None and head.mask.dtype != bool
    small = bound <= math.log(most) / 4 and most**-0.5 <= largest <= most**0.5
    spare = 0.0 if largest <= most else math.log(m)
    return bool(small and not added), query.dtype.type(spare)


def magnitudes(arguments: Arguments) -> tuple[NDArray, NDArray]:
    """Return the norm of each key and the largest entry of each value, (..., m)."""
    value = arguments.value
    least, most = value.min(axis=-1, initial=0), value.max(axis=-1, initial=0)
    return row_norms(arguments.key), np.maximum(most, -least)


def row_norms(array: NDArray) -> NDArray:
    """Return the norm of each row, (..., n)."""
    return np.sqrt(np.einsum("...nd,...nd->...n", array, array))


def column_blocks(head: Head) -> Iterator[tuple[slice, bool]]:
    """Return blocks of keys that some query sees, and whether every query sees all."""
    m, most = len(head.key), BLOCK // len(head.query)
    parts = [(0, m, True)]
    if head.start is not None and head.stop is not None:
        first, last = head.start.min(), head.stop.max()
        low = min(head.start.max(), last)
        high = max(low, head.stop.min())
        parts = [(first, low, False), (low, high, True), (high, last, False)]
    for start, stop, whole in parts:
        count = -((start - stop) // most)  # as few as can be, and alike
        for i in range(count):
            width = stop - start
            yield (
                slice(start + width * i // count, start + width * (i + 1) // count),
                whole,
            )


def block_scores(
    query: NDArray, key: NDArray, softcap: float | None, scratch: NDArray
) -> NDArray:
    """Return the scores of a block, in `scratch`."""
    scores = scratch[: len(query) * len(key)].reshape(len(query), len(key))
    np.matmul(query, key.T, out=scores)
    if softcap is not None:
        cap_scores(scores, softcap, out=scores)
    return scores


def mask_block(
    head: Head, scores: NDArray, columns: slice, whole: bool
) -> NDArray | None:
    """Mask the scores of a block, in place; return where a query sees a key."""
    mask = None if head.mask is None else head.mask[:, columns]
    span = (None, None) if whole else (head.start, head.stop)
    seen = visible(mask, *span, range(columns.start, columns.stop))
    mask_scores(scores, mask, seen)
    return seen


def shift_scores(
    scores: NDArray, top: NDArray, spare: float
) -> tuple[NDArray, NDArray]:
    """Subtract the largest so far, in place; return it and by what the sums shrink."""
    risen = np.maximum(top, scores.max(axis=1, keepdims=True))
    base = np.where(risen == -np.inf, 0, risen)  # where nothing was seen yet
    scores -= base + spare
    return risen, np.exp(top - base)


def lost_rows(head: Head, total: NDArray) -> NDArray:
    """Return which rows see keys and lost the logits of them all to overflow."""
    lost = (total == 0).ravel()
    if lost.any():
        cut = head.rows(lost)
        seen = visible(cut.mask, cut.start, cut.stop, range(len(head.key)))
        lost[lost] = len(head.key) > 0 if seen is None else seen.any(axis=1)
    return lost
