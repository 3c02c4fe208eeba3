"""Dot products as walks: their steps, their distance from 0, and the weights."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax
from course.kit.arrays import Array
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import bars
from course.widgets.contract import choice, ratios, sent, slider
from course.widgets.drawn import KEYS, STEPS_PER_UNIT, WIDEST, draws, packed

QUERIES = 5


class ScoreWalk(Card, view="score_walk"):
    """Choose the width of a key, and see the walks of q . k and the weights.

    Five queries and all eight keys of `course.widgets.drawn` make 40 walks; step i of a
    walk adds ``q_i k_i``. The eight walks of a query end at its eight scores.

    Attributes
    ----------
    d_k : int
        Steps of each walk, 1 to 1024.
    row : int
        Index of the query whose walks are highlighted, 0 to 4.
    """

    sentences = (
        Sentence(
            "one",
            "After one step the typical distance of the 40 walks from 0 is "
            "{spread:.1f}. √dₖ is 1, so the division changes nothing.",
            lambda fact: fact["d_k"] == 1,
        ),
        Sentence(
            "many",
            "After {d_k} steps the typical distance of the 40 walks from 0 is "
            "{spread:.1f}, and √dₖ is {root:.1f}. For the chosen "
            "query, the largest weight is {undivided:.2f} without the division and "
            "{divided:.2f} with it.",
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
            "You make the keys sixteen times as wide: 1024 numbers instead of 64. The "
            "scores are divided by √dₖ. What happens to the largest weight?",
            (
                "It becomes almost 1",
                False,
                "That happens without the division: then the scores move apart. With "
                "the division their spread stays the same.",
            ),
            (
                "It stays well below 1",
                True,
                "The division keeps the scores about equally large at every width. "
                "So several keys keep some weight.",
            ),
            (
                "It becomes 1/8, like all other weights",
                False,
                "After a division by dₖ all weights would be almost 1/8. The square "
                "root is smaller, so larger differences of the scores remain.",
            ),
        )

    def _scores(self) -> Array:
        """Return the scores of the five queries, shape (5, 8)."""
        query, key = (draws() / STEPS_PER_UNIT)[..., : self.d_k]
        return query[:QUERIES] @ key.T

    def numbers(self) -> dict[str, Any]:
        """Return the weights of the row, without and with the division by sqrt(d_k)."""
        scores = self._scores()[self.row]
        return {
            "undivided": softmax(scores),
            "divided": softmax(scores / np.sqrt(self.d_k)),
        }

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        largest = {side: float(w.max()) for side, w in self.numbers().items()}
        spread = float(np.sqrt((self._scores() ** 2).mean()))
        return {"spread": spread, "root": float(np.sqrt(self.d_k)), **largest}

    def pictures(self) -> list[str]:
        """Draw the weights as bars, without and with the division by sqrt(d_k)."""
        labels = [f"key {i + 1}" for i in range(KEYS)]
        return [bars(labels, weights) for weights in self.numbers().values()]
