"""Softmax between uniform weights and argmax, on rows from the notes' examples."""

from typing import Any, TypedDict

import numpy as np
import traitlets as t

from attention import softmax, trace_attention
from course.kit.measures import entropy
from course.kit.prose import number
from course.notes import CAT, FOOTBALL, WorkedExample
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import bars
from course.widgets.contract import choice, even, sent, slider


class Row(TypedDict):
    """One row of logits, with its name and its keys."""

    name: str
    keys: list[str]
    logits: list[float]


def _rows_of(sentence: str, example: WorkedExample, *weights: Any) -> list[Row]:
    """Return a row of scaled scores for each word of a worked example."""
    trace = trace_attention(*(example.X @ W for W in weights))
    return [
        {
            "name": f"{token}, in {sentence}",
            "keys": list(example.tokens),
            "logits": logits.tolist(),
        }
        for token, logits in zip(example.tokens, trace.scaled, strict=True)
    ]


def _notes_rows() -> list[Row]:
    """Return rows of "I play football" and of both heads of "the cat sat"."""
    f, cat = FOOTBALL, CAT
    rows = _rows_of("“I play football”", f, f.W_Q, f.W_K, f.W_V)
    for i in range(len(cat.W_Q)):
        name = f"head {i + 1} of “the cat sat”"
        rows += _rows_of(name, cat, cat.W_Q[i], cat.W_K[i], cat.W_V[i])
    return rows


def _stops() -> list[float]:
    """Return stops in equal steps from 0 to 2, then in equal ratios up to 100."""
    ratios = [float(f"{2 * 50 ** (i / 40):.2g}") for i in range(1, 41)]
    return [*even(0, 2, 0.05), *dict.fromkeys(ratios)]


def _is_all(weight: float) -> bool:
    """Whether a weight is written as 1.000."""
    return number(weight, 3) == "1.000"


class SoftmaxSharpness(Card):
    """Change one row of weights from uniform to a weight of 1 on one key.

    Attributes
    ----------
    rows : list of dict
        ``name``, ``keys`` and ``logits`` of each row that the reader can choose; by
        default the scaled scores of the notes' two examples.
    row : int
        Index of the shown row.
    beta : float
        Sharpness, 0 to 100; the temperature is ``1 / beta``.
    """

    _esm = bundle("softmax_sharpness.js")
    _css = stylesheet("softmax_sharpness.css")

    rows = sent(t.List(t.Dict()))
    title = sent(t.Unicode("Sharpness of a softmax"))
    row = choice(0, lambda card: [row["name"] for row in card.rows], "Row of scores")
    beta = slider(1.0, _stops(), "Sharpness", "β")

    @t.default("rows")
    def _default_rows(self) -> list[Row]:
        return _notes_rows()

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "A row of logits is multiplied by a larger and larger sharpness before "
            "the softmax. Where does the weight go?",
            (
                "All weights become equal",
                False,
                "That happens at sharpness 0: all logits become 0, and all weights "
                "become equal.",
            ),
            (
                "To the largest logit",
                True,
                "The ratio of two weights is e to the difference of their logits. "
                "Sharpness increases every difference, so the largest logit gets "
                "almost everything.",
            ),
            (
                "The weights stay the same: softmax removes the factor",
                False,
                "Softmax ignores a number that is added to all logits. It does not "
                "ignore a factor.",
            ),
        )

    sentences = (
        Sentence(
            "even",
            "At sharpness 0 all logits are 0, so each of the {words} words gets "
            "{largest:.2f}.",
            lambda fact: fact["beta"] == 0 and np.ptp(fact["weights"]) < 1e-15,
        ),
        Sentence(
            "argmax",
            "At sharpness {beta}, {best} has almost all of the weight. The entropy is "
            "{entropy:.3f}.",
            lambda fact: fact["beta"] > 0 and _is_all(fact["largest"]),
        ),
        Sentence(
            "between",
            "At sharpness {beta} the largest weight is {largest:.2f}, on {best}. "
            "Words in use: {even:.1f}.",
            lambda fact: fact["beta"] > 0 and not _is_all(fact["largest"]),
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
        """Return every number that the view shows, computed with `attention`.

        Returns
        -------
        dict
            ``weights`` (n,), and the floats ``entropy`` (nats) and ``largest``.
        """
        weights = softmax(self.rows[self.row]["logits"], beta=self.beta)
        return {
            "weights": weights,
            "entropy": float(entropy(weights)),
            "largest": float(weights.max()),
        }
