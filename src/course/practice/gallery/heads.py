"""Eight wrong ways of several heads: the right one with one thing changed.

``X`` is (n, d_model). ``W_Q``, ``W_K`` and ``W_V`` hold the ``h`` heads' matrices side
by side, (d_model, h*d); ``W_O`` is (h*d_v, d_model).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery.wrong import Gallery

Array = NDArray[Any]

HEADS = Gallery()


def split(x: Array, h: int) -> Array:
    """Cut columns into heads: (n, h*d) -> (h, n, d)."""
    return x.reshape(len(x), h, -1).swapaxes(0, 1)


def merge(heads: Array) -> Array:
    """Lay heads side by side: (h, n, d) -> (n, h*d)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def attend(Q: Array, K: Array, V: Array) -> Array:
    """Attention of each head, from (h, n, d_k), (h, n, d_k) and (h, n, d_v)."""
    s = Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[2])
    powers = np.exp(s - s.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True) @ V


@HEADS.holds("heads", "heads split by reshape", "x.reshape(h, n, d)")
def split_by_reshape(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """`reshape` gives the shape that is wanted, but cuts up words and not columns."""
    Q, K, V = ((X @ W).reshape(h, len(X), -1) for W in (W_Q, W_K, W_V))
    return merge(attend(Q, K, V)) @ W_O


@HEADS.holds("heads", "heads merged by reshape", "Z.reshape(n, h*d_v)")
def merged_by_reshape(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """Without swapping the axes back first, a row holds pieces of several words."""
    Z = attend(*(split(X @ W, h) for W in (W_Q, W_K, W_V)))
    return Z.reshape(len(X), -1) @ W_O


@HEADS.holds("heads", "heads in reverse order", "[Z_h ... Z_1] W_O")
def reversed_order(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """Collected from the last to the first, each head meets another one's rows."""
    Z = attend(*(split(X @ W, h) for W in (W_Q, W_K, W_V)))
    return merge(Z[::-1]) @ W_O


@HEADS.holds("heads", "columns dealt out in turn", "x.reshape(n, d, h)")
def columns_interleaved(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """With the heads' axis in the last place head 1 gets every h-th column."""

    def dealt(x: Array) -> Array:
        return np.moveaxis(x.reshape(len(x), -1, h), 2, 0)

    Q, K, V = (dealt(X @ W) for W in (W_Q, W_K, W_V))
    return merge(attend(Q, K, V)) @ W_O


@HEADS.holds("heads", "one head's projections in all", "Z_1 = ... = Z_h")
def first_projections_in_all(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """`[head] * h` is one head h times: all of them say the same."""
    Z = attend(*(split(X @ W, h)[[0] * h] for W in (W_Q, W_K, W_V)))
    return merge(Z) @ W_O


@HEADS.holds("heads", "one big head", "softmax(Q K^T / sqrt(h d_k)) V W_O")
def one_big_head(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """All shapes fit without a split, and each word has one row of weights, not h."""
    Q, K, V = (split(X @ W, 1) for W in (W_Q, W_K, W_V))
    return merge(attend(Q, K, V)) @ W_O


@HEADS.holds("heads", "every head through the first rows of W_O", "sum Z_i W_O[:d_v]")
def first_rows_for_all(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """The sum over heads does not move on to the next rows."""
    Z = attend(*(split(X @ W, h) for W in (W_Q, W_K, W_V)))
    return sum(head @ W_O[: head.shape[1]] for head in Z)


@HEADS.holds("heads", "no W_O", "[Z_1 ... Z_h]")
def without_projection(
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, h: int
) -> Array:
    """The concatenation has the right shape already where h d_v = d_model."""
    return merge(attend(*(split(X @ W, h) for W in (W_Q, W_K, W_V))))
