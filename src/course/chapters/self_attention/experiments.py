"""Experiments of chapter 1: what self-attention does, and what it cannot do."""

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax
from course.kit.arrays import Array


def self_attending_share(
    n: int,
    d_k: int,
    matrices: int,
    *,
    width: int = 64,
    sentences: int = 200,
    seed: int = 0,
) -> float:
    """Return the share of words whose highest score is with themselves.

    If `matrices` is 1, queries and keys share a matrix; if it is 2, each has its own.
    Each random sentence of n words has its own random matrices.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((sentences, n, width))
    W = rng.standard_normal((matrices, sentences, width, d_k))
    scores = (X @ W[0]) @ (X @ W[-1]).swapaxes(-1, -2)
    return float((scores.argmax(axis=-1) == np.arange(n)).mean())


def sparsemax(logits: ArrayLike) -> Array:
    """Return the row of weights that is nearest to a row of logits.

    The weights are not negative and add up to 1; some may be exactly 0.
    """
    logits = np.asarray(logits, dtype=float)
    ordered = np.sort(logits)[::-1]
    thresholds = (np.cumsum(ordered) - 1) / np.arange(1, ordered.size + 1)
    last = np.flatnonzero(ordered > thresholds)[-1]  # of the positive weights
    return np.maximum(logits - thresholds[last], 0)


def argmax_weights(logits: ArrayLike) -> Array:
    """Return weight 1 for the first of the largest logits, and 0 for the others."""
    logits = np.asarray(logits, dtype=float)
    return np.eye(logits.size)[logits.argmax()]


def softplus_weights(logits: ArrayLike) -> Array:
    """Return the softplus ``ln(1 + e^x)`` of each logit, divided by their sum."""
    positive = np.logaddexp(0, np.asarray(logits, dtype=float))
    return positive / positive.sum()


NORMALISERS = {
    "softmax": softmax,
    "softplus shares": softplus_weights,
    "sparsemax": sparsemax,
    "argmax": argmax_weights,
}
"""Functions that turn a row of logits into weights with the sum 1."""
