"""Exercises on softmax: written down, made stable, and its gradient."""

import numpy as np

from course.practice.gallery import WEIGHTS, Gallery
from course.practice.gallery.weights import softmax
from course.practice.grader import FunctionTask, sizes_to

_EDGES = ((1, 1), (1, 3), (3, 1), (40, 70))  # n, m


_draw_sizes = sizes_to(7, count=2)


def _exposes_mistakes(sizes):
    return min(sizes) > 1


# --- Softmax --------------------------------------------------------------------------

MISTAKES = Gallery()


def _maxima_and_sums_along_the_columns(logits):
    powers = np.exp(logits - logits.max(axis=1))
    return powers / powers.sum(axis=1)


@MISTAKES.add(
    "softmax",
    "row sums used for the columns",
    "powers / powers.sum(axis=1)",
    _maxima_and_sums_along_the_columns,
)
def without_keepdims(logits):
    """Without `keepdims=True`, column j is divided by the sum of row j, if n = m."""
    powers = np.exp(logits)
    return powers / powers.sum(axis=1)


@MISTAKES.add("softmax", "the exponential of the sum", "exp(s) / exp(sum(s))")
def exponential_of_the_sum(logits):
    """The divisor is the product of the exponentials. It should be their sum."""
    return np.exp(logits) / np.exp(logits.sum(axis=1, keepdims=True))


@MISTAKES.add("numbers", "row maxima used for the columns", "s - s.max(axis=1)")
def maxima_along_the_columns(logits):
    """Without `keepdims=True`, the maximum of row j is subtracted from column j."""
    powers = np.exp(logits - logits.max(axis=1))
    return powers / powers.sum(axis=1, keepdims=True)


@MISTAKES.add(
    "numbers", "the maximum subtracted only above", "exp(s - max(s)) / sum(exp(s))"
)
def maximum_only_above(logits):
    """The denominator needs the same subtraction as the numerator."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / np.exp(logits).sum(axis=1, keepdims=True)


def _cut_off_above(logits):
    powers = np.exp(np.minimum(logits, 700))
    return powers / powers.sum(axis=1, keepdims=True)


@MISTAKES.add(
    "numbers", "logits cut off", "softmax(clip(s, -700, 700))", _cut_off_above
)
def clipped(logits):
    """Nothing overflows, but all logits beyond the limit become equal."""
    return softmax(np.clip(logits, -700, 700))


def _minimum_subtracted(logits):
    powers = np.exp(logits - logits.min(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@MISTAKES.add(
    "numbers",
    "the mean or the minimum subtracted",
    "exp(s - mean(s)) / ...",
    _minimum_subtracted,
)
def mean_subtracted(logits):
    """If a logit lies 710 above the mean or minimum of its row, `exp` is infinite."""
    powers = np.exp(logits - logits.mean(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _draw_ordinary(rng, sizes):
    return [(rng.normal(0, 2, size=sizes),) for _ in range(2)]


def _draw_extreme(rng, sizes):
    """Draw rows above 1,000, rows far apart, entries far apart, and ordinary rows.

    All extreme entries are whole numbers, which float32 holds exactly.
    """
    n, m = sizes
    small = rng.permuted(np.tile(np.arange(float(m)), (n, 1)), axis=1)
    steps = np.arange(n)[:, None]
    first, last = (2000 * m * (np.arange(m) == place) for place in (0, m - 1))
    return [
        (small + 1000,),
        (small - 1000 - 2000 * steps,),
        (small + 900 * steps,),
        (small + first,),
        (small + last,),
        *_draw_ordinary(rng, sizes),
    ]


SOFTMAX = FunctionTask(
    arguments=("logits",),
    right=softmax,
    wrong=(*WEIGHTS.of("softmax"), *MISTAKES.of("softmax")),
    examples=(
        (np.array([[1.0, 0, 2, -1], [0.5, 0.5, 0, 1.5]]),),
        (np.array([[0.0, 1, 2], [1, 1, -1], [0.5, 2, 0]]),),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_ordinary,
    exposes_mistakes=_exposes_mistakes,
    edge_sizes=_EDGES,
)

STABLE = FunctionTask(
    arguments=("logits",),
    right=softmax,
    wrong=(*WEIGHTS.of("numbers"), *MISTAKES.of("numbers"), *SOFTMAX.wrong),
    examples=(
        (np.array([[1000.0, 1001, 1002], [-2, 0, -1], [3, 1, 2]]),),
        (np.array([[0.0, 3000, 1, 0], [0.5, 0.5, 0, 1.5]]),),
        (np.zeros((1, 4096)),),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_extreme,
    exposes_mistakes=_exposes_mistakes,
    edge_sizes=_EDGES,
)


# --- Backward -------------------------------------------------------------------------

BACKWARD_MISTAKES = Gallery()


def backward(weights, gradient):
    """Gradient of the logits from the gradient of the weights, row by row."""
    means = (weights * gradient).sum(axis=1, keepdims=True)
    return weights * (gradient - means)


@BACKWARD_MISTAKES.add("backward", "only the diagonal", "p (1 - p) g")
def diagonal_only(weights, gradient):
    """Logit i changes all weights, not only weight i. Their gradients count too."""
    return weights * (1 - weights) * gradient


@BACKWARD_MISTAKES.add("backward", "nothing subtracted", "p g")
def nothing_subtracted(weights, gradient):
    """The denominator of the softmax depends on the logit as well."""
    return weights * gradient


@BACKWARD_MISTAKES.add("backward", "the mean subtracted", "p (g - mean(g))")
def mean_of_the_gradient(weights, gradient):
    """The mean that is subtracted should count each entry by its weight."""
    return weights * (gradient - gradient.mean(axis=1, keepdims=True))


@BACKWARD_MISTAKES.add("backward", "the gradient's sum subtracted", "p (g - sum(g))")
def sum_of_the_gradient(weights, gradient):
    """The sum should count each entry by its weight."""
    return weights * (gradient - gradient.sum(axis=1, keepdims=True))


@BACKWARD_MISTAKES.add("backward", "the sum without its weight", "p g - sum(p g)")
def sum_not_weighted(weights, gradient):
    """A bracket is missing: the weight p must multiply both terms."""
    return weights * gradient - (weights * gradient).sum(axis=1, keepdims=True)


@BACKWARD_MISTAKES.add("backward", "summed over all entries", "p (g - (p g).sum())")
def summed_over_all_entries(weights, gradient):
    """Without an axis, `sum` adds up the whole matrix. Each row has its own sum."""
    return weights * (gradient - (weights * gradient).sum())


@BACKWARD_MISTAKES.add(
    "backward", "row sums used for the columns", "p (g - (p g).sum(axis=1))"
)
def sums_along_the_columns(weights, gradient):
    """Without `keepdims=True`, the sum of row j is subtracted from column j."""
    return weights * (gradient - (weights * gradient).sum(axis=1))


@BACKWARD_MISTAKES.add(
    "backward", "summed over the queries", "p (g - sum(p g, axis=0))"
)
def summed_over_the_queries(weights, gradient):
    """The sum runs along the wrong axis: a row does not depend on the other rows."""
    return weights * (gradient - (weights * gradient).sum(axis=0))


def _draw_weights_and_gradient(rng, sizes):
    return [(softmax(rng.normal(size=sizes)), rng.normal(size=sizes)) for _ in range(2)]


BACKWARD = FunctionTask(
    arguments=("weights", "gradient"),
    right=backward,
    wrong=tuple(BACKWARD_MISTAKES.values()),
    examples=(
        (
            np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]),
            np.array([[1.0, 0, 2], [-1, 3, 0.5]]),
        ),
        (np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([[1.0, 3], [-2, 1]])),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_weights_and_gradient,
    exposes_mistakes=_exposes_mistakes,
    edge_sizes=_EDGES,
)
