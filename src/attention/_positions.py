"""Positions of tokens: rotary embeddings and linear biases.

Attention does not depend on the order of its keys. Rotary embeddings rotate queries and
keys before their product; linear biases are a mask that is added to the scores.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import floats, numbers
from attention._checks.positions import finite, rotation
from attention._checks.scalars import flag, real, size


def rotary_table(
    positions: ArrayLike, width: int, base: float = 10000.0
) -> tuple[NDArray, NDArray]:
    """Return the cosines and sines of the angles by which `rotary_embedding` rotates.

    The angle of pair ``i`` is ``position / base ** (2 * i / width)``: it grows fast
    with the position in the first pairs, and slowly in the last pairs.

    Parameters
    ----------
    positions : array_like
        Of any shape, for example ``np.arange(n)``.
    width : int
        The number of columns to rotate, even and at least 2.
    base : float, default 10000.0
        At least 1. With a larger base the last pairs rotate more slowly.

    Returns
    -------
    cos, sin : ndarray, shape (..., width / 2)
        In float64. The dots stand for the shape of `positions`.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold finite numbers, `width` is not an even integer of
        at least 2, or `base` is not a finite number of at least 1.

    References
    ----------
    Su et al. (2021), RoFormer, section 3.2.2.

    Examples
    --------
    >>> cos, sin = rotary_table([0, 1], width=2)
    >>> cos.round(4).tolist(), sin.round(4).tolist()
    ([[1.0], [0.5403]], [[0.0], [0.8415]])
    """
    positions = finite("positions", positions)
    width = size("width", width, at_least=2)
    if width % 2:
        raise ValueError(f"width must be even, a number of pairs, got {width}")
    base = real("base", base, at_least=1)
    with np.errstate(under="ignore"):
        frequencies = base ** (-np.arange(0, width, 2) / width)  # (width / 2,)
        angles = positions[..., None] * frequencies  # (..., width / 2), in float64
        return np.cos(angles), np.sin(angles)


def rotary_embedding(
    x: ArrayLike, cos: ArrayLike, sin: ArrayLike, interleaved: bool = False
) -> NDArray:
    """Return queries or keys with pairs of columns rotated by their position's angles.

    The product of a rotated query and a rotated key depends on their two positions only
    through the distance between them.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        Queries or keys.
    cos, sin : array_like, shape (..., n, w / 2)
        As `rotary_table` returns them; they broadcast over the batch axes of `x`. The
        first ``w <= d`` columns are rotated, the others are not changed.
    interleaved : bool, default False
        Which columns form a pair. False: ``i`` and ``i + w / 2`` (GPT-NeoX, Llama).
        True: ``2 * i`` and ``2 * i + 1`` (RoFormer, GPT-J).

    Returns
    -------
    ndarray, shape (..., n, d)
        In the dtype of `x` (integers become float64).

    Raises
    ------
    TypeError, ValueError
        If an array does not hold numbers, `interleaved` is not a bool, or `cos` and
        `sin` differ in shape or do not broadcast to ``(..., n, w / 2)``, ``w <= d``.

    Notes
    -----
    The opposite angles undo a rotation, and give its gradient:
    ``rotary_embedding(d_output, cos, -sin)``.

    References
    ----------
    Su et al. (2021), RoFormer, equation 34.

    Examples
    --------
    A quarter of a turn:

    >>> rotary_embedding([[3.0, 4.0]], cos=[[0.0]], sin=[[1.0]]).tolist()
    [[-4.0, 3.0]]

    Of four columns, rotate the first pair: columns 0 and 2, or 0 and 1:

    >>> x, cos, sin = [[1.0, 2.0, 3.0, 4.0]], [[0.0, 1.0]], [[1.0, 0.0]]
    >>> rotary_embedding(x, cos, sin, interleaved=False).tolist()
    [[-3.0, 2.0, 1.0, 4.0]]
    >>> rotary_embedding(x, cos, sin, interleaved=True).tolist()
    [[-2.0, 1.0, 3.0, 4.0]]
    """
    (x,), dtype = floats(x=numbers("x", x, axes="(..., n, d)"))
    cos, sin = rotation(x, cos, sin)
    half = cos.shape[-1]
    if flag("interleaved", interleaved):
        first, second = slice(0, 2 * half, 2), slice(1, 2 * half, 2)
    else:
        first, second = slice(half), slice(half, 2 * half)
    rotated = x.copy()
    with np.errstate(all="ignore"):
        rotated[..., first] = cos * x[..., first] - sin * x[..., second]
        rotated[..., second] = sin * x[..., first] + cos * x[..., second]
        return np.asarray(rotated, dtype)


def alibi(num_heads: int, n: int, m: int) -> NDArray:
    """Return a mask that lowers each logit in proportion to the key's distance.

    Head ``i`` of ``h = 2 ** k`` heads subtracts ``2 ** (-8 * (i + 1) / h)`` for each
    step between query and key. If ``h`` is not a power of two, the first heads have the
    slopes of the next lower power. The other heads have every second slope of the next
    higher power. The last query stands at the last key, as with
    ``alignment="bottom-right"``.

    Parameters
    ----------
    num_heads, n, m : int
        The numbers of heads ``h``, of queries and of keys.

    Returns
    -------
    ndarray, shape (h, n, m)
        In float64, to be added to the scores: an `attn_mask`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, `num_heads` is below 1, or `n` or `m` below 0.

    References
    ----------
    Press, Smith and Lewis (2021), Train Short, Test Long, section 3.

    Examples
    --------
    >>> alibi(num_heads=8, n=1, m=3).tolist()[0]
    [[-1.0, -0.5, 0.0]]
    """
    h = size("num_heads", num_heads, at_least=1)
    n, m = size("n", n), size("m", m)
    slopes = np.fromiter(slopes_of(h), float, count=h)
    distances = np.abs(np.arange(m) - np.arange(m - n, m)[:, None])  # (n, m)
    return slopes[:, None, None] * -distances  # (h, 1, 1) * (n, m)


def slopes_of(h: int) -> Iterator[float]:
    """Yield the slopes of `h` heads, as `alibi` describes them."""
    power = 2 ** (h.bit_length() - 1)
    for i in range(power):
        yield 2.0 ** (-8 * (i + 1) / power)
    for i in range(h - power):
        yield 2.0 ** (-8 * (2 * i + 1) / (2 * power))
