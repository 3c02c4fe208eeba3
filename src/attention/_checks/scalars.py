"""Checks of flags, integers and real numbers."""

import math
import operator
import sys
from numbers import Real
from reprlib import Repr

import numpy as np

FLAGS = (bool, np.bool_)
SHORT = Repr()  # long texts and arrays are cut in their middle
SHORT.maxstring = SHORT.maxother = 60


def flag(name: str, value: bool) -> bool:
    """Return `value` as a bool; only True and False are flags."""
    if not isinstance(value, FLAGS):
        raise TypeError(
            f"{name} must be True or False, got {shown(value)} of type "
            f"{type(value).__name__}"
        )
    return bool(value)


def integer(
    name: str,
    value: int,
    at_least: float = -math.inf,
    expected: str = "an integer",
) -> int:
    """Return `value` as an int of at least `at_least`; a bool is refused."""
    try:
        if isinstance(value, bool | np.bool_ | np.ndarray):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name} must be {expected}, got {shown(value)} of type "
            f"{type(value).__name__}"
        ) from None
    if number < at_least:
        raise ValueError(f"{name} must be at least {at_least}, got {shown(number)}")
    return number


def size(name: str, value: int, at_least: int = 0) -> int:
    """Return `value` as an int that can be the length of an axis."""
    number = integer(name, value, at_least)
    if number > sys.maxsize:
        raise ValueError(f"{name} must be a size of an array, got {shown(number)}")
    return number


def shown(value: object) -> str:
    """Return a value as a short text; for a very long integer, its number of bits."""
    if type(value) is int and abs(value) >= 10**20:
        return f"an integer of {value.bit_length()} bits"
    return SHORT.repr(value)


def real(name: str, value: float, at_least: float = -math.inf) -> float:
    """Return `value` as a finite float of at least `at_least`."""
    if type(value) is not float and (
        isinstance(value, bool | np.bool_) or not isinstance(value, Real)
    ):
        raise TypeError(
            f"{name} must be a real number, got {shown(value)} of type "
            f"{type(value).__name__}"
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number < at_least:
        least = "" if at_least == -math.inf else f" and at least {at_least:g}"
        raise ValueError(f"{name} must be finite{least}, got {shown(value)}")
    return number
