"""Tables of the apple walkthrough as Markdown for `say`, and the computed arrays.

Every number is computed from the page's embeddings and weights. The errata list the
misprints of the page. The captions express an analogy of the page in our own words; the
computation does not use this analogy.
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

CAPTIONS = {
    "Q": "asks (query)",
    "K": "offers (key)",
    "V": "hands over (value)",
}

SPOKEN = {
    "Q": (
        (
            "what do I act on?",
            "what was bought?",
            "what fixes my meaning?",
            "what am I there for?",
            "what is eaten?",
        ),
        (
            "what is my part here?",
            "what do I govern?",
            "where do I belong?",
            "what follows me?",
            "which verb am I tied to?",
        ),
        (
            "what do I want?",
            "why was it bought?",
            "what am I here for?",
            "which aim follows me?",
            "what is my aim?",
        ),
    ),
    "K": (
        ("who acts", "an act", "a thing", "an aim", "food"),
        ("a subject", "a verb", "an object", "a preposition", "a verb"),
        ("someone’s aim", "an act’s aim", "a thing’s use", "a pointer", "an act’s aim"),
    ),
    "V": (
        ("the actor", "the buying", "the thing", "the aim", "the eating"),
        ("a subject", "a verb", "an object", "a preposition", "a verb"),
        ("who wants", "why bought", "what it is for", "that an aim follows", "why eat"),
    ),
}

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
    """Return a table of positions, words and embeddings, with the focus word marked."""
    rows = [
        [
            str(i + 1),
            f"**{word}** ← followed here" if i == FOCUS else word,
            vector(x, 1),
        ]
        for i, (word, x) in enumerate(zip(APPLE.tokens, APPLE.X, strict=True))
    ]
    return table(["Position", "Word", "Embedding"], rows)


def spoken(head: int) -> str:
    """Return a table of the page's captions for the vectors of a head."""
    columns = (SPOKEN[kind][head] for kind in "QKV")
    return table(
        [f"Head {head + 1}", *(CAPTIONS[kind] for kind in "QKV")],
        [list(row) for row in zip(APPLE.tokens, *columns, strict=True)],
    )


def exponentials(head: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return apple's scaled scores in a head and their exponentials, shapes (5,)."""
    scaled = _TRACE.heads[head].scaled[FOCUS]
    return scaled, np.exp(scaled)
