"""Checks of a call of attention, for its output, its steps and its gradients."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._arguments import Arguments, group_heads
from attention._block import ALL_VISIBLE, Visibility
from attention._checks.arrays import (
    INTEGERS,
    STORED,
    alike,
    array_of,
    is_float,
    numbers,
    received,
)
from attention._checks.scalars import flag, integer, real, shown
from attention._options import Window

ALIGNMENTS = ("top-left", "bottom-right")

Shape = tuple[int, ...]


def call_arguments(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    enable_gqa: bool,
    attn_mask: ArrayLike | None,
    is_causal: bool,
    scale: float | None,
    options: Mapping[str, Any],
) -> Arguments:
    """Check a call of a public function; return the arguments of the kernels."""
    arrays, dtype = alike(
        [
            numbers("query", query, axes="(..., n, d_k)"),
            numbers("key", key, axes="(..., m, d_k)"),
            numbers("value", value, axes="(..., m, d_v)"),
        ]
    )
    grouped = flag("enable_gqa", enable_gqa)
    m = arrays[1].shape[-2]
    return with_options(arrays, m, dtype, grouped, attn_mask, is_causal, scale, options)


def with_options(
    arrays: Sequence[NDArray],
    m: int,
    dtype: np.dtype,
    grouped: bool,
    attn_mask: ArrayLike | None,
    is_causal: bool,
    scale: float | None,
    options: Mapping[str, Any],
) -> Arguments:
    """Check shapes and options; return the arguments of the kernels.

    `m` is the number of keys to attend to: a layer adds cached keys after the checks.
    """
    query, key, value = arrays
    batch = batch_axes(query.shape, key.shape, value.shape, grouped)
    shape, causal = (*batch, query.shape[-2], m), flag("is_causal", is_causal)
    visibility = visibility_of(shape, query.dtype, attn_mask, causal, options)
    axes = len(shape)
    arguments = Arguments(
        with_axes(query, axes),
        with_axes(key, axes),
        with_axes(value, axes),
        visibility,
        factor("scale", scale, query),
        cap(options["softcap"], query),
        dtype,
        batch,
    )
    return group_heads(arguments) if grouped else arguments


def with_axes(array: NDArray, axes: int) -> NDArray:
    """Return a view with `axes` axes; new axes come first and have length 1."""
    if array.ndim == axes:
        return array
    return array.reshape((1,) * (axes - array.ndim) + array.shape)


@lru_cache
def batch_axes(query: Shape, key: Shape, value: Shape, grouped: bool) -> Shape:
    """Return the batch axes of query, key and value; raise if the shapes do not fit."""
    widths(query, key, value)
    if grouped:
        head_groups("key", key, query)
        head_groups("value", value, query)
    last = 3 if grouped else 2  # number of last axes, which do not broadcast
    shapes = (query, key, value)
    try:
        batch = np.broadcast_shapes(*(shape[:-last] for shape in shapes))
    except ValueError:
        advice = "" if grouped else "; heads that are shared need enable_gqa"
        raise ValueError(
            f"query, key and value must have batch axes (all but the last {last}) that "
            f"broadcast, got shapes {', '.join(map(str, shapes))}{advice}"
        ) from None
    return (*batch, *query[-last:-2])


def widths(query: Shape, key: Shape, value: Shape) -> None:
    """Raise unless query and key agree in d_k, and key and value in m."""
    d_k, m = query[-1], key[-2]
    if d_k == 0:
        raise ValueError(
            f"query must have at least one column, d_k >= 1, got shape {query}"
        )
    if key[-1] != d_k:
        raise ValueError(
            f"key must have shape (..., m, d_k) with d_k = {d_k} as in query of shape "
            f"{query}, got shape {key}"
        )
    if value[-2] != m:
        raise ValueError(
            f"value must have shape (..., m, d_v) with m = {m} as in key of shape "
            f"{key}, got shape {value}"
        )


def head_groups(name: str, shape: Shape, query: Shape) -> None:
    """Raise unless the number of heads of `name` divides the number of query heads."""
    if len(shape) < 3 or len(query) < 3:
        raise ValueError(
            f"enable_gqa needs a head axis -3 in query and {name}, got shapes "
            f"{query} and {shape}"
        )
    h, groups = query[-3], shape[-3]
    if groups != h and (groups == 0 or h % groups):
        raise ValueError(
            f"{name} must have a number of heads (axis -3) that divides the "
            f"{h} heads of query of shape {query}, got shape {shape}"
        )


def factor(name: str, value: float | None, query: NDArray) -> float:
    """Return `value` in the dtype of `query`; 1 / sqrt(d_k) for None."""
    if value is None:
        return default_scale(query.dtype, query.shape[-1])
    number = real(name, value)
    if abs(number) > float(np.finfo(query.dtype).max):
        raise ValueError(f"{name} must be finite in {query.dtype}, got {number}")
    return query.dtype.type(number)


@lru_cache
def default_scale(dtype: np.dtype, d_k: int) -> float:
    """Return 1 / sqrt(d_k) in a dtype."""
    return dtype.type(1 / math.sqrt(d_k))


def cap(softcap: float | None, query: NDArray) -> float | None:
    """Return `softcap` in the dtype of `query`; raise unless normal and positive."""
    if softcap is None:
        return None
    number = factor("softcap", softcap, query)
    least = np.finfo(query.dtype).tiny
    if number < least:
        raise ValueError(
            f"softcap must be above 0, at least {least:.2g} in {query.dtype}, got "
            f"{softcap}"
        )
    return number


def no_dropout(dropout_p: float) -> None:
    """Raise unless `dropout_p` is 0."""
    if real("dropout_p", dropout_p) != 0:
        raise ValueError(
            f"dropout_p must be 0.0, got {dropout_p}: dropout is a matter of training, "
            "and random, and is left out"
        )


def visibility_of(
    shape: Shape,
    dtype: np.dtype,
    attn_mask: ArrayLike | None,
    causal: bool,
    options: Mapping[str, Any],
) -> Visibility:
    """Return which keys each query sees; `shape` is the shape of the scores."""
    alignment = options["alignment"]
    if not isinstance(alignment, str) or alignment not in ALIGNMENTS:
        error = ValueError if isinstance(alignment, str) else TypeError
        raise error(
            f"alignment must be 'top-left' or 'bottom-right', got {shown(alignment)}"
        )
    mask = None if attn_mask is None else mask_of(attn_mask, causal, shape, dtype)
    left, right = window(options["local_window_size"])
    right = 0 if causal else right
    query_length = lengths("query_seq_lengths", options, shape, -2)
    key_length = lengths("key_value_seq_lengths", options, shape, -1)
    if query_length is None and key_length is None and left is None and right is None:
        return ALL_VISIBLE if mask is None else Visibility(with_axes(mask, len(shape)))
    ends = key_range(shape[-2:], (left, right), query_length, key_length, alignment)
    visibility = Visibility(mask, *ends)
    # `start` and `stop` (axis -1) have one axis fewer than the mask (axis -2)
    return visibility.map(lambda array, axis: with_axes(array, len(shape) - axis - 2))


def key_range(
    sizes: Shape,
    sides: tuple[int | None, int | None],
    query_length: NDArray | None,
    key_length: NDArray | None,
    alignment: str,
) -> tuple[NDArray | None, NDArray | None]:
    """Return each query's first key, and its last key plus 1; None for no limit."""
    (n, m), (left, right) = sizes, sides
    if left is None and right is None and query_length is None:
        return None, key_length
    far = n + m  # a wider window changes nothing
    length = m if key_length is None else key_length
    position, start, stop = np.arange(n), None, key_length
    if alignment == "bottom-right":
        position = position + length - (n if query_length is None else query_length)
    if left is not None:
        start = np.maximum(position - min(left, far), 0)
    if right is not None:
        stop = np.minimum(position + min(right, far) + 1, length)
    if query_length is not None:
        stop = np.where(np.arange(n) < query_length, m if stop is None else stop, 0)
    return start, stop


def lengths(
    name: str, options: Mapping[str, Any], shape: Shape, axis: int
) -> NDArray | None:
    """Return how many queries (`axis` -2) or keys (-1) count, shape (..., 1)."""
    value = options[name]
    if value is None:
        return None
    batch, size = shape[:-2], shape[axis]
    array = array_of(name, value)
    if not array.size:
        array = array.astype(np.intp)  # NumPy makes floats of an empty list
    if array.dtype.kind not in INTEGERS:
        raise TypeError(f"{name} must hold integers, got {received(value, array)}")
    if array.ndim not in (0, len(batch)) or not broadcasts_to(array.shape, batch):
        raise ValueError(
            f"{name} must be one number or broadcast to the batch axes {batch} with "
            f"as many axes, got shape {array.shape}"
        )
    if array.size and not (array.min() >= 0 and array.max() <= size):
        raise ValueError(
            f"{name} must lie between 0 and {'nm'[axis]} = {size}, got {array.min()} "
            f"to {array.max()}"
        )
    return array.astype(np.intp)[..., None]


def broadcasts_to(shape: Shape, other: Shape) -> bool:
    """Return whether an array of `shape` broadcasts to the shape `other`."""
    try:
        return np.broadcast_shapes(shape, other) == other
    except ValueError:
        return False


def window(value: Window) -> tuple[int | None, int | None]:
    """Return how many keys a query sees to its left and to its right; None: all."""
    name, expected = "local_window_size", "one integer or a tuple (left, right)"
    if value is None:
        return None, None
    sides = value if isinstance(value, tuple | list) else (value, value)
    if len(sides) != 2:
        raise ValueError(f"{name} must be {expected}, got {shown(value)}")
    try:
        left, right = (None if side is None else integer(name, side) for side in sides)
    except TypeError:
        raise TypeError(
            f"{name} must be {expected}, got {shown(value)} of type "
            f"{type(value).__name__}"
        ) from None
    if min(left or 0, right or 0) < 0:
        raise ValueError(
            f"{name} must be at least 0 on each side, or None for a side without a "
            f"limit, got {shown(value)}"
        )
    return left, right


def mask_of(
    attn_mask: ArrayLike,
    causal: bool,
    shape: Shape,
    dtype: np.dtype,
) -> NDArray:
    """Return the mask as an array; raise unless it fits scores of `shape`."""
    if causal:
        raise ValueError(
            "attn_mask must be None when is_causal is True, got a mask; for both, give "
            "local_window_size=(None, 0) instead of is_causal"
        )
    if np.isscalar(attn_mask):
        raise TypeError(
            f"attn_mask must be an array, got {shown(attn_mask)} of type "
            f"{type(attn_mask).__name__}; give is_causal and scale by name"
        )
    array = array_of("attn_mask", attn_mask)
    if array.dtype != bool and not is_float(array.dtype):
        raise TypeError(
            f"attn_mask must hold booleans (True takes part) or {STORED} (added to the "
            f"scores), got {received(attn_mask, array)}{advice_on_mask(array)}"
        )
    if not broadcasts_to(array.shape, shape):
        raise ValueError(
            f"attn_mask must broadcast to the scores' shape (..., n, m) = {shape}, "
            f"got shape {array.shape}"
        )
    if array.dtype != bool:
        addable(array, dtype)
    return array


def advice_on_mask(mask: NDArray) -> str:
    """Return the end of an error about a mask of integers or of other floats."""
    if mask.dtype.kind not in INTEGERS + "f":
        return ""
    if mask.dtype.kind in INTEGERS and np.isin(mask, (0, 1)).all():
        return "; use np.asarray(attn_mask, bool) for a mask of 0 and 1"
    return "; use np.asarray(attn_mask, float)"


def addable(mask: NDArray, dtype: np.dtype) -> None:
    """Raise unless a mask of floats can be added to scores of `dtype`.

    The mask is checked in parts, because it can be larger than all other arrays.
    """
    parts = np.nditer(mask, ["external_loop", "buffered", "zerosize_ok"])
    for part in map(np.asarray, parts):
        with np.errstate(all="ignore"):
            added = np.asarray(part, dtype)
        valid = (added < np.inf) & ((added > -np.inf) | (part == -np.inf))
        if not valid.all():
            raise ValueError(
                f"attn_mask must hold finite numbers of {dtype} or -inf, got "
                f"{part[~valid][0]}"
            )
