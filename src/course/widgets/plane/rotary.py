"""One pair of columns of a query and of a key, turned by their positions."""

from typing import Any

import numpy as np
import traitlets as t

from course.kit.arrays import Array
from course.widgets.card import Card, Sentence
from course.widgets.card.still import matrix
from course.widgets.contract import sent, slider

ROWS, COLUMNS = ("query", "key"), ("first", "second")
LAST = 24  # largest position on a slider


class RotaryDial(Card, view="plane/rotary"):
    """Turn a query and a key by their positions; the product depends on the distance.

    Before the turn, the query and the key are both the pair 1 and 0.

    Attributes
    ----------
    query, key : int
        Positions of the two words.
    shift : int
        Number of positions by which both words move.
    angle : int
        Degrees of the turn for each position.
    """

    sentences = (
        Sentence(
            "together",
            "Query and key stand at position {at}. Both turn by {turn} degrees, so "
            "their product is {product:.2f}.",
            lambda fact: fact["distance"] == 0,
        ),
        Sentence(
            "apart",
            "The query stands at position {at}, the key at {other}. They are turned "
            "{between} degrees apart, so their product is {product:.2f}.",
            lambda fact: fact["distance"] != 0 and fact["shift"] == 0,
        ),
        Sentence(
            "moved",
            "Both words moved {shift} places, to {at} and {other}. They are still "
            "turned {between} degrees apart, and their product is still {product:.2f}.",
            lambda fact: fact["distance"] != 0 and fact["shift"] > 0,
        ),
    )

    title = sent(t.Unicode("Positions that turn"))
    query = slider(5, range(LAST + 1), "Position of the query")
    key = slider(3, range(LAST + 1), "Position of the key")
    shift = slider(0, range(101), "Move both words by")
    angle = slider(30, range(3, 91, 3), "Degrees for each place")
    given = sent(
        t.Dict({"rows": ROWS, "columns": COLUMNS, "last": LAST}, read_only=True)
    )

    def turned(self) -> Array:
        """Return the turned pairs of the query and the key, shape (2, 2)."""
        places = np.array([self.query, self.key]) + self.shift
        angles = np.deg2rad(self.angle * places % 360)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def numbers(self) -> dict[str, Any]:
        """Return the turned pairs, the distance, and the product of the pairs."""
        query, key = turned = self.turned()
        distance = self.query - self.key
        return {"turned": turned, "distance": distance, "product": query @ key}

    def facts(self) -> dict[str, Any]:
        """Return the positions and the angles, in degrees, that the sentences name."""
        at, other = self.query + self.shift, self.key + self.shift
        return {
            **self.numbers(),
            "at": at,
            "other": other,
            "turn": at * self.angle,
            "between": abs(at - other) * self.angle,
        }

    def pictures(self) -> list[str]:
        """Draw the turned pairs as a matrix."""
        return [matrix("turned", self.turned(), ROWS)]
