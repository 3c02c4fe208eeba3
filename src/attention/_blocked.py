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
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._checks import Arguments
from attention._masking import cap_scores, mask_scores, visible, weighted_sum
from attention._threads import spread

# Queries and scores of a block: 512 KB of float32, which stay in a core's cache.
ROWS, BLOCK, ALIGNED = 256, 2**17, 64

# Which keys, their logits, and where a query sees a key (None: each sees all).
Blocks = Iterator[tuple[slice, NDArray, NDArray | None]]


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
    sizes = row_norms(arguments.value)

    def work(tasks: Iterator[tuple]) -> None:
        scratch = np.empty(BLOCK, dtype)
        with np.errstate(all="ignore"):
            for at, rows in tasks:
                head = head_of(arguments, at).rows(rows)
                size = of_head(sizes, batch, at)
                output[at][rows], log_sum[at][rows] = attend_rows(
                    head, size, arguments.scale, arguments.softcap, scratch
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


class Sums(NamedTuple):
    """What is kept of each row: its powers are those of the logits less `top`."""

    top: NDArray | float  # (r, 1), the largest logit so far, or 0; -inf: none was seen
    total: NDArray  # (r, 1), of the powers
    output: NDArray  # (r, d_v), of the values times their powers


def attend_rows(
    head: Head, size: NDArray, scale: float, softcap: float | None, scratch: NDArray
) -> tuple[NDArray, NDArray]:
    """Return the output (r, d_v) and the `log_sum` (r, 1) of a block of queries."""
    query = head.query * scale
    sums, spare = None, spare_range(head, size)
    if spare is None:
        sums = add_powers(head, block_scores(head, query, softcap, scratch))
    if sums is None:
        blocks = block_scores(head, query, softcap, scratch)
        sums = add_shifted_powers(head, blocks, spare or 0)
    top, total, output = sums
    total[lost_rows(head, total)] = np.nan
    output /= np.where(total == 0, 1, total)
    return output, top + np.log(total)


def spare_range(head: Head, size: NDArray) -> float | None:
    """Return by how much more to shift so that no sum of values can overflow.

    None means that the values are moderate and leave most of the range to the powers.
    """
    most, m = float(np.finfo(size.dtype).max), len(size)
    if head.start is not None and head.stop is not None:
        size = size[head.start.min() : head.stop.max()]
    largest = float(size.max(initial=0)) * m
    if most**-0.5 <= largest <= most**0.25:
        return None
    return 0.0 if largest <= most else math.log(m)


def row_norms(value: NDArray) -> NDArray:
    """Return the norm of each value, (..., m): no entry of it is larger."""
    return np.sqrt(np.einsum("...md,...md->...m", value, value))


def add_powers(head: Head, blocks: Blocks) -> Sums | None:
    """Add up the powers of the logits as they are, while they keep in a safe range.

    Return None as soon as a row's total is so large or so small that powers may have
    overflowed or vanished.
    """
    total, output = zeros(head)
    most = float(np.finfo(total.dtype).max)
    for columns, scores, _ in blocks:
        np.exp(scores, out=scores)
        total += row_sums(scores)
        if not (total.min() >= most**-0.25 and total.max() <= most**0.75):
            return None
        output += scores @ head.value[columns]
    return Sums(0.0, total, output)


def add_shifted_powers(head: Head, blocks: Blocks, spare: float) -> Sums:
    """Add up the powers of the logits less the largest so far, and less `spare`."""
    total, output = zeros(head)
    top = np.full_like(total, -np.inf)
    for columns, scores, seen in blocks:
        risen = np.maximum(top, scores.max(axis=1, keepdims=True))
        base = np.where(risen == -np.inf, 0, risen)  # where nothing was seen yet
        scores -= base + total.dtype.type(spare)
        np.exp(scores, out=scores)
        shrink = np.exp(top - base)
        top, total, output = risen, total * shrink, output * shrink
        total += row_sums(scores)
        output += weighted_sum(scores, head.value[columns], seen)
    return Sums(top + spare, total, output)


def zeros(head: Head) -> tuple[NDArray, NDArray]:
    """Return the sums to begin with, (r, 1) and (r, d_v)."""
    r, d_v = len(head.query), head.value.shape[1]
    like = partial(np.zeros_like, head.query)
    return like(shape=(r, 1)), like(shape=(r, d_v))


def row_sums(scores: NDArray) -> NDArray:
    """Return the sum of each row, (r, 1), as a product: BLAS is faster than `sum`."""
    return scores @ np.ones((scores.shape[1], 1), scores.dtype)


def column_blocks(head: Head) -> Iterator[tuple[slice, bool]]:
    """Return blocks of keys that some query sees, and whether every query sees all."""
    m, most = len(head.key), BLOCK // len(head.query)
    parts = [(0, m, True)]
    if head.start is not None and head.stop is not None:
        first, last = head.start.min(), head.stop.max()
        low = min(head.start.max(), last)
        high = max(low, low + (head.stop.min() - low) // ALIGNED * ALIGNED)
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
    head: Head, query: NDArray, softcap: float | None, scratch: NDArray
) -> Blocks:
    """Return the masked logits block by block, all in the same `scratch`."""
    for columns, whole in column_blocks(head):
        scores = raw_scores(query, head.key[columns], softcap, scratch)
        yield columns, scores, mask_block(head, scores, columns, whole)


def raw_scores(
    query: NDArray, key: NDArray, softcap: float | None, scratch: NDArray
) -> NDArray:
    """Return the scores of a block, in `scratch`, bent but not masked."""
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


def lost_rows(head: Head, total: NDArray) -> NDArray:
    """Return which rows see keys and lost the logits of them all to overflow."""
    lost = (total == 0).ravel()
    if lost.any():
        cut = head.rows(lost)
        seen = visible(cut.mask, cut.start, cut.stop, range(len(head.key)))
        lost[lost] = len(head.key) > 0 if seen is None else seen.any(axis=1)
    return lost
