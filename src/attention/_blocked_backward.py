"""The way back, part by part as the way forward, in O(n) memory.

Nothing of n x m entries is kept. The weights of a block come back from its scores and
what the way forward found of each row: see `_blocked.Scale`.

Dao et al. (2022), FlashAttention, appendix B.2.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import _blocked
from attention._arguments import Arguments, Place, cut
from attention._blocked import (
    Scale,
    attend_part,
    column_blocks,
    cut_up,
    is_shared_out,
    raw_scores,
)
from attention._masking import columns_of, product, shared, weighted_sum
from attention._threads import spread


class Totals(NamedTuple):
    """The gradients so far, each in the shape of what it belongs to."""

    query: NDArray
    key: NDArray
    value: NDArray
    mask: NDArray | None  # only of a mask that is added

    def part(self, place: Place) -> "Totals":
        """Return those of some heads and some of their queries, as views."""
        if not place:
            return self
        mask = None if self.mask is None else cut(self.mask, place)
        key, value = (cut(array, place[:-1]) for array in (self.key, self.value))
        return Totals(cut(self.query, place), key, value, mask)


def attend_backward(d_output: NDArray, arguments: Arguments) -> tuple[NDArray, Totals]:
    """Return the output and what comes back from its gradient, ``(..., n, d_v)``."""
    mask = arguments.sight.mask
    zeros = partial(np.zeros_like, arguments.query)
    totals = Totals(
        zeros(),
        zeros(shape=arguments.key.shape),
        zeros(shape=arguments.value.shape),
        None if mask is None or mask.dtype == bool else zeros(shape=mask.shape),
    )
    output = zeros(shape=(*arguments.axes, arguments.value.shape[-1]))
    with np.errstate(all="ignore"):
        d_output = np.asarray(d_output.reshape(output.shape), output.dtype)

    def work(places: Iterable[Place]) -> None:
        scratch = np.empty(_blocked.BLOCK, output.dtype)
        with np.errstate(all="ignore"):
            for at in places:
                part, sums = arguments.part(at), totals.part(at)
                part_backward(part, d_output[at], output[at], sums, scratch)

    axes = output.shape[:-1]
    width = max(arguments.query.shape[-1], output.shape[-1])
    places, threads = cut_up(arguments, axes, rows=width)
    units = apart(places, totals, axes)
    spread(work, units, threads, hold=is_shared_out(arguments))
    return output, totals


def apart(
    places: list[Place], totals: Totals, axes: tuple[int, ...]
) -> list[list[Place]]:
    """Put places that add to the same gradients together, in a fixed order.

    Two are apart if they differ along an axis that no gradient is summed over: queries
    add to the same keys, and heads that share a mask to the gradient by it.
    """
    shapes = [total.shape for total in totals if total is not None]
    own = [i for i, n in enumerate(axes[:-1]) if all(s[i] == n for s in shapes)]
    units: dict[tuple[int, ...], list[Place]] = {}
    if places == [()]:
        return [places]
    for place in places:
        units.setdefault(tuple(place[i].start for i in own), []).append(place)
    return list(units.values())


def part_backward(
    part: Arguments,
    d_output: NDArray,
    output: NDArray,
    totals: Totals,
    scratch: NDArray,
) -> None:
    """Write the output of a part, and add what comes back to the totals."""
    axes = output.shape[:-1]
    scale = Scale(*np.ones((2, *axes, 1), output.dtype))
    has_rest = attend_part(part, output, scale, scratch)
    pull = np.sum(d_output * output, axis=-1, keepdims=True)  # of a row's weights
    query = part.query * part.scale
    for columns, sight in column_blocks(part, axes):
        key, value = part.key[..., columns, :], part.value[..., columns, :]
        scores = raw_scores(part, query, columns, axes, scratch)
        bend = None if part.softcap is None else 1 - (scores / part.softcap) ** 2
        seen = sight.hide(scores, columns)
        scores -= scale.shift
        np.exp(scores, out=scores)
        if has_rest:
            scores /= scale.rest
        weights = shown(scores, seen)
        d_logits = product(d_output, turned(value))
        d_logits -= pull
        d_logits *= weights
        d_logits = shown(d_logits, seen)
        if totals.mask is not None and sight.mask is not None:
            add(columns_of(totals.mask, columns), d_logits)
        d_scores = d_logits if bend is None else shown(d_logits * bend, seen)
        add(totals.query, weighted_sum(d_scores, key, seen) * part.scale)
        seen = None if seen is None else turned(seen)
        d_key = weighted_sum(turned(d_scores), query, seen)
        add(totals.key[..., columns, :], d_key)
        d_value = weighted_sum(turned(weights), d_output, seen)
        add(totals.value[..., columns, :], d_value)


def shown(block: NDArray, seen: NDArray | None) -> NDArray:
    """Return a block with 0 where nothing is seen: a NaN stays where it is seen."""
    return block if seen is None else np.where(seen, block, 0)


def add(total: NDArray, block: NDArray) -> None:
    """Add a block to a total, summed over the axes along which the total is shared."""
    axes = shared(total.shape, block.shape)
    total += block.sum(axis=axes, keepdims=True) if axes else block


def turned(array: NDArray) -> NDArray:
    """Swap the last two axes."""
    return np.swapaxes(array, -1, -2)
