"""Every check of an argument, so that the functions themselves stay a few lines.

An error names the argument, what came and what was expected, in the letters that the
docstrings use.
"""

import math
import operator
from collections.abc import Mapping
from numbers import Real
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The dtypes that arrays may be stored in, by name (bfloat16 comes with `ml_dtypes`),
# and the dtype in which each is computed.
WORKING: dict[str, np.dtype] = {
    "float16": np.dtype(np.float32),
    "bfloat16": np.dtype(np.float32),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}
STORED = "float16, bfloat16, float32 or float64"

ALIGNMENTS = ("top-left", "bottom-right")

# One size for both sides, or one a side; None for as far as there are keys.
Window = int | tuple[int | None, int | None] | None


class Options(TypedDict, total=False):
    """What every call of attention takes beside its arrays and its mask."""

    scale: float | None
    alignment: str
    key_value_seq_lengths: ArrayLike | None
    local_window_size: Window
    softcap: float | None


class Arguments(NamedTuple):
    """Checked arguments of one call of attention, ready to compute with.

    Nothing here has ``n * m`` entries but the mask that the caller gave.

    Attributes
    ----------
    query, key, value : ndarray, shape (..., n, d_k), (..., m, d_k), (..., m, d_v)
        In the dtype to compute in, with the same batch axes (views, not copies); only
        with grouped heads, axis -3 of key and value is shorter by a whole factor.
    mask : ndarray or None
        As the caller gave it, of booleans or floats, any shape that broadcasts.
    start, stop : ndarray, shape (..., n) or less, or None
        Query ``i`` sees the keys from ``start[i]`` up to, not including, ``stop[i]``:
        what causality, a window and the lengths leave. None where they leave all.
    scale : float
    softcap : float or None
        Both as scalars of the dtype to compute in.
    dtype : dtype
        Of the result.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    mask: NDArray | None
    start: NDArray | None
    stop: NDArray | None
    scale: float
    softcap: float | None
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
    except (TypeError, RuntimeError) as error:  # a tensor that NumPy cannot read
        raise TypeError(
            f"{name} must be an array or something that NumPy makes one of, got type "
            f"{type(value).__name__}, which says: {error}"
        ) from error


def numbers(name: str, value: ArrayLike, axes: str = "") -> NDArray:
    """Return `value` as an array of integers or floats with the axes in `axes`."""
    array = array_of(name, value)
    if array.dtype.kind not in "iu" and dtype_name(array.dtype) not in WORKING:
        raise TypeError(
            f"{name} must hold integers, {STORED}, got dtype {array.dtype}; convert "
            f"it with {name}.astype(float)"
        )
    least = axes.count(",")
    if array.ndim < least:
        raise ValueError(
            f"{name} must have shape {axes}, at least {least} axes, got shape "
            f"{array.shape}"
        )
    return array


def floats(**arrays: ArrayLike) -> tuple[list[NDArray], np.dtype]:
    """Return the arrays in the dtype to compute in, and the dtype of the result.

    Integers count as float64; float16 and bfloat16 are computed in float32.
    """
    checked = [numbers(name, array) for name, array in arrays.items()]
    dtype = common_dtype([float_type(array) for array in checked])
    working = WORKING[dtype_name(dtype)]
    return [array.astype(working, copy=False) for array in checked], dtype


def dtype_name(dtype: np.dtype) -> str:
    """Return the name of a dtype of whatever byte order; `dtype.name` is slow."""
    return dtype.type.__name__


def float_type(array: NDArray) -> np.dtype:
    """Return the dtype of `array` in native byte order, or float64 for integers."""
    if array.dtype.kind in "iu":
        return np.dtype(np.float64)
    native: np.dtype = array.dtype.newbyteorder("=")
    return native


def common_dtype(dtypes: list[np.dtype]) -> np.dtype:
    """Return the dtype of a result; bfloat16 beside another counts as float32.

    NumPy cannot say: it has no dtype that holds both float16 and bfloat16.
    """
    if len(set(dtypes)) == 1:
        return dtypes[0]
    known = [WORKING["bfloat16"] if dtype_name(d) == "bfloat16" else d for d in dtypes]
    return np.result_type(*known)


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


def heads(name: str, num_heads: int, shape: tuple[int, ...]) -> int:
    """Return `num_heads` as an int that divides the width of an array."""
    h = integer("num_heads", num_heads, at_least=1)
    if shape[-1] % h:
        raise ValueError(
            f"num_heads must divide the last axis of {name}, h * d = {shape[-1]} in "
            f"shape {shape}, got {h}"
        )
    return h


def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    alignment: str = "top-left",
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: Window = None,
    softcap: float | None = None,
) -> Arguments:
    """Check a call of attention and return what to compute with."""
    (query, key, value), dtype = floats(query=query, key=key, value=value)
    numbers("query", query, axes="(..., n, d_k)")
    numbers("key", key, axes="(..., m, d_k)")
    numbers("value", value, axes="(..., m, d_v)")
    widths(query, key, value)
    grouped = flag("enable_gqa", enable_gqa)
    if grouped:
        head_groups("key", key, query)
        head_groups("value", value, query)
    query, key, value = broadcast(query, key, value, grouped)
    *batch, n, _ = query.shape
    shape = (*batch, n, key.shape[-2])
    causal = flag("is_causal", is_causal)
    start, stop = spans(
        shape, causal, alignment, key_value_seq_lengths, local_window_size
    )
    return Arguments(
        query,
        key,
        value,
        mask(attn_mask, causal, shape, query.dtype),
        start,
        stop,
        factor(
            "scale", 1 / math.sqrt(query.shape[-1]) if scale is None else scale, query
        ),
        None if softcap is None else cap(softcap, query),
        dtype,
    )


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


def head_groups(name: str, array: NDArray, query: NDArray) -> None:
    """Check that each head of a key or value serves as many heads of the query."""
    if array.ndim < 3 or query.ndim < 3:
        raise ValueError(
            f"enable_gqa needs a head axis -3 in query and {name}, got shapes "
            f"{query.shape} and {array.shape}"
        )
    h, groups = query.shape[-3], array.shape[-3]
    if groups != h and (groups == 0 or h % groups):
        raise ValueError(
            f"{name} must have a number of heads (axis -3) that divides the "
            f"{h} heads of query of shape {query.shape}, got shape {array.shape}"
        )


def broadcast(
    query: NDArray, key: NDArray, value: NDArray, grouped: bool
) -> tuple[NDArray, ...]:
    """Give query, key and value the same batch axes; grouped heads stay as they are."""
    arrays = (query, key, value)
    own = 3 if grouped else 2  # how many last axes each array keeps as they are
    if query.shape[:-own] == key.shape[:-own] == value.shape[:-own]:
        return arrays
    try:
        batch = np.broadcast_shapes(*(array.shape[:-own] for array in arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(
            "query, key and value must have batch axes (all but the last two) that "
            f"broadcast, got shapes {shapes}; heads that are shared need enable_gqa"
        ) from None
    return tuple(np.broadcast_to(a, (*batch, *a.shape[-own:])) for a in arrays)


def factor(name: str, value: float, query: NDArray) -> float:
    """Return a factor on the scores in the dtype of `query`."""
    number = real(name, value)
    if abs(number) > float(np.finfo(query.dtype).max):
        raise ValueError(f"{name} must be finite in {query.dtype}, got {number}")
    return query.dtype.type(number)


def cap(softcap: float, query: NDArray) -> float:
    """Return `softcap` in the dtype of `query`; it must be above 0 there."""
    number = factor("softcap", softcap, query)
    if number < np.finfo(query.dtype).tiny:
        raise ValueError(f"softcap must be above 0 in {query.dtype}, got {softcap}")
    return number


def spans(
    shape: tuple[int, ...],
    causal: bool,
    alignment: str,
    key_value_seq_lengths: ArrayLike | None,
    local_window_size: Window,
) -> tuple[NDArray, NDArray] | tuple[None, None]:
    """Return where the keys that each query sees start and stop, if it is not all."""
    if not isinstance(alignment, str) or alignment not in ALIGNMENTS:
        raise ValueError(
            f"alignment must be 'top-left' or 'bottom-right', got {alignment!r}"
        )
    n, m = shape[-2:]
    length = lengths(key_value_seq_lengths, shape)
    left, right = window(local_window_size)
    right = 0 if causal else right
    if key_value_seq_lengths is None and left is None and right is None:
        return None, None
    position = np.arange(n) + (0 if alignment == "top-left" else length - n)
    far = n + m  # as far as there are keys
    first = position - (far if left is None else min(left, far))
    last = position + (far if right is None else min(right, far))
    start, stop = (
        np.minimum(np.maximum(place, 0), length) for place in (first, last + 1)
    )
    return start, stop


def lengths(value: ArrayLike | None, shape: tuple[int, ...]) -> NDArray:
    """Return the number of keys that count, shape (..., 1)."""
    *batch, _, m = shape
    if value is None:
        return np.array([m])
    name = "key_value_seq_lengths"
    array = array_of(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers, got dtype {array.dtype}")
    axes = tuple(batch)
    fits = array.ndim in (0, len(axes)) and all(
        size in (1, axis) for size, axis in zip(array.shape, axes, strict=False)
    )
    if not fits:
        raise ValueError(
            f"{name} must be one number or broadcast to the batch axes {axes} with "
            f"as many axes, got shape {array.shape}"
        )
    if array.size and not (array.min() >= 0 and array.max() <= m):
        raise ValueError(
            f"{name} must lie between 0 and m = {m}, got {array.min()} to {array.max()}"
        )
    return array.astype(np.intp)[..., None]


def window(value: Window) -> tuple[int | None, int | None]:
    """Return how many keys a query sees to its left and right; None: all."""
    name = "local_window_size"
    if value is None:
        return None, None
    sides = value if isinstance(value, tuple | list) else (value, value)
    if len(sides) != 2:
        raise ValueError(f"{name} must be one integer or (left, right), got {value!r}")
    left, right = (None if side is None else integer(name, side) for side in sides)
    if min(left or 0, right or 0) < 0:
        raise ValueError(f"{name} must be at least 0, got {value!r}")
    return left, right


def mask(
    attn_mask: ArrayLike | None,
    causal: bool,
    shape: tuple[int, ...],
    dtype: np.dtype,
) -> NDArray | None:
    """Return the mask as it is once it is checked: True or finite takes part."""
    if attn_mask is None:
        return None
    if causal:
        raise ValueError(
            "attn_mask must be None when is_causal is True; put the causal mask into "
            "it: attn_mask & np.tri(n, m, dtype=bool)"
        )
    array = array_of("attn_mask", attn_mask)
    if array.dtype != bool and dtype_name(array.dtype) not in WORKING:
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
    if array.dtype != bool:
        addable(array, dtype)
    return array


def addable(mask: NDArray, dtype: np.dtype) -> None:
    """Check a mask of floats, a part at a time: a mask can be larger than all else."""
    parts = np.nditer(mask, ["external_loop", "buffered", "zerosize_ok"])
    for part in map(np.asarray, parts):
        with np.errstate(all="ignore"):
            added = part.astype(dtype, copy=False)
        sound = (added < np.inf) & ((added > -np.inf) | (part == -np.inf))
        if not sound.all():
            raise ValueError(
                f"attn_mask must hold finite numbers of {dtype} or -inf, got "
                f"{part[~sound][0]}"
            )


# The shape of every weight of multi-head attention.
WEIGHT_AXES = {
    "W_Q": "(h, d_model, d_k)",
    "W_K": "(h, d_key, d_k)",
    "W_V": "(h, d_value, d_v)",
    "W_O": "(h * d_v, d_model)",
    "b_Q": "(h, d_k)",
    "b_K": "(h, d_k)",
    "b_V": "(h, d_v)",
    "b_O": "(d_model)",
    "bias_k": "(h, d_k)",
    "bias_v": "(h, d_v)",
}


def fits(name: str, array: NDArray, axes: str, sizes: dict[str, int]) -> NDArray:
    """Return `array` if its shape is `axes`; a letter that is new gets its size."""
    letters = axes.strip("()").split(", ")
    known = [letter for letter in letters if letter in sizes and letter != "1"]
    if array.ndim != len(letters) or any(
        sizes.setdefault(letter, size) != size
        for letter, size in zip(letters, array.shape, strict=True)
    ):
        given = ", ".join(f"{letter} = {sizes[letter]}" for letter in known)
        given = f" with {given}" if given else ""
        raise ValueError(
            f"{name} must have shape {axes}{given}, got shape {array.shape}"
        )
    return array


def projections(weights: Mapping[str, ArrayLike]) -> dict[str, NDArray]:
    """Return the weights of multi-head attention if they fit each other."""
    sizes: dict[str, int] = {}
    arrays = {}
    for name, value in weights.items():
        if name == "W_O":
            sizes["h * d_v"] = sizes["h"] * sizes["d_v"]
        arrays[name] = fits(name, numbers(name, value), WEIGHT_AXES[name], sizes)
    if 0 in arrays["W_Q"].shape:
        raise ValueError(
            "W_Q must have at least one head, row and column, (h, d_model, d_k), got "
            f"shape {arrays['W_Q'].shape}"
        )
    if ("bias_k" in arrays) != ("bias_v" in arrays):
        given, missing = sorted(
            ("bias_k", "bias_v"), key=lambda name: name not in arrays
        )
        raise ValueError(f"{missing} must be given with {given}, got None")
    return arrays


def state_dict(
    arrays: Mapping[str, ArrayLike], axes: Mapping[str, str]
) -> dict[str, NDArray]:
    """Return the arrays of a state dict whose names and shapes are those of `axes`."""
    if not isinstance(arrays, Mapping):
        raise TypeError(
            "state_dict must be a mapping of names to arrays, got type "
            f"{type(arrays).__name__}"
        )
    packed = "in_proj_weight" in arrays
    others = [name for name in axes if name.endswith("_proj_weight")]
    needed = {"out_proj.weight", *(others[:1] if packed else others[1:])}
    optional = set(axes) - set(others)
    names = set(arrays)
    if not needed <= names <= needed | optional:
        wrong = sorted(needed - names) or sorted(names - needed - optional, key=repr)
        verb = "must hold" if needed - names else "must not hold"
        raise ValueError(
            f"state_dict {verb} {', '.join(map(str, wrong))}; got the names "
            f"{', '.join(map(str, arrays))}"
        )
    found, sizes = {}, {"1": 1}
    for name in (name for name in axes if name in names):
        entry = f"state_dict[{name!r}]"
        found[name] = fits(entry, numbers(entry, arrays[name]), axes[name], sizes)
        sizes.setdefault("3 * E", 3 * sizes["E"])
    return found


def square(h: int, d_model: int, d_k: int, d_v: int) -> None:
    """Check that the heads together are as wide as the tokens."""
    if not h * d_k == h * d_v == d_model:
        raise ValueError(
            "to_torch needs heads that are together as wide as the tokens, h * d_k = "
            f"h * d_v = d_model, got h = {h}, d_k = {d_k}, d_v = {d_v} and d_model = "
            f"{d_model}"
        )


def tokens(
    x: NDArray, context: NDArray, values: NDArray, weights: dict[str, NDArray]
) -> None:
    """Check that tokens are as wide as the matrices expect and fit each other."""
    roles = [
        ("x", x, "n", "d_model", "W_Q"),
        ("context", context, "m", "d_key", "W_K"),
        ("values", values, "m", "d_value", "W_V"),
    ]
    for name, array, letter, width, matrix in roles:
        expected = weights[matrix].shape[1]
        if array.ndim < 2 or array.shape[-1] != expected:
            raise ValueError(
                f"{name} must have shape (..., {letter}, {width}) with {width} = "
                f"{expected} as in {matrix}, got shape {array.shape}"
            )
    if values.shape[-2] != context.shape[-2]:
        raise ValueError(
            f"values must have shape (..., m, d_value) with m = {context.shape[-2]} "
            f"as in context of shape {context.shape}, got shape {values.shape}"
        )
    batches("context", context, x)
    batches("values", values, x)


def batches(name: str, array: NDArray, x: NDArray) -> None:
    """Check that the batch axes of an array broadcast with those of `x`."""
    try:
        np.broadcast_shapes(x.shape[:-2], array.shape[:-2])
    except ValueError:
        raise ValueError(
            f"{name} must have batch axes (all but the last two) that broadcast with "
            f"those of x of shape {x.shape}, got shape {array.shape}"
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
    half = cos.shape[-1] if cos.ndim else x.shape[-1] + 1
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
