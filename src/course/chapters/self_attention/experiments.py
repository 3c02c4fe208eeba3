"""Experiments of chapter 1: what self-attention does, and what it cannot do."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax, trace_attention
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
