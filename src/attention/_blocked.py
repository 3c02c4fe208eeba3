"""The same attention part by part: no array of n x m entries, whatever the length.

A call is cut into parts: some heads and some of their queries, with all that they see.
A part meets its keys a block at a time, so that the scores of a block stay in a core's
cache, be it many short heads or a piece of a long one.

The powers of the logits are added up as they are. A row for which that could lose
something is computed anew, with its largest logit subtracted as the formula has it.

Milakov and Gimelshein (2018), Online normalizer calculation for softmax; Rabe and
Staats (2021), Self-attention does not need O(n^2) memory; Dao et al. (2022),
FlashAttention.
"""

import itertools
import math
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments, Place
from attention._masking import Sight, cap_scores, product, weighted_sum
from attention._softmax import shares
from attention._threads import can_hold_blas, shared_out, spread, threads_for

BLOCK = 2**17  # scores of a block: 512 KB of float32
WIDTH = 512  # keys of a block, where there are so many
READING = 6  # queries: so many take as long as to read their keys and values
ALIGNED = 64
LEAST = 2**-10  # that powers may add up to: times a value, smaller ones may vanish


def attend_blocked(arguments: Arguments, log_sum: NDArray | None = None) -> NDArray:
    """Return the output (..., n, d_v); write the `log_sum` (..., n, 1) if there is one.

    It is the logarithm of what the powers of each row add up to: ``exp(logits -
    log_sum)`` are the weights.
    """
    axes, dtype = arguments.axes, arguments.query.dtype
    output = np.empty((*axes, arguments.value.shape[-1]), dtype)
    places, threads = cut_up(arguments, axes)

    def work(places: Iterable[Place]) -> None:
        scratch = np.empty(BLOCK, dtype)
        with np.errstate(all="ignore"):
            for at in places:
                part = arguments.part(at)
                if log_sum is None:
                    attend_part(part, output[at], None, scratch)
                    continue
                rows = log_sum[at]
                scale = Scale(rows, np.ones_like(rows))
                if attend_part(part, output[at], scale, scratch):
                    rows += np.log(scale.rest)

    units = [places] if threads == 1 else [[place] for place in places]
    spread(work, units, threads, hold=is_shared_out(arguments))
    return output


def is_shared_out(arguments: Arguments) -> bool:
    """Say whether BLAS would use several threads for the products of a head."""
    (n, d_k), (m, d_v) = arguments.query.shape[-2:], arguments.value.shape[-2:]
    return shared_out(n, m, max(d_k, d_v))


def cut_up(
    arguments: Arguments, axes: tuple[int, ...], rows: int = 1
) -> tuple[list[Place], int]:
    """Cut a call into parts of `BLOCK` scores or less; return in how many threads.

    Each thread gets one at least. Of a row so many scores count as a block has; a head
    as so many `rows` at least. The last queries come first: under a causal mask they
    see most. A call that is one part has the place ``()``.
    """
    d_k, (m, d_v) = arguments.query.shape[-1], arguments.value.shape[-2:]
    heads, n, width = math.prod(axes[:-1]), axes[-1], min(m, WIDTH) or 1
    threads = threads_for(heads * (n + READING) * m * (d_k + d_v))
    if threads > 1 and is_shared_out(arguments) and not can_hold_blas():
        threads = 1  # BLAS has its own, and two kinds wait for each other
    scores = heads * max(n, rows) * width
    if scores <= BLOCK and threads == 1:
        return [()] if heads * n else [], 1
    room = max(1, min(BLOCK, math.ceil(scores / threads)) // width)
    pieces = [slices(n, room)[::-1]]
    room //= max(n, rows)
    for length in axes[-2::-1]:
        pieces.append(slices(length, max(1, room)))
        room //= max(1, length)
    return list(itertools.product(*pieces[::-1])), threads


def slices(length: int, most: int) -> list[slice]:
    """Cut a length into as few slices as can be, all about as long."""
    if 0 < length <= most:
        return [slice(0, length)]
    count = -(-length // most)
    return [slice(length * i // count, length * (i + 1) // count) for i in range(count)]


class Scale(NamedTuple):
    """What makes weights of logits, row by row: ``exp(logits - shift) / rest``.

    In one number, ``shift + log(rest)``, the second is lost beside a large first.
    """

    shift: NDArray  # (..., r, 1)
    rest: NDArray  # (..., r, 1), 1 where the powers could be added up as they are


def attend_part(
    part: Arguments, output: NDArray, scale: Scale | None, scratch: NDArray
) -> bool:
    """Write the output (..., r, d_v) and the `scale` of a part.

    Each `rest` that is handed in has to be 1; returns whether some of those that are
    handed back may be another number.
    """
    total = add_powers(part, output, scratch)
    unsafe = unsafe_rows(part, output, total)
    output /= total
    if scale is not None:
        np.log(total, out=scale.shift)
    if unsafe is None:
        return False
    for at in entries_of(unsafe):
        there = None if scale is None else Scale(scale.shift[at], scale.rest[at])
        mend(part.part(at), unsafe[at], output[at], there, scratch)
    return True


def add_powers(part: Arguments, output: NDArray, scratch: NDArray) -> NDArray:
    """Write the sums of the values times their powers; return the powers' sums."""
    axes, query, total = output.shape[:-1], part.query * part.scale, None
    for columns, sight in column_blocks(part, axes):
        scores = raw_scores(part, query, columns, axes, scratch)
        seen = sight.hide(scores, columns)
        np.exp(scores, out=scores)
        # as a product: BLAS is faster than `sum`
        powers = scores @ ones(BLOCK, scores.dtype)[: scores.shape[-1]]
        value = part.value[..., columns, :]
        if total is None:
            total = powers
            weighted_sum(scores, value, seen, out=output)
        else:
            total += powers
            output += weighted_sum(scores, value, seen)
    return np.zeros((*axes, 1)) if total is None else total


@cache
def ones(count: int, dtype: np.dtype) -> NDArray:
    """Return so many ones, made once."""
    return np.ones((count, 1), dtype)


def unsafe_rows(part: Arguments, output: NDArray, total: NDArray) -> NDArray | None:
    """Return of which rows (..., r, 1) powers or sums left the range of the dtype."""
    # as `min` and `max`, and faster for few; both are NaN if one is
    least, most = total.item(total.argmin()), total.item(total.argmax())
    floor = 1 if least < 1 and holds_tiny(part, total < 1) else LEAST
    if least >= floor and most < np.inf and all_finite(output):
        return None
    sound = (total >= floor) & np.isfinite(total)
    return ~(sound & np.isfinite(output).all(axis=-1, keepdims=True))


def all_finite(array: NDArray) -> bool:
    """Return whether all is finite; BLAS reads an array in one piece in one go."""
    if array.flags.c_contiguous:
        numbers = array.ravel()
        if numbers.dot(numbers) < np.inf:  # else one is not, or a square is too large
            return True
    return bool(np.isfinite(array).all())


def holds_tiny(part: Arguments, rows: NDArray) -> bool:
    """Return whether some values for rows (..., r, 1) vanish times `LEAST`."""
    info = np.finfo(part.value.dtype)
    for at in entries_of(rows):
        entry = part.part(at)
        for columns, _ in column_blocks(entry, rows[at].shape[:-1]):
            sizes = np.abs(entry.value[..., columns, :])
            if ((sizes > 0) & (sizes < info.tiny / info.eps / LEAST)).any():
                return True
    return False


def entries_of(rows: NDArray) -> list[Place]:
    """Return where, along the first axis, some of the rows (..., r, 1) are.

    Of a batch in which one sequence is empty, that one is computed anew, not all.
    """
    held = rows.any(axis=tuple(range(1, rows.ndim)))
    if rows.ndim < 3 or held.all():
        return [()]
    edges = np.flatnonzero(np.diff(held, prepend=False, append=False)).tolist()
    others = (slice(None),) * (rows.ndim - 2)
    return [
        (slice(*edge), *others) for edge in zip(edges[::2], edges[1::2], strict=True)
    ]


def mend(
    part: Arguments,
    unsafe: NDArray,
    output: NDArray,
    scale: Scale | None,
    scratch: NDArray,
) -> None:
    """Write output and `scale` of rows (..., r, 1) anew."""
    rows = np.flatnonzero(unsafe.any(axis=tuple(range(unsafe.ndim - 2))))
    unsafe = unsafe[..., rows, :]
    again = attend_carefully(part.rows(rows), unsafe.shape[:-1], scratch)

    def put(whole: NDArray, some: NDArray) -> None:
        whole[..., rows, :] = np.where(unsafe, some, whole[..., rows, :])

    put(output, again.output)
    if scale is not None:
        put(scale.shift, again.top)
        put(scale.rest, again.total)


class Sums(NamedTuple):
    """What is kept of each row, for the keys so far."""

    top: NDArray  # (..., r, 1), the largest logit; -inf: none was seen
    total: NDArray  # (..., r, 1), of the powers of the logits less `top`
    output: NDArray  # (..., r, d_v)


def attend_carefully(part: Arguments, axes: tuple[int, ...], scratch: NDArray) -> Sums:
    """Return the sums of a part, right whatever the numbers are.

    Each block of keys goes by the formula. A row that lost all its logits to overflow
    becomes NaN: it is not a masked row.
    """
    dtype = part.query.dtype
    nothing, sees = np.zeros((*axes, 1), dtype), np.zeros((*axes, 1), bool)
    output = np.zeros((*axes, part.value.shape[-1]), dtype)
    sums = Sums(nothing - np.inf, nothing, output)
    query = part.query * part.scale
    for columns, sight in column_blocks(part, axes):
        scores = raw_scores(part, query, columns, axes, scratch)
        seen = sight.hide(scores, columns)
        weights, top, total = shares(scores, out=scores)
        output = weighted_sum(weights, part.value[..., columns, :], seen)
        sums = merged(sums, Sums(np.where(total == 0, -np.inf, top), total, output))
        sees |= True if seen is None else seen.any(axis=-1, keepdims=True)
    lost = sees & (sums.total == 0)
    top, output = (np.where(lost, np.nan, each) for each in (sums.top, sums.output))
    return Sums(top, sums.total, output)


def merged(a: Sums, b: Sums) -> Sums:
    """Put together what two sets of keys came to."""
    top = np.maximum(a.top, b.top)
    base = np.where(top == -np.inf, 0, top)
    of_a, of_b = a.total * np.exp(a.top - base), b.total * np.exp(b.top - base)
    total = of_a + of_b
    whole = np.where(total == 0, 1, total)
    return Sums(top, total, a.output * (of_a / whole) + b.output * (of_b / whole))


def raw_scores(
    part: Arguments,
    query: NDArray,
    columns: slice,
    axes: tuple[int, ...],
    scratch: NDArray,
) -> NDArray:
    """Return the scores of a block, in `scratch`, bent but not masked."""
    shape = (*axes, columns.stop - columns.start)
    scores = np.ndarray(shape, scratch.dtype, scratch)
    product(query, part.key[..., columns, :].swapaxes(-1, -2), out=scores)
    if part.softcap is not None:
        cap_scores(scores, part.softcap, out=scores)
    return scores


def column_blocks(part: Arguments, axes: tuple[int, ...]) -> list[tuple[slice, Sight]]:
    """Return blocks of keys that some query sees, and what may hide them there."""
    mask, start, stop = part.sight
    m, most = part.key.shape[-2] - part.extra, BLOCK // math.prod(axes)
    if start is None and stop is None and not part.extra:
        return [(columns, part.sight) for columns in slices(m, most)]
    first, low = (0, 0) if start is None else (int(start.min()), int(start.max()))
    high, last = (m, m) if stop is None else (int(stop.min()), int(stop.max()))
    low = min(low, last)
    if high < last:
        high = low + max(0, high - low) // ALIGNED * ALIGNED
    spans = [
        (first, low, part.sight),
        (low, high, Sight(mask)),
        (high, last, part.sight),
        (m, m + part.extra, Sight()),
    ]
    return [
        (slice(begin + piece.start, begin + piece.stop), sight)
        for begin, end, sight in spans
        for piece in slices(max(0, end - begin), most)
    ]
