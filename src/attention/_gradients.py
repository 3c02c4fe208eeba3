"""The way back through attention: from the gradient of the output to the inputs'."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _checks
from attention._blocked import attend_blocked
from attention._blocked_backward import attend_blocked_backward
from attention._checks import Arguments, Window
from attention._dot_product import Steps, attend, few_scores, repeat_heads
from attention._masking import visible, weighted_sum


class AttentionGradients(NamedTuple):
    """The gradient of a scalar loss by each input of one call of attention.

    Attributes
    ----------
    query, key, value : ndarray
        Each in the shape of the argument: summed over the axes along which that was
        broadcast, or over the heads that shared it.
    attn_mask : ndarray or None
        In the shape of the mask; None where there is none or it holds booleans.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    attn_mask: NDArray | None


def attend_backward(
    d_output: NDArray, arguments: Arguments, steps: Steps
) -> AttentionGradients:
    """Follow `attend` backwards; grouped heads get a gradient for each that shares.

    A logit moves weight between the keys of its row and makes none: a key's own pull
    counts against the pulls of the whole row.
    """
    query, key, value = repeat_heads(arguments)
    shape = steps.weights.shape
    seen = visible(*arguments[3:6], range(shape[-1]))
    seen = None if seen is None else np.broadcast_to(seen, shape)
    shown = np.True_ if seen is None else seen
    weights = np.where(shown, steps.weights, 0)  # a NaN stays with the rows that see it
    pulls = np.where(shown, weights * (d_output @ turned(value)), 0)  # (..., n, m)
    d_logits = pulls - weights * pulls.sum(axis=-1, keepdims=True)
    d_logits = np.where(shown, d_logits, 0)
    d_scores = d_logits * arguments.scale
    if arguments.softcap is not None:
        bend = 1 - np.tanh(steps.scaled / arguments.softcap) ** 2
        d_scores = np.where(shown, d_scores * bend, 0)
    from_keys = None if seen is None else turned(seen)  # (..., m, n)
    return AttentionGradients(
        query=weighted_sum(d_scores, key, seen),  # (..., n, m) @ (..., m, d_k)
        key=weighted_sum(turned(d_scores), query, from_keys),  # (..., m, d_k)
        value=weighted_sum(turned(weights), d_output, from_keys),  # (..., m, d_v)
        attn_mask=d_logits,
    )


def attend_both_ways(
    arguments: Arguments,
) -> tuple[NDArray, Callable[[NDArray], AttentionGradients]]:
    """Return the output and the way back from its gradient, by the kernel that fits."""
    if few_scores(arguments):
        steps = attend(arguments)
        return steps.output, lambda d: attend_backward(d, arguments, steps)
    output, log_sum = attend_blocked(arguments)
    return output, lambda d: AttentionGradients(
        *attend_blocked_backward(d, arguments, output, log_sum)
    )


def turned(array: NDArray) -> NDArray:
    """Swap the last two axes."""
    return np.swapaxes(array, -1, -2)


def sum_to(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Add up the axes along which an array of `shape` was broadcast."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, length in enumerate(shape) if length == 1)
    return gradient.sum(axis=stretched, keepdims=True)


def sum_heads(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Add up the heads of the query that an array of `shape` served, then as above."""
    *batch, heads, length, width = shape
    h = gradient.shape[-3]
    gradient = sum_to(gradient, (*batch, h, length, width))
    groups = (heads, h // max(heads, 1))
    return gradient.reshape(*batch, *groups, length, width).sum(axis=-3)


def scaled_dot_product_attention_gradients(
    d_output: ArrayLike,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    *,
    alignment: str = "top-left",
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: Window = None,
    softcap: float | None = None,
) -> AttentionGradients:
    """Return the gradient of a loss by the inputs of `scaled_dot_product_attention`.

    Parameters
    ----------
    d_output : array_like, shape (..., n, d_v)
        The gradient of the loss by the output, in the output's shape.
    query, key, value, attn_mask, is_causal, scale, enable_gqa, alignment, \
    key_value_seq_lengths, local_window_size, softcap
        As in `scaled_dot_product_attention`.

    Returns
    -------
    AttentionGradients
        A named tuple ``(query, key, value, attn_mask)``, in the dtype that the call's
        output has. What a mask hides gets the gradient 0 and gives none, be it NaN.

    Raises
    ------
    TypeError, ValueError
        If `d_output` does not hold numbers or has another shape than the output, and
        as `scaled_dot_product_attention`.

    See Also
    --------
    scaled_dot_product_attention : The way forward.

    References
    ----------
    Dao et al. (2022), FlashAttention, appendix B.2.

    Examples
    --------
    Two keys that fit alike share the weight, so that each value gets half of what
    comes back, and the query is pulled to the key whose value helps:

    >>> d = scaled_dot_product_attention_gradients(
    ...     [[1.0]], [[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    >>> d.value.tolist(), d.query.tolist()
    ([[0.5], [0.5]], [[0.5]])
    """
    arguments = _checks.attention(
        query,
        key,
        value,
        attn_mask,
        is_causal,
        scale,
        enable_gqa,
        alignment,
        key_value_seq_lengths,
        local_window_size,
        softcap,
    )
    total = sum_heads if enable_gqa else sum_to
    shape = (*arguments.query.shape[:-1], arguments.value.shape[-1])
    d_output = _checks.gradient("d_output", d_output, shape, "(..., n, d_v)")
    with np.errstate(all="ignore"):
        d_output = d_output.astype(arguments.query.dtype)
        _, way_back = attend_both_ways(arguments)
        d = way_back(d_output)
        query, key, value = (
            total(gradient, np.shape(argument)).astype(arguments.dtype, copy=False)
            for gradient, argument in zip(d[:3], (query, key, value), strict=True)
        )
        mask = mask_gradient(d.attn_mask, attn_mask, arguments.dtype)
        return AttentionGradients(query, key, value, mask)


def mask_gradient(
    d_logits: NDArray | None, attn_mask: ArrayLike | None, dtype: np.dtype
) -> NDArray | None:
    """Return the gradient by a mask that is added; a mask of booleans has none."""
    if d_logits is None or attn_mask is None or np.asarray(attn_mask).dtype == bool:
        return None
    return sum_to(d_logits, np.shape(attn_mask)).astype(dtype, copy=False)
