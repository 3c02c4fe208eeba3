"""The formula to read: every step of attention as an array of its own."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention._arguments import Arguments
from attention._masking import cap_scores, weighted_sum
from attention._softmax import shares


class Steps(NamedTuple):
    """What `attend` computes, in the order in which it does."""

    scores: NDArray
    scaled: NDArray
    logits: NDArray
    weights: NDArray
    output: NDArray


def attend(arguments: Arguments) -> Steps:
    """Compute ``softmax(query @ key.T * scale + mask) @ value``, step by step."""
    query, key, value = arguments.query, arguments.key, arguments.value
    scores = query @ np.swapaxes(key, -1, -2)  # (..., n, d_k) @ (..., d_k, m)
    scaled = scores * arguments.scale  # (..., n, m)
    logits, seen = masked(scaled, arguments)  # (..., n, m)
    weights, *_ = shares(logits)  # (..., n, m), each row adds up to 1
    output = weighted_sum(weights, value, seen)  # (..., n, m) @ (..., m, d_v)
    return Steps(scores, scaled, logits, weights, output)


def masked(scaled: NDArray, arguments: Arguments) -> tuple[NDArray, NDArray | None]:
    """Return the logits, and where a query sees a key (None: each sees all).

    A row that lost all its logits to overflow becomes NaN: it is not a masked row.
    """
    softcap, extra = arguments.softcap, arguments.extra
    logits = scaled.copy() if softcap is None else cap_scores(scaled, softcap)
    m = logits.shape[-1] - extra
    seen = arguments.sight.hide(logits[..., :m], slice(0, m))
    if seen is not None and extra:
        seen = np.broadcast_to(seen, logits[..., :m].shape)
        seen = np.concatenate([seen, np.ones((*seen.shape[:-1], extra), bool)], axis=-1)
    empty = np.all(logits == -np.inf, axis=-1, keepdims=True)
    if empty.any():
        lost = empty if seen is None else empty & seen
        logits = np.where(lost, np.nan, logits)
    return logits, seen
