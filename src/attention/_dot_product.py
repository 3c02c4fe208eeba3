"""Scaled dot-product attention, and a trace that keeps every step of it."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _checks
from attention._softmax import softmax


class Steps(NamedTuple):
    """What `attend` computes, in the order in which it does."""

    scores: NDArray
    scaled: NDArray
    logits: NDArray
    weights: NDArray
    output: NDArray


def attend(
    query: NDArray, key: NDArray, value: NDArray, mask: NDArray | None, scale: float
) -> Steps:
    """Compute ``softmax(query @ key.T * scale + mask) @ value``, step by step."""
    scores = query @ np.swapaxes(key, -1, -2)  # (..., n, d_k) @ (..., d_k, m)
    scaled = scores * scale  # (..., n, m)
    logits = add_mask(scaled, mask)  # (..., n, m)
    weights = softmax(logits)  # (..., n, m), each row adds up to 1
    output = weighted_sum(weights, value, mask)  # (..., n, m) @ (..., m, d_v)
    return Steps(scores, scaled, logits, weights, output)


def add_mask(scaled: NDArray, mask: NDArray | None) -> NDArray:
    """Return ``scaled + mask``; where the mask is ``-inf`` the score does not matter.

    A row that lost all its logits to overflow becomes NaN: it is not a masked row.
    """
    seen = np.True_ if mask is None else mask > -np.inf
    logits = scaled if mask is None else np.where(seen, scaled + mask, -np.inf)
    empty = np.all(logits == -np.inf, axis=-1, keepdims=True)
    if empty.any():
        logits = np.where(empty & seen, np.nan, logits)
    return logits


def weighted_sum(weights: NDArray, value: NDArray, mask: NDArray | None) -> NDArray:
    """Return ``weights @ value``; what the mask hides is left out even if it is NaN."""
    finite = np.isfinite(value)
    if mask is None or finite.all():
        return weights @ value
    output = weights @ np.where(finite, value, 0)
    seen = np.broadcast_to(mask > -np.inf, weights.shape)
    sound = finite.all(axis=-1).reshape(-1, value.shape[-2]).all(axis=0)  # (m,)
    for j in np.flatnonzero(~sound):
        term = weights[..., :, j, None] * value[..., None, j, :]  # (..., n, d_v)
        counts = seen[..., :, j, None] & ~finite[..., None, j, :]
        output = output + np.where(counts, term, 0)
    return output


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
        ``scaled + mask``: what goes into the softmax. ``-inf`` where masked.
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
) -> NDArray:
    """Mix the values: each query takes most from those whose keys fit it best.

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
        Query ``i`` sees the keys ``0`` to ``i`` only. Counted from the first query and
        the first key, also where ``n != m``. Not together with `attn_mask`.
    scale : float, optional
        The factor on the scores. Default: ``1 / sqrt(d_k)``.
    enable_gqa : bool, default False
        Grouped-query attention: axis -3 counts heads, and each head of `key` and
        `value` serves an equal number of consecutive heads of `query`.

    Returns
    -------
    ndarray, shape (..., n, d_v)
        In the dtype that NumPy gives the three together, integers counting as float64.
        float16 is computed in float32 and rounded once. A query for which everything is
        masked, or for which there is no key (``m = 0``), has weights and output 0.
        NaN in the input makes NaN of the rows that see it and of no others. So does
        a score that overflows to ``+inf``.

    Raises
    ------
    TypeError
        If an argument has the wrong dtype or type: arrays must hold integers, float16,
        float32 or float64; a mask booleans or floats, not integers.
    ValueError
        If shapes do not fit, ``d_k`` is 0, the mask holds NaN or ``+inf``, `scale` is
        not finite, or `is_causal` comes with a mask.

    See Also
    --------
    trace_attention : The same with every intermediate result.

    Notes
    -----
    Two things differ from PyTorch on purpose: a masked NaN stays without influence,
    where PyTorch adds ``-inf`` to it and gets NaN; and a mask that holds NaN or
    ``+inf`` is an error.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> scaled_dot_product_attention([[0.0]], [[1.0], [2.0]], [[1.0], [3.0]])
    array([[2.]])
    """
    arguments = _checks.attention(
        query, key, value, attn_mask, is_causal, scale, enable_gqa
    )
    with np.errstate(all="ignore"):
        output = attend(*arguments.arrays, arguments.mask, arguments.scale).output
        return output.astype(arguments.dtype, copy=False)


def trace_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> AttentionTrace:
    """Run `scaled_dot_product_attention` and keep every intermediate result.

    Parameters
    ----------
    query, key, value, attn_mask, is_causal, scale, enable_gqa
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
        query, key, value, attn_mask, is_causal, scale, enable_gqa
    )
    with np.errstate(all="ignore"):
        steps = attend(*arguments.arrays, arguments.mask, arguments.scale)
        return build_trace(arguments.arrays, steps, arguments.scale, arguments.dtype)


def build_trace(
    arrays: tuple[NDArray, NDArray, NDArray],
    steps: Steps,
    scale: float,
    dtype: np.dtype,
) -> AttentionTrace:
    """Round each array of a computation to `dtype` and hold them together."""
    rounded = (array.astype(dtype, copy=False) for array in (*arrays, *steps))
    return AttentionTrace(*rounded, scale=float(scale))
