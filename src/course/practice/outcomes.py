"""Call a reader's function safely, and compare the outcomes of two functions."""

import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import copy
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Two arrays agree if no difference exceeds ROUNDING times the largest right number, or
# ROUNDING if that number is below 1. Results in float32 are ten times as exact.
ROUNDING = 1e-5

NUMBERS = "biuf"  # kinds of dtype that count as real numbers
NOTHING = "it returns None"


class NoNumbersError(Exception):
    """A function returned no numbers to judge; the message says why."""


class Outcome(NamedTuple):
    """The result of a call, or the reason why there is no result."""

    array: Array | None
    trouble: str = ""  # why there is no array; empty if there is one
    error: str = ""  # type of the exception, if the function raised one
    changed: tuple[int, ...] = ()  # indices of the arguments that the function changed
    printed: str = ""  # text that the function printed


@contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings in a ``with`` block: a result shows an overflow anyway."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> Outcome:
    """Call a function on copies of its arguments, and return the outcome.

    An `Exception` becomes a part of the outcome. Other exceptions, such as an interrupt
    from the keyboard, are raised.
    """
    given = [copy(argument) for argument in arguments]
    with redirect_stdout(StringIO()) as printed:
        found = _called(function, given)
    found = found._replace(printed=printed.getvalue())
    if found.array is None:
        return found
    changed = tuple(
        i
        for i, (now, before) in enumerate(zip(given, arguments, strict=True))
        if not np.array_equal(now, before, equal_nan=True)
    )
    return found._replace(changed=changed)


def _called(function: Callable[..., Any], given: Sequence[Any]) -> Outcome:
    try:
        return Outcome(numbers(function(*given)))
    except NoNumbersError as trouble:
        return Outcome(None, str(trouble))
    except Exception as error:
        kind = type(error).__name__
        said = f"{kind}: {error}".strip(": ")
        return Outcome(None, f"it raised {said}{_where(error)}", kind)


def numbers(returned: Any) -> Array:
    """Copy a result into an array of float64; raise if it holds no real numbers."""
    if returned is None or returned is ...:
        raise NoNumbersError(NOTHING)
    try:
        array = np.asarray(returned)
    except ValueError as error:
        raise NoNumbersError(
            f"it returns a {type(returned).__name__} of parts with different shapes, "
            "and no array"
        ) from error
    if array.dtype.kind not in NUMBERS:
        what = type(returned).__name__
        raise NoNumbersError(
            f"it returns something that holds no real numbers, a {what}"
        )
    return np.array(array, dtype=np.float64)


def same(one: Outcome, other: Outcome) -> bool:
    """Return whether two arrays agree up to rounding, or two errors have one type."""
    if one.array is None or other.array is None:
        return one.array is other.array and bool(one.error) and one.error == other.error
    return agree(one.array, other.array)


def agree(array: Array, due: Array) -> bool:
    """Return whether two arrays agree up to rounding; NaN agrees with NaN."""
    if array.shape != due.shape:
        return False
    finite = np.isfinite(due)
    if not finite.all():
        if not np.array_equal(array[~finite], due[~finite], equal_nan=True):
            return False
        array, due = array[finite], due[finite]
    scale = np.abs(due).max(initial=1)
    return bool((np.abs(array - due) <= ROUNDING * scale).all())


def _where(error: Exception) -> str:
    """Return the line of the reader's own code that raised the error, if known."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    own = [frame for frame in theirs if frame.filename == theirs[0].filename]
    return f"\n    at the line: {own[-1].line}" if own and own[-1].line else ""


_OURS = __file__.rpartition("outcomes")[0]  # the folder of this package
