"""Tables and worked lines of the apple walkthrough, as Markdown to be said.

Every figure is computed from the page's embeddings and weights; where the page
prints another one, both stand side by side. The spoken captions are an analogy
that the page attached to its words, put here in our own words; nothing in the
numbers carries them.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import MultiHeadTrace
from course.chapters.walkthrough_apple.experiments import FOCUS, SCALE, walkthrough
from course.kit.prose import differs, number, table
from course.notes import APPLE

ROLES = ("semantic", "syntactic", "purpose")
"""What the page calls its three heads."""

NO_BREAK = "\N{NO-BREAK SPACE}"

SUBSCRIPT = ("₁", "₂", "₃")

CAPTIONS = {
    "Q": "asks, so to speak",
    "K": "offers, so to speak",
    "V": "hands over, so to speak",
}

SPOKEN = {
    "Q": (
        (
            "what do I act on?",
            "what was bought?",
            "what settles my meaning?",
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
            "what am I after?",
            "what was the buying for?",
            "what am I here for?",
            "which aim do I announce?",
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
    """Every step of the walkthrough, with the mean of the heads as projection."""
    return _TRACE


def matrix(head: int, kind: str) -> NDArray[np.float64]:
    """Give the computed Q, K or V of a head, shape (5, 4)."""
    names = {"Q": "query", "K": "key", "V": "value"}
    return getattr(_TRACE.heads[head], names[kind])


def vector(values: ArrayLike, decimals: int = 2) -> str:
    """Write a vector as ``[1.18, 1.02]``, to be broken after each fourth number."""
    texts = [number(v, decimals) for v in np.ravel(values)]
    groups = [
        ",\N{NO-BREAK SPACE}".join(texts[i : i + 4]) for i in range(0, len(texts), 4)
    ]
    return f"[{', '.join(groups)}]"


def against(computed: float, printed: float, decimals: int) -> str:
    """Write a computed figure in bold, and what the page prints if that differs."""
    text = f"**{number(computed, decimals)}**"
    if differs(printed, computed, decimals):
        return f"{text} (the page: {number(printed, decimals)})"
    return text


def embeddings() -> str:
    """Table of positions, words and embeddings, the focus word marked."""
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
    """Work apple's vector of one head out, one line a component."""
    weights = getattr(APPLE, f"W_{kind}")[head]
    x, printed = APPLE.X[FOCUS], APPLE.printed[kind][head, FOCUS]
    lines = []
    for j in range(weights.shape[1]):
        column = weights[:, j]
        factors = " + ".join(f"{a}×{b}" for a, b in zip(x, column, strict=True))
        products = " + ".join(number(p) for p in x * column)
        result = against(x @ column, printed[j], 2)
        lines.append(
            f"- {kind}{SUBSCRIPT[head]}[{j}] = {factors} = {products} = {result}"
        )
    return "\n".join(lines)


def vectors(head: int, kind: str) -> str:
    """Table of all words' Q, K or V: computed, as printed, and spoken."""
    rows = zip(
        APPLE.tokens,
        matrix(head, kind),
        APPLE.printed[kind][head],
        SPOKEN[kind][head],
        strict=True,
    )
    name = f"{kind}{SUBSCRIPT[head]}"
    heads = ("Word", f"{name} computed", f"{name} on the page", CAPTIONS[kind])
    return table(
        [_unbroken(text) for text in heads],
        [
            [word, vector(own), vector(page), _unbroken(spoken)]
            for word, own, page, spoken in rows
        ],
    )


def _unbroken(text: str) -> str:
    """Keep a text on one line."""
    return text.replace(" ", NO_BREAK)


def score_lines(head: int) -> str:
    """Work apple's five scores out, the highest marked."""
    query, keys = matrix(head, "Q")[FOCUS], matrix(head, "K")
    printed = APPLE.printed["apple_scores"][head]
    scores = keys @ query
    lines = []
    for j, word in enumerate(APPLE.tokens):
        pairs = zip(query, keys[j], strict=True)
        factors = " + ".join(f"{number(q)}×{number(k)}" for q, k in pairs)
        mark = " **← highest**" if j == scores.argmax() else ""
        result = against(scores[j], printed[j], 3)
        lines.append(f"- apple → {word}: {factors} = {result}{mark}")
    return "\n".join(lines)


def weights_list(head: int) -> str:
    """Apple's weights: computed, in the page's list, and in the page's matrix."""
    weights = _TRACE.heads[head].weights[FOCUS]
    listed = APPLE.printed["apple_weights"][head]
    in_matrix = APPLE.printed["weights"][head, FOCUS]
    columns = [weights, listed, in_matrix]
    rows = [
        [word, *(_starred(column, j) for column in columns)]
        for j, word in enumerate(APPLE.tokens)
    ]
    rows.append(["sum", *(number(column.sum(), 3) for column in columns)])
    return table(["apple →", "computed", "the page’s list", "the page’s matrix"], rows)


def _starred(values: NDArray[np.float64], j: int) -> str:
    """Write a weight, with a star where it is the largest."""
    text = number(values[j], 3)
    return f"**{text} ★**" if j == values.argmax() else text


def weighted_values(head: int) -> str:
    """Weights times values, and their sum, the head's output for apple."""
    weights = _TRACE.heads[head].weights[FOCUS]
    values = matrix(head, "V")
    rows = [
        [word, number(w, 3), vector(v), vector(w * v, 3)]
        for word, w, v in zip(APPLE.tokens, weights, values, strict=True)
    ]
    rows.append(
        ["sum", number(weights.sum(), 3), "", f"**{vector(weights @ values, 3)}**"]
    )
    rows.append(["the page", "", "", vector(APPLE.printed["output"][head])])
    return table(["Word", "weight", "value", "weight × value"], rows)


def row_sums(head: int) -> str:
    """Row sums of the weights that the page prints for one head."""
    sums = APPLE.printed["weights"][head].sum(axis=1)
    pairs = zip(APPLE.tokens, sums, strict=True)
    return ", ".join(f"{word} {number(s, 3)}" for word, s in pairs)


def exponentials(head: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Apple's scaled scores in a head and their exponentials, shapes (5,)."""
    scaled = _TRACE.heads[head].scores[FOCUS] * SCALE
    return scaled, np.exp(scaled)


def panel() -> str:
    """Apple's three outputs under the page's names, and the twelve numbers."""
    rows = [
        [f"Head {h + 1} (“{role}”)", vector(trace.output[FOCUS], 3), vector(page)]
        for h, (role, trace, page) in enumerate(
            zip(ROLES, _TRACE.heads, APPLE.printed["output"], strict=True)
        )
    ]
    whole = vector(_TRACE.concat[FOCUS], 3), vector(APPLE.printed["concat"])
    rows.append(["Concatenated", *whole])
    return table(["", "computed", "on the page"], rows)
