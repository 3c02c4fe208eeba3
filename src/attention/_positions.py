"""Where a token stands: rotary embeddings and linear biases.

Attention itself knows no order. Both of these tell it one from outside: the first
turns queries and keys before they meet, the second is a mask to add afterwards.
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
    """Return the cosines and sines by which `rotary_embedding` turns each position.

    Pair ``i`` of the columns turns by ``position / base ** (2 * i / width)``: the first
    pairs fast, the last ones slowly.

    Parameters
    ----------
    positions : array_like
        Of any shape: ``np.arange(n)`` for a whole sequence; in decoding, where the new
        tokens stand.
    width : int
        The number of columns to turn, even and at least 2.
    base : float, default 10000.0
        At least 1; the larger it is, the farther the slowest pair can tell apart.

    Returns
    -------
    cos, sin : ndarray
        The shape of `positions` and a last axis of ``width / 2``, in float64.

    Raises
    ------
    TypeError
        If `positions` does not hold integers or floats, `width` is not an integer or
        `base` not a real number.
    ValueError
        If `positions` holds NaN or an infinity, `width` is odd or below 2, or `base` is
        below 1 or not finite.

    References
    ----------
    Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position Embedding,
    section 3.2.2.

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
    frequencies = base ** (-np.arange(0, width, 2) / width)  # (width / 2,)
    angles = positions[..., None] * frequencies  # (..., width / 2), in float64
    return np.cos(angles), np.sin(angles)


def rotary_embedding(
    x: ArrayLike, cos: ArrayLike, sin: ArrayLike, interleaved: bool = False
) -> NDArray:
    """Turn pairs of columns of every query or key by an angle for its position.

    The product of a turned query and a turned key depends on the distance of their
    positions and on nothing else of them.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        Queries or keys.
    cos, sin : array_like, shape (..., n, w / 2)
        As `rotary_table` makes them; they broadcast over the batch axes of `x`. The
        first ``w <= d`` columns are turned, the others stay.
    interleaved : bool, default False
        Which columns are a pair: ``i`` and ``i + w / 2`` (GPT-NeoX, Llama), or with
        True ``2 * i`` and ``2 * i + 1`` (RoFormer, GPT-J).

    Returns
    -------
    ndarray, shape (..., n, d)
        In the dtype of `x` (integers become float64).

    Raises
    ------
    TypeError
        If an array does not hold integers or floats or `interleaved` is not a bool.
    ValueError
        If `cos` and `sin` differ in shape, are wider than ``d / 2`` or do not broadcast
        to ``(..., n, w / 2)``.

    Notes
    -----
    A rotation is undone by the opposite one, and its gradient comes back the same way:
    ``rotary_embedding(d_output, cos, -sin)``.

    References
    ----------
    Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position Embedding,
    equation 34.

    Examples
    --------
    A quarter of a turn:

    >>> rotary_embedding([[3.0, 4.0]], cos=[[0.0]], sin=[[1.0]]).tolist()
    [[-4.0, 3.0]]

    Of four columns the first pair alone, which is ``0`` and ``2``, or ``0`` and ``1``:

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
    turned = x.copy()
    with np.errstate(all="ignore"):
        turned[..., first] = cos * x[..., first] - sin * x[..., second]
        turned[..., second] = sin * x[..., first] + cos * x[..., second]
        return np.asarray(turned, dtype)


def alibi(num_heads: int, n: int, m: int) -> NDArray:
    """Return a mask that takes from each logit in proportion to the distance.

    Head ``i`` of ``h = 2 ** k`` takes ``2 ** (-8 * (i + 1) / h)`` for each step between
    query and key; where ``h`` is no power of two, the heads beyond the largest one
    below take every other slope of the next. The last query stands at the last key, as
    with ``alignment="bottom-right"``; for as many queries as keys that is also
    ``"top-left"``.

    Parameters
    ----------
    num_heads : int
        The number of heads ``h``, at least 1.
    n, m : int
        The number of queries and of keys, at least 0.

    Returns
    -------
    ndarray, shape (h, n, m)
        In float64, to be added to the scores: an `attn_mask`.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If `num_heads` is below 1, or `n` or `m` below 0.

    References
    ----------
    Press, Smith and Lewis (2021), Train Short, Test Long: Attention with Linear Biases
    Enables Input Length Extrapolation, section 3.

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
    """Return the slopes of `h` heads: of the powers of two on either side of `h`."""
    whole = 2 ** (h.bit_length() - 1)
    for i in range(whole):
        yield 2.0 ** (-8 * (i + 1) / whole)
    for i in range(h - whole):
        yield 2.0 ** (-8 * (2 * i + 1) / (2 * whole))
