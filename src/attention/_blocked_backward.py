"""The way back through the blocked kernel, in O(n) memory.

Nothing of n x m entries was kept. The weights of a block come back from its scores and
the saved logarithm of each row's sum: ``exp(logits - log_sum)``.

Dao et al. (2022), FlashAttention, appendix B.2.
"""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import _blocked
from attention._blocked import (
    Head,
    column_blocks,
    head_of,
    mask_block,
    raw_scores,
    row_slices,
)
from attention._checks import Arguments
from attention._masking import weighted_sum
from attention._threads import spread


class MaskGradient:
    """The gradient by a mask that is added, in the mask's own shape.

    Heads and blocks that share an entry add to it one at a time.
    """

    def __init__(self, total: NDArray, axes: int) -> None:
        self.total = total
        self._full = total.reshape((1,) * (axes - total.ndim) + total.shape)
        self._lock = threading.Lock()

    def add(
        self, at: tuple[int, ...], rows: slice, columns: slice, block: NDArray
    ) -> None:
        """Add the gradient of a block, summed over the axes that the mask lacks."""
        *batch, n, m = self._full.shape
        index = (
            *(i if size > 1 else 0 for i, size in zip(at, batch, strict=True)),
            rows if n > 1 else slice(1),
            columns if m > 1 else slice(1),
        )
        with self._lock:
            part = self._full[index]
            lacking = tuple(i for i, size in enumerate(part.shape) if size == 1)
            part += block.sum(axis=lacking, keepdims=True)


class Back(NamedTuple):
    """What a block of queries of one head comes back with, and what it adds to."""

    d_output: NDArray  # (r, d_v)
    pull: NDArray  # (r, 1), of all the weights of a row together
    log_sum: NDArray  # (r, 1)
    d_key: NDArray  # (m, d_k)
    d_value: NDArray  # (m, d_v)
    add_to_mask: Callable[[slice, NDArray], None] | None


def attend_blocked_backward(
    d_output: NDArray, arguments: Arguments, output: NDArray, log_sum: NDArray
) -> tuple[NDArray, NDArray, NDArray, NDArray | None]:
    """Return the gradients by query, key, value and, where it is added, by the mask.

    Grouped heads get a gradient for each that shares, as in `attend_backward`. A head
    is one task: its blocks of queries add to the same keys.
    """
    *batch, n, d_k = arguments.query.shape
    m, d_v = arguments.value.shape[-2:]
    zeros = partial(np.zeros_like, arguments.query)
    d_query = np.empty_like(arguments.query)
    d_key, d_value = zeros(shape=(*batch, m, d_k)), zeros(shape=(*batch, m, d_v))
    mask, d_mask = arguments.mask, None
    if mask is not None and mask.dtype != bool:
        d_mask = MaskGradient(zeros(shape=mask.shape), len(batch) + 2)
    pull = np.sum(d_output * output, axis=-1, keepdims=True)  # (..., n, 1)

    def work(tasks: Iterator[tuple[int, ...]]) -> None:
        scratch = np.empty_like(arguments.query, shape=_blocked.BLOCK)
        with np.errstate(all="ignore"):
            for at, rows in ((at, rows) for at in tasks for rows in row_slices(n)):
                add = None if d_mask is None else partial(d_mask.add, at, rows)
                d_query[at][rows] = rows_backward(
                    head_of(arguments, at).rows(rows),
                    Back(
                        d_output[at][rows],
                        pull[at][rows],
                        log_sum[at][rows],
                        d_key[at],
                        d_value[at],
                        add,
                    ),
                    arguments,
                    scratch,
                )

    spread(work, np.ndindex(*batch))
    return d_query, d_key, d_value, None if d_mask is None else d_mask.total


def rows_backward(
    head: Head, back: Back, arguments: Arguments, scratch: NDArray
) -> NDArray:
    """Return the gradient by a block of queries; add those by the keys and values."""
    scale, softcap = arguments.scale, arguments.softcap
    query = head.query * scale
    d_query = np.zeros_like(query)
    for columns, whole in column_blocks(head):
        key, value = head.key[columns], head.value[columns]
        scores = raw_scores(query, key, softcap, scratch)
        bend = None if softcap is None else 1 - (scores / softcap) ** 2
        seen = mask_block(head, scores, columns, whole)
        scores -= back.log_sum
        weights = shown(np.exp(scores, out=scores), seen)
        d_logits = shown(weights * (back.d_output @ value.T - back.pull), seen)
        if back.add_to_mask is not None:
            back.add_to_mask(columns, d_logits)
        d_scores = d_logits if bend is None else shown(d_logits * bend, seen)
        from_keys = None if seen is None else seen.T
        d_query += weighted_sum(d_scores, key, seen)
        back.d_key[columns] += weighted_sum(d_scores.T, query, from_keys)
        back.d_value[columns] += weighted_sum(weights.T, back.d_output, from_keys)
    return d_query * scale


def shown(block: NDArray, seen: NDArray | None) -> NDArray:
    """Return a block with 0 where nothing is seen: a NaN stays where it is seen."""
    return block if seen is None else np.where(seen, block, 0)
