"""Scaled dot-product attention, and a trace that keeps every step of it."""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _checks
from attention._blocked import attend_blocked
from attention._checks import Arguments, Window
from attention._masking import cap_scores, mask_scores, visible, weighted_sum
from attention._softmax import shares

PLAIN_UP_TO = 256 * 256  # scores a head: above, blocks are faster and leaner


class Steps(NamedTuple):
    """What `attend` computes, in the order in which it does.

    `log_sum` is the logarithm of what the powers of each row add up to, (..., n, 1):
    ``exp(logits - log_sum)`` are the weights.
    """

    scores: NDArray
    scaled: NDArray
    logits: NDArray
    weights: NDArray
    output: NDArray
    log_sum: NDArray


def attend(arguments: Arguments) -> Steps:
    """Compute ``softmax(query @ key.T * scale + mask) @ value``, step by step."""
    query, key, value = repeat_heads(arguments)
    seen = visible(*arguments[3:6], range(key.shape[-2]))
    scores = query @ np.swapaxes(key, -1, -2)  # (..., n, d_k) @ (..., d_k, m)
    scaled = scores * arguments.scale  # (..., n, m)
    logits = masked(scaled, arguments.softcap, arguments.mask, seen)  # (..., n, m)
    weights, log_sum = shares(logits)  # (..., n, m), each row adds up to 1
    output = weighted_sum(weights, value, seen)  # (..., n, m) @ (..., m, d_v)
    return Steps(scores, scaled, logits, weights, output, log_sum)


def attend_output(arguments: Arguments) -> NDArray:
    """Return the output of `attend`, by the kernel that fits."""
    if few_scores(arguments):
        return attend(arguments).output
    return attend_blocked(arguments)[0]


def few_scores(arguments: Arguments) -> bool:
    """Return whether the plain formula is the faster one, and lean enough."""
    return arguments.query.shape[-2] * arguments.key.shape[-2] <= PLAIN_UP_TO


def repeat_heads(arguments: Arguments) -> tuple[NDArray, ...]:
    """Return query, key and value, with a key head repeated for all its query heads."""
    query, *shared = arguments[:3]
    h = query.shape[-3] if query.ndim > 2 else 1
    return query, *(
        array
        if array.shape[:-2] == query.shape[:-2]
        else np.repeat(array, h // array.shape[-3], axis=-3)
        for array in shared
    )


def masked(
    scaled: NDArray, softcap: float | None, mask: NDArray | None, seen: NDArray | None
) -> NDArray:
    """Return the logits; where nothing is seen the score does not matter.

    A row that lost all its logits to overflow becomes NaN: it is not a masked row.
    """
    logits = scaled if softcap is None else cap_scores(scaled, softcap)
    if seen is not None:
        logits = logits.copy()
        mask_scores(logits, mask, seen)
    empty = np.all(logits == -np.inf, axis=-1, keepdims=True)
    if empty.any():
        lost = empty if seen is None else empty & seen
        logits = np.where(lost, np.nan, logits)
    return logits


@dataclass(frozen=True, eq=False, repr=False)
class AttentionTrace:
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
            frozen = _checks.read_only(getattr(self, field.name))
            object.__setattr__(self, field.name, frozen)

    def __repr__(self) -> str:
        shapes = (f"{f.name}{getattr(self, f.name).shape}" for f in fields(self)[:-1])
        return f"AttentionTrace({', '.join(shapes)}, scale={self.scale:.6g})"


def scaled_dot_product_attention(
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
) -> NDArray:
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
    alignment : {"top-left", "bottom-right"}, default "top-left"
        Where the queries stand among the keys, for `is_causal` and for the window. The
        first query beside the first key, as in PyTorch, or the last beside the last,
        as in decoding with a cache: there query ``i`` stands at ``m - n + i``, with
        lengths at ``length - n + i``.
    key_value_seq_lengths : array_like of int, optional
        How many keys count, from the first: the rest is padding. One number, or as many
        axes as the batch axes ``...``, broadcast to them: with heads in axis -3, one a
        sequence is ``lengths[:, None]``.
    local_window_size : int or (left, right), optional
        A query sees so many keys to the left and to the right of its own place, and the
        one at its place; None for a side means as far as there are keys.
    softcap : float, optional
        Bends the scaled scores to ``softcap * tanh(scores / softcap)`` before the mask
        is added.

    Returns
    -------
    ndarray, shape (..., n, d_v)
        In the dtype that NumPy gives the three together, integers counting as float64
        and bfloat16 (of `ml_dtypes`) beside another dtype as float32. float16 and
        bfloat16 are computed in float32 and rounded once. A query for which everything
        is masked, or for which there is no key (``m = 0``), has weights and output 0.
        NaN in the input makes NaN of the rows that see it and of no others. So does
        a score that overflows to ``+inf``.

    Raises
    ------
    TypeError
        If an argument has the wrong dtype or type: arrays must hold integers, float16,
        bfloat16, float32 or float64; a mask booleans or floats, not integers.
    ValueError
        If shapes do not fit, ``d_k`` is 0, the mask holds NaN or ``+inf``, `scale` is
        not finite, `softcap` not above 0, a length not within 0 and ``m``, a side of
        the window below 0, or `is_causal` comes with a mask.

    See Also
    --------
    trace_attention : The same with every intermediate result.

    Notes
    -----
    Two things differ from PyTorch on purpose: a masked NaN stays without influence,
    where PyTorch adds ``-inf`` to it and gets NaN; and a mask that holds NaN or
    ``+inf`` is an error. Dropout is left out: it is a matter of training.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> scaled_dot_product_attention([[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    array([[2.]])
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
    with np.errstate(all="ignore"):
        output = attend_output(arguments)
        return output.astype(arguments.dtype, copy=False)


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
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: Window = None,
    softcap: float | None = None,
) -> AttentionTrace:
    """Run `scaled_dot_product_attention` and keep every intermediate result.

    Parameters
    ----------
    query, key, value, attn_mask, is_causal, scale, enable_gqa, alignment, \
    key_value_seq_lengths, local_window_size, softcap
        As in `scaled_dot_product_attention`.

    Returns
    -------
    AttentionTrace
        Its `output` is what `scaled_dot_product_attention` returns.

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
    with np.errstate(all="ignore"):
        steps = attend(arguments)
        return build_trace(
            repeat_heads(arguments), steps, arguments.scale, arguments.dtype
        )


def build_trace(
    arrays: tuple[NDArray, ...],
    steps: Steps,
    scale: float,
    dtype: np.dtype,
) -> AttentionTrace:
    """Round each array of a computation to `dtype` and hold them together."""
    names = (field.name for field in fields(AttentionTrace))
    values: dict[str, Any] = {
        name: array.astype(dtype, copy=False)
        for name, array in zip(names, (*arrays, *steps[:5]), strict=False)
    }
    return AttentionTrace(**values, scale=float(scale))
