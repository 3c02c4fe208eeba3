"""Scaled dot-product attention, and a trace that keeps every step of it."""

from dataclasses import dataclass, fields
from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._arguments import Arguments
from attention._blocked import attend_blocked
from attention._checks.calls import call_arguments, no_dropout
from attention._checks.scalars import flag
from attention._formula import Steps, attend
from attention._options import CALL_DEFAULTS, CallOptions, complete, show_options
from attention._read_only import ReadOnly


@dataclass(frozen=True, eq=False, repr=False)
class AttentionTrace(ReadOnly):
    """Every step of one call of attention, as read-only arrays.

    The arrays are copies, so later changes of the caller's arrays do not change them.
    All have the call's dtype and its full batch axes ``...``. A float16 call is
    computed in float32, and each array is rounded separately: scores beyond 65504
    become ``inf``, while the weights computed from them are right.

    Attributes
    ----------
    query : ndarray, shape (..., n, d_k)
    key : ndarray, shape (..., m, d_k)
        With `enable_gqa`, key and value are repeated to the heads of the query.
    value : ndarray, shape (..., m, d_v)
    scores : ndarray, shape (..., n, m)
        ``query @ key.T``, the raw dot products.
    scaled : ndarray, shape (..., n, m)
        ``scores * scale``.
    logits : ndarray, shape (..., n, m)
        ``scaled + mask``, the input of the softmax; ``-inf`` where masked. A `softcap`
        is applied before the mask.
    weights : ndarray, shape (..., n, m)
        ``softmax(logits)``: each row adds up to 1, or is 0 if all its keys are masked.
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
    return_lse: Literal[False] = ...,
    **options: Unpack[CallOptions],
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
    return_lse: Literal[True],
    **options: Unpack[CallOptions],
) -> tuple[NDArray, NDArray]: ...


@show_options(CallOptions, CALL_DEFAULTS)
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
    return_lse: bool = False,
    **options: Unpack[CallOptions],
) -> NDArray | tuple[NDArray, NDArray]:
    """Return a weighted mean of the values for each query.

    ``softmax(query @ key.T * scale + mask) @ value``, with the argument names and the
    semantics of PyTorch's function of this name.

    Parameters
    ----------
    query : array_like, shape (..., n, d_k)
    key : array_like, shape (..., m, d_k)
    value : array_like, shape (..., m, d_v)
        The batch axes ``...`` of the three broadcast against each other.
    attn_mask : array_like, optional
        Broadcast to ``(..., n, m)``. Of booleans: True takes part, False hides the key.
        Of floats: added to the scaled scores, so ``-inf`` hides the key. A hidden key
        has no influence, even if it is NaN.
    is_causal : bool, default False
        A query sees no key after its own place: query ``i`` sees the keys ``0`` to
        ``i``, unless `alignment` moves this place. Not together with `attn_mask`.
    scale : float, optional
        The factor on the scores. Default: ``1 / sqrt(d_k)``.
    enable_gqa : bool, default False
        Grouped-query attention: axis -3 counts heads, and each head of `key` and
        `value` serves an equal number of consecutive heads of `query`.
    dropout_p : float, default 0.0
        Accepted because PyTorch's calls have it; it must be 0.0.
    return_lse : bool, default False
        Return also the logarithm of each row's sum of exponentials.
    alignment : {"top-left", "bottom-right"}, default "top-left"
        The place of each query among the keys, for `is_causal` and for the window. The
        first query stands at the first key, as in PyTorch, or the last query at the
        last key, as in decoding with a cache. With "bottom-right" query ``i`` stands at
        key ``m - n + i``; given lengths replace ``m`` and ``n``. The masks of `alibi`
        are aligned bottom-right.
    query_seq_lengths, key_value_seq_lengths : array_like of int, optional
        How many queries and how many keys count, from the first one; the rest is
        padding. The output of a padded query is 0. Either one number, or an array that
        broadcasts to the batch axes ``...`` and has the same number of axes. With heads
        in axis -3, give one number for each sequence as ``lengths[:, None]``.
    local_window_size : int or (left, right), optional
        How many keys a query sees to the left and to the right of its own place. It
        also sees the key at its place. None for a side: no limit on this side.
    softcap : float, optional
        Replaces the scaled scores ``s`` by ``softcap * tanh(s / softcap)`` before the
        mask is added.

    Returns
    -------
    output : ndarray, shape (..., n, d_v)
        In the common NumPy dtype of the three arrays. Integers count as float64, and
        bfloat16 (of `ml_dtypes`) beside another dtype counts as float32. float16 and
        bfloat16 are computed in float32 and rounded once. The output is 0 for a query
        whose keys are all masked, or if there is no key (``m = 0``). A NaN in `query`
        or `key` makes only the rows that see it NaN. A NaN in `value` makes only its
        own column NaN, in the rows that see it. A score that overflows to ``+inf``
        makes its row NaN, unless a `softcap` bounds it.
    lse : ndarray, shape (..., n)
        Only with `return_lse`: ``log(sum(exp(logits)))`` of each row, in the dtype of
        the computation. ``exp(logits - lse)`` are the weights, and `lse` lets you
        combine calls over different keys. A row that sees no key has ``-inf``.

    Raises
    ------
    TypeError
        If an argument has the wrong dtype or type: arrays must hold integers, float16,
        bfloat16, float32 or float64; a mask must hold booleans or floats.
    ValueError
        If shapes do not fit, an array has more than 32 axes, ``d_k`` is 0, the mask
        holds NaN or ``+inf``, `scale` is not finite, `softcap` is not above 0, a length
        is below 0 or above ``n`` or ``m``, a side of the window is below 0, `is_causal`
        comes with a mask, `dropout_p` is not 0, or the environment variable
        ``ATTENTION_NUM_THREADS`` is not an integer of at least 1.

    See Also
    --------
    trace_attention : Return every intermediate result of the same call.

    Notes
    -----
    Two things differ from PyTorch on purpose. A masked NaN has no influence here, while
    PyTorch adds ``-inf`` to it and gets NaN. A mask that holds NaN or ``+inf`` is an
    error. Give the arguments after `attn_mask` by name: the fifth positional argument
    of PyTorch's function is `dropout_p`.

    JAX's ``dot_product_attention`` differs for a query from which all keys are hidden:
    it returns the mean of all values, or NaN if a bias of ``-inf`` hides them.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> scaled_dot_product_attention([[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    array([[2.]])

    A key takes part where a mask is True. With `is_causal` a query sees no later key:

    >>> key, value, two = [[1.0], [2.0]], [[1.0], [3.0]], np.zeros((2, 1))
    >>> scaled_dot_product_attention([[0.0]], key, value, attn_mask=[[False, True]])
    array([[3.]])
    >>> scaled_dot_product_attention(two, key, value, is_causal=True).ravel()
    array([1., 2.])

    By default a single query stands at the first of two keys; with bottom-right it
    stands at the last. It sees the key at its place and one key to the left:

    >>> one, window = np.zeros((1, 1)), {"local_window_size": (1, 0)}
    >>> scaled_dot_product_attention(one, key, value, **window)
    array([[1.]])
    >>> scaled_dot_product_attention(
    ...     one, key, value, **window, alignment="bottom-right")
    array([[2.]])

    With a length of 1 only the first of the two keys counts:

    >>> scaled_dot_product_attention(one, key, value, key_value_seq_lengths=1)
    array([[1.]])

    Four query heads share two key heads; then the log-sum-exp of each row:

    >>> four, heads = np.zeros((4, 1, 1)), np.array([[[1.0]], [[3.0]]])
    >>> scaled_dot_product_attention(four, heads, heads, enable_gqa=True).ravel()
    array([1., 1., 3., 3.])
    >>> output, lse = scaled_dot_product_attention(two, key, value, return_lse=True)
    >>> np.exp(lse).round(9)
    array([2., 2.])
    """
    no_dropout(dropout_p)
    flag("return_lse", return_lse)
    named = complete(scaled_dot_product_attention, options, CALL_DEFAULTS)
    arguments = call_arguments(
        query, key, value, enable_gqa, attn_mask, is_causal, scale, named
    )
    if not return_lse:
        return arguments.as_result(attend_blocked(arguments))
    log_sum = np.empty((*arguments.rows_shape, 1), arguments.query.dtype)
    output = arguments.as_result(attend_blocked(arguments, log_sum))
    return output, log_sum.reshape(output.shape[:-1])


@show_options(CallOptions, CALL_DEFAULTS)
def trace_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    **options: Unpack[CallOptions],
) -> AttentionTrace:
    """Return every intermediate result of `scaled_dot_product_attention`.

    Parameters
    ----------
    query, key, value, attn_mask, is_causal, scale, enable_gqa, alignment, \
    query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
        As in `scaled_dot_product_attention`, which also lists the errors.

    Returns
    -------
    AttentionTrace
        Its `output` is what `scaled_dot_product_attention` returns, up to rounding. If
        the raw scores leave the range of the dtype, the two can differ, because the
        trace multiplies by the scale after the product.

    Examples
    --------
    >>> trace = trace_attention([[2.0]], [[3.0], [3.0]], [[1.0], [3.0]])
    >>> trace.scores, trace.weights, trace.output
    (array([[6., 6.]]), array([[0.5, 0.5]]), array([[2.]]))
    """
    named = complete(trace_attention, options, CALL_DEFAULTS)
    arguments = call_arguments(
        query, key, value, enable_gqa, attn_mask, is_causal, scale, named
    )
    with np.errstate(all="ignore"):
        arguments = arguments.broadcast()
        return build_trace(arguments, attend(arguments))


def build_trace(arguments: Arguments, steps: Steps) -> AttentionTrace:
    """Return the trace of a computation, each array rounded to the result's dtype."""
    arrays = steps._asdict().items()
    rounded = {name: arguments.as_result(array) for name, array in arrays}
    return AttentionTrace(**rounded, scale=float(arguments.scale))
