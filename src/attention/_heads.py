"""Split one wide axis into heads, and merge heads again. No number changes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import MAX_AXES, numbers
from attention._checks.layers import heads


def split_heads(x: ArrayLike, num_heads: int) -> NDArray:
    """Return the last axis cut into heads, with the heads before the tokens.

    Head ``i`` gets the columns ``i * d`` to ``(i + 1) * d - 1``.

    Parameters
    ----------
    x : array_like, shape (..., n, h * d)
    num_heads : int
        The number of heads ``h``, at least 1.

    Returns
    -------
    ndarray, shape (..., h, n, d)
        The same numbers in the same dtype; a view of `x` where NumPy can make one.

    Raises
    ------
    TypeError, ValueError
        If `x` does not hold numbers or has fewer than two axes, or `num_heads` is not
        an integer that divides the last axis of `x`.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], num_heads=2).tolist()
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    x = numbers("x", x, axes="(..., n, h * d)", max_axes=MAX_AXES - 1)
    h = heads("x", num_heads, x.shape)
    *batch, n, width = x.shape
    split = x.reshape(*batch, n, h, width // h)  # (..., n, h * d) -> (..., n, h, d)
    return np.swapaxes(split, -3, -2)  # (..., n, h, d) -> (..., h, n, d)


def merge_heads(x: ArrayLike) -> NDArray:
    """Return the concatenation of the heads of every token: undo `split_heads`.

    Parameters
    ----------
    x : array_like, shape (..., h, n, d)

    Returns
    -------
    ndarray, shape (..., n, h * d)
        The same numbers in the same dtype; head ``i`` is in the columns ``i * d`` to
        ``(i + 1) * d - 1``. A view of `x` where NumPy can make one.

    Raises
    ------
    TypeError, ValueError
        If `x` does not hold numbers or has fewer than three axes.

    Examples
    --------
    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist()
    [[1, 2, 3, 4], [5, 6, 7, 8]]

    Attention in two heads over packed arrays, ``(..., n, h * d)``:

    >>> from attention import scaled_dot_product_attention
    >>> x = np.ones((3, 4))
    >>> heads = scaled_dot_product_attention(*(split_heads(a, 2) for a in (x, x, x)))
    >>> merge_heads(heads).shape
    (3, 4)
    """
    return concatenate_heads(numbers("x", x, axes="(..., h, n, d)"))


def concatenate_heads(x: NDArray) -> NDArray:
    """Return heads (..., h, n, d) side by side, (..., n, h * d). No checks."""
    *batch, h, n, d = x.shape
    tokens = np.swapaxes(x, -3, -2)  # (..., h, n, d) -> (..., n, h, d)
    return tokens.reshape(*batch, n, h * d)
