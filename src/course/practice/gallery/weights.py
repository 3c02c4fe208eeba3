"""Eight wrong ways from logits to weights: what stands where the softmax should.

A hidden key has the logit -inf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery.wrong import Gallery

Array = NDArray[Any]

WEIGHTS = Gallery()


def softmax(logits: Array, axis: int | None = 1) -> Array:
    """Shares of one along an axis; None for all entries together."""
    powers = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@WEIGHTS.holds("softmax", "softmax over the queries", "softmax(s, axis=0)")
def over_the_queries(logits: Array) -> Array:
    """The sum runs along the wrong axis: columns add up to 1, not rows."""
    return softmax(logits, axis=0)


@WEIGHTS.holds("softmax", "softmax over all entries", "softmax(s, axis=None)")
def over_all_entries(logits: Array) -> Array:
    """Without an axis, `sum` adds up the whole matrix, and all of it together is 1."""
    return softmax(logits, axis=None)


def _powers_below_one(logits: Array) -> Array:
    return np.exp(logits - logits.max(axis=1, keepdims=True))


@WEIGHTS.holds(
    "softmax", "exponentials not divided by their sum", "exp(s)", _powers_below_one
)
def exponentials_undivided(logits: Array) -> Array:
    """After `exp` the numbers are positive and look like weights, but are no shares."""
    return np.exp(logits)


def _shares_of_infinity(logits: Array) -> Array:
    return logits / logits.sum(axis=1, keepdims=True)


@WEIGHTS.holds(
    "softmax", "logits divided by their sum", "s / sum(s)", _shares_of_infinity
)
def divided_by_their_sum(logits: Array) -> Array:
    """Rows do add up to 1 without `exp`, but with weights below 0 and above 1."""
    kept = np.where(np.isfinite(logits), logits, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def _hidden_twice(logits: Array) -> Array:
    return softmax(np.where(np.isfinite(logits), softmax(logits), -np.inf))


@WEIGHTS.holds("softmax", "softmax twice", "softmax(softmax(s))", _hidden_twice)
def softmax_twice(logits: Array) -> Array:
    """Whoever takes weights for logits normalises again: rows come out nearly even."""
    return softmax(softmax(logits))


@WEIGHTS.holds("numbers", "no maximum subtracted", "exp(s) / sum(exp(s))")
def no_maximum(logits: Array) -> Array:
    """That is the formula as it stands. Past 709 `exp` is infinite, and inf/inf NaN."""
    powers = np.exp(logits)
    return powers / powers.sum(axis=1, keepdims=True)


@WEIGHTS.holds("numbers", "the matrix's maximum subtracted", "exp(s - s.max()) / ...")
def maximum_of_the_matrix(logits: Array) -> Array:
    """`s.max()` is of all rows; in one 746 below it each power is 0, and 0/0 is NaN."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum(axis=1, keepdims=True)


@WEIGHTS.holds("numbers", "total in float16", "a running sum that stops at 2,048")
def total_in_float16(logits: Array) -> Array:
    """A sum kept in half precision stops at 2,048, where adding 1 changes nothing."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    total = np.add.accumulate(powers, axis=1, dtype=np.float16)[:, -1:]
    return powers / total
