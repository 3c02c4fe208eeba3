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
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments, Place
from attention._masking import Sight, cap_scores, product, weighted_sum
from attention._softmax import shares
from attention._threads import hold_blas, spread, threads_for

BLOCK = 2**17  # scores of a block: 512 KB of float32
WIDTH = 512  # keys of a block, where there are so many
ALIGNED = 64
LEAST = 2**-10  # what a row's powers add up to, lest they vanish beside its values


def attend_blocked(arguments: Arguments, log_sum: NDArray | None = None) -> NDArray:
    """Return the output (..., n, d_v); write the `log_sum` (..., n, 1) if there is one.

    It is the logarithm of what the powers of each row add up to: ``exp(logits -
    log_sum)`` are the weights.
    """
    output = np.empty(
        (*arguments.axes, arguments.value.shape[-1]), arguments.query.dtype
    )

    def attend(at: Place, scratch: NDArray) -> None:
        rows = None if log_sum is None else log_sum[at]
        attend_part(arguments.part(at), output[at], rows, scratch)

    in_parts(attend, arguments, output.shape[:-1])
    return output


def singly(places: list[Place]) -> list[list[Place]]:
    """Return units of one part each."""
    return [[at] for at in places]


def in_parts(
    compute: Callable[[Place, NDArray], None],
    arguments: Arguments,
    axes: tuple[int, ...],
    units: Callable[[list[Place]], list[list[Place]]] = singly,
    rows: int = 1,
) -> None:
    """Compute a call part by part, in threads where it is long.

    The parts of a unit go one after the other. Each part may write to the same scratch.
    A head counts as so many `rows` of scores at least.
    """
    d_k, (m, d_v) = arguments.query.shape[-1], arguments.value.shape[-2:]
    threads = threads_for(math.prod(axes) * m * (d_k + d_v))
    places = cut_up(axes, m, threads, rows)

    def work(places: Iterable[Place]) -> None:
        scratch = np.empty(BLOCK, arguments.query.dtype)
        with np.errstate(all="ignore"):
            for at in places:
                compute(at, scratch)

    with hold_blas(axes[-1], m, max(d_k, d_v)):
        if len(places) == 1:
            work(places)
        else:
            spread(work, units(places), threads)


def cut_up(axes: tuple[int, ...], m: int, threads: int, rows: int = 1) -> list[Place]:
    """Cut a call into parts of `BLOCK` scores or less, at least one for each thread.

    Of a row so many scores count as a block has; a head as so many `rows` at least. The
    last queries come first: under a causal mask they see most. A call that is one part
    has the place ``()``.
    """
    *batch, n = axes
    heads, width = math.prod(batch), max(1, min(m, WIDTH))
    scores = heads * max(n, rows) * width
    if scores <= BLOCK and threads == 1:
        return [()] if heads * n else []
    room = max(1, min(BLOCK, math.ceil(scores / threads)) // width)
    pieces = [slices(n, room)[::-1]]
    room //= max(n, rows)
    for length in batch[::-1]:
        pieces.append(slices(length, max(1, room)))
        room //= max(1, length)
    return list(itertools.product(*pieces[::-1]))


def slices(length: int, most: int) -> list[slice]:
    """Cut a length into as few slices as can be, all about as long."""
    count = -(-length // most)
    return [slice(length * i // count, length * (i + 1) // count) for i in range(count)]


def attend_part(
    part: Arguments, output: NDArray, log_sum: NDArray | None, scratch: NDArray
) -> None:
    """Write the output (..., r, d_v) and the `log_sum` (..., r, 1) of a part."""
    total = add_powers(part, output, scratch)
    unsafe = unsafe_rows(part, output, total)
    output /= total
    if log_sum is not None:
        np.log(total, out=log_sum)
    if unsafe is not None:
        mend(part, unsafe, output, log_sum, scratch)


def add_powers(part: Arguments, output: NDArray, scratch: NDArray) -> NDArray:
    """Write the sums of the values times their powers; return the powers' sums."""
    axes, total = output.shape[:-1], None
    query = part.query * part.scale
    for columns, sight in column_blocks(part, BLOCK // math.prod(axes)):
        scores = raw_scores(part, query, columns, axes, scratch)
        seen = sight.hide(scores, columns)
        np.exp(scores, out=scores)
        # as a product: BLAS is faster than `sum`
        more = scores @ ones(BLOCK, scores.dtype)[: scores.shape[-1]]
        value = part.value[..., columns, :]
        if total is None:
            total, output[...] = more, weighted_sum(scores, value, seen)
        else:
            total += more
            output += weighted_sum(scores, value, seen)
    if total is None:
        output[...] = 0
        return np.zeros((*axes, 1), output.dtype)
    return total


@cache
def ones(count: int, dtype: np.dtype) -> NDArray:
    """Return so many ones, made once."""
    return np.ones((count, 1), dtype)


def unsafe_rows(part: Arguments, output: NDArray, total: NDArray) -> NDArray | None:
    """Return of which rows (..., r, 1) powers or sums left the range of the dtype."""
    least = np.minimum.reduce(total, axis=None, initial=np.inf)
    floor = 1 if least < 1 and holds_tiny(part, total.shape[:-1]) else LEAST
    if least >= floor and math.isfinite(np.add.reduce(output, axis=None)):
        return None
    unsafe: NDArray = ~(total >= floor) | ~np.isfinite(output).all(-1, keepdims=True)
    return unsafe if unsafe.any() else None


def holds_tiny(part: Arguments, axes: tuple[int, ...]) -> bool:
    """Return whether values are so small that they vanish times a power of `LEAST`."""
    info = np.finfo(part.value.dtype)
    for columns, _ in column_blocks(part, BLOCK // math.prod(axes)):
        sizes = np.abs(part.value[..., columns, :])
        if ((sizes > 0) & (sizes < info.tiny / info.eps / LEAST)).any():
            return True
    return False


def mend(
    part: Arguments,
    unsafe: NDArray,
    output: NDArray,
    log_sum: NDArray | None,
    scratch: NDArray,
) -> None:
    """Write output and `log_sum` of rows (..., r, 1) anew."""
    rows = np.flatnonzero(unsafe.any(axis=tuple(range(unsafe.ndim - 2))))
    unsafe = unsafe[..., rows, :]
    again = attend_carefully(part.rows(rows), unsafe.shape[:-1], scratch)
    for whole, some in zip((output, log_sum), again, strict=True):
        if whole is not None:
            whole[..., rows, :] = np.where(unsafe, some, whole[..., rows, :])


class Sums(NamedTuple):
    """What is kept of each row, for the keys so far."""

    top: NDArray  # (..., r, 1), the largest logit; -inf: none was seen
    total: NDArray  # (..., r, 1), of the powers of the logits less `top`
    output: NDArray  # (..., r, d_v)


def attend_carefully(
    part: Arguments, axes: tuple[int, ...], scratch: NDArray
) -> tuple[NDArray, NDArray]:
    """Return output and `log_sum` of a part, right whatever the numbers are.

    Each block of keys goes by the formula. A row that lost all its logits to overflow
    becomes NaN: it is not a masked row.
    """
    dtype = part.query.dtype
    nothing, sees = np.zeros((*axes, 1), dtype), np.zeros((*axes, 1), bool)
    output = np.zeros((*axes, part.value.shape[-1]), dtype)
    sums = Sums(nothing - np.inf, nothing, output)
    for columns, scores, seen in score_blocks(part, axes, scratch):
        weights, top, total = shares(scores, out=scores)
        output = weighted_sum(weights, part.value[..., columns, :], seen)
        sums = merged(sums, Sums(np.where(total == 0, -np.inf, top), total, output))
        sees |= True if seen is None else seen.any(axis=-1, keepdims=True)
    lost = sees & (sums.total == 0)
    log_sum = sums.top + np.log(sums.total)
    return np.where(lost, np.nan, sums.output), np.where(lost, np.nan, log_sum)


def merged(a: Sums, b: Sums) -> Sums:
    """Put together what two sets of keys came to."""
    top = np.maximum(a.top, b.top)
    base = np.where(top == -np.inf, 0, top)
    of_a, of_b = a.total * np.exp(a.top - base), b.total * np.exp(b.top - base)
    total = of_a + of_b
    whole = np.where(total == 0, 1, total)
    return Sums(top, total, a.output * (of_a / whole) + b.output * (of_b / whole))


def score_blocks(
    part: Arguments, axes: tuple[int, ...], scratch: NDArray
) -> Iterator[tuple[slice, NDArray, NDArray | None]]:
    """Return which keys, their logits, and where they are seen, block by block.

    The logits are all written to the same `scratch`.
    """
    query = part.query * part.scale
    for columns, sight in column_blocks(part, BLOCK // math.prod(axes)):
        scores = raw_scores(part, query, columns, axes, scratch)
        yield columns, scores, sight.hide(scores, columns)


def raw_scores(
    part: Arguments,
    query: NDArray,
    columns: slice,
    axes: tuple[int, ...],
    scratch: NDArray,
) -> NDArray:
    """Return the scores of a block, in `scratch`, bent but not masked."""
    shape = (*axes, columns.stop - columns.start)
    scores = scratch[: math.prod(shape)].reshape(shape)
    product(query, np.swapaxes(part.key[..., columns, :], -1, -2), out=scores)
    if part.softcap is not None:
        cap_scores(scores, part.softcap, out=scores)
    return scores


def column_blocks(part: Arguments, most: int) -> list[tuple[slice, Sight]]:
    """Return blocks of keys that some query sees, and what may hide them there."""
    mask, start, stop = part.sight
    m = part.key.shape[-2] - part.extra
    if start is stop is None and not part.extra:
        return [(columns, part.sight) for columns in slices(m, most)]
    spans = [(0, m, part.sight)]
    if start is not None or stop is not None:
        first, low = (0, 0) if start is None else (int(start.min()), int(start.max()))
        high, last = (m, m) if stop is None else (int(stop.min()), int(stop.max()))
        low = min(low, last)
        if high < last:
            high = low + max(0, high - low) // ALIGNED * ALIGNED
        edges = [(first, low, part.sight), (high, last, part.sight)]
        spans = [edges[0], (low, high, Sight(mask)), edges[1]]
    if part.extra:
        spans.append((m, m + part.extra, Sight()))
    return [
        (slice(begin + piece.start, begin + piece.stop), sight)
        for begin, end, sight in spans
        for piece in slices(max(0, end - begin), most)
    ]
