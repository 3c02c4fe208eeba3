"""Experiments of chapter 1: what self-attention does, and what it cannot do."""

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax
from course.kit.arrays import Array


def looks_at_itself(
    n: int,
    d_k: int,
    matrices: int,
    *,
    width: int = 64,
    sentences: int = 200,
    seed: int = 0,
) -> float:
    """Share of words that score highest with themselves, in random sentences.

    Parameters
    ----------
    n, d_k : int
        Words in a sentence, and width of queries and keys.
    matrices : {1, 2}
        Whether queries and keys share one matrix or have one each.
    width : int
        Width of the words.
    sentences : int
        Random sentences, each with random matrices of its own.
    seed : int

    Returns
    -------
    float
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((sentences, n, width))
    W = rng.standard_normal((matrices, sentences, width, d_k))
    scores = (X @ W[0]) @ (X @ W[-1]).swapaxes(-1, -2)
    return float((scores.argmax(axis=-1) == np.arange(n)).mean())


def sparsemax(logits: ArrayLike) -> Array:
    """Nearest point to the logits among all weight vectors (one row).

    Parameters
    ----------
    logits : array_like, shape (m,)

    Returns
    -------
    ndarray, shape (m,)
        Nonnegative, sums to 1, and may hold exact zeros.
    """
    logits = np.asarray(logits, dtype=float)
    ordered = np.sort(logits)[::-1]
    surplus = (np.cumsum(ordered) - 1) / np.arange(1, ordered.size + 1)
    support = np.flatnonzero(ordered > surplus)[-1]
    return np.maximum(logits - surplus[support], 0)


def argmax_weights(logits: ArrayLike) -> Array:
    """Put all weight on the largest logit of a row, the first if several tie."""
    logits = np.asarray(logits, dtype=float)
    return np.eye(logits.size)[logits.argmax()]


def softplus_weights(logits: ArrayLike) -> Array:
    """Share out ``ln(1 + e^x)``: smooth, positive, sums to 1, not softmax."""
    positive = np.logaddexp(0, np.asarray(logits, dtype=float))
    return positive / positive.sum()


NORMALISERS = {
    "softmax": softmax,
    "softplus shares": softplus_weights,
    "sparsemax": sparsemax,
    "argmax": argmax_weights,
}
"""Functions that turn a row of logits into weights that sum to 1."""
