"""A dot product as a walk: its steps, how far it gets, and the weights it leads to."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax
from course.kit.arrays import Array
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import bars
from course.widgets.contract import choice, ratios, sent, slider
from course.widgets.drawn import KEYS, STEPS_PER_UNIT, WIDEST, draws, packed

QUERIES = 5


class ScoreWalk(Card):
    """Let q . k walk as many steps as a key is wide, and see the weights at its end.

    Five of the queries and all eight keys of `course.widgets.drawn` make 40 walks; step
    i of a walk is ``q_i k_i``. The eight of one query end in a row of scores.

    Attributes
    ----------
    d_k : int
        Steps of each walk, 1 to 1024.
    row : int
        The query whose walks stand out, 0 to 4.
    """

    _esm = bundle("score_walk.js")
    _css = stylesheet("score_walk.css")

    sentences = (
        Sentence(
            "one",
            "After one step the spread of the 40 walks is {spread:.2f}. √dₖ is 1, so "
            "the division changes nothing.",
            lambda fact: fact["d_k"] == 1,
        ),
        Sentence(
            "many",
            "After {d_k} steps the spread of the 40 walks is {spread:.2f}, and √dₖ "
            "is {root:.2f}. The largest weight is {undivided:.2f} without the division "
            "and {divided:.2f} with it.",
            lambda fact: fact["d_k"] > 1,
        ),
    )

    title = sent(t.Unicode("Dot products as walks"))
    d_k = slider(64, ratios(1, WIDEST, per_octave=1), "Width of a key", "d_k")
    row = choice(0, [f"query {i + 1}" for i in range(QUERIES)], "Query")
    draws = sent(t.Dict(packed(queries=QUERIES), read_only=True))

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "The numbers of a query and of a key are independent, with mean 0 and "
            "variance 1. Now both vectors have sixteen times as many numbers. How "
            "does the spread of their dot product change?",
            (
                "It stays the same",
                False,
                "A mean of the products would stay the same. A dot product is a sum, "
                "and its spread grows with the number of terms.",
            ),
            (
                "It becomes four times as large",
                True,
                "Each product adds a variance of 1. Sixteen times as many products "
                "have sixteen times the variance, and the spread is its root: four "
                "times as large.",
            ),
            (
                "It becomes sixteen times as large",
                False,
                "That would be right if all products had the same sign. The variance "
                "becomes sixteen times as large, and the spread is the root of the "
                "variance.",
            ),
        )

    def _scores(self) -> Array:
        """Scores of the five queries, shape (5, 8)."""
        query, key = (draws() / STEPS_PER_UNIT)[..., : self.d_k]
        return query[:QUERIES] @ key.T

    def numbers(self) -> dict[str, Any]:
        """Compute with `attention` the weights of the row, as it is and divided."""
        scores = self._scores()[self.row]
        return {
            "undivided": softmax(scores),
            "divided": softmax(scores / np.sqrt(self.d_k)),
        }

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state, beside its traits."""
        largest = {side: float(w.max()) for side, w in self.numbers().items()}
        spread = float(np.sqrt((self._scores() ** 2).mean()))
        return {"spread": spread, "root": float(np.sqrt(self.d_k)), **largest}

    def pictures(self) -> list[str]:
        """Draw the row as bars, undivided and divided."""
        labels = [f"key {i + 1}" for i in range(KEYS)]
        return [bars(labels, weights) for weights in self.numbers().values()]
