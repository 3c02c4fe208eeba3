"""Checks of new keys and values for a cache."""

import numpy as np
from numpy.typing import NDArray


def fitting(key: NDArray, value: NDArray, cached: tuple[NDArray, ...]) -> None:
    """Raise unless a new key and value fit each other and the arrays `cached`."""
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"value must have shape (..., n, d_v) with n = {key.shape[-2]} as in key "
            f"of shape {key.shape}, got shape {value.shape}"
        )
    if not cached:
        first_batch(key, value)
        return
    for name, new, old in ("key", key, cached[0]), ("value", value, cached[1]):
        if new.dtype != old.dtype:
            raise TypeError(
                f"{name} must have the dtype of the cache, {old.dtype}, got dtype "
                f"{new.dtype}"
            )
        if (*new.shape[:-2], new.shape[-1]) != (*old.shape[:-2], old.shape[-1]):
            raise ValueError(
                f"{name} must have the shape of the cache, {old.shape}, but for axis "
                f"-2, got shape {new.shape}"
            )


def first_batch(key: NDArray, value: NDArray) -> None:
    """Raise unless the batch axes of the first key and value broadcast."""
    try:
        np.broadcast_shapes(key.shape[:-2], value.shape[:-2])
    except ValueError:
        raise ValueError(
            "key and value must have batch axes (all but the last 2) that broadcast, "
            f"got shapes {key.shape} and {value.shape}"
        ) from None
