"""Softmax: written down, made stable, backward, and in one pass."""

import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery import WEIGHTS, Gallery
from course.practice.gallery.weights import softmax
from course.practice.grader import FunctionTask, Inputs
from course.practice.outcomes import NoNumbersError, agree, numbers

Array = NDArray[Any]
Sizes = tuple[int, int]


OWN = Gallery()


def _maxima_and_sums_along_the_columns(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1))
    return powers / powers.sum(axis=1)


@OWN.holds(
    "softmax",
    "row sums laid along the columns",
    "powers / powers.sum(axis=1)",
    _maxima_and_sums_along_the_columns,
)
def without_keepdims(logits: Array) -> Array:
    """Without `keepdims=True` the sums are a row, which divides column by column."""
    powers = np.exp(logits)
    return powers / powers.sum(axis=1)


@OWN.holds("softmax", "the exponential of the sum", "exp(s) / exp(sum(s))")
def exponential_of_the_sum(logits: Array) -> Array:
    """That is the product of the exponentials; below the line stands their sum."""
    return np.exp(logits) / np.exp(logits.sum(axis=1, keepdims=True))


@OWN.holds("numbers", "row maxima laid along the columns", "s - s.max(axis=1)")
def maxima_along_the_columns(logits: Array) -> Array:
    """Without `keepdims=True` the maxima are a row: a column loses another row's."""
    powers = np.exp(logits - logits.max(axis=1))
    return powers / powers.sum(axis=1, keepdims=True)


@OWN.holds(
    "numbers", "the maximum subtracted only above", "exp(s - max(s)) / sum(exp(s))"
)
def maximum_only_above(logits: Array) -> Array:
    """What shrinks the powers above the line has to shrink those below it, too."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / np.exp(logits).sum(axis=1, keepdims=True)


def _cut_off_above(logits: Array) -> Array:
    powers = np.exp(np.minimum(logits, 700))
    return powers / powers.sum(axis=1, keepdims=True)


@OWN.holds("numbers", "logits cut off", "softmax(clip(s, -700, 700))", _cut_off_above)
def clipped(logits: Array) -> Array:
    """Nothing overflows then, but all logits beyond the limit have become equal."""
    return softmax(np.clip(logits, -700, 700))


def _minimum_subtracted(logits: Array) -> Array:
    powers = np.exp(logits - logits.min(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@OWN.holds(
    "numbers",
    "the mean or the minimum subtracted",
    "exp(s - mean(s)) / ...",
    _minimum_subtracted,
)
def mean_subtracted(logits: Array) -> Array:
    """Either shifts a row too, but the largest entry can lie 709 above it."""
    powers = np.exp(logits - logits.mean(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _rows(rng: np.random.Generator) -> Sizes:
    n, m = rng.integers(1, 8, size=2)
    return int(n), int(m)


def _ordinary(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    return [(rng.normal(0, 2, size=sizes),) for _ in range(2)]


def _extreme(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    """Draw rows past 1,000, rows far below others, entries far apart.

    All are whole numbers, so that arithmetic in float32 takes them as they are.
    """
    n, m = sizes
    small = rng.permuted(np.tile(np.arange(float(m)), (n, 1)), axis=1)
    steps = np.arange(n)[:, None]
    apart = small.copy()
    apart[:, 0] += 2000 * m
    return [
        (small + 1000,),
        (small - 1000 - 2000 * steps,),
        (small + 900 * steps,),
        (apart,),
        *_ordinary(rng, sizes),
    ]


SOFTMAX = FunctionTask(
    arguments=("logits",),
    right=softmax,
    wrong=(
        *(wrong for wrong in WEIGHTS.values() if wrong.group == "softmax"),
        *(wrong for wrong in OWN.values() if wrong.group == "softmax"),
    ),
    printed=(
        (np.array([[1.0, 0.0, 2.0, -1.0], [0.5, 0.5, 0.0, 1.5]]),),
        (np.array([[0.0, 1.0, 2.0], [1.0, 1.0, -1.0], [0.5, 2.0, 0.0]]),),
    ),
    sizes=_rows,
    draw=_ordinary,
    tells=lambda sizes: min(sizes) > 1,
    always=((1, 1), (1, 3), (3, 1), (40, 70)),
)

STABLE = FunctionTask(
    arguments=("logits",),
    right=softmax,
    wrong=(
        *(wrong for wrong in WEIGHTS.values() if wrong.group == "numbers"),
        *(wrong for wrong in OWN.values() if wrong.group == "numbers"),
        *SOFTMAX.wrong,
    ),
    printed=(
        (np.array([[1000.0, 1001.0, 1002.0], [-2.0, 0.0, -1.0], [3.0, 1.0, 2.0]]),),
        (np.array([[0.0, 3000.0, 1.0, 0.0], [0.5, 0.5, 0.0, 1.5]]),),
        (np.zeros((1, 4096)),),
    ),
    sizes=_rows,
    draw=_extreme,
    tells=lambda sizes: min(sizes) > 1,
    always=((1, 1), (1, 3), (3, 1), (40, 70)),
)


# --- Backward -------------------------------------------------------------------------

BACKWARD_MISTAKES = Gallery()


def backward(weights: Array, gradient: Array) -> Array:
    """Gradient of the logits from the gradient of the weights, row by row."""
    along = (weights * gradient).sum(axis=1, keepdims=True)
    return weights * (gradient - along)


@BACKWARD_MISTAKES.holds("backward", "only the diagonal", "p (1 - p) g")
def diagonal_only(weights: Array, gradient: Array) -> Array:
    """That is how a weight depends on its own logit; it depends on the others too."""
    return weights * (1 - weights) * gradient


@BACKWARD_MISTAKES.holds("backward", "nothing subtracted", "p g")
def nothing_subtracted(weights: Array, gradient: Array) -> Array:
    """That is the numerator's part; the sum below it changes as well."""
    return weights * gradient


@BACKWARD_MISTAKES.holds("backward", "the mean subtracted", "p (g - mean(g))")
def mean_of_the_gradient(weights: Array, gradient: Array) -> Array:
    """What is subtracted is a mean in which each entry counts by its weight."""
    return weights * (gradient - gradient.mean(axis=1, keepdims=True))


@BACKWARD_MISTAKES.holds("backward", "the gradient's sum subtracted", "p (g - sum(g))")
def sum_of_the_gradient(weights: Array, gradient: Array) -> Array:
    """In the sum each entry counts by its weight."""
    return weights * (gradient - gradient.sum(axis=1, keepdims=True))


@BACKWARD_MISTAKES.holds("backward", "the sum without its weight", "p g - sum(p g)")
def sum_not_weighted(weights: Array, gradient: Array) -> Array:
    """A bracket is missing: the weight stands before both terms."""
    return weights * gradient - (weights * gradient).sum(axis=1, keepdims=True)


@BACKWARD_MISTAKES.holds("backward", "summed over all entries", "p (g - (p g).sum())")
def summed_over_all_entries(weights: Array, gradient: Array) -> Array:
    """Without an axis, `sum` adds up the whole matrix; each row has its own sum."""
    return weights * (gradient - (weights * gradient).sum())


@BACKWARD_MISTAKES.holds(
    "backward", "row sums laid along the columns", "p (g - (p g).sum(axis=1))"
)
def sums_along_the_columns(weights: Array, gradient: Array) -> Array:
    """Without `keepdims=True` the sums are a row: a column loses another row's."""
    return weights * (gradient - (weights * gradient).sum(axis=1))


@BACKWARD_MISTAKES.holds(
    "backward", "summed over the queries", "p (g - sum(p g, axis=0))"
)
def summed_over_the_queries(weights: Array, gradient: Array) -> Array:
    """The sum runs along the wrong axis: a row has nothing to do with the others."""
    return weights * (gradient - (weights * gradient).sum(axis=0))


def _weights_and_gradient(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    return [(softmax(rng.normal(size=sizes)), rng.normal(size=sizes)) for _ in range(2)]


BACKWARD = FunctionTask(
    arguments=("weights", "gradient"),
    right=backward,
    wrong=tuple(BACKWARD_MISTAKES.values()),
    printed=(
        (
            np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]),
            np.array([[1.0, 0.0, 2.0], [-1.0, 3.0, 0.5]]),
        ),
        (
            np.array([[0.5, 0.5], [0.25, 0.75]]),
            np.array([[1.0, 3.0], [-2.0, 1.0]]),
        ),
    ),
    sizes=_rows,
    draw=_weights_and_gradient,
    tells=lambda sizes: min(sizes) > 1,
    always=((1, 1), (1, 3), (3, 1), (40, 70)),
)


# --- In one pass ----------------------------------------------------------------------

ONE_PASS_MISTAKES = Gallery()

Pairs = Iterable[tuple[float, Array]]


def one_pass(pairs: Pairs) -> Array:
    """Weighted mean of values, by a softmax of logits that come one after another."""
    largest, total, output = -np.inf, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total = total * shrink + power
        output = output * shrink + power * value
        largest = new
    return output / total


@ONE_PASS_MISTAKES.holds("one pass", "nothing made smaller", "no exp(old - new)")
def never_rescaled(pairs: Pairs) -> Array:
    """A larger maximum has come, and what was added up is left on the old scale."""
    largest, total, output = -np.inf, 0.0, 0.0
    for logit, value in pairs:
        largest = max(largest, logit)
        power = np.exp(logit - largest)
        total, output = total + power, output + power * value
    return output / total


@ONE_PASS_MISTAKES.holds(
    "one pass", "only the total made smaller", "total * exp(old - new)"
)
def only_the_total_rescaled(pairs: Pairs) -> Array:
    """The sum below the line is put on the new scale, the one above it is not."""
    largest, total, output = -np.inf, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        power = np.exp(logit - new)
        total = total * np.exp(largest - new) + power
        output = output + power * value
        largest = new
    return output / total


@ONE_PASS_MISTAKES.holds(
    "one pass", "only the output made smaller", "output * exp(old - new)"
)
def only_the_output_rescaled(pairs: Pairs) -> Array:
    """The sum above the line is put on the new scale, the one below it is not."""
    largest, total, output = -np.inf, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        power = np.exp(logit - new)
        total, output = total + power, output * np.exp(largest - new) + power * value
        largest = new
    return output / total


@ONE_PASS_MISTAKES.holds("one pass", "the maximum begins too high", "largest = 0")
def maximum_from_zero(pairs: Pairs) -> Array:
    """Where all logits lie 746 below it, each power is 0, and 0/0 is NaN."""
    largest, total, output = 0.0, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total, output = total * shrink + power, output * shrink + power * value
        largest = new
    return output / total


@ONE_PASS_MISTAKES.holds("one pass", "only the last pair counts", "no largest = new")
def maximum_not_kept(pairs: Pairs) -> Array:
    """With no maximum kept each pair is taken for the first, and forgets the others."""
    largest, total, output = -np.inf, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total, output = total * shrink + power, output * shrink + power * value
    return output / total


@ONE_PASS_MISTAKES.holds(
    "one pass", "not divided at the end", "output, not output / total"
)
def not_divided_at_the_end(pairs: Pairs) -> Array:
    """The sum of powers times values is no mean before it is divided by the total."""
    largest, output = -np.inf, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        output = output * np.exp(largest - new) + np.exp(logit - new) * value
        largest = new
    return output


@ONE_PASS_MISTAKES.holds("one pass", "no maximum subtracted", "exp(s) / sum(exp(s))")
def one_pass_without_maximum(pairs: Pairs) -> Array:
    """The powers are added up as they come; past 709 they are infinite."""
    total, output = 0.0, 0.0
    for logit, value in pairs:
        power = np.exp(logit)
        total, output = total + power, output + power * value
    return output / total


@ONE_PASS_MISTAKES.holds(
    "one pass", "total in float16", "a running sum that stops at 2,048"
)
def one_pass_in_float16(pairs: Pairs) -> Array:
    """A sum kept in half precision stops at 2,048, where adding 1 changes nothing."""
    largest, total, output = -np.inf, np.float16(0), 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total = np.float16(total * np.float16(shrink) + np.float16(power))
        output = output * shrink + power * value
        largest = new
    return output / float(total)


LAST = 1000  # pairs of a stream; of these it is watched how much is kept


def feed(function: Callable[..., Any], logits: Array, values: Array) -> Any:
    """Hand a function its pairs one by one: it can neither begin again nor keep all."""
    pairs = OneByOne(logits, values)
    try:
        returned = function(pairs)
    except Exception as error:
        if pairs.was_begun_again:
            raise NoNumbersError(AGAIN) from error
        raise
    finally:
        pairs.count_no_more()
    if isinstance(returned, Iterator):
        raise NoNumbersError("it returns something to go through; no yield here")
    if pairs.kept > values[:LAST].nbytes // 2:
        raise NoNumbersError(
            f"of the last {LAST:,} pairs it still holds {pairs.kept // 1000} kB when "
            "all have gone by; one pass needs no more than one of them at a time"
        )
    if pairs.was_begun_again and not _is_right(returned, logits, values):
        raise NoNumbersError(AGAIN)
    return returned


AGAIN = "it goes through the pairs a second time; they come only once"


def _is_right(returned: Any, logits: Array, values: Array) -> bool:
    return agree(numbers(returned), one_pass(zip(logits, values, strict=True)))


class OneByOne:
    """An iterator over pairs that notices who begins again, and who keeps them.

    Who takes them in blocks asks for more when there are none left, and may: begun
    again is no fault in itself.

    Parameters
    ----------
    logits : ndarray, shape (m,)
    values : ndarray, shape (m, d_v)

    Attributes
    ----------
    was_begun_again : bool
        Whether somebody began to go through them after their end.
    kept : int
        Bytes that were allocated during the last `LAST` pairs and still held at the
        end; 0 where there are fewer pairs.
    """

    def __init__(self, logits: Array, values: Array) -> None:
        self._left = enumerate(zip(logits, values, strict=True))
        self._count_from = len(logits) - LAST
        self._is_over = self._counts = self.was_begun_again = False
        self._before = self.kept = 0

    def __iter__(self) -> "OneByOne":
        self.was_begun_again |= self._is_over
        return self

    def __next__(self) -> tuple[float, Array]:
        for place, (logit, value) in self._left:
            if place == self._count_from:
                self._count()
            return float(logit), value.copy()
        if not self._is_over:
            self._is_over = True
            if self._count_from >= 0:
                self.kept = tracemalloc.get_traced_memory()[0] - self._before
        raise StopIteration

    def _count(self) -> None:
        if not tracemalloc.is_tracing():  # or somebody else counts as well
            self._counts = True
            tracemalloc.start()
        self._before = tracemalloc.get_traced_memory()[0]

    def count_no_more(self) -> None:
        """Let Python allocate memory without counting it again."""
        if self._counts:
            tracemalloc.stop()


def _streams(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    """Draw streams: ordinary, rising, falling, past 1,000, far below 0."""
    m, d_v = sizes
    values = rng.normal(size=(m, d_v))
    small = rng.integers(-3, 4, size=m).astype(float)
    rising = np.sort(rng.normal(0, 2, size=m))
    return [
        (rng.normal(0, 2, size=m), values),
        (rising, values),
        (rising[::-1].copy(), values),
        (small + 1000, values),
        (small - 1000, values),
    ]


ONE_PASS = FunctionTask(
    arguments=("logits", "values"),
    right=one_pass,
    wrong=tuple(ONE_PASS_MISTAKES.values()),
    printed=(
        (
            np.array([0.0, 2.0, 1.0, 3.0]),
            np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [-1.0, 4.0]]),
        ),
        (np.array([-1000.0, -1001.0]), np.array([[1.0, 0.0], [0.0, 1.0]])),
        (np.array([1000.0, 1002.0]), np.array([[1.0, 0.0], [0.0, 1.0]])),
        (np.zeros(3000), np.ones((3000, 8))),
    ),
    sizes=_rows,
    draw=_streams,
    tells=lambda sizes: sizes[0] > 1,
    always=((1, 1), (1, 3), (3, 1), (70, 3)),
    call=feed,
)
