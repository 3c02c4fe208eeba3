"""The three-head walkthrough "I bought apple to eat" of ``apple-walkthrough.md``.

This module holds line numbers only: the figures come from the extraction of the notes
(`course.notes.extract`). The page states no W_O and ends with the concatenation.

Printed figures, by name (first axis: head 1, 2, 3, except for concat):

================= ========= ==============================================
name              shape     what
================= ========= ==============================================
Q, K, V           (3, 5, 4) tables of all words
scores            (3, 5, 5) score matrices: query word, key word
weights           (3, 5, 5) weight matrices
apple_scores      (3, 5)    apple's scores, worked out below the matrix
apple_scaled      (3, 5)    exponents: apple_scores / 2
apple_exp         (3, 5)    exponentials of apple_scaled
apple_exp_sum     (3,)      sum of apple_exp
apple_weights     (3, 5)    apple's list of weights, used for its output
weighted_values   (3, 5, 4) weight times value vector
output            (3, 4)    apple's output of each head
concat            (12,)     the three outputs side by side
================= ========= ==============================================
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.notes.worked_example import WorkedExample, last_figures, printed_figures

SOURCE = "apple-walkthrough.md"
WORDS = ("I", "bought", "apple", "to", "eat")
EMBEDDINGS = 16  # first line of X
CONCATENATION = 656


class HeadLines(NamedTuple):
    """First lines of the parts of a head on the page."""

    weights: tuple[int, int, int]  # grids of W_Q, W_K, W_V, one number a line
    worked: int  # apple's query, worked out by component
    query: int  # the whole query
    try_key: int  # exercise on apple's key: two lines
    tables: tuple[int, int, int]  # Q, K, V of all words
    matrix: int  # score matrix: its header line, then five rows
    scores: int  # apple's query again, then its five scores
    scaling: int  # "by sqrt(4) = 2"
    soft: int  # matrix of weights
    practice: int  # raw score, exponentials, sum
    listed: int  # apple's list of weights
    weighted: tuple[int, ...]  # weight times value, five lines
    sums: int  # four sums
    output: int
    joined: int  # the head's output, repeated before the concatenation
    word: str  # key word of the softmax exercise


def _head(
    first: int, worked: int, scores: int, soft: int, last: int, joined: int, word: str
) -> HeadLines:
    """Return the lines of a head, whose parts have one layout in every head.

    `first` is the first line of W_Q, and `last` the last weight times value.
    """
    return HeadLines(
        weights=(first, first + 18, first + 36),
        worked=worked,
        query=worked + 5,
        try_key=worked + 22,
        tables=(worked + 10, worked + 29, worked + 42),
        matrix=scores - 9,
        scores=scores,
        scaling=scores + 20,
        soft=soft,
        practice=soft + 8,
        listed=soft + 17,
        weighted=(*range(soft + 30, soft + 34), last),
        sums=last + 3,
        output=last + 8,
        joined=joined,
        word=word,
    )


HEADS = (
    _head(53, 110, 175, 203, 237, joined=652, word="eat"),
    _head(259, 316, 379, 404, 438, joined=653, word="bought"),
    _head(456, 513, 576, 601, 636, joined=654, word="eat"),
)

_last = partial(last_figures, SOURCE)


def _rows(first: int, width: int) -> NDArray[np.float64]:
    """Return the table with a row for each word whose first row is on line `first`."""
    return _last((len(WORDS), width), *range(first, first + len(WORDS)))


def _weights(matrix: int) -> NDArray[np.float64]:
    """Return the weights of all heads: 0 for W_Q, 1 for W_K, 2 for W_V."""
    starts = (head.weights[matrix] for head in HEADS)
    return _last((3, 4, 4), *(start + i for start in starts for i in range(16)))


def _printed(head: HeadLines) -> dict[str, ArrayLike]:
    """Return the figures that the page prints of one head."""
    Q, K, V = (_rows(first, 4) for first in head.tables)
    score_lines = range(head.scores + 4, head.scores + 4 + 3 * len(WORDS), 3)
    scaled, exponentials = _last((2, 5), head.practice + 2)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": _rows(head.matrix + 1, 5),
        "weights": _rows(head.soft, 5),
        "apple_scores": _last((5,), *score_lines),
        "apple_scaled": scaled,
        "apple_exp": exponentials,
        "apple_exp_sum": _last((3,), head.practice + 4)[0],
        "apple_weights": _rows(head.listed, 1)[:, 0],
        "weighted_values": _last((5, 4), *head.weighted),
        "output": _last((4,), head.output),
    }


_HEADS = [_printed(head) for head in HEADS]

APPLE = WorkedExample(
    source=SOURCE,
    tokens=WORDS,
    X=_rows(EMBEDDINGS, 4),
    W_Q=_weights(0),
    W_K=_weights(1),
    W_V=_weights(2),
    W_O=None,
    printed=printed_figures(
        **{name: [head[name] for head in _HEADS] for name in _HEADS[0]},
        concat=_last((12,), CONCATENATION),
    ),
)
