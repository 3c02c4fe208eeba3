"""The inputs of a machine: tokens, matrices and masks, checked together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import MultiHeadAttention, MultiHeadTrace, trace_attention

LIMITS = {"tokens": 12, "d_model": 64, "d_k": 64, "d_v": 64, "heads": 8}
"""The largest allowed sizes of a machine."""

WIDTH_LIMIT = 64
"""The largest allowed ``h * d_v``, the width of the concatenation."""

SIZE_LIMIT = 1e6
"""The largest allowed magnitude of an input. Below it, every result is finite."""

_AXES = {
    "X": ("n", "d_model"),
    "W_Q": ("h", "d_model", "d_k"),
    "W_K": ("h", "d_model", "d_k"),
    "W_V": ("h", "d_model", "d_v"),
    "W_O": ("h * d_v", "d_model"),
}


def _shape_error(name: str, shape: tuple[int, ...], expected: str = "") -> ValueError:
    axes = ", ".join(_AXES[name])
    return ValueError(f"{name} must have shape ({axes}){expected}, got {shape}")


def _matrix(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as a read-only float64 array, after checking them."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds something that is not a number") from error
    if name in ("W_Q", "W_K", "W_V") and array.ndim == 2:
        array = array[None]
    if array.ndim != len(_AXES[name]) or 0 in array.shape:
        raise _shape_error(name, array.shape)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    if np.abs(array).max() > SIZE_LIMIT:
        raise ValueError(f"{name} must not exceed {SIZE_LIMIT:,.0f} in absolute value")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class MachineInputs:
    """The inputs of one attention computation.

    Parameters
    ----------
    tokens : sequence of str
        The ``n`` words, at most 12.
    X : array_like, shape (n, d_model)
        Embeddings, one row per token.
    W_Q, W_K : array_like, shape ([h,] d_model, d_k)
        Query and key weights; the head axis may be left out for one head.
    W_V : array_like, shape ([h,] d_model, d_v)
        Value weights.
    W_O : array_like, shape (h * d_v, d_model), optional
        Output projection; without it the heads side by side are the output.
    causal : bool, default False
        Whether each token attends only to itself and to the tokens before it.
    padding : sequence of bool, optional
        True for each token that no token may attend to.

    Raises
    ------
    ValueError
        If the absolute value of a number is not finite or above a million, the shapes
        do not fit each other, or the machine would be too large to read.
    """

    tokens: Sequence[str]
    X: NDArray[np.float64]
    W_Q: NDArray[np.float64]
    W_K: NDArray[np.float64]
    W_V: NDArray[np.float64]
    W_O: NDArray[np.float64] | None = None
    causal: bool = False
    padding: Sequence[bool] | None = None

    def __post_init__(self) -> None:
        for name in _AXES:
            values = getattr(self, name)
            if values is not None or name != "W_O":
                object.__setattr__(self, name, _matrix(name, values))
        padding = self.padding
        if padding is None:
            padding = (False,) * len(self.tokens)
        object.__setattr__(self, "tokens", tuple(str(token) for token in self.tokens))
        object.__setattr__(self, "causal", bool(self.causal))
        object.__setattr__(self, "padding", tuple(bool(p) for p in padding))
        self._check_shapes()
        self._check_limits()

    @property
    def sizes(self) -> dict[str, int]:
        """The five sizes by name: tokens, d_model, d_k, d_v, heads."""
        return {
            "tokens": len(self.tokens), "d_model": self.X.shape[1],
            "d_k": self.W_Q.shape[2], "d_v": self.W_V.shape[2], "heads": len(self.W_Q),
        }  # fmt: skip

    def _check_shapes(self) -> None:
        size = self.sizes
        n, h = size["tokens"], size["heads"]
        if len(self.padding) != n:
            raise ValueError(
                f"padding must have one entry for each of {n} tokens, got "
                f"{len(self.padding)}"
            )
        lengths = {**size, "n": n, "h": h, "h * d_v": h * size["d_v"]}
        for name, axes in _AXES.items():
            array, shape = getattr(self, name), tuple(lengths[axis] for axis in axes)
            if array is not None and array.shape != shape:
                raise _shape_error(name, array.shape, f" = {shape}")

    def _check_limits(self) -> None:
        size = self.sizes
        for name, limit in LIMITS.items():
            if size[name] > limit:
                raise ValueError(f"{name} must be at most {limit}, got {size[name]}")
        width = size["heads"] * size["d_v"]
        if width > WIDTH_LIMIT:
            raise ValueError(f"h * d_v must be at most {WIDTH_LIMIT}, got {width}")

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Mask of shape (n, n): True where a query may attend to a key."""
        n = len(self.tokens)
        allowed = np.tile(~np.array(self.padding, dtype=bool), (n, 1))
        return np.tril(allowed) if self.causal else allowed

    def trace(self) -> MultiHeadTrace:
        """Trace every step with `attention`; without `W_O`, the output is `concat`."""
        if self.W_O is not None:
            weights = (self.W_Q, self.W_K, self.W_V, self.W_O)
            return MultiHeadAttention(*weights).trace(self.X, attn_mask=self.mask)
        heads = tuple(
            trace_attention(self.X @ q, self.X @ k, self.X @ v, attn_mask=self.mask)
            for q, k, v in zip(self.W_Q, self.W_K, self.W_V, strict=True)
        )
        concat = np.concatenate([head.output for head in heads], axis=-1)
        return MultiHeadTrace(heads, concat, concat)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as plain lists, which a page can store as JSON."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in plain.items()
        } | {"tokens": list(self.tokens), "padding": list(self.padding)}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "MachineInputs":
        """Return the inputs that `to_json` wrote, or raise ValueError.

        It raises if a field is missing or unknown, or if the class refuses a value.
        """
        names = {field.name for field in fields(cls)}
        missing, unknown = sorted(names - set(plain)), sorted(set(plain) - names)
        if missing or unknown:
            raise ValueError(f"missing fields: {missing}; unknown fields: {unknown}")
        return cls(**plain)
