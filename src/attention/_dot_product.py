"""Scaled dot-product attention, and a trace that keeps every step of it."""

from dataclasses import dataclass, fields
from typing import Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._arguments import Arguments
from attention._blocked import attend_blocked
from attention._checks.calls import Window, attention, no_dropout
from attention._checks.scalars import flag
from attention._formula import Steps, attend
from attention._read_only import ReadOnly, read_only


@dataclass(frozen=True, eq=False, repr=False)
class AttentionTrace(ReadOnly):
    """Every step of one call of attention, as arrays that cannot be written to.

    The arrays are copies: nothing that happens to the caller's arrays later shows here.
    All have the call's dtype and its full batch axes ``...``. A float16 call is
    computed in float32, and each array here is rounded from that on its own: scores
    beyond 65504 show as ``inf`` while the weights made from them are right.

    Attributes
    ----------
    query : ndarray, shape (..., n, d_k)
    key : ndarray, shape (..., m, d_k)
        With `enable_gqa`, repeated to the heads of the query; so is `value`.
    value : ndarray, shape (..., m, d_v)
    scores : ndarray, shape (..., n, m)
        ``query @ key.T``, the raw dot products.
    scaled : ndarray, shape (..., n, m)
        ``scores * scale``.
    logits : ndarray, shape (..., n, m)
        ``scaled + mask``: what goes into the softmax. ``-inf`` where masked. A
        `softcap` has bent them before the mask.
    weights : ndarray, shape (..., n, m)
        ``softmax(logits)``: each row adds up to 1, or is 0 where all is masked.
    output : ndarray, shape (..., n, d_v)
        ``weights @ value``.
    scale : float
        ``1 / sqrt(d_k)`` unless another was given.
    """

    query: NDArray
    key: NDArray
    value: NDArray
    scores: NDArray
    scaled: NDArray
    logits: NDArray
    weights: NDArray
    output: NDArray
    scale: float

    def __post_init__(self) -> None:
        for field in fields(self)[:-1]:
            frozen = read_only(getattr(self, field.name))
            object.__setattr__(self, field.name, frozen)

    def __repr__(self) -> str:
        shapes = (f"{f.name}{getattr(self, f.name).shape}" for f in fields(self)[:-1])
        return f"AttentionTrace({', '.join(shapes)}, scale={self.scale:.6g})"


@overload
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = ...,
    is_causal: bool = ...,
    scale: float | None = ...,
    enable_gqa: bool = ...,
    *,
    dropout_p: float = ...,
    alignment: str = ...,
    query_seq_lengths: ArrayLike | None = ...,
    key_value_seq_lengths: ArrayLike | None = ...,
    local_window_size: Window = ...,
    softcap: float | None = ...,
    return_lse: Literal[False] = ...,
) -> NDArray: ...


@overload
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = ...,
    is_causal: bool = ...,
    scale: float | None = ...,
    enable_gqa: bool = ...,
    *,
    dropout_p: float = ...,
    alignment: str = ...,
    query_seq_lengths: ArrayLike | None = ...,
    key_value_seq_lengths: ArrayLike | None = ...,
    local_window_size: Window = ...,
    softcap: float | None = ...,
    return_lse: Literal[True],
) -> tuple[NDArray, NDArray]: ...


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    *,
    dropout_p: float = 0.0,
    alignment: str = "top-left",
    query_seq_lengths: ArrayLike | None = None,
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: Window = None,
    softcap: float | None = None,
    return_lse: bool = False,
) -> NDArray | tuple[NDArray, NDArray]:
    """Mix the values: the better a key fits a query, the more its value weighs.

    ``softmax(query @ key.T * scale + mask) @ value``, with the argument names and the
    semantics of PyTorch's function of this name.

    Parameters
    ----------
    query : array_like, shape (..., n, d_k)
    key : array_like, shape (..., m, d_k)
    value : array_like, shape (..., m, d_v)
        The batch axes ``...`` of the three broadcast against each other.
    attn_mask : array_like, optional
        Broadcast to ``(..., n, m)``. Of booleans: True takes part. Of floats: added to
        the scaled scores; ``-inf`` takes no part. What takes no part has no influence,
        be it NaN.
    is_causal : bool, default False
        A query sees no key behind its own place: query ``i`` the keys ``0`` to ``i``,
        unless `alignment` says otherwise. Not together with `attn_mask`.
    scale : float, optional
        The factor on the scores. Default: ``1 / sqrt(d_k)``.
    enable_gqa : bool, default False
        Grouped-query attention: axis -3 counts heads, and each head of `key` and
        `value` serves an equal number of consecutive heads of `query`.
    dropout_p : float, default 0.0
        Accepted because PyTorch's calls have it; nothing but 0.0 is.
    alignment : {"top-left", "bottom-right"}, default "top-left"
        Where the queries stand among the keys, for `is_causal` and for the window. The
        first query beside the first key, as in PyTorch, or the last beside the last,
        as in decoding with a cache: there query ``i`` stands at ``m - n + i``, where
        ``m`` and ``n`` are the lengths if those are given. The masks that `alibi` makes
        stand bottom-right.
    query_seq_lengths, key_value_seq_lengths : array_like of int, optional
        How many queries and how many keys count, from the first: the rest is padding.
        The output of a query that is padding is 0. One number, or as many axes as the
        batch axes ``...``, broadcast to them: with heads in axis -3, one a sequence is
        ``lengths[:, None]``.
    local_window_size : int or (left, right), optional
        A query sees so many keys to the left and to the right of its own place, and the
        one at its place; None for a side means as far as there are keys.
    softcap : float, optional
        Bends the scaled scores to ``softcap * tanh(scores / softcap)`` before the mask
        is added.
    return_lse : bool, default False
        Return the logarithm of each row's sum of powers as well.

    Returns
    -------
    output : ndarray, shape (..., n, d_v)
        In the dtype that NumPy gives the three together, integers counting as float64
        and bfloat16 (of `ml_dtypes`) beside another dtype as float32. float16 and
        bfloat16 are computed in float32 and rounded once. A query for which everything
        is masked, or for which there is no key (``m = 0``), has weights and output 0.
        NaN in the input makes NaN of the rows that see it and of no others. So does
        a score that overflows to ``+inf``.
    lse : ndarray, shape (..., n)
        Only with `return_lse`: ``log(sum(exp(logits)))`` of each row, in the dtype that
        was computed in. ``exp(logits - lse)`` are the weights; two calls over different
        keys can be put together by it. A row that sees nothing has ``-inf``.

    Raises
    ------
    TypeError
        If an argument has the wrong dtype or type: arrays must hold integers, float16,
        bfloat16, float32 or float64; a mask booleans or floats, not integers.
    ValueError
        If shapes do not fit, an array has more than 32 axes, ``d_k`` is 0, the mask
        holds NaN or ``+inf``, `scale` is not finite, `softcap` not above 0, a length
        not within 0 and ``n`` or ``m``, a side of the window below 0, `is_causal` comes
        with a mask, `dropout_p` is not 0, or the environment's
        ``ATTENTION_NUM_THREADS`` is not an integer of at least 1.

    See Also
    --------
    trace_attention : The same with every intermediate result.

    Notes
    -----
    Two things differ from PyTorch on purpose: a masked NaN stays without influence,
    where PyTorch adds ``-inf`` to it and gets NaN; and a mask that holds NaN or
    ``+inf`` is an error. Dropout is left out: it is a matter of training. Beyond
    `attn_mask` give arguments by name: PyTorch's fifth by position is `dropout_p`.

    JAX's ``dot_product_attention`` gives a query from which everything is hidden the
    mean of all values, hidden ones among them, or NaN if a bias of ``-inf`` hides them.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> scaled_dot_product_attention([[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    array([[2.]])

    Where a mask is True, a key takes part; causal, a query sees none behind its place:

    >>> key, value, two = [[1.0], [2.0]], [[1.0], [3.0]], np.zeros((2, 1))
    >>> scaled_dot_product_attention([[0.0]], key, value, attn_mask=[[False, True]])
    array([[3.]])
    >>> scaled_dot_product_attention(two, key, value, is_causal=True).ravel()
    array([1., 2.])

    Four heads of queries, two of keys; the logarithm of each row's sum of powers:

    >>> four, heads = np.zeros((4, 1, 1)), np.array([[[1.0]], [[3.0]]])
    >>> scaled_dot_product_attention(four, heads, heads, enable_gqa=True).ravel()
    array([1., 1., 3., 3.])
    >>> output, lse = scaled_dot_product_attention(two, key, value, return_lse=True)
    >>> np.exp(lse).round(9)
    array([2., 2.])
    """
    no_dropout(dropout_p)
    flag("return_lse", return_lse)
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
    if not return_lse:
        return arguments.result(attend_blocked(arguments))
    log_sum = np.empty((*arguments.axes, 1), arguments.query.dtype)
    output = arguments.result(attend_blocked(arguments, log_sum))
    return output, log_sum.reshape(output.shape[:-1])


def trace_attention(
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
) -> AttentionTrace:
    """Run `scaled_dot_product_attention` and keep every intermediate result.

    Parameters
    ----------
    query, key, value, attn_mask, is_causal, scale, enable_gqa, alignment, \
    query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
        As in `scaled_dot_product_attention`.

    Returns
    -------
    AttentionTrace
        Its `output` is what `scaled_dot_product_attention` returns, up to rounding.

    Raises
    ------
    TypeError, ValueError
        As `scaled_dot_product_attention`.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> trace = trace_attention([[2.0]], [[3.0], [3.0]], [[1.0], [3.0]])
    >>> trace.scores, trace.weights, trace.output
    (array([[6., 6.]]), array([[0.5, 0.5]]), array([[2.]]))
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
    with np.errstate(all="ignore"):
        arguments = arguments.spread_out()
        return build_trace(arguments, attend(arguments))


def build_trace(arguments: Arguments, steps: Steps) -> AttentionTrace:
    """Round each array of a computation to the dtype of the result."""
    arrays = {
        "query": arguments.query,
        "key": arguments.key,
        "value": arguments.value,
        **steps._asdict(),
    }
    rounded = {name: arguments.result(array) for name, array in arrays.items()}
    return AttentionTrace(**rounded, scale=float(arguments.scale))
