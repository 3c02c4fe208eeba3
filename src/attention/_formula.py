"""The readable formula of attention: every step is a separate array."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments
from attention._block import cap_scores, weighted_sum
from attention._softmax import softmax_parts


class Steps(NamedTuple):
    """The inputs of `attend`, then its intermediate results in order."""

    query: NDArray
    key: NDArray
    value: NDArray
    scores: NDArray
    scaled: NDArray
    logits: NDArray
    weights: NDArray
    output: NDArray


def attend(arguments: Arguments) -> Steps:
    """Return every step of ``softmax(query @ key.T * scale + mask) @ value``."""
    query, key, value = arguments.query, arguments.key, arguments.value
    scores = query @ np.swapaxes(key, -1, -2)  # (..., n, d_k) @ (..., d_k, m)
    scaled = scores * arguments.scale  # (..., n, m)
    logits, visible = masked_logits(scaled, arguments)  # (..., n, m)
    weights, *_ = softmax_parts(logits)  # (..., n, m), each row adds up to 1
    output = weighted_sum(weights, value, visible)  # (..., n, m) @ (..., m, d_v)
    return Steps(query, key, value, scores, scaled, logits, weights, output)


def masked_logits(
    scaled: NDArray, arguments: Arguments
) -> tuple[NDArray, NDArray | None]:
    """Return the logits, and True where a query sees a key (None if everywhere).

    If all visible logits of a row overflowed to ``-inf``, they become NaN, because the
    weights cannot be computed. If all keys of a row are masked, its weights are 0.
    """
    softcap, extra = arguments.softcap, arguments.extra
    logits = scaled.copy() if softcap is None else cap_scores(scaled, softcap)
    m = logits.shape[-1] - extra
    visible = arguments.visibility.hide(logits[..., :m], slice(0, m))
    if visible is not None and extra:
        visible = np.broadcast_to(visible, logits[..., :m].shape)
        extra_visible = np.ones((*visible.shape[:-1], extra), bool)
        visible = np.concatenate([visible, extra_visible], axis=-1)
    empty = np.all(logits == -np.inf, axis=-1, keepdims=True)
    if empty.any():
        overflowed = empty if visible is None else empty & visible
        logits = np.where(overflowed, np.nan, logits)
    return logits, visible
