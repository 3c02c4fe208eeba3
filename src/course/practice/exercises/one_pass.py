"""The exercise on softmax in one pass: pairs of a logit and a value come one by one."""

import os
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import redirect_stdout

import numpy as np

from course.practice.gallery import Gallery
from course.practice.grader import FunctionTask, sizes_to
from course.practice.outcomes import NoNumbersError, agree, numbers

MISTAKES = Gallery()

# Memory is measured during the last `LAST` pairs of a stream. A block of 256 pairs
# needs less memory than all their logits.
LAST = 4_000
AGAIN = "it goes through the pairs a second time; they come only once"


def _sums(
    pairs,
    start=-np.inf,
    rescales_total=True,
    rescales_output=True,
    keeps_maximum=True,
):
    """Return the sum of powers times values, and the sum of powers."""
    largest, total, output = start, 0.0, 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total = total * (shrink if rescales_total else 1) + power
        output = output * (shrink if rescales_output else 1) + power * value
        largest = new if keeps_maximum else largest
    return output, total


def one_pass(pairs):
    """Weighted mean of the values; the weights are the softmax of the logits."""
    output, total = _sums(pairs)
    return output / total


@MISTAKES.add("one pass", "nothing made smaller", "no exp(old - new)")
def never_rescaled(pairs):
    """The maximum has grown, but the sums keep the scale of the old maximum."""
    output, total = _sums(pairs, rescales_total=False, rescales_output=False)
    return output / total


@MISTAKES.add("one pass", "only the total made smaller", "total * exp(old - new)")
def only_the_total_rescaled(pairs):
    """The denominator gets the new scale. The numerator does not."""
    output, total = _sums(pairs, rescales_output=False)
    return output / total


@MISTAKES.add("one pass", "only the output made smaller", "output * exp(old - new)")
def only_the_output_rescaled(pairs):
    """The numerator gets the new scale. The denominator does not."""
    output, total = _sums(pairs, rescales_total=False)
    return output / total


@MISTAKES.add("one pass", "the maximum begins too high", "largest = 0")
def maximum_from_zero(pairs):
    """If all logits lie 746 below the first maximum, 0/0 gives NaN."""
    output, total = _sums(pairs, start=0.0)
    return output / total


@MISTAKES.add("one pass", "only the last pair counts", "no largest = new")
def maximum_not_kept(pairs):
    """No maximum is kept, so each new pair erases the sums of the earlier ones."""
    output, total = _sums(pairs, keeps_maximum=False)
    return output / total


@MISTAKES.add("one pass", "not divided at the end", "output, not output / total")
def not_divided_at_the_end(pairs):
    """The sum of powers times values is no mean before the division by the total."""
    return _sums(pairs)[0]


@MISTAKES.add("one pass", "no maximum subtracted", "exp(s) / sum(exp(s))")
def without_maximum(pairs):
    """The powers are added up as they are. From 710 on they are infinite."""
    total, output = 0.0, 0.0
    for logit, value in pairs:
        power = np.exp(logit)
        total, output = total + power, output + power * value
    return output / total


@MISTAKES.add("one pass", "total in float16", "a running sum that stops at 2,048")
def total_in_float16(pairs):
    """A sum in half precision stops at 2,048: there, adding 1 changes nothing."""
    largest, total, output = -np.inf, np.float16(0), 0.0
    for logit, value in pairs:
        new = max(largest, logit)
        shrink, power = np.exp(largest - new), np.exp(logit - new)
        total = np.float16(total * np.float16(shrink) + np.float16(power))
        output = output * shrink + power * value
        largest = new
    return output / float(total)


def feed(function, logits, values):
    """Call a function on a `Stream`; raise if it keeps pairs or needs a second pass."""
    pairs = Stream(logits, values)
    try:
        # Text that the function prints would count as kept pairs, if it were stored.
        with (
            open(os.devnull, "w", encoding="utf-8") as nowhere,
            redirect_stdout(sys.stdout if len(logits) < LAST else nowhere),
        ):
            returned = function(pairs)
    except Exception as error:
        if pairs.restarted:
            raise NoNumbersError(AGAIN) from error
        raise
    finally:
        pairs.stop_tracing()
    if isinstance(returned, Iterator):
        raise NoNumbersError("it returns a generator; use return, not yield")
    if pairs.kept > values[:LAST].nbytes // 2:
        raise NoNumbersError(
            f"after the last {LAST:,} pairs it still holds {pairs.kept // 1000} kB of "
            "them; one pass needs only one pair at a time"
        )
    if pairs.restarted and not _is_right(returned, logits, values):
        raise NoNumbersError(AGAIN)
    return returned


def _is_right(returned, logits, values):
    return agree(numbers(returned), one_pass(zip(logits, values, strict=True)))


class Stream:
    """An iterator over pairs that detects a second pass and measures kept pairs.

    A function that takes pairs in blocks asks for one more block at the end. So a
    restart alone is no mistake. `kept` is the number of bytes allocated during the last
    `LAST` pairs and still held at the end, or 0 for a shorter stream.
    """

    def __init__(self, logits, values):
        self._left = enumerate(zip(logits, values, strict=True))
        self._first_traced = len(logits) - LAST
        self._is_over = self._started_tracing = self.restarted = False
        self._before = self.kept = 0

    def __iter__(self):
        self.restarted |= self._is_over
        return self

    def __next__(self):
        for place, (logit, value) in self._left:
            if place == self._first_traced:
                self._start_tracing()
            return float(logit), value.copy()
        if not self._is_over:
            self._is_over = True
            if self._first_traced >= 0:
                self.kept = tracemalloc.get_traced_memory()[0] - self._before
        raise StopIteration

    def _start_tracing(self):
        if not tracemalloc.is_tracing():  # unless the caller traces memory already
            self._started_tracing = True
            tracemalloc.start()
        self._before = tracemalloc.get_traced_memory()[0]

    def stop_tracing(self):
        """Stop tracing memory, if this stream started it."""
        if self._started_tracing:
            tracemalloc.stop()


def _draw_streams(rng, sizes):
    """Draw streams: ordinary, rising, falling, far above 0, far below 0, and mixed."""
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
        (small + 1000 * (np.arange(m) % 2), values),
    ]


ONE_PASS = FunctionTask(
    arguments=("logits", "values"),
    right=one_pass,
    wrong=tuple(MISTAKES.values()),
    examples=(
        (np.array([0.0, 2, 1, 3]), np.array([[1.0, 0], [0, 1], [2, 2], [-1, 4]])),
        (np.array([-1000.0, -1001]), np.eye(2)),
        (np.array([1000.0, 1002]), np.eye(2)),
        (np.zeros(5_000), np.ones((5_000, 8))),
    ),
    draw_sizes=sizes_to(7, count=2),
    draw_inputs=_draw_streams,
    separates=lambda sizes: sizes[0] > 1,
    edge_sizes=((1, 1), (1, 3), (3, 1), (70, 3)),
    call=feed,
)
