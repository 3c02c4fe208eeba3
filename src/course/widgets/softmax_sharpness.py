"""Softmax between uniform weights and argmax, on rows from the notes' examples."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax, trace_attention
from course.kit.measures import entropy
from course.kit.prose import number
from course.notes import FOOTBALL
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import choice, even, sent, slider


def _stops() -> list[float]:
    """Return stops in equal steps from 0 to 2, then in equal ratios up to 100."""
    ratios = [float(f"{2 * 50 ** (i / 40):.2g}") for i in range(1, 41)]
    return [*even(0, 2, 0.05), *dict.fromkeys(ratios)]


def _rounds_to_one(weight: float) -> bool:
    """Whether a weight is written as 1.000."""
    return number(weight, 3) == "1.000"


class SoftmaxSharpness(Card, view="softmax_sharpness"):
    """Change one row of weights from uniform to a weight of 1 on one key.

    Attributes
    ----------
    rows : list of dict
        ``name``, ``keys`` and ``logits`` of each row that the reader can choose; by
        default the scaled scores of "I play football".
    row : int
        Index of the shown row.
    beta : float
        Sharpness, 0 to 100; the temperature is ``1 / beta``.
    """

    rows = sent(t.List(t.Dict()))
    title = sent(t.Unicode("Sharpness of a softmax"))
    row = choice(0, lambda card: [row["name"] for row in card.rows], "Row of scores")
    beta = slider(1.0, _stops(), "Sharpness", "β")

    @t.default("rows")
    def _default_rows(self) -> list[dict[str, Any]]:
        f = FOOTBALL
        trace = trace_attention(f.X @ f.W_Q, f.X @ f.W_K, f.X @ f.W_V)
        return [
            {"name": token, "keys": list(f.tokens), "logits": logits.tolist()}
            for token, logits in zip(f.tokens, trace.scaled, strict=True)
        ]

    sentences = (
        Sentence(
            "even",
            "At sharpness 0 the logits do not count, so each of the {words} words gets "
            "{largest:.2f}.",
            lambda fact: fact["beta"] == 0 and np.ptp(fact["weights"]) < 1e-15,
        ),
        Sentence(
            "argmax",
            "At sharpness {beta}, {best} has almost all of the weight. The entropy is "
            "{entropy:.3f}.",
            lambda fact: fact["beta"] > 0 and _rounds_to_one(fact["largest"]),
        ),
        Sentence(
            "between",
            "At sharpness {beta} the largest weight is {largest:.2f}, on {best}. "
            "Words in use: {even:.1f}.",
            lambda fact: fact["beta"] > 0 and not _rounds_to_one(fact["largest"]),
        ),
    )

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        numbers = self.numbers()
        keys = self.rows[self.row]["keys"]
        return {
            **numbers,
            "words": len(keys),
            "best": keys[int(numbers["weights"].argmax())],
            "even": float(np.exp(numbers["entropy"])),
        }

    def pictures(self) -> list[str]:
        """Draw the weights of the row as bars."""
        return [bars(self.rows[self.row]["keys"], self.numbers()["weights"])]

    def numbers(self) -> dict[str, Any]:
        """Return the weights, their entropy in nats and the largest weight."""
        weights = softmax(self.rows[self.row]["logits"], beta=self.beta)
        return {
            "weights": weights,
            "entropy": float(entropy(weights)),
            "largest": float(weights.max()),
        }
