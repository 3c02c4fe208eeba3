"""The options that every call of attention takes: their types and their defaults.

A public function takes these options as ``**options``. The decorator `show_options`
adds them to the signature that `help`, editors and the reference show.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypedDict, TypeVar

from numpy.typing import ArrayLike

from attention._cache import KeyValueCache

Function = TypeVar("Function", bound=Callable[..., Any])

# One size for both sides, or (left, right); None for no limit.
Window = int | tuple[int | None, int | None] | None


class SharedOptions(TypedDict, total=False):
    """Options that mean the same for a function and for a layer."""

    query_seq_lengths: ArrayLike | None
    key_value_seq_lengths: ArrayLike | None
    local_window_size: Window
    softcap: float | None


class CallOptions(SharedOptions, total=False):
    """Options of `scaled_dot_product_attention`, its trace and its gradients."""

    alignment: str


class LayerOptions(SharedOptions, total=False):
    """Options of a call of `MultiHeadAttention`, its trace and its gradients."""

    attn_mask: ArrayLike | None
    is_causal: bool
    cache: KeyValueCache | None
    scale: float | None
    alignment: str | None


CALL_DEFAULTS: dict[str, Any] = {
    "alignment": "top-left",
    "query_seq_lengths": None,
    "key_value_seq_lengths": None,
    "local_window_size": None,
    "softcap": None,
}
LAYER_DEFAULTS = {
    "attn_mask": None,
    "is_causal": False,
    "cache": None,
    "scale": None,
    **CALL_DEFAULTS,
    "alignment": None,  # depends on whether the call has a cache
}


def show_options(
    types: type, defaults: Mapping[str, Any]
) -> Callable[[Function], Function]:
    """Return a decorator that lists the options in a function's signature."""
    listed = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=types.__annotations__[name],
        )
        for name, default in defaults.items()
    ]

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        *named, _ = signature.parameters.values()  # the last one is **options
        shown = signature.replace(parameters=[*named, *listed])
        vars(function)["__signature__"] = shown
        return function

    return decorate


def complete(
    function: Callable[..., Any], given: Mapping[str, Any], defaults: dict[str, Any]
) -> dict[str, Any]:
    """Return all options: `given`, and the defaults of all options not in `given`."""
    if not given:
        return defaults
    options = {**defaults, **given}
    if len(options) > len(defaults):
        unknown = min(given.keys() - defaults.keys())
        raise TypeError(
            f"{function.__qualname__}() got an unexpected keyword argument {unknown!r}"
        )
    return options
