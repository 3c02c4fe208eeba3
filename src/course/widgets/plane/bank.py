"""The plane of *bank*: its weights for the other words, and its new vector."""

from typing import Any

import numpy as np
import traitlets as t

from attention import AttentionTrace, trace_attention
from course.kit.toy import LOAN, RIVER, WORDS
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, plane
from course.widgets.contract import checkbox, choice, sent, setting

SENTENCES = (RIVER, LOAN)
QUERY_WORD = "bank"
FARTHEST = 1.7  # largest coordinate to which a word can be dragged
CLOSER = 0.01  # _NEARER is true if {nearer} lies nearer than {first} by more than this
LESS = 0.001  # ... and the weight of {nearer} is smaller by more than this
SAME = 1e-9  # weights that differ by less are equal, here and in the page
THICKNESS = 24  # width of a line of weight 1, in pixels
_TOY = {
    "sentences": [text.split() for text in SENTENCES],
    "table": {word: list(place) for word, place in WORDS.items()},
    "query_word": QUERY_WORD,
    "farthest": FARTHEST,
    "closer": CLOSER,
    "same": SAME,
    "less": LESS,
    "thickness": THICKNESS,
}


def _place(word: str) -> Any:
    """Declare the place of a word: how much it says about money, and about water."""
    number = t.Float(min=0, max=FARTHEST)
    return setting(t.List(number, list(WORDS[word]), 2, 2))


def _sentence(key: str, text: str, *, keeps: bool, nearer: bool) -> Sentence:
    """Return a sentence. keeps: *bank* gives itself most; nearer: `_NEARER` is true."""

    def holds(fact: Any) -> bool:
        is_nearer = fact["first_distance"] - fact["nearer_distance"] > CLOSER
        is_less = fact["largest"] - fact["nearer_weight"] > LESS
        return ((fact["own"] > fact["largest"] - SAME) == keeps) and (
            (is_nearer and is_less) == nearer
        )

    return Sentence(key, text, holds)


_KEEPS = (
    "The new “bank” contains {own:.2f} “bank” and {largest:.2f} “{first}”. It lies at "
    "({money:.2f},\N{NO-BREAK SPACE}{water:.2f})."
)
_GIVES = (
    "The new “bank” contains {largest:.2f} “{first}” and only {own:.2f} “bank”. It "
    "lies at ({money:.2f},\N{NO-BREAK SPACE}{water:.2f})."
)
_NEARER = (
    " “{nearer}” lies nearer to “bank” than “{first}” does, but gets only "
    "{nearer_weight:.2f}."
)


class BankPlane(Card, view="plane/bank"):
    """Drag a word in the plane and see how much weight *bank* gives to each word.

    As in chapter 1, queries and keys are the words' vectors doubled, and values are the
    vectors themselves. So a word's query, key and value move with the word. A word that
    occurs twice has one place in the plane and two rows in the table.

    Attributes
    ----------
    sentence : int
        Which sentence is shown, 0 to 1.
    the, bank, near, river, approved, loan : list of two floats
        Where each word stands (about money, about water), 0 to 1.7.
    steps : bool
        Whether the table also shows the score, the logit and the power.
    """

    sentences = (
        _sentence("keeps", _KEEPS, keeps=True, nearer=False),
        _sentence("keeps-nearer", _KEEPS + _NEARER, keeps=True, nearer=True),
        _sentence("gives", _GIVES, keeps=False, nearer=False),
        _sentence("gives-nearer", _GIVES + _NEARER, keeps=False, nearer=True),
    )

    title = sent(t.Unicode("How much of each word goes into the new “bank”"))
    sentence = choice(0, SENTENCES, "Sentence")
    the = _place("the")
    bank = _place("bank")
    near = _place("near")
    river = _place("river")
    approved = _place("approved")
    loan = _place("loan")
    steps = checkbox(False, "Show every step of the row")
    toy = sent(t.Dict(_TOY, read_only=True))

    @property
    def _words(self) -> list[str]:
        return SENTENCES[self.sentence].split()

    def _trace(self) -> AttentionTrace:
        X = np.array([getattr(self, word) for word in self._words])
        return trace_attention(2 * X, 2 * X, X)

    def numbers(self) -> dict[str, Any]:
        """Compute with `attention` every number that the view shows.

        ``row``: for each place in the sentence, from 1: the score, the logit (the score
        divided by the root of 2), e to the power of the logit, the weight, and the
        weight times both numbers of the value. ``sum``: the sums of the powers and of
        the weighted values.
        """
        trace, row = self._trace(), self._words.index(QUERY_WORD)
        powers = np.exp(trace.logits[row])
        columns = (trace.scores[row], trace.logits[row], powers, trace.weights[row])
        parts = trace.weights[row][:, np.newaxis] * trace.value
        rows = np.column_stack([*columns, parts])
        return {
            "row": {str(i + 1): line for i, line in enumerate(rows)},
            "sum": np.array([powers.sum(), *trace.output[row]]),
        }

    def facts(self) -> dict[str, Any]:
        """Return the values that the sentences name, besides the traits."""
        trace, row = self._trace(), self._words.index(QUERY_WORD)
        shares, X = self._shares(trace.weights[row]), trace.value
        distances = dict(zip(self._words, np.hypot(*(X - X[row]).T), strict=True))
        others = [word for word in shares if word != QUERY_WORD]
        # After rounding, ties are the same here and in the page. The first word counts.
        first = max(others, key=lambda word: round(shares[word], 9))
        nearer = min(others, key=lambda word: round(distances[word], 9))
        money, water = trace.output[row]
        return {
            "own": float(shares[QUERY_WORD]),
            "first": first,
            "largest": float(shares[first]),
            "first_distance": float(distances[first]),
            "nearer": nearer,
            "nearer_weight": float(shares[nearer]),
            "nearer_distance": float(distances[nearer]),
            "money": float(money),
            "water": float(water),
        }

    def _shares(self, weights: np.ndarray) -> dict[str, float]:
        """Return the weight of each word; a word that occurs twice gets the sum."""
        shares = dict.fromkeys(self._words, 0.0)
        for word, weight in zip(self._words, weights, strict=True):
            shares[word] += weight
        return shares

    def pictures(self) -> list[str]:
        """Draw the plane, and the weights as bars."""
        trace, row = self._trace(), self._words.index(QUERY_WORD)
        weights = trace.weights[row]
        places = dict(zip(self._words, trace.value, strict=True))
        shares = self._shares(weights)
        drawn = plane(
            places, shares, QUERY_WORD, trace.output[row], FARTHEST, ("money", "water")
        )
        return [drawn, bars(self._words, weights)]
