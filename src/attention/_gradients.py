"""Gradients of attention with respect to its inputs, from the output's gradient."""

import math
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._blocked_backward import attend_backward
from attention._checks.arrays import gradient
from attention._checks.calls import call_arguments
from attention._options import CALL_DEFAULTS, CallOptions, complete, show_options


class AttentionGradients(NamedTuple):
    """The gradient of a loss with respect to each input of one call of attention.

    Attributes
    ----------
    query, key, value : ndarray
        Each in the shape of the argument: summed over the axes along which the argument
        was broadcast, and over the heads that shared it.
    attn_mask : ndarray or None
        In the shape of the mask; None if the call has no mask of floats.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    attn_mask: NDArray | None


@show_options(CallOptions, CALL_DEFAULTS)
def scaled_dot_product_attention_gradients(
    d_output: ArrayLike,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    **options: Unpack[CallOptions],
) -> AttentionGradients:
    """Return a loss's gradient for each input of `scaled_dot_product_attention`.

    Parameters
    ----------
    d_output : array_like, shape (..., n, d_v)
        The gradient of the loss with respect to the output, in the output's shape.
    query, key, value, attn_mask, is_causal, scale, enable_gqa, alignment, \
    query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
        As in `scaled_dot_product_attention`.

    Returns
    -------
    AttentionGradients
        A named tuple ``(query, key, value, attn_mask)``, in the dtype of the call's
        output. A masked entry gets the gradient 0 and changes no other gradient, even
        if it is NaN.

    Raises
    ------
    TypeError, ValueError
        If `d_output` does not hold numbers or has another shape than the output, and
        for the reasons that `scaled_dot_product_attention` lists.

    See Also
    --------
    scaled_dot_product_attention : The forward pass.

    References
    ----------
    Dao et al. (2022), FlashAttention, appendix B.2.

    Examples
    --------
    Two keys that fit equally well share the weight. So each value gets half of the
    gradient of the output, and the query moves towards the key with the larger value:

    >>> d = scaled_dot_product_attention_gradients(
    ...     [[1.0]], [[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    >>> d.value.tolist(), d.query.tolist()
    ([[0.5], [0.5]], [[0.5]])
    """
    named = complete(scaled_dot_product_attention_gradients, options, CALL_DEFAULTS)
    arguments = call_arguments(
        query, key, value, enable_gqa, attn_mask, is_causal, scale, named
    )
    shape = (*arguments.batch, arguments.query.shape[-2], arguments.value.shape[-1])
    d_output = gradient(d_output, shape, "(..., n, d_v)")
    _, totals = attend_backward(d_output, arguments)
    dtype = arguments.dtype
    return AttentionGradients(
        in_shape_of(query, totals.query, dtype),
        in_shape_of(key, totals.key, dtype),
        in_shape_of(value, totals.value, dtype),
        None
        if totals.mask is None or attn_mask is None
        else in_shape_of(attn_mask, totals.mask, dtype),
    )


def in_shape_of(argument: ArrayLike, total: NDArray, dtype: np.dtype) -> NDArray:
    """Return a gradient in the shape of its argument, and in `dtype`.

    The gradients of repeated heads are added up.
    """
    shape = np.shape(argument)
    if not total.size:  # no heads in the query (enable_gqa), or an empty argument
        return np.zeros(shape, dtype)
    with np.errstate(all="ignore"):
        if total.size > math.prod(shape):
            total = total.reshape(*shape[:-2], -1, *shape[-2:]).sum(axis=-3)
        return np.asarray(total.reshape(shape), dtype)
