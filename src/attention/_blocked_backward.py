"""The gradients, block by block like the output, in O(n) memory.

A part first computes its output and the normalisation of each row. Then it computes the
weights of every block again, instead of storing them.

Dao et al. (2022), FlashAttention, appendix B.2.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments, Place, cut
from attention._block import broadcast_axes, mask_columns, product, weighted_sum
from attention._blocked import attend_part, block_scores, key_blocks
from attention._parts import Unit, run_parts


class Totals(NamedTuple):
    """The gradients added up so far, each in the shape of its input."""

    query: NDArray
    key: NDArray
    value: NDArray
    mask: NDArray | None  # None unless the mask holds floats

    def part(self, place: Place) -> "Totals":
        """Return the totals of the heads and queries at `place`, as views."""
        if not place:
            return self
        mask = None if self.mask is None else cut(self.mask, place)
        key, value = (cut(array, place[:-1]) for array in (self.key, self.value))
        return Totals(cut(self.query, place), key, value, mask)


def attend_backward(d_output: NDArray, arguments: Arguments) -> tuple[NDArray, Totals]:
    """Return the output (..., n, d_v), and the gradients with respect to all inputs."""
    mask = arguments.visibility.mask
    zeros = partial(np.zeros_like, arguments.query)
    totals = Totals(
        zeros(),
        zeros(shape=arguments.key.shape),
        zeros(shape=arguments.value.shape),
        None if mask is None or mask.dtype == bool else zeros(shape=mask.shape),
    )
    output = zeros(shape=(*arguments.rows_shape, arguments.value.shape[-1]))
    with np.errstate(all="ignore"):
        d_output = np.asarray(d_output.reshape(output.shape), output.dtype)

    def compute(place: Place, scratch: NDArray) -> None:
        part, sums = arguments.part(place), totals.part(place)
        part_backward(part, d_output[place], output[place], sums, scratch)

    run_parts(
        compute,
        arguments,
        min_rows=max(arguments.query.shape[-1], output.shape[-1]),
        units_of=partial(group_parts, totals=totals, shape=output.shape[:-1]),
    )
    return output, totals


def group_parts(
    places: list[Place], totals: Totals, shape: tuple[int, ...]
) -> list[Unit]:
    """Put parts that add to the same gradients into one unit, in a fixed order.

    Queries of one head add to the gradients of the same keys; heads that share a mask
    add to the same mask. So units divide only axes along which no gradient is summed.
    """
    if places == [()]:
        return [places]
    shapes = [total.shape for total in totals if total is not None]
    unit_axes = [i for i, n in enumerate(shape[:-1]) if all(s[i] == n for s in shapes)]
    units: dict[tuple[int, ...], Unit] = {}
    for place in places:
        units.setdefault(tuple(place[i].start for i in unit_axes), []).append(place)
    return list(units.values())


def part_backward(
    part: Arguments,
    d_output: NDArray,
    output: NDArray,
    totals: Totals,
    scratch: NDArray,
) -> None:
    """Fill the output of a part, and add its gradients to the totals."""
    shape = output.shape[:-1]
    norm = attend_part(part, output, scratch)
    # (..., r, 1): the weighted mean of the gradients of a row's weights
    mean = np.sum(d_output * output, axis=-1, keepdims=True)
    query = part.query * part.scale
    for columns, visibility in key_blocks(part, shape):
        key, value = part.key[..., columns, :], part.value[..., columns, :]
        scores = block_scores(part, query, columns, shape, scratch)
        slope = None if part.softcap is None else 1 - (scores / part.softcap) ** 2
        visible = visibility.hide(scores, columns)
        if norm.shift is not None:
            scores -= norm.shift
        np.exp(scores, out=scores)
        scores /= norm.total
        weights = zero_hidden(scores, visible)
        d_logits = product(d_output, transposed(value))
        d_logits -= mean
        d_logits *= weights
        d_logits = zero_hidden(d_logits, visible)
        if totals.mask is not None and visibility.mask is not None:
            add(mask_columns(totals.mask, columns), d_logits)
        d_scores = d_logits if slope is None else zero_hidden(d_logits * slope, visible)
        add(totals.query, weighted_sum(d_scores, key, visible) * part.scale)
        visible = None if visible is None else transposed(visible)
        d_key = weighted_sum(transposed(d_scores), query, visible)
        add(totals.key[..., columns, :], d_key)
        d_value = weighted_sum(transposed(weights), d_output, visible)
        add(totals.value[..., columns, :], d_value)


def zero_hidden(block: NDArray, visible: NDArray | None) -> NDArray:
    """Return a block with 0 where a key is hidden; a visible NaN stays."""
    return block if visible is None else np.where(visible, block, 0)


def add(total: NDArray, block: NDArray) -> None:
    """Add a block to a total, summed over the axes of length 1 in the total."""
    axes = broadcast_axes(total.shape, block.shape)
    total += block.sum(axis=axes, keepdims=True) if axes else block


def transposed(array: NDArray) -> NDArray:
    """Return an array with its last two axes swapped."""
    return np.swapaxes(array, -1, -2)
