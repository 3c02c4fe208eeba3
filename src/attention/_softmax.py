"""Softmax and its logarithm."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import axis_of, floats
from attention._checks.scalars import real


def softmax(logits: ArrayLike, axis: int = -1, beta: float = 1.0) -> NDArray:
    """Turn logits into weights that add up to 1 along an axis.

    ``exp(beta * logits) / sum(exp(beta * logits))``. The largest logit is subtracted
    first. That divides numerator and denominator by the same factor, so no weight
    changes. Then no exponent is above 0, and ``exp`` cannot overflow.

    Parameters
    ----------
    logits : array_like
        Real numbers of any shape with at least one axis. ``-inf`` means "takes no
        part" and gets the weight 0.
    axis : int, default -1
        The axis along which the weights add up to 1.
    beta : float, default 1.0
        Sharpness, finite and at least 0; the temperature is ``1 / beta``. At 0 all
        entries that take part get the same weight. A large `beta` gives almost all of
        the weight to the largest logit.

    Returns
    -------
    ndarray
        The weights, in the shape and dtype of `logits` (integers become float64;
        float16 is computed in float32 and rounded once). A row in which all logits
        are ``-inf`` has weights of 0. A row with a NaN or ``+inf`` is all NaN.

    Raises
    ------
    TypeError, ValueError
        If `logits` does not hold integers or floats, `axis` is not one of its axes, or
        `beta` is not a finite number of at least 0.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    >>> softmax([-np.inf, -np.inf]).tolist()
    [0.0, 0.0]
    >>> softmax([1000.0, 0.0], beta=0).tolist()
    [0.5, 0.5]

    Temperature 2 is sharpness 0.5: the logits count half.

    >>> np.allclose(softmax([2.0, 0.0], beta=1 / 2), softmax([1.0, 0.0]))
    True
    """
    (logits,), dtype = floats(logits=logits)
    axis = axis_of(axis, logits)
    beta = real("beta", beta, at_least=0)
    with np.errstate(all="ignore"):
        logits, beta = _in_range(logits, beta)
        weights, *_ = softmax_parts(logits, axis, beta)
        return np.asarray(weights, dtype)


def softmax_parts(
    logits: NDArray,
    axis: int = -1,
    beta: float | None = None,
    out: NDArray | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """Return the weights, the largest logit and the sum of exponentials. No checks.

    An exponential is ``exp(beta * (logit - largest))``.
    """
    largest = largest_logit(logits, axis)
    weights = np.subtract(logits, largest, out=out)
    if beta is not None:
        weights *= beta
    np.exp(weights, out=weights)  # at most exp(0)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights, largest, total


def largest_logit(logits: NDArray, axis: int) -> NDArray:
    """Return the largest logit along an axis, or 0 where all are ``-inf``."""
    largest = logits.max(axis=axis, keepdims=True, initial=-np.inf)
    return np.where(largest == -np.inf, 0, largest)


def log_softmax(logits: ArrayLike, axis: int = -1) -> NDArray:
    """Return the logarithm of the softmax, accurate where the softmax rounds to 0.

    Parameters
    ----------
    logits, axis
        As in `softmax`, with the same errors.

    Returns
    -------
    ndarray
        In the shape and dtype of `logits` (integers become float64). An entry that
        takes no part has ``-inf``. A row with a NaN or ``+inf`` is all NaN.

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
        differences = logits - largest_logit(logits, axis)
        total = np.exp(differences).sum(axis=axis, keepdims=True)
        logs = differences - np.log(np.where(total == 0, 1, total))
        return np.asarray(logs, dtype)


def _in_range(logits: NDArray, beta: float) -> tuple[NDArray, float]:
    """Return logits and beta that give the same softmax, without a harmful overflow.

    With ``beta >= 1`` a difference of logits may overflow: its exponential is 0
    anyway. With a smaller `beta` the exponential may not be 0, so very large logits are
    halved and `beta` is doubled. With a `beta` of 0 all finite logits become 0. If
    float32 cannot hold `beta`, the logits become float64.
    """
    float32 = np.finfo(np.float32)
    if beta and not float(float32.tiny) <= beta <= float(float32.max):
        logits = np.asarray(logits, np.float64)
    if 0 < beta < 1 and np.any(np.abs(logits) > np.finfo(logits.dtype).max / 2):
        logits, beta = logits / 2, beta * 2
    elif beta == 0:
        logits, beta = np.where(np.isfinite(logits), 0 * logits, logits), 1
    return logits, logits.dtype.type(beta)
