"""Tables of the apple walkthrough as Markdown for `say`, and the computed arrays.

Every number is computed from the page's embeddings and weights. The errata list the
misprints of the page.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import MultiHeadTrace
from course.chapters.walkthrough_apple.experiments import FOCUS, walkthrough
from course.kit.prose import number, table
from course.notes import APPLE

ROLES = ("semantic", "syntactic", "purpose")
"""Names of the three heads on the walkthrough page."""

NAMES = {"Q": "query", "K": "key", "V": "value"}
SUBSCRIPT = ("₁", "₂", "₃")

_TRACE = walkthrough().trace(APPLE.X)


def trace() -> MultiHeadTrace:
    """Return every step of the walkthrough; W_O computes the mean of the heads."""
    return _TRACE


def matrix(head: int, kind: str) -> NDArray[np.float64]:
    """Return the computed Q, K or V of a head, shape (5, 4)."""
    return getattr(_TRACE.heads[head], NAMES[kind])


def vector(values: ArrayLike, decimals: int = 2) -> str:
    """Write a vector as ``[1.18, 1.02]``; a line may break after each fourth number."""
    texts = [number(v, decimals) for v in np.ravel(values)]
    groups = [
        ",\N{NO-BREAK SPACE}".join(texts[i : i + 4]) for i in range(0, len(texts), 4)
    ]
    return f"[{', '.join(groups)}]"


def embeddings() -> str:
    """Return a table of words and embeddings, with the focus word marked."""
    rows = [
        [f"**{word}** ← followed here" if i == FOCUS else word, vector(x, 1)]
        for i, (word, x) in enumerate(zip(APPLE.tokens, APPLE.X, strict=True))
    ]
    return table(["Word", "Embedding"], rows)


def exponentials(head: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return apple's scaled scores in a head and their exponentials, shapes (5,)."""
    scaled = _TRACE.heads[head].scaled[FOCUS]
    return scaled, np.exp(scaled)
