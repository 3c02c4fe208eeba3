"""Cutting a call into parts that fit a core's cache, and running them in threads."""

import itertools
import math
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments, Place
from attention._threads import (
    blas_uses_threads,
    can_limit_blas,
    run_units,
    thread_count,
)

BLOCK_SCORES = 2**17  # scores in a block: 512 KB of float32
BLOCK_KEYS = 512  # keys in a block of a long sequence
READING_QUERIES = 6  # reading the keys and values takes as long as this many queries

Unit = list[Place]  # the parts that one thread computes, one after the other


def run_parts(
    compute: Callable[[Place, NDArray], None],
    arguments: Arguments,
    min_rows: int = 1,
    units_of: Callable[[list[Place]], list[Unit]] | None = None,
) -> None:
    """Call ``compute(place, scratch)`` for every part of a call, in threads.

    `scratch`, one array for each thread, has room for the scores of a block. `units_of`
    groups parts that one thread must compute; without it any thread computes any part.
    """
    places, threads, limit_blas = split_call(arguments, min_rows)
    if units_of is not None:
        units = units_of(places)
    else:
        units = [places] if threads == 1 else [[place] for place in places]
    dtype = arguments.query.dtype

    def work(assigned: Iterable[Place]) -> None:
        scratch = np.empty(BLOCK_SCORES, dtype)
        with np.errstate(all="ignore"):
            for place in assigned:
                compute(place, scratch)

    run_units(work, units, threads, limit_blas)


def split_call(
    arguments: Arguments, min_rows: int = 1
) -> tuple[list[Place], int, bool]:
    """Return the places of the parts, the number of threads, and `limit_blas`.

    `limit_blas` is whether BLAS must use one thread during the call. Each thread gets
    at least one part if there are enough rows. A part has about `BLOCK_SCORES` scores
    at most; a row counts for at most `BLOCK_KEYS` scores, a head for at least
    `min_rows` rows. The last queries come first, because they take longest under a
    causal mask. A small call in one thread is a single part with the place ``()``.
    """
    *batch, n = arguments.rows_shape
    d_k, (m, d_v) = arguments.query.shape[-1], arguments.value.shape[-2:]
    heads, width = math.prod(batch), min(m, BLOCK_KEYS) or 1
    threads = thread_count(heads * (n + READING_QUERIES) * m * (d_k + d_v))
    limit_blas = blas_uses_threads(n, m, max(d_k, d_v))
    if threads > 1 and limit_blas and not can_limit_blas():
        threads = 1  # BLAS would start threads in each thread, which is slower
    scores = heads * max(n, min_rows) * width
    if scores <= BLOCK_SCORES and threads == 1:
        return [()] if heads * n else [], 1, limit_blas
    room = max(1, min(BLOCK_SCORES, math.ceil(scores / threads)) // width)
    pieces = [slices(n, room)[::-1]]
    room //= max(n, min_rows)
    for length in batch[::-1]:
        pieces.append(slices(length, max(1, room)))
        room //= max(1, length)
    return list(itertools.product(*pieces[::-1])), threads, limit_blas


def slices(length: int, largest: int) -> list[slice]:
    """Cut a length into as few slices as possible, all of about the same size."""
    count = -(-length // largest)
    return [slice(length * i // count, length * (i + 1) // count) for i in range(count)]
