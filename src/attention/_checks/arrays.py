"""Checks of arrays of numbers, and the dtype to compute in."""

from collections.abc import Sequence
from functools import cache
from operator import attrgetter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.scalars import integer, shown

# The floating dtypes that arrays may have, by name, and the dtype to compute in.
# Integers are computed in float64. bfloat16 comes with `ml_dtypes`.
WORKING: dict[str, np.dtype] = {
    "float16": np.dtype(np.float32),
    "bfloat16": np.dtype(np.float32),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}
STORED = "float16, bfloat16, float32 or float64"

INTEGERS = "iu"  # kinds of dtypes, signed or not
PLAIN = {float, int, bool, np.float64, np.float32}  # numbers in a nested list
MAX_AXES = 32  # every version of NumPy can broadcast 32 axes


def array_of(name: str, value: ArrayLike, max_axes: int = MAX_AXES) -> NDArray:
    """Return `value` as an array of any dtype, with at most `max_axes` axes."""
    array = value if type(value) is np.ndarray else converted(name, value)
    if array.ndim > max_axes:
        raise ValueError(f"{name} must have at most {max_axes} axes, got {array.ndim}")
    return array


def converted(name: str, value: ArrayLike) -> NDArray:
    """Return the array that NumPy makes of `value`."""
    if holds_masked(value):
        raise TypeError(f"{name} must be a plain array, got a masked array")
    try:
        return np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:  # a foreign `__array__` may raise anything
        if isinstance(value, list | tuple) and isinstance(error, ValueError):
            raise ValueError(
                f"{name} must be an array with rows of equal length, got a nested list "
                "whose rows differ"
            ) from error
        raise TypeError(
            f"{name} must be an array or something that NumPy makes one of, got type "
            f"{type(value).__name__}, which says: {error}"
        ) from error


def holds_masked(value: object, depth: int = MAX_AXES) -> bool:
    """Return whether a value is a masked array, or a nested list that holds one."""
    if isinstance(value, list | tuple) and depth:
        if set(map(type, value)) <= PLAIN:  # much faster than checking each number
            return False
        return any(holds_masked(entry, depth - 1) for entry in value)
    return isinstance(value, np.ma.MaskedArray)


def numbers(
    name: str, value: ArrayLike, axes: str = "", max_axes: int = MAX_AXES
) -> NDArray:
    """Return `value` as an array of numbers, with at least the axes in `axes`."""
    array = array_of(name, value, max_axes)
    if not is_number(array.dtype):
        advice = f"; use np.asarray({name}, float)" if array.dtype.kind in "bf" else ""
        raise TypeError(
            f"{name} must hold integers, {STORED}, got {received(value, array)}{advice}"
        )
    min_axes = axes.count(",")
    if array.ndim < min_axes:
        raise ValueError(
            f"{name} must have shape {axes}, at least {min_axes} axes, got shape "
            f"{array.shape}"
        )
    return array


def received(value: object, array: NDArray) -> str:
    """Return what an error about a dtype says it got, from a value and its array."""
    if array.dtype != object:
        return f"dtype {array.dtype}"
    if any(type(entry) is int and abs(entry) >= 2**63 for entry in array.flat):
        return "an integer too large for NumPy"
    if isinstance(value, np.ndarray | list | tuple):
        return "dtype object"
    return f"type {type(value).__name__}"


@cache
def is_number(dtype: np.dtype) -> bool:
    """Return whether a dtype is an integer dtype or one of `WORKING`."""
    return dtype.kind in INTEGERS or is_float(dtype)


@cache
def is_float(dtype: np.dtype) -> bool:
    """Return whether a dtype is one of `WORKING`, in any byte order."""
    return dtype.type.__name__ in WORKING


def floats(**arrays: ArrayLike) -> tuple[list[NDArray], np.dtype]:
    """Return the arrays in the dtype to compute in, and the dtype of the result."""
    return alike([numbers(name, array) for name, array in arrays.items()])


def alike(arrays: Sequence[NDArray]) -> tuple[list[NDArray], np.dtype]:
    """Return arrays in the dtype to compute in, and the dtype of the result.

    Integers count as float64; float16 and bfloat16 are computed in float32.
    """
    dtype, working = common_dtypes(*map(attrgetter("dtype"), arrays))
    return [np.asarray(array, working) for array in arrays], dtype


@cache
def common_dtypes(*dtypes: np.dtype) -> tuple[np.dtype, np.dtype]:
    """Return the dtype of a result, and the dtype to compute in.

    bfloat16 beside another dtype counts as float32, because NumPy has no rule for
    float16 beside bfloat16.
    """
    native = {
        np.dtype(float) if dtype.kind in INTEGERS else dtype.newbyteorder("=")
        for dtype in dtypes
    }
    if len(native) > 1:
        known = [
            WORKING["bfloat16"] if dtype.type.__name__ == "bfloat16" else dtype
            for dtype in native
        ]
        native = {np.result_type(*known)}
    (dtype,) = native
    return dtype, WORKING[dtype.type.__name__]


def axis_of(value: int, array: NDArray) -> int:
    """Return `value` as an axis of `array`."""
    index = integer("axis", value)
    if not -array.ndim <= index < array.ndim:
        raise ValueError(
            f"axis must be an axis of logits, which have shape {array.shape}, "
            f"got {shown(index)}"
        )
    return index


def gradient(d_output: ArrayLike, shape: tuple[int, ...], axes: str) -> NDArray:
    """Return `d_output` as an array; raise unless it has the shape of the output."""
    array = numbers("d_output", d_output)
    if array.shape != shape:
        raise ValueError(
            f"d_output must have the output's shape {axes} = {shape}, got shape "
            f"{array.shape}"
        )
    return array
