"""Eight wrong functions that turn logits, shape (n, m), into weights.

A hidden key has the logit -inf.
"""

import numpy as np

from course.practice.gallery.wrong_function import Gallery

WEIGHTS = Gallery()


def softmax(logits, axis=1):
    """Return weights that add up to 1 along an axis, or all together if it is None."""
    powers = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@WEIGHTS.add("softmax", "softmax over the queries", "softmax(s, axis=0)")
def over_the_queries(logits):
    """The sum runs along the wrong axis: the columns add up to 1, not the rows."""
    return softmax(logits, axis=0)


@WEIGHTS.add("softmax", "softmax over all entries", "softmax(s, axis=None)")
def over_all_entries(logits):
    """Without an axis, `sum` adds up the whole matrix: only the total is 1."""
    return softmax(logits, axis=None)


def _powers_below_one(logits):
    return np.exp(logits - logits.max(axis=1, keepdims=True))


@WEIGHTS.add(
    "softmax", "exponentials not divided by their sum", "exp(s)", _powers_below_one
)
def exponentials_undivided(logits):
    """After `exp` the numbers are positive, but they do not add up to 1."""
    return np.exp(logits)


def _infinity_divided(logits):
    return logits / logits.sum(axis=1, keepdims=True)


@WEIGHTS.add("softmax", "logits divided by their sum", "s / sum(s)", _infinity_divided)
def divided_by_their_sum(logits):
    """Without `exp` the rows add up to 1, but weights can be below 0 or above 1."""
    kept = np.where(np.isfinite(logits), logits, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def _hidden_twice(logits):
    return softmax(np.where(np.isfinite(logits), softmax(logits), -np.inf))


@WEIGHTS.add("softmax", "softmax twice", "softmax(softmax(s))", _hidden_twice)
def softmax_twice(logits):
    """The weights enter a second softmax: none is more than e times another."""
    return softmax(softmax(logits))


@WEIGHTS.add("numbers", "no maximum subtracted", "exp(s) / sum(exp(s))")
def no_maximum(logits):
    """The softmax of chapter 1. From 710 on `exp` is infinite, and inf/inf is NaN."""
    powers = np.exp(logits)
    return powers / powers.sum(axis=1, keepdims=True)


@WEIGHTS.add("numbers", "the matrix's maximum subtracted", "exp(s - s.max()) / ...")
def maximum_of_the_matrix(logits):
    """One maximum serves all rows. If a row lies 746 below it, 0/0 gives NaN."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum(axis=1, keepdims=True)


@WEIGHTS.add("numbers", "total in float16", "a running sum that stops at 2,048")
def total_in_float16(logits):
    """A sum in half precision stops at 2,048: there, adding 1 changes nothing."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    total = np.add.accumulate(powers, axis=1, dtype=np.float16)[:, -1:]
    return powers / total
