"""One row of weights under the two sliders that the course is about."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.drawn import KEYS, STEPS_PER_UNIT, WIDEST, draws


class RowOfWeights(Card):
    """Slide the width of a key and the sharpness, and see a row of weights change.

    The query and the keys are the first query and all keys of `course.widgets.drawn`;
    a narrower d_k takes their first components.

    Attributes
    ----------
    d_k : int
        Components of the query and of a key that take part, 1 to 1024.
    beta : float
        Sharpness, 0 to 4.
    divided : bool
        Whether the scores are divided by ``sqrt(d_k)``.
    """

    _esm = bundle("row_of_weights.js")
    _css = stylesheet()

    sentences = (
        Sentence(
            "At sharpness 0 the scores do not count: each key has {largest}.",
            lambda fact: fact["beta"] == 0,
        ),
        Sentence(
            "Undivided, the largest weight is {largest}. Divided by √dₖ = {root}, it "
            "would be {other}.",
            lambda fact: fact["beta"] > 0 and not fact["divided"],
        ),
        Sentence(
            "Divided by √dₖ = {root}, the largest weight is {largest}. Undivided, it "
            "would be {other}.",
            lambda fact: fact["beta"] > 0 and fact["divided"],
        ),
    )

    title = t.Unicode("A row of attention weights").tag(sync=True)
    d_k = t.Int(16, min=1, max=WIDEST).tag(sync=True, url=True)
    beta = t.Float(1.0, min=0.0, max=4.0).tag(sync=True, url=True)
    divided = t.Bool(False).tag(sync=True, url=True)
    draws = t.Bytes(read_only=True).tag(sync=True)

    @t.default("draws")
    def _default_draws(self) -> bytes:
        query, keys = draws()
        return np.concatenate([query[:1], keys]).tobytes()

    def _weights(self, divided: bool) -> np.ndarray:
        """Weights of the eight keys, shape (8,)."""
        query, keys = (draws() / STEPS_PER_UNIT)[..., : self.d_k]
        logits = keys @ query[0] / (np.sqrt(self.d_k) if divided else 1.0)
        return softmax(logits, beta=self.beta)

    def pictures(self) -> list[str]:
        """Draw the row as bars."""
        labels = [f"key {i + 1}" for i in range(KEYS)]
        return [bars(labels, self.numbers()["weights"])]

    def numbers(self) -> dict[str, Any]:
        """Give the weights that the view shows, shape (8,)."""
        return {"weights": self._weights(self.divided)}

    def facts(self) -> dict[str, Any]:
        """Give the values of the fields of `sentences` in the present state."""
        return {
            "beta": self.beta,
            "divided": self.divided,
            "root": float(np.sqrt(self.d_k)),
            "largest": float(self._weights(self.divided).max()),
            "other": float(self._weights(not self.divided).max()),
            "keys": KEYS,
        }
