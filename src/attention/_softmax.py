"""Softmax: scores in, shares of one out."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import axis_of, floats
from attention._checks.scalars import real


def softmax(logits: ArrayLike, axis: int = -1, beta: float = 1.0) -> NDArray:
    """Turn logits into weights that add up to 1 along an axis.

    ``exp(beta * logits) / sum(exp(beta * logits))``. The largest logit is subtracted
    first. That changes no weight, because numerator and denominator shrink by the same
    factor, and it leaves ``exp`` nothing above 0, so that it cannot overflow.

    Parameters
    ----------
    logits : array_like
        Real numbers of any shape with at least one axis. ``-inf`` means "takes no
        part" and gets the weight 0.
    axis : int, default -1
        The axis along which the weights add up to 1.
    beta : float, default 1.0
        Sharpness, finite and at least 0. Temperature is ``1 / beta``. At 0 all entries
        that take part weigh the same; as it grows the largest takes all.

    Returns
    -------
    ndarray
        The weights, in the shape and dtype of `logits` (integers become float64;
        float16 is computed in float32 and rounded once). A row of nothing but
        ``-inf`` has only zeros: nothing takes part, so there is nothing to share.
        A row with a NaN or ``+inf`` is all NaN: it has no answer.

    Raises
    ------
    TypeError
        If `logits` is not an array of integers, float16, bfloat16, float32 or float64,
        `axis` is not an integer or `beta` is not a real number.
    ValueError
        If `axis` is out of range, or `beta` is negative or not finite.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    >>> softmax([1000.0, 0.0], beta=0).tolist()
    [0.5, 0.5]
    """
    (logits,), dtype = floats(logits=logits)
    axis = axis_of(axis, logits)
    beta = real("beta", beta, at_least=0)
    with np.errstate(all="ignore"):
        logits, beta = _in_range(logits, beta)
        weights, *_ = shares(logits, axis, beta)
        return np.asarray(weights, dtype)


def shares(
    logits: NDArray,
    axis: int = -1,
    beta: float | None = None,
    out: NDArray | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """Return the softmax, the largest logit and what the powers add up to, unchecked.

    The powers are those of the logits less the largest.
    """
    largest = largest_of(logits, axis)
    powers = np.subtract(logits, largest, out=out)
    if beta is not None:
        powers *= beta
    np.exp(powers, out=powers)  # at most exp(0)
    total = powers.sum(axis=axis, keepdims=True)
    powers /= np.where(total == 0, 1, total)
    return powers, largest, total


def largest_of(logits: NDArray, axis: int) -> NDArray:
    """Return the largest logit along an axis, or 0 where nothing takes part."""
    largest = logits.max(axis=axis, keepdims=True, initial=-np.inf)
    return np.where(largest == -np.inf, 0, largest)


def log_softmax(logits: ArrayLike, axis: int = -1) -> NDArray:
    """Return the logarithm of the softmax, right also where that rounds to 0.

    Parameters
    ----------
    logits, axis
        As in `softmax`.

    Returns
    -------
    ndarray
        In the shape and dtype of `logits` (integers become float64). What takes no
        part has ``-inf``. A row with a NaN or ``+inf`` is all NaN.

    Raises
    ------
    TypeError, ValueError
        As `softmax`.

    References
    ----------
    Blanchard, Higham and Higham (2021), Accurately computing the log-sum-exp and
    softmax functions, section 3.

    Examples
    --------
    >>> log_softmax([0.0, -1000.0]).tolist()
    [0.0, -1000.0]
    """
    (logits,), dtype = floats(logits=logits)
    axis = axis_of(axis, logits)
    with np.errstate(all="ignore"):
        below = logits - largest_of(logits, axis)
        total = np.exp(below).sum(axis=axis, keepdims=True)
        logs = below - np.log(np.where(total == 0, 1, total))
        return np.asarray(logs, dtype)


def _in_range(logits: NDArray, beta: float) -> tuple[NDArray, float]:
    """Return equivalent logits and beta whose exponents come out right.

    A difference that overflows is no harm while ``beta >= 1``: its power is 0 either
    way. Below 1 the product may be moderate, so that logits of that size are halved
    and `beta` doubled. At 0 all that takes part is alike, as if all logits were 0.
    A `beta` beyond the range of float32 asks for float64.
    """
    narrow = np.finfo(np.float32)
    if beta and not float(narrow.tiny) <= beta <= float(narrow.max):
        logits = np.asarray(logits, np.float64)
    if 0 < beta < 1 and np.any(np.abs(logits) > np.finfo(logits.dtype).max / 2):
        logits, beta = logits / 2, beta * 2
    elif beta == 0:
        logits, beta = np.where(np.isfinite(logits), 0 * logits, logits), 1
    return logits, logits.dtype.type(beta)
