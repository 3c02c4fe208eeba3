"""The toy of chapter 1: each word has two hand-set numbers, for money and water."""

from dataclasses import dataclass

import numpy as np

from attention import AttentionTrace, trace_attention
from course.kit.arrays import Array

WORDS = {
    "the": (0.1, 0.1),
    "bank": (0.7, 0.7),
    "near": (0.1, 0.3),
    "river": (0.1, 1.1),
    "approved": (0.6, 0.1),
    "loan": (1.1, 0.1),
}
"""The embedding of each word."""

RIVER, LOAN = "the bank near the river", "the bank approved the loan"
"""Two sentences with the word "bank"."""


@dataclass(frozen=True, eq=False)
class ToySentence:
    """A sentence whose words have hand-set embeddings (about money, about water)."""

    words: tuple[str, ...]
    X: Array

    @property
    def trace(self) -> AttentionTrace:
        """Every step of attention with Q = K = 2X and V = X."""
        return trace_attention(2 * self.X, 2 * self.X, self.X)

    @property
    def weights(self) -> Array:
        """Weights, shape (n, n)."""
        return self.trace.weights

    @property
    def context(self) -> Array:
        """Context vectors, shape (n, 2): the weights times the values."""
        return self.weights @ self.X


def toy_sentence(text: str) -> ToySentence:
    """Return a sentence with the embeddings of its words, which must be in `WORDS`."""
    words = tuple(text.split())
    return ToySentence(words, np.array([WORDS[word] for word in words]))
