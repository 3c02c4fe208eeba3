"""Experiments of the errata: effects of a slip, scores of weights, parameters."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import softmax, trace_attention
from course.notes import APPLE, WorkedExample


class SlippedStep(NamedTuple):
    """Figures of one step of a calculation, without and with a slip before it.

    Attributes
    ----------
    step : str
        Name of the step.
    labels : tuple of str
        Names of its figures.
    right, slipped : ndarray
        The figures, in the order of the labels.
    """

    step: str
    labels: tuple[str, ...]
    right: NDArray[np.float64]
    slipped: NDArray[np.float64]

    @property
    def largest_change(self) -> float:
        """Largest change, relative to the right figure."""
        return float(np.max(np.abs(self.slipped / self.right - 1)))


def follow_slip(
    example: WorkedExample, head: int, token: str, entry: int, slipped: float
) -> list[SlippedStep]:
    """Change one entry of one query, and do every other step right.

    Parameters
    ----------
    example : WorkedExample
        An example with several heads.
    head : int
        Index of the head.
    token : str
        Token of the changed query.
    entry : int
        Index of the changed entry.
    slipped : float
        The wrong value.

    Returns
    -------
    list of SlippedStep
        The token's query, scores, weights and output.

    Raises
    ------
    ValueError
        If the example has no such token.
    """
    if token not in example.tokens:
        raise ValueError(f"token must be one of {example.tokens}, got {token!r}")
    row = example.tokens.index(token)
    Q, K, V = (example.X @ W[head] for W in (example.W_Q, example.W_K, example.W_V))
    wrong = Q.copy()
    wrong[row, entry] = slipped
    good, bad = trace_attention(Q, K, V), trace_attention(wrong, K, V)
    entries = tuple(f"entry {j}" for j in range(Q.shape[1]))
    return [
        SlippedStep("query", entries, good.query[row], bad.query[row]),
        SlippedStep("scores", example.tokens, good.scores[row], bad.scores[row]),
        SlippedStep("weights", example.tokens, good.weights[row], bad.weights[row]),
        SlippedStep("output", entries, good.output[row], bad.output[row]),
    ]


def apple_slip() -> list[SlippedStep]:
    """Follow the slip in the walkthrough's first sum, in apple's query of head 1."""
    slipped = float(APPLE.printed["Q"][0, 2, 0])
    return follow_slip(APPLE, 0, "apple", 0, slipped)


def score_gaps(weights: ArrayLike, d_k: int) -> NDArray[np.float64]:
    """Return the raw scores, relative to the largest, that give a row of weights.

    Parameters
    ----------
    weights : array_like, shape (m,)
        Positive weights that sum to 1.
    d_k : int
        Width of queries and keys.

    Returns
    -------
    ndarray, shape (m,)
        ``sqrt(d_k) * log(w / max(w))``. The weights determine the scores up to a common
        constant, because softmax depends on differences only.

    Raises
    ------
    ValueError
        If a weight is not positive.
    """
    weights = np.asarray(weights, dtype=float)
    if np.any(weights <= 0):
        raise ValueError(f"weights must be positive, got {weights}")
    return np.sqrt(d_k) * np.log(weights / weights.max())


def whole_scores(
    percent: Sequence[str], d_k: int, largest: int = 60
) -> list[tuple[int, int]]:
    """Return gaps between whole scores whose softmax rounds to three percentages.

    Parameters
    ----------
    percent : sequence of three str
        Percentages as printed, the largest first.
    d_k : int
        Width of queries and keys.
    largest : int
        Largest gap to try.

    Returns
    -------
    list of (int, int)
        Gaps between the first score and the second, and the first and the third.
    """
    gaps = np.array([(i, j) for i in range(largest + 1) for j in range(largest + 1)])
    scores = np.column_stack([np.zeros(len(gaps)), -gaps])
    half_units = [0.5 * 10.0 ** -len(p.partition(".")[2]) for p in percent]
    misses = np.abs(100 * softmax(scores / np.sqrt(d_k)) - np.array(percent, float))
    return [(int(i), int(j)) for i, j in gaps[np.all(misses <= half_units, axis=1)]]


class Size(NamedTuple):
    """Sizes of a transformer, in the symbols of Vaswani et al. 2017, Table 3."""

    d_model: int
    d_ff: int
    h: int
    d_k: int
    d_v: int
    layers: int = 6


BASE = Size(d_model=512, d_ff=2048, h=8, d_k=64, d_v=64)
BIG = Size(d_model=1024, d_ff=4096, h=16, d_k=64, d_v=64)
ROWS_A = tuple(
    Size(d_model=512, d_ff=2048, h=h, d_k=512 // h, d_v=512 // h)
    for h in (1, 4, 16, 32)
)
PRINTED_MILLIONS = {"base": 65, "big": 213}
VOCABULARY = 37_000


def attention_parameters(size: Size) -> int:
    """Count the parameters of one multi-head attention, with W_O."""
    per_head = size.d_model * (2 * size.d_k + size.d_v)
    return size.h * per_head + size.h * size.d_v * size.d_model


def parameters(size: Size, vocabulary: int = VOCABULARY) -> dict[str, int]:
    """Count a transformer's parameters from its sizes.

    Source, target and the last linear layer share one embedding matrix (section 3.4 of
    the paper). Positional encodings are fixed. The projections of attention have no
    biases; the feed-forward layers do. Each layer normalisation has a gain and a bias.

    Parameters
    ----------
    size : Size
        Sizes of the model.
    vocabulary : int
        Number of tokens, shared by source and target.

    Returns
    -------
    dict of str to int
        ``embedding``, ``attention``, ``feed-forward``, ``normalisation``, ``total``.
    """
    d, ff = size.d_model, size.d_ff
    parts = {
        "embedding": vocabulary * d,
        "attention": size.layers * 3 * attention_parameters(size),
        "feed-forward": size.layers * 2 * (2 * d * ff + ff + d),
        "normalisation": size.layers * 5 * 2 * d,
    }
    return parts | {"total": sum(parts.values())}


def fitting_vocabulary(size: Size, millions: int) -> float:
    """Return the vocabulary with which the count is the printed number of millions."""
    return (1e6 * millions - parameters(size, vocabulary=0)["total"]) / size.d_model
