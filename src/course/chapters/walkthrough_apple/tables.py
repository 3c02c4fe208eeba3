"""Tables and worked lines of the apple walkthrough, as Markdown for `say`.

Every figure is computed from the page's embeddings and weights. The errata list the
misprints of the page. The spoken captions are an analogy of the page in our own words;
the numbers do not contain it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import MultiHeadTrace
from course.chapters.walkthrough_apple.experiments import FOCUS, SCALE, walkthrough
from course.kit.prose import number, table
from course.notes import APPLE

ROLES = ("semantic", "syntactic", "purpose")
"""Names of the page for its three heads."""

NO_BREAK = "\N{NO-BREAK SPACE}"

SUBSCRIPT = ("₁", "₂", "₃")

CAPTIONS = {
    "Q": "asks",
    "K": "offers",
    "V": "hands over",
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
    """Return every step of the walkthrough; W_O takes the mean of the heads."""
    return _TRACE


def matrix(head: int, kind: str) -> NDArray[np.float64]:
    """Return the computed Q, K or V of a head, shape (5, 4)."""
    names = {"Q": "query", "K": "key", "V": "value"}
    return getattr(_TRACE.heads[head], names[kind])


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
            f"**{word}** ← your focus word" if i == FOCUS else word,
            vector(x, 1),
        ]
        for i, (word, x) in enumerate(zip(APPLE.tokens, APPLE.X, strict=True))
    ]
    return table(["Position", "Word", "Embedding"], rows)


def projection_lines(head: int, kind: str = "Q") -> str:
    """Return the calculation of apple's vector in one head, a line a component."""
    weights = getattr(APPLE, f"W_{kind}")[head]
    x = APPLE.X[FOCUS]
    lines = []
    for j in range(weights.shape[1]):
        column = weights[:, j]
        factors = " + ".join(f"{a}×{b}" for a, b in zip(x, column, strict=True))
        products = " + ".join(number(p) for p in x * column)
        name = f"{kind}{SUBSCRIPT[head]}[{j + 1}]"
        lines.append(f"- {name} = {factors} = {products} = **{number(x @ column)}**")
    return "\n".join(lines)


def vectors(head: int, kind: str) -> str:
    """Return a table of Q, K or V of all words, with the page's captions."""
    rows = zip(APPLE.tokens, matrix(head, kind), SPOKEN[kind][head], strict=True)
    heads = ("Word", f"{kind}{SUBSCRIPT[head]}", CAPTIONS[kind])
    return table(
        [_unbroken(text) for text in heads],
        [[word, vector(own), _unbroken(spoken)] for word, own, spoken in rows],
    )


def spoken(head: int) -> str:
    """Return a table of the page's captions for the vectors of a head."""
    columns = (SPOKEN[kind][head] for kind in "QKV")
    return table(
        [f"Head {head + 1}", *(CAPTIONS[kind] for kind in "QKV")],
        [list(row) for row in zip(APPLE.tokens, *columns, strict=True)],
    )


def _unbroken(text: str) -> str:
    """Replace spaces by no-break spaces."""
    return text.replace(" ", NO_BREAK)


def score_lines(head: int) -> str:
    """Return the calculation of apple's five scores, with the highest marked."""
    query, keys = matrix(head, "Q")[FOCUS], matrix(head, "K")
    scores = keys @ query
    lines = []
    for j, word in enumerate(APPLE.tokens):
        pairs = zip(query, keys[j], strict=True)
        factors = " + ".join(f"{number(q)}×{number(k)}" for q, k in pairs)
        mark = " **← highest**" if j == scores.argmax() else ""
        lines.append(f"- apple → {word}: {factors} = **{number(scores[j], 3)}**{mark}")
    return "\n".join(lines)


def weights_list(head: int) -> str:
    """Return a table of apple's weights, with a star at the largest."""
    weights = _TRACE.heads[head].weights[FOCUS]
    rows = [[word, _starred(weights, j)] for j, word in enumerate(APPLE.tokens)]
    return table(["apple →", "weight"], rows)


def _starred(values: NDArray[np.float64], j: int) -> str:
    """Write a weight, with a star if it is the largest."""
    text = number(values[j], 3)
    return f"**{text} ★**" if j == values.argmax() else text


def weighted_values(head: int) -> str:
    """Return a table of weights times values and of their sum, apple's output."""
    weights = _TRACE.heads[head].weights[FOCUS]
    values = matrix(head, "V")
    rows = [
        [word, number(w, 3), vector(v), vector(w * v, 3)]
        for word, w, v in zip(APPLE.tokens, weights, values, strict=True)
    ]
    rows.append(
        ["sum", number(weights.sum(), 3), "", f"**{vector(weights @ values, 3)}**"]
    )
    return table(["Word", "weight", "value", "weight × value"], rows)


def exponentials(head: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return apple's scaled scores in a head and their exponentials, shapes (5,)."""
    scaled = _TRACE.heads[head].scores[FOCUS] * SCALE
    return scaled, np.exp(scaled)
