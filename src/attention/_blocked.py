"""Attention block by block, without any array of n x m entries.

A call is cut into parts: some heads, and some of their queries. A part attends to one
block of keys at a time, so that the scores of the block stay in a core's cache.

A first pass adds up ``exp(logit)`` without subtracting the largest logit, which saves a
pass over the scores. Rows whose numbers leave the range of the dtype are then computed
again, with their largest logit subtracted.

Milakov and Gimelshein (2018), Online normalizer calculation for softmax; Rabe and
Staats (2021), Self-attention does not need O(n^2) memory; Dao et al. (2022),
FlashAttention.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import _parts
from attention._arguments import Arguments, Place
from attention._block import Visibility, cap_scores, product, weighted_sum
from attention._parts import run_parts, slices
from attention._softmax import softmax_parts

ALIGNED = 64  # the keys that all queries see are cut to a multiple of this number
# If a row's exponentials add up to less than this, products with values may underflow.
LEAST_SUM = 2**-10


def attend_blocked(arguments: Arguments, log_sum: NDArray | None = None) -> NDArray:
    """Return the output (..., n, d_v); fill `log_sum` (..., n, 1) if it is given.

    `log_sum` becomes the logarithm of each row's sum of exponentials, so that
    ``exp(logits - log_sum)`` are the weights.
    """
    shape = (*arguments.rows_shape, arguments.value.shape[-1])
    output = np.empty(shape, arguments.query.dtype)

    def compute(place: Place, scratch: NDArray) -> None:
        norm = attend_part(arguments.part(place), output[place], scratch)
        if log_sum is not None:
            log_sum[place] = np.log(norm.total)
            if norm.shift is not None:
                log_sum[place] += norm.shift

    run_parts(compute, arguments)
    return output


class RowNorm(NamedTuple):
    """Shift and total of each row: its weights are ``exp(logits - shift) / total``."""

    total: NDArray  # (..., r, 1)
    shift: NDArray | None  # (..., r, 1); None for 0 in all rows


def attend_part(part: Arguments, output: NDArray, scratch: NDArray) -> RowNorm:
    """Fill the output (..., r, d_v) of a part; return the normalisation of its rows."""
    total = sum_exponentials(part, output, scratch)
    unsafe = rows_out_of_range(part, output, total)
    output /= total
    if unsafe is None:
        return RowNorm(total, None)
    shift = np.zeros_like(total)
    for place in entries_with_rows(unsafe):
        targets = [array[place] for array in (output, total, shift)]
        recompute_rows(part.part(place), unsafe[place], targets, scratch)
    return RowNorm(total, shift)


def sum_exponentials(part: Arguments, output: NDArray, scratch: NDArray) -> NDArray:
    """Fill `output` with ``exp(logits) @ value``; return the sums of exp(logits)."""
    shape, query, total = output.shape[:-1], part.query * part.scale, None
    for columns, visibility in key_blocks(part, shape):
        scores = block_scores(part, query, columns, shape, scratch)
        visible = visibility.hide(scores, columns)
        np.exp(scores, out=scores)
        # a product with ones, because BLAS is faster than `sum`
        ones = column_of_ones(_parts.BLOCK_SCORES, scores.dtype)
        sums = scores @ ones[: scores.shape[-1]]
        value = part.value[..., columns, :]
        if total is None:
            total = sums
            weighted_sum(scores, value, visible, out=output)
        else:
            total += sums
            output += weighted_sum(scores, value, visible)
    return np.zeros((*shape, 1), output.dtype) if total is None else total


@cache
def column_of_ones(count: int, dtype: np.dtype) -> NDArray:
    """Return a cached array (count, 1) of ones."""
    return np.ones((count, 1), dtype)


def rows_out_of_range(
    part: Arguments, output: NDArray, total: NDArray
) -> NDArray | None:
    """Return which rows (..., r, 1) left the range of the dtype; None if none did."""
    # `argmin` is faster than `min` for few rows; if `total` has a NaN, both are NaN
    least, most = total.item(total.argmin()), total.item(total.argmax())
    floor = 1 if least < 1 and has_tiny_values(part, total < 1) else LEAST_SUM
    if least >= floor and most < np.inf and all_finite(output):
        return None
    safe = (total >= floor) & np.isfinite(total)
    return ~(safe & np.isfinite(output).all(axis=-1, keepdims=True))


def all_finite(array: NDArray) -> bool:
    """Return whether all entries are finite; a dot product is a fast first test."""
    if array.flags.c_contiguous:
        numbers = array.ravel()
        if numbers.dot(numbers) < np.inf:  # else a square may have overflowed
            return True
    return bool(np.isfinite(array).all())


def has_tiny_values(part: Arguments, rows: NDArray) -> bool:
    """Return whether `LEAST_SUM` times a value for `rows` (..., r, 1) may underflow."""
    info = np.finfo(part.value.dtype)
    limit = info.tiny / info.eps / LEAST_SUM
    for place in entries_with_rows(rows):
        entry = part.part(place)
        for columns, _ in key_blocks(entry, rows[place].shape[:-1]):
            sizes = np.abs(entry.value[..., columns, :])
            if ((sizes > 0) & (sizes < limit)).any():
                return True
    return False


def entries_with_rows(rows: NDArray) -> list[Place]:
    """Return the slices of the first axis in which a row (..., r, 1) is True.

    So only the sequences of a batch with unsafe rows are computed again.
    """
    has_rows = rows.any(axis=tuple(range(1, rows.ndim)))
    if rows.ndim < 3 or has_rows.all():
        return [()]
    edges = np.flatnonzero(np.diff(has_rows, prepend=False, append=False)).tolist()
    whole = (slice(None),) * (rows.ndim - 2)
    return [
        (slice(*edge), *whole) for edge in zip(edges[::2], edges[1::2], strict=True)
    ]


class RowSums(NamedTuple):
    """Output, sum and largest logit of each row over the blocks of keys so far."""

    output: NDArray  # (..., r, d_v)
    total: NDArray  # (..., r, 1), the sum of exp(logit - largest)
    largest: NDArray  # (..., r, 1), the largest logit; -inf if no key was visible


def recompute_rows(
    part: Arguments, unsafe: NDArray, targets: list[NDArray], scratch: NDArray
) -> None:
    """Fill the `unsafe` rows (..., r, 1) of `targets`: output, total and shift."""
    rows = np.flatnonzero(unsafe.any(axis=tuple(range(unsafe.ndim - 2))))
    unsafe = unsafe[..., rows, :]
    sums = attend_shifted(part.rows(rows), unsafe.shape[:-1], scratch)
    for target, new in zip(targets, sums, strict=True):
        target[..., rows, :] = np.where(unsafe, new, target[..., rows, :])


def attend_shifted(
    part: Arguments, shape: tuple[int, ...], scratch: NDArray
) -> RowSums:
    """Return the sums of a part, with the largest logit of each row subtracted.

    If all visible logits of a row overflowed to ``-inf``, its output becomes NaN,
    because it cannot be computed. If all keys of a row are masked, its output is 0.
    """
    dtype = part.query.dtype
    zeros, sees_keys = np.zeros((*shape, 1), dtype), np.zeros((*shape, 1), bool)
    output = np.zeros((*shape, part.value.shape[-1]), dtype)
    sums = RowSums(output, zeros, zeros - np.inf)
    query = part.query * part.scale
    for columns, visibility in key_blocks(part, shape):
        scores = block_scores(part, query, columns, shape, scratch)
        visible = visibility.hide(scores, columns)
        weights, largest, total = softmax_parts(scores, out=scores)
        output = weighted_sum(weights, part.value[..., columns, :], visible)
        largest = np.where(total == 0, -np.inf, largest)
        sums = merge_sums(sums, RowSums(output, total, largest))
        sees_keys |= True if visible is None else visible.any(axis=-1, keepdims=True)
    overflowed = sees_keys & (sums.total == 0)
    largest, output = (
        np.where(overflowed, np.nan, array) for array in (sums.largest, sums.output)
    )
    return RowSums(output, sums.total, largest)


def merge_sums(a: RowSums, b: RowSums) -> RowSums:
    """Return the sums over the keys of `a` and of `b` together."""
    largest = np.maximum(a.largest, b.largest)
    base = np.where(largest == -np.inf, 0, largest)
    total_a, total_b = (each.total * np.exp(each.largest - base) for each in (a, b))
    total = total_a + total_b
    divisor = np.where(total == 0, 1, total)
    output = a.output * (total_a / divisor) + b.output * (total_b / divisor)
    return RowSums(output, total, largest)


def block_scores(
    part: Arguments,
    query: NDArray,
    columns: slice,
    shape: tuple[int, ...],
    scratch: NDArray,
) -> NDArray:
    """Return the scores of a block, capped but not masked, as a view of `scratch`."""
    shape = (*shape, columns.stop - columns.start)
    scores = np.ndarray(shape, scratch.dtype, scratch)
    product(query, part.key[..., columns, :].swapaxes(-1, -2), out=scores)
    if part.softcap is not None:
        cap_scores(scores, part.softcap, out=scores)
    return scores


def key_blocks(
    part: Arguments, shape: tuple[int, ...]
) -> list[tuple[slice, Visibility]]:
    """Return the blocks of keys that some query sees, each with its visibility."""
    mask, start, stop = part.visibility
    m = part.key.shape[-2] - part.extra
    largest = _parts.BLOCK_SCORES // math.prod(shape)
    if start is None and stop is None and not part.extra:
        return [(columns, part.visibility) for columns in slices(m, largest)]
    first, low = (0, 0) if start is None else (int(start.min()), int(start.max()))
    high, last = (m, m) if stop is None else (int(stop.min()), int(stop.max()))
    low = min(low, last)
    if high < last:
        high = low + max(0, high - low) // ALIGNED * ALIGNED
    spans = [
        (first, low, part.visibility),
        (low, high, Visibility(mask)),  # only the mask can hide these keys
        (high, last, part.visibility),
        (m, m + part.extra, Visibility()),
    ]
    return [
        (slice(begin + piece.start, begin + piece.stop), visibility)
        for begin, end, visibility in spans
        for piece in slices(max(0, end - begin), largest)
    ]
