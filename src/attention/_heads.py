"""Moving between one wide axis and several heads. No arithmetic, only axes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import MOST_AXES, numbers
from attention._checks.layers import heads


def split_heads(x: ArrayLike, num_heads: int) -> NDArray:
    """Cut the last axis into heads and move the heads in front of the tokens.

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
    TypeError
        If `x` does not hold numbers or `num_heads` is not an integer.
    ValueError
        If `x` has fewer than two axes, or `num_heads` does not divide its last axis.

    See Also
    --------
    merge_heads : The way back.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], num_heads=2).tolist()
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    x = numbers("x", x, axes="(..., n, h * d)", most=MOST_AXES - 1)
    h = heads("x", num_heads, x.shape)
    *batch, n, width = x.shape
    split = x.reshape(*batch, n, h, width // h)  # (..., n, h * d) -> (..., n, h, d)
    return np.swapaxes(split, -3, -2)  # (..., n, h, d) -> (..., h, n, d)


def merge_heads(x: ArrayLike) -> NDArray:
    """Put the heads of every token side by side: the concatenation of the heads.

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
    TypeError
        If `x` does not hold numbers.
    ValueError
        If `x` has fewer than three axes.

    See Also
    --------
    split_heads : The way back.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

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
    x = numbers("x", x, axes="(..., h, n, d)")
    *batch, h, n, d = x.shape
    tokens = np.swapaxes(x, -3, -2)  # (..., h, n, d) -> (..., n, h, d)
    return tokens.reshape(*batch, n, h * d)  # (..., n, h, d) -> (..., n, h * d)
