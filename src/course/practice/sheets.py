"""Problems of attention to solve by hand; a seed determines the numbers of a problem.

``widgets/sheet/problem.js`` draws the same numbers in a page. A browser test compares
these numbers.

>>> problem(0, 1)["X"][0]
[1, 0, 1, 0, -1]
>>> key(3, 1)["weights"].sum(axis=1)
array([1., 1., 1., 1.])
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import softmax

_WORD = 2**32 - 1


@dataclass(frozen=True)
class Kind:
    """The sizes of a sheet; `d_model` and `d_k` are 0 if it starts at the logits."""

    name: str
    tokens: tuple[str, ...]
    d_model: int = 0
    d_k: int = 0
    d_v: int = 2
    heads: int = 1
    causal: bool = False  # whether a token attends only to itself and to earlier tokens
    largest: int = 0  # largest allowed |score| in the row that the reader computes


KINDS = (
    Kind("One head, 3 tokens", ("the", "cat", "sat"), d_model=5, d_k=4, largest=8),
    Kind(
        "Two heads, 4 tokens",
        ("the", "cat", "sat", "down"),
        d_model=3,
        d_k=4,
        heads=2,
        largest=8,
    ),
    Kind(
        "Causal, 8 tokens",
        ("we", "saw", "a", "small", "cat", "on", "the", "roof"),
        d_model=5,
        d_k=2,
        causal=True,
        largest=6,
    ),
    Kind("Exact fractions, 4 tokens", ("the", "cat", "sat", "down")),
)
"""A link to a sheet holds the index of a kind: add new kinds at the end."""

Matrix = list[list[int]]
Draw = Callable[[int, int], int]


def _draws(seed: int) -> Draw:
    """Return a function that draws integers from `low` to `high`, by mulberry32."""
    state = seed & _WORD

    def draw(low: int, high: int) -> int:
        nonlocal state
        state = (state + 0x6D2B79F5) & _WORD
        mixed = (state ^ state >> 15) * (state | 1) & _WORD
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & _WORD)) & _WORD
        return low + ((mixed ^ mixed >> 14) * (high - low + 1) >> 32)

    return draw


def _matrix(draw: Draw, rows: int, columns: int, low: int, high: int) -> Matrix:
    return [[draw(low, high) for _ in range(columns)] for _ in range(rows)]


def _has_clear_scores(scores: NDArray[np.int64], largest: int) -> bool:
    """Whether a row has three or more different scores in a range fit for readers."""
    within = np.abs(scores).max() <= largest
    return within and 3 <= np.ptp(scores) <= largest and len(np.unique(scores)) > 2


def _has_clear_values(values: ArrayLike) -> bool:
    """Whether the largest and the smallest value of each column differ by over 1."""
    return bool((np.ptp(values, axis=0) > 1).all())


def problem(kind: int, seed: int) -> dict[str, Any]:
    """Draw the given numbers of a sheet of a kind, an index in `KINDS`.

    The result has ``row``, the index of the token to compute, the matrices ``X`` and
    ``W_O`` (empty with one head), and lists ``W_Q``, ``W_K`` and ``W_V``, with a matrix
    for each head. A sheet that starts at the logits has ``row``, ``exponents`` and
    ``V``: the logits are the exponents times ln 2.
    """
    draw, sizes = _draws(8 * seed + kind), KINDS[kind]
    draw_once = _from_x if sizes.d_k else _exact
    while True:
        if drawn := draw_once(draw, sizes):
            return drawn


def _exact(draw: Draw, sizes: Kind) -> dict[str, Any] | None:
    """Draw once; return None if the exponents or the values are not clear."""
    n = len(sizes.tokens)
    exponents = _matrix(draw, n, n, 0, 4)
    values = _matrix(draw, n, sizes.d_v, -3, 3)
    is_clear = all(len(set(row)) > 2 for row in exponents)
    if not is_clear or not _has_clear_values(values):
        return None
    return {"row": 0, "exponents": exponents, "V": values}


def _from_x(draw: Draw, sizes: Kind) -> dict[str, Any] | None:
    """Draw once; return None if the scores or values of a head are not clear."""
    n = len(sizes.tokens)
    row = draw(3, n - 2) if sizes.causal else draw(0, n - 1)
    seen = row + 1 if sizes.causal else n
    X = _matrix(draw, n, sizes.d_model, -1, 2)
    drawn: dict[str, Any] = {"row": row, "X": X, "W_Q": [], "W_K": [], "W_V": []}
    for _ in range(sizes.heads):
        W_Q = _matrix(draw, sizes.d_model, sizes.d_k, -1, 1)
        W_K = _matrix(draw, sizes.d_model, sizes.d_k, -1, 1)
        W_V = _matrix(draw, sizes.d_model, sizes.d_v, -1, 2)
        scores = np.matmul(X[:seen], W_K) @ np.matmul(X[row], W_Q)
        if not _has_clear_scores(scores, sizes.largest):
            return None
        if not _has_clear_values(np.matmul(X[:seen], W_V)):
            return None
        for name, matrix in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
            drawn[name].append(matrix)
    halves = _matrix(draw, sizes.heads * sizes.d_v, sizes.d_model, -2, 2)
    drawn["W_O"] = [[x / 2 for x in line] for line in halves] if sizes.heads > 1 else []
    return drawn


def key(kind: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return the matrices that a sheet asks for, by name.

    The matrices have the names that the page gives them, such as ``weights2`` of head
    2. A sheet with one head has no number in its names.
    """
    sizes, drawn = KINDS[kind], problem(kind, seed)
    if not sizes.d_k:
        exponents, V = np.array(drawn["exponents"]), np.array(drawn["V"], float)
        powers = 2.0**exponents
        weights = powers / powers.sum(axis=1, keepdims=True)
        return {"powers": powers, "weights": weights, "output": weights @ V}
    found: dict[str, NDArray[np.float64]] = {}
    outputs, X = [], np.array(drawn["X"], float)
    n = len(X)
    mask = np.tri(n, dtype=bool) if sizes.causal else np.ones((n, n), bool)
    for head in range(sizes.heads):
        Q, K, V = (X @ np.array(drawn[name][head]) for name in ("W_Q", "W_K", "W_V"))
        scores = Q @ K.T
        logits = scores / np.sqrt(sizes.d_k)
        weights = softmax(np.where(mask, logits, -np.inf))
        outputs.append(weights @ V)
        steps = {"Q": Q, "K": K, "V": V, "scores": scores, "logits": logits}
        steps |= {"powers": np.exp(logits), "weights": weights, "output": outputs[-1]}
        suffix = str(head + 1) if sizes.heads > 1 else ""
        found |= {name + suffix: matrix for name, matrix in steps.items()}
    if sizes.heads > 1:
        found["Z"] = np.hstack(outputs) @ np.array(drawn["W_O"])
    return found
