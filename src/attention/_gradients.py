"""The way back through attention: from the gradient of the output to the inputs'."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._blocked_backward import attend_backward
from attention._checks.arrays import gradient
from attention._checks.calls import Window, attention


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
    query_seq_lengths: ArrayLike | None = None,
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
    query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
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
    arguments = attention(
        query,
        key,
        value,
        attn_mask,
        is_causal,
        scale,
        enable_gqa,
        alignment,
        query_seq_lengths,
        key_value_seq_lengths,
        local_window_size,
        softcap,
    )
    shape = (*arguments.batch, *arguments.query.shape[-2:-1], arguments.value.shape[-1])
    d_output = gradient("d_output", d_output, shape, "(..., n, d_v)")
    _, totals = attend_backward(d_output, arguments)
    dtype = arguments.dtype
    return AttentionGradients(
        rounded(totals.query, np.shape(query), dtype),
        rounded(totals.key, np.shape(key), dtype),
        rounded(totals.value, np.shape(value), dtype),
        None
        if totals.mask is None or attn_mask is None
        else rounded(totals.mask, np.shape(attn_mask), dtype),
    )


def rounded(total: NDArray, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
    """Return a gradient in the shape and dtype of what it belongs to.

    Heads that were repeated to serve both key and value add up.
    """
    with np.errstate(all="ignore"):
        if total.size > math.prod(shape):
            total = total.reshape(*shape[:-2], -1, *shape[-2:]).sum(axis=-3)
        return np.asarray(total.reshape(shape), dtype)
