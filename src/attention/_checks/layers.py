"""Checks of a layer: its weights, its tokens and its cache."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._cache import KeyValueCache
from attention._checks.arrays import MAX_AXES, floats, numbers
from attention._checks.scalars import shown, size

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
    """Return `array`; raise unless its shape is `axes`, with the known `sizes`.

    A letter without a known size gets the size of its axis in the array.
    """
    letters = axes[1:-1].split(", ")
    known = [letter for letter in letters if letter in sizes and letter != "1"]
    expected = tuple(map(sizes.setdefault, letters, array.shape))
    if array.ndim != len(letters) or array.shape != expected:
        given = ", ".join(f"{letter} = {sizes[letter]}" for letter in known)
        given = f" with {given}" if given else ""
        raise ValueError(
            f"{name} must have shape {axes}{given}, got shape {array.shape}"
        )
    return array


def projections(weights: Mapping[str, ArrayLike]) -> dict[str, NDArray]:
    """Return the weights as arrays; raise unless their shapes fit each other."""
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        if name not in weights:
            raise TypeError(f"{name} must be an array, got None")
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
        pair = ("bias_k", "bias_v")
        given, missing = pair if "bias_k" in arrays else pair[::-1]
        raise ValueError(f"{missing} must be given with {given}, got None")
    return arrays


def state_dict_of(
    state_dict: Mapping[str, ArrayLike], axes: Mapping[str, str], prefix: str
) -> dict[str, NDArray]:
    """Return the arrays of a state dict; raise unless names and shapes are `axes`."""
    if not isinstance(state_dict, Mapping):
        raise TypeError(
            "state_dict must be a mapping of names to arrays, got type "
            f"{type(state_dict).__name__}"
        )
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a text, got type {type(prefix).__name__}")
    arrays = by_prefix(state_dict, prefix) if prefix else state_dict
    packed = "in_proj_weight" in arrays
    matrices = [name for name in axes if name.endswith("_proj_weight")]  # "in" first
    needed = {"out_proj.weight", *(matrices[:1] if packed else matrices[1:])}
    optional = set(axes) - set(matrices)
    names = set(arrays)
    if not needed <= names <= needed | optional:
        packed_name, *separate = matrices
        missing = sorted(needed - names)
        if not names & set(matrices):
            missing = [f"{packed_name} (or {', '.join(separate)})"]
        wrong = missing or sorted(names - needed - optional, key=repr)
        verb = "must hold" if missing else "must not hold"
        raise ValueError(
            f"state_dict {verb} {', '.join(map(str, wrong))}; got the names "
            f"{', '.join(map(str, arrays))}{advice_on_prefix(arrays, prefix)}"
        )
    found, sizes = {}, {"1": 1}
    for name in (name for name in axes if name in names):
        entry = f"state_dict[{prefix + name!r}]"
        found[name] = fits(entry, numbers(entry, arrays[name]), axes[name], sizes)
        sizes.setdefault("3 * E", 3 * sizes["E"])
    return found


def advice_on_prefix(names: Iterable[str], prefix: str) -> str:
    """Return the end of an error: the prefixes of the layers of a whole model."""
    last = "out_proj.weight"
    found = [
        prefix + name.removesuffix(last)
        for name in names
        if isinstance(name, str) and name.endswith(f".{last}")
    ]
    return (
        f"; for a layer of a model give its prefix: {', '.join(found)}" if found else ""
    )


def by_prefix(state_dict: Mapping[str, ArrayLike], prefix: str) -> dict[str, ArrayLike]:
    """Return the entries whose names begin with `prefix`, without the prefix."""
    found = {
        name.removeprefix(prefix): array
        for name, array in state_dict.items()
        if isinstance(name, str) and name.startswith(prefix)
    }
    if not found:
        raise ValueError(
            f"prefix must begin the names of some entries of state_dict, got {prefix!r}"
            f" and the names {', '.join(map(str, state_dict))}"
        )
    return found


def square(h: int, d_model: int, d_k: int, d_v: int) -> None:
    """Raise unless the heads together are as wide as the tokens."""
    if not h * d_k == h * d_v == d_model:
        raise ValueError(
            "to_torch needs heads that are together as wide as the tokens, h * d_k = "
            f"h * d_v = d_model, got h = {h}, d_k = {d_k}, d_v = {d_v} and d_model = "
            f"{d_model}"
        )


class LayerInputs(NamedTuple):
    """The tokens, and the weights by name, in the dtype to compute in."""

    x: NDArray
    context: NDArray
    values: NDArray
    weights: dict[str, NDArray]
    dtype: np.dtype  # of the result


def layer_inputs(
    x: ArrayLike,
    context: ArrayLike | None,
    values: ArrayLike | None,
    weights: dict[str, NDArray],
) -> LayerInputs:
    """Return tokens and weights; raise unless the tokens fit the weights.

    Without a `context`, `x` is the context; without `values`, the context is.
    """
    context = x if context is None else context
    values = context if values is None else values
    arrays, dtype = floats(x=x, context=context, values=values, **weights)
    x, context, values = arrays[:3]
    named = dict(zip(weights, arrays[3:], strict=True))
    token_width("x", x, "(..., n, d_model)", named["W_Q"], "W_Q")
    token_width("context", context, "(..., m, d_key)", named["W_K"], "W_K")
    token_width("values", values, "(..., m, d_value)", named["W_V"], "W_V")
    if values.shape[-2] != context.shape[-2]:
        raise ValueError(
            f"values must have shape (..., m, d_value) with m = {context.shape[-2]} "
            f"as in context of shape {context.shape}, got shape {values.shape}"
        )
    batches("context", context, x=x)
    batches("values", values, x=x, context=context)
    return LayerInputs(x, context, values, named, dtype)


def token_width(name: str, array: NDArray, axes: str, W: NDArray, matrix: str) -> None:
    """Raise unless tokens fit the matrix `W`, whose name is `matrix`."""
    if array.ndim >= MAX_AXES:  # the heads need one more axis
        raise ValueError(
            f"{name} must have at most {MAX_AXES - 1} axes, got {array.ndim}"
        )
    expected, width = W.shape[1], axes[1:-1].split(", ")[-1]
    if array.ndim < 2 or array.shape[-1] != expected:
        raise ValueError(
            f"{name} must have shape {axes} with {width} = {expected} as in {matrix}, "
            f"got shape {array.shape}"
        )


def batches(name: str, array: NDArray, **others: NDArray) -> None:
    """Raise unless the batch axes of `array` and of the other arrays broadcast."""
    try:
        np.broadcast_shapes(*(a.shape[:-2] for a in (array, *others.values())))
    except ValueError:
        given = " and ".join(
            f"{other} of shape {a.shape}" for other, a in others.items()
        )
        raise ValueError(
            f"{name} must have batch axes (all but the last two) that broadcast with "
            f"those of {given}, got shape {array.shape}"
        ) from None


def heads(name: str, num_heads: int, shape: tuple[int, ...]) -> int:
    """Return `num_heads` as an int; raise unless it divides an array's last axis."""
    h = size("num_heads", num_heads, at_least=1)
    if shape[-1] % h:
        raise ValueError(
            f"num_heads must divide the last axis of {name}, h * d = {shape[-1]} in "
            f"shape {shape}, got {h}"
        )
    return h


def cache_or_none(cache: KeyValueCache | None) -> KeyValueCache | None:
    """Return `cache`; raise unless it is a KeyValueCache or None."""
    if cache is not None and not isinstance(cache, KeyValueCache):
        raise TypeError(
            f"cache must be a KeyValueCache, got {shown(cache)} of type "
            f"{type(cache).__name__}"
        )
    return cache
