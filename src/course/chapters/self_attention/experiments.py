"""Experiments of chapter 1: what self-attention does, and what it cannot do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention import scaled_dot_product_attention, softmax, trace_attention
from course.kit.arrays import Array


@dataclass(frozen=True, eq=False)
class ToySentence:
    """A sentence whose words have hand-set embeddings (about money, about water)."""

    words: tuple[str, ...]
    X: Array

    @property
    def weights(self) -> Array:
        """Weights, shape (n, n), of attention with Q = K = 2X."""
        return trace_attention(2 * self.X, 2 * self.X, self.X).weights

    @property
    def context(self) -> Array:
        """Context vectors, shape (n, 2), of those weights with V = X."""
        return self.weights @ self.X


_TOY = {
    "the": (0.1, 0.1),
    "bank": (0.7, 0.7),
    "near": (0.1, 0.3),
    "river": (0.1, 1.1),
    "approved": (0.6, 0.1),
    "loan": (1.1, 0.1),
}


def toy_sentence(text: str) -> ToySentence:
    """Look the words of a sentence up in the toy table of embeddings.

    Parameters
    ----------
    text : str
        Words of the toy table, in lower case, with spaces between them.

    Raises
    ------
    KeyError
        If a word is not in the table.
    """
    words = tuple(text.split())
    return ToySentence(words, np.array([_TOY[word] for word in words]))


def self_attention(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike
) -> Array:
    """Self-attention of a sequence: project, score, scale, softmax, mix.

    Parameters
    ----------
    X : array_like, shape (n, d_model)
    W_Q, W_K : array_like, shape (d_model, d_k)
    W_V : array_like, shape (d_model, d_v)

    Returns
    -------
    ndarray, shape (n, d_v)
    """
    X = np.asarray(X, dtype=float)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)


def divided_after(
    query: ArrayLike, key: ArrayLike, value: ArrayLike
) -> tuple[Array, Array]:
    """Divide by sqrt(d_k) outside the softmax, as one line of the notes has it.

    Parameters
    ----------
    query, key : array_like, shape (n, d_k) and (m, d_k)
    value : array_like, shape (m, d_v)

    Returns
    -------
    tuple of ndarray
        ``softmax(QK^T) / sqrt(d_k)``, shape (n, m), and that times ``value``.
    """
    trace = trace_attention(query, key, value)
    wrong = softmax(trace.scores) * trace.scale
    return wrong, wrong @ trace.value


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


def normaliser_rows(
    logits: ArrayLike, shifts: Sequence[float] = (0,)
) -> dict[str, Array]:
    """Apply every normaliser to a row of logits, shifted by each of `shifts`.

    Parameters
    ----------
    logits : array_like, shape (m,)
    shifts : sequence of float
        Constants added to the whole row.

    Returns
    -------
    dict of str to ndarray, shape (len(shifts), m)
    """
    logits = np.asarray(logits, dtype=float)
    return {
        name: np.array([function(logits + shift) for shift in shifts])
        for name, function in NORMALISERS.items()
    }
