"""Checks of positions, and of the cosines and sines of their angles."""

import sys

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import numbers
from attention._checks.calls import broadcasts_to


def finite(name: str, value: ArrayLike) -> NDArray:
    """Return `value` as an array of finite numbers."""
    array = numbers(name, value)
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} must be finite, got {array[~np.isfinite(array)].flat[0]}"
        )
    return array


def rotation(x: NDArray, cos: ArrayLike, sin: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the cosines and sines of a rotation of `x`, in the dtype of `x`."""
    cos, sin = numbers("cos", cos), numbers("sin", sin)
    if cos.shape != sin.shape:
        raise ValueError(
            f"sin must have the shape of cos, {cos.shape}, got shape {sin.shape}"
        )
    half = cos.shape[-1] if cos.ndim else sys.maxsize  # a single number never fits
    if 2 * half > x.shape[-1] or not broadcasts_to(cos.shape, (*x.shape[:-1], half)):
        raise ValueError(
            "cos must have shape (..., n, w / 2) with w <= d that broadcasts to x of "
            f"shape (..., n, d) = {x.shape}, got shape {cos.shape}"
        )
    with np.errstate(over="ignore"):
        return cos.astype(x.dtype), sin.astype(x.dtype)
