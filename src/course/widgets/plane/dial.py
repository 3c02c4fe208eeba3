"""A query that the reader turns and stretches over the keys of "I play football"."""

from typing import Any

import numpy as np
import traitlets as t

from attention import AttentionTrace, trace_attention
from course.kit.arrays import Array
from course.notes import FOOTBALL
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import even, sent, setting, slider

FOURTH = "well"
LONGEST = 24.0
LENGTHS = (1, 6, 24)  # of a query; a ring marks each length
TURNS = 90  # number of directions for the edge of the reachable area


def _keys_and_values() -> tuple[Array, Array]:
    """Return the keys and the values of the three words of the notes and of a fourth.

    The fourth key is the mean of the three keys, so its score is the mean of the three
    scores. The fourth value makes a parallelogram of the triangle of the three values.
    """
    key, value = FOOTBALL.X @ FOOTBALL.W_K, FOOTBALL.X @ FOOTBALL.W_V
    corner = value[1] + value[2] - value[0]
    return np.vstack([key, key.mean(axis=0)]), np.vstack([value, corner])


KEYS, VALUES = _keys_and_values()
_GIVEN = {
    "words": [*FOOTBALL.tokens, FOURTH],
    "keys": KEYS.tolist(),
    "values": VALUES.tolist(),
    "longest": LONGEST,
    "turns": TURNS,
    "lengths": list(LENGTHS),
}


def _area(corners: Array) -> float:
    """Return the area of a polygon (Gauss's formula)."""
    x, y = corners.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _are_alike(weights: Any) -> bool:
    """Whether no word has visibly more weight than another word."""
    return bool(np.ptp(weights) < 0.0005)


class QueryDial(Card, view="plane/dial"):
    """Turn and stretch a query over the notes' keys; the output moves among the values.

    Attributes
    ----------
    angle : int
        Direction of the query, in degrees from the first axis, -180 to 180.
    length : float
        Length of the query, 0 to 24.
    fourth : bool
        Whether there is a fourth word, whose key lies among the other three.
    """

    sentences = (
        Sentence(
            "alike",
            "All words get {largest:.2f}, because all scores are equal. Turn or "
            "stretch the query.",
            lambda fact: not fact["fourth"] and _are_alike(fact["weights"]),
        ),
        Sentence(
            "three",
            "“{first}” gets the most weight, {largest:.2f}. Queries of this "
            "length or shorter reach {reach:.2f} of the area of the triangle, and not "
            "the grey part.",
            lambda fact: not fact["fourth"] and not _are_alike(fact["weights"]),
        ),
        Sentence(
            "all-alike",
            "All words get {largest:.2f}, because all scores are equal. Turn or "
            "stretch the query: “{added}” never gets the most.",
            lambda fact: fact["fourth"] and _are_alike(fact["weights"]),
        ),
        Sentence(
            "four",
            "“{first}” gets the most, {largest:.2f}. “{added}” gets {share:.2f}. Its "
            "score is the mean of the other three scores, so no query gives it the "
            "most.",
            lambda fact: fact["fourth"] and not _are_alike(fact["weights"]),
        ),
    )

    title = sent(t.Unicode("A query over the keys of “I play football”"))
    angle = slider(60, list(range(-180, 181, 5)), "Turn the query (°)")
    length = slider(
        6.0, [*even(0, 4, 0.1), *even(4.5, LONGEST, 0.5)], "Stretch the query"
    )
    fourth = setting(t.Bool(default_value=False))
    given = sent(t.Dict(_GIVEN, read_only=True))

    @property
    def _words(self) -> list[str]:
        return [*FOOTBALL.tokens, *([FOURTH] if self.fourth else [])]

    def _trace(self, angles: Any) -> AttentionTrace:
        """Trace queries of the present length in several directions, in degrees."""
        radians = np.radians(np.asarray(angles, dtype=float))
        query = self.length * np.column_stack([np.cos(radians), np.sin(radians)])
        count = len(self._words)
        return trace_attention(query, KEYS[:count], VALUES[:count])

    def numbers(self) -> dict[str, Any]:
        """Compute with `attention` every number that the view shows.

        ``row``: for each word, counted from 1, its score and its weight.
        """
        trace = self._trace([self.angle])
        rows = np.column_stack([trace.scores[0], trace.weights[0]])
        return {
            "row": {str(i + 1): row for i, row in enumerate(rows)},
            "query": trace.query[0],
            "output": trace.output[0],
        }

    def facts(self) -> dict[str, Any]:
        """Return the values that the sentences name, besides the traits."""
        weights = self._trace([self.angle]).weights[0]
        three_words = QueryDial(length=self.length)
        around = three_words._trace(np.arange(TURNS) * 360 / TURNS)
        return {
            "weights": weights,
            "first": self._words[int(weights.argmax())],
            "largest": float(weights.max()),
            "reach": _area(around.output) / _area(around.value),
            "added": FOURTH,
            "share": float(weights[-1]),
        }

    def pictures(self) -> list[str]:
        """Draw the weights as bars."""
        return [bars(self._words, self._trace([self.angle]).weights[0])]
