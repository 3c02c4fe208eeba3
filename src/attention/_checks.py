"""Every check of an argument, so that the functions themselves stay a few lines.

An error names the argument, what came and what was expected, in the letters that the
docstrings use.
"""

import math
import operator
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FLOATS = (np.float16, np.float32, np.float64)


class Arguments(NamedTuple):
    """Checked arguments of one call of attention, ready to compute with.

    `arrays` are query, key and value with the same batch axes, in the dtype to compute
    in; `mask` is to be added to the scores; `dtype` is that of the result.
    """

    arrays: tuple[NDArray, NDArray, NDArray]
    mask: NDArray | None
    scale: np.floating
    dtype: np.dtype


def read_only(array: NDArray) -> NDArray:
    """Return a copy that nobody can write to or make writable again."""
    copy = np.array(array, copy=True)
    copy.flags.writeable = False
    return copy.view()


def array_of(name: str, value: ArrayLike) -> NDArray:
    """Return `value` as an array of whatever dtype."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must be a plain array, got a masked array; use {name}.data and "
            "hide positions with -inf or attn_mask"
        )
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(
            f"{name} must be an array with rows of equal length, got a nested list "
            "whose rows differ"
        ) from error


def numbers(name: str, value: ArrayLike, axes: str = "") -> NDArray:
    """Return `value` as an array of integers or floats with the axes in `axes`."""
    array = array_of(name, value)
    if array.dtype.kind not in "iu" and array.dtype.newbyteorder("=") not in FLOATS:
        raise TypeError(
            f"{name} must hold integers, float16, float32 or float64, got dtype "
            f"{array.dtype}; convert it with {name}.astype(float)"
        )
    least = axes.count(",")
    if array.ndim < least:
        raise ValueError(
            f"{name} must have shape {axes}, at least {least} axes, got shape "
            f"{array.shape}"
        )
    return array


def floats(**arrays: ArrayLike) -> tuple[NDArray, ...]:
    """Return the arrays in the dtype to compute in, then the dtype of the result.

    Integers count as float64; float16 is computed in float32.
    """
    checked = [numbers(name, array) for name, array in arrays.items()]
    dtype = np.result_type(*(float_type(array) for array in checked))
    working = np.result_type(dtype, np.float32)
    return *(array.astype(working, copy=False) for array in checked), dtype


def float_type(array: NDArray) -> np.dtype:
    """Return the dtype of `array`, or float64 for integers."""
    return np.dtype(np.float64) if array.dtype.kind in "iu" else array.dtype


def axis(value: int, array: NDArray) -> int:
    """Return `value` as an axis of `array`."""
    index = integer("axis", value)
    if not -array.ndim <= index < array.ndim:
        raise ValueError(
            f"axis must be an axis of logits, which have shape {array.shape}, "
            f"got {index}"
        )
    return index


def integer(name: str, value: int, at_least: float = -math.inf) -> int:
    """Return `value` as an int not below `at_least`; a bool is no integer here."""
    try:
        if isinstance(value, bool | np.bool_ | np.ndarray):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name} must be an integer, got {value!r} of type {type(value).__name__}"
        ) from None
    if number < at_least:
        raise ValueError(f"{name} must be at least {at_least}, got {number}")
    return number


def flag(name: str, value: bool) -> bool:
    """Return `value` as a bool; anything else is no flag."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(
            f"{name} must be True or False, got {value!r} of type "
            f"{type(value).__name__}"
        )
    return bool(value)


def real(name: str, value: float, at_least: float = -math.inf) -> float:
    """Return `value` as a finite float that is not below `at_least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(
            f"{name} must be a real number, got {value!r} of type "
            f"{type(value).__name__}"
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number < at_least:
        least = "" if at_least == -math.inf else f" and at least {at_least:g}"
        raise ValueError(f"{name} must be finite{least}, got {number}")
    return number


def heads(num_heads: int, width: int, shape: tuple[int, ...]) -> int:
    """Return `num_heads` as an int that divides the width of `x`."""
    h = integer("num_heads", num_heads, at_least=1)
    if width % h:
        raise ValueError(
            f"num_heads must divide the last axis of x, h * d = {width} in shape "
            f"{shape}, got {h}"
        )
    return h


def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> Arguments:
    """Check a call of attention and return what to compute with."""
    query, key, value, dtype = floats(query=query, key=key, value=value)
    numbers("query", query, axes="(..., n, d_k)")
    numbers("key", key, axes="(..., m, d_k)")
    numbers("value", value, axes="(..., m, d_v)")
    widths(query, key, value)
    if flag("enable_gqa", enable_gqa):
        key, value = repeat("key", key, query), repeat("value", value, query)
    arrays = broadcast(query, key, value)
    n_by_m = (*arrays[0].shape[:-1], key.shape[-2])
    additive = mask(attn_mask, is_causal, n_by_m, query.dtype)
    return Arguments(arrays, additive, factor(scale, query), dtype)


def widths(query: NDArray, key: NDArray, value: NDArray) -> None:
    """Check the axes that two of query, key and value share."""
    d_k, m = query.shape[-1], key.shape[-2]
    if d_k == 0:
        raise ValueError(
            f"query must have at least one column, d_k >= 1, got shape {query.shape}"
        )
    if key.shape[-1] != d_k:
        raise ValueError(
            f"key must have shape (..., m, d_k) with d_k = {d_k} as in query of shape "
            f"{query.shape}, got shape {key.shape}"
        )
    if value.shape[-2] != m:
        raise ValueError(
            f"value must have shape (..., m, d_v) with m = {m} as in key of shape "
            f"{key.shape}, got shape {value.shape}"
        )


def repeat(name: str, array: NDArray, query: NDArray) -> NDArray:
    """Repeat the heads of a key or value until there is one for each query head."""
    if array.ndim < 3 or query.ndim < 3:
        raise ValueError(
            f"enable_gqa needs a head axis -3 in query and {name}, got shapes "
            f"{query.shape} and {array.shape}"
        )
    h, groups = query.shape[-3], array.shape[-3]
    if groups == h:
        return array
    if groups == 0 or h % groups:
        raise ValueError(
            f"{name} must have a number of heads (axis -3) that divides the "
            f"{h} heads of query of shape {query.shape}, got shape {array.shape}"
        )
    return np.repeat(array, h // groups, axis=-3)


def broadcast(*arrays: NDArray) -> tuple[NDArray, ...]:
    """Give query, key and value the same batch axes."""
    try:
        batch = np.broadcast_shapes(*(array.shape[:-2] for array in arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(
            "query, key and value must have batch axes (all but the last two) that "
            f"broadcast, got shapes {shapes}; heads that are shared need enable_gqa"
        ) from None
    return tuple(np.broadcast_to(a, (*batch, *a.shape[-2:])) for a in arrays)


def factor(scale: float | None, query: NDArray) -> np.floating:
    """Return the factor on the scores in the dtype of `query`."""
    number = 1 / math.sqrt(query.shape[-1]) if scale is None else real("scale", scale)
    if abs(number) > float(np.finfo(query.dtype).max):
        raise ValueError(f"scale must be finite in {query.dtype}, got {number}")
    return query.dtype.type(number)


def mask(
    attn_mask: ArrayLike | None,
    is_causal: bool,
    shape: tuple[int, ...],
    dtype: np.dtype,
) -> NDArray | None:
    """Return the mask to add to the scores: 0 takes part, ``-inf`` does not."""
    causal = flag("is_causal", is_causal)
    if attn_mask is None:
        return as_added(np.tri(*shape[-2:], dtype=bool), dtype) if causal else None
    if causal:
        raise ValueError(
            "attn_mask must be None when is_causal is True; put the causal mask into "
            "it: attn_mask & np.tri(n, m, dtype=bool)"
        )
    array = array_of("attn_mask", attn_mask)
    if array.dtype != bool and array.dtype.newbyteorder("=") not in FLOATS:
        raise TypeError(
            "attn_mask must hold booleans (True takes part) or floats (added to the "
            f"scores), got dtype {array.dtype}; use mask.astype(bool) for a mask of "
            "0 and 1"
        )
    try:
        np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            f"attn_mask must broadcast to the scores' shape (..., n, m) = {shape}, "
            f"got shape {array.shape}"
        ) from None
    return as_added(array, dtype)


def as_added(mask: NDArray, dtype: np.dtype) -> NDArray:
    """Return a mask of booleans or floats as a checked mask of floats."""
    if mask.dtype == bool:
        return np.where(mask, 0, -np.inf).astype(dtype)
    with np.errstate(all="ignore"):
        added = mask.astype(dtype)
    wrong = np.isnan(added) | np.isposinf(added) | (np.isinf(added) & np.isfinite(mask))
    if wrong.any():
        raise ValueError(
            f"attn_mask must hold finite numbers of {dtype} or -inf, got "
            f"{mask[wrong].flat[0]}"
        )
    return added


def projection(name: str, value: ArrayLike, axes: str) -> NDArray:
    """Return the weights `value` if they have exactly the named axes, none empty."""
    array = numbers(name, value)
    if array.ndim != axes.count(",") + 1:
        raise ValueError(f"{name} must have shape {axes}, got shape {array.shape}")
    return array


def projections(W_Q: NDArray, W_K: NDArray, W_V: NDArray, W_O: NDArray) -> None:
    """Check that the weights of multi-head attention fit each other."""
    h, d_model = W_Q.shape[:2]
    if 0 in W_Q.shape:
        raise ValueError(
            "W_Q must have at least one head, row and column, (h, d_model, d_k), got "
            f"shape {W_Q.shape}"
        )
    if W_K.shape != W_Q.shape:
        raise ValueError(
            f"W_K must have the shape of W_Q, (h, d_model, d_k) = {W_Q.shape}, got "
            f"shape {W_K.shape}"
        )
    if W_V.shape[:2] != (h, d_model):
        raise ValueError(
            f"W_V must have shape (h, d_model, d_v) with h = {h} and d_model = "
            f"{d_model} as in W_Q, got shape {W_V.shape}"
        )
    expected = (h * W_V.shape[2], d_model)
    if W_O.shape != expected:
        raise ValueError(
            f"W_O must have shape (h * d_v, d_model) = {expected}, got shape "
            f"{W_O.shape}"
        )


def tokens(name: str, array: NDArray, letter: str, d_model: int) -> None:
    """Check that `array` holds tokens of width `d_model`."""
    if array.ndim < 2 or array.shape[-1] != d_model:
        raise ValueError(
            f"{name} must have shape (..., {letter}, d_model) with d_model = "
            f"{d_model}, got shape {array.shape}"
        )


def batches(x: NDArray, context: NDArray) -> None:
    """Check that the batch axes of `x` and `context` broadcast."""
    try:
        np.broadcast_shapes(x.shape[:-2], context.shape[:-2])
    except ValueError:
        raise ValueError(
            "context must have batch axes (all but the last two) that broadcast with "
            f"those of x of shape {x.shape}, got shape {context.shape}"
        ) from None


def gradient(name: str, value: ArrayLike, shape: tuple[int, ...], axes: str) -> NDArray:
    """Return the gradient `value` of an array of this shape."""
    array = numbers(name, value)
    if array.shape != shape:
        raise ValueError(
            f"{name} must have the output's shape {axes} = {shape}, got shape "
            f"{array.shape}"
        )
    return array


def finite(name: str, value: ArrayLike) -> NDArray:
    """Return `value` as an array of finite numbers."""
    array = numbers(name, value)
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} must be finite, got {array[~np.isfinite(array)].flat[0]}"
        )
    return array


def rotation(x: NDArray, cos: ArrayLike, sin: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return cosines and sines that turn columns of `x`, in its dtype."""
    cos, sin = numbers("cos", cos), numbers("sin", sin)
    if cos.shape != sin.shape:
        raise ValueError(
            f"sin must have the shape of cos, {cos.shape}, got shape {sin.shape}"
        )
    half = cos.shape[-1] if cos.ndim else math.inf
    if 2 * half > x.shape[-1] or not broadcasts_to(cos.shape, (*x.shape[:-1], half)):
        raise ValueError(
            "cos must have shape (..., n, w / 2) with w <= d that broadcasts to x of "
            f"shape (..., n, d) = {x.shape}, got shape {cos.shape}"
        )
    return cos.astype(x.dtype), sin.astype(x.dtype)


def broadcasts_to(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Say whether an array of `shape` broadcasts to the shape `other`."""
    try:
        return np.broadcast_shapes(shape, other) == other
    except ValueError:
        return False


def cached(key: NDArray, value: NDArray, kept: tuple[NDArray, ...]) -> None:
    """Check that a new key and value fit each other and those that were `kept`."""
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"value must have shape (..., n, d_v) with n = {key.shape[-2]} as in key "
            f"of shape {key.shape}, got shape {value.shape}"
        )
    for name, new, old in zip(("key", "value"), (key, value), kept, strict=False):
        if new.dtype != old.dtype:
            raise TypeError(
                f"{name} must have the dtype of the cache, {old.dtype}, got dtype "
                f"{new.dtype}; convert it with {name}.astype({old.dtype})"
            )
        if (*new.shape[:-2], new.shape[-1]) != (*old.shape[:-2], old.shape[-1]):
            raise ValueError(
                f"{name} must have the shape of the cache, {old.shape}, but for axis "
                f"-2, got shape {new.shape}"
            )
