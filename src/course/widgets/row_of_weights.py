"""One row of weights under the two sliders that the course is about."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import checkbox, even, ratios, sent, slider
from course.widgets.drawn import KEYS, STEPS_PER_UNIT, WIDEST, draws, packed


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
            "even",
            "At sharpness 0 the scores do not count: each key has {largest:.3f}.",
            lambda fact: fact["beta"] == 0,
        ),
        Sentence(
            "undivided",
            "Undivided, the largest weight is {largest:.2f}. Divided by √dₖ = "
            "{root:.2f}, it would be {other:.2f}.",
            lambda fact: fact["beta"] > 0 and not fact["divided"],
        ),
        Sentence(
            "divided",
            "Divided by √dₖ = {root:.2f}, the largest weight is {largest:.2f}. "
            "Undivided, it would be {other:.2f}.",
            lambda fact: fact["beta"] > 0 and fact["divided"],
        ),
    )

    title = sent(t.Unicode("A row of attention weights"))
    d_k = slider(16, ratios(1, WIDEST), "Width of a key", "d_k")
    beta = slider(1.0, even(0, 4, 0.05), "Sharpness", "β")
    divided = checkbox(False, "Divide the scores by √d_k")
    draws = sent(t.Dict(packed(queries=1), read_only=True))

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
        """Give what the sentences say of the present state, beside its traits."""
        return {
            "root": float(np.sqrt(self.d_k)),
            "largest": float(self._weights(self.divided).max()),
            "other": float(self._weights(not self.divided).max()),
        }
