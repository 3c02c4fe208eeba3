"""Results of one head and of two heads: *who* of one word, *how* of another word."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike

from course.kit.arrays import Array
from course.widgets.card import Card, Sentence
from course.widgets.card.goal import asks_for, first_reached
from course.widgets.card.still import bars, triangle
from course.widgets.contract import checkbox, sent, setting

WORDS = {"cat": (1.0, -1.0), "mat": (-1.0, -0.4), "tired": (-0.5, 1.0)}
"""The value of each word: who, how."""

VALUES = np.array(list(WORDS.values()))
STAR = np.array([WORDS["cat"][0], WORDS["tired"][1]])
LIMIT = 1.2
"""Distance from the star to the triangle, to its edge on 4 who + 3 how = 1."""

LEAST = 0.002  # the smallest weight: softmax gives no weight of exactly 0
NEAR_LIMIT = 0.05  # distance from the limit below which the sentence names the limit
WITHIN = 0.05  # distance from the star that the goal asks for
_GIVEN = {
    "words": list(WORDS),
    "values": VALUES.tolist(),
    "star": STAR.tolist(),
    "limit": LIMIT,
    "near": NEAR_LIMIT,
    "least": LEAST,
    "within": WITHIN,
}


def weights_at(place: ArrayLike) -> Array:
    """Return the weights that bring the mean of the values nearest to a place.

    Each weight is at least `LEAST`, so the mean lies inside the triangle.
    """
    corners = LEAST + (1 - 3 * LEAST) * np.eye(3)
    system = np.vstack([VALUES.T, np.ones(3)])
    weights = np.linalg.solve(system, [*np.asarray(place, dtype=float), 1.0])
    if weights.min() >= LEAST:
        return weights
    on_edges = []
    for i in range(3):
        start, end = corners[i], corners[(i + 1) % 3]
        edge = (end - start) @ VALUES
        share = edge @ (place - start @ VALUES) / (edge @ edge)
        on_edges.append(start + np.clip(share, 0, 1) * (end - start))
    return min(on_edges, key=lambda found: np.hypot(*(found @ VALUES - place)))


def _place(who: float, how: float) -> Any:
    """Declare where the reader puts the result of a head."""
    return setting(t.List(t.Float(min=-1, max=1), [who, how], 2, 2))


class TwoHeads(Card, view="plane/two_heads"):
    """Drag the result of one head in the triangle of its values, then of two heads.

    Attributes
    ----------
    first, second : list of two floats
        Where the reader puts the result of head 1 and of head 2. The result is the
        nearest place inside the triangle.
    two : bool
        Whether there is a second head, which gives *how*.
    reached : str
        The places of both heads, as JSON, with which the reader first reached the goal.
    """

    sentences = (
        Sentence(
            "one",
            "The result of the head lies {distance:.2f} from the star.",
            lambda fact: not fact["two"] and fact["distance"] - LIMIT >= NEAR_LIMIT,
        ),
        Sentence(
            "limit",
            "The result of the head lies {distance:.2f} from the star. One head always "
            "stays farther than {limit} from the star.",
            lambda fact: not fact["two"] and fact["distance"] - LIMIT < NEAR_LIMIT,
        ),
        Sentence(
            "two",
            "Head 1 gives who, and head 2 gives how. The result of both lies "
            "{distance:.2f} from the star.",
            lambda fact: fact["two"] and fact["distance"] >= WITHIN,
        ),
        Sentence(
            "within",
            "The result of both heads lies {distance:.2f} from the star. The less "
            "weight the heads give to other words, the nearer they come: as near as "
            "you like. They never reach the star, because softmax gives no weight of "
            "exactly 0.",
            lambda fact: fact["two"] and fact["distance"] < WITHIN,
        ),
    )

    title = sent(t.Unicode("What one head and two heads can return"))
    two = checkbox(False, "Second head")
    first = _place(-0.2, -0.2)
    second = _place(-0.5, 0.3)
    given = sent(t.Dict(_GIVEN, read_only=True))
    goal = asks_for(f"bring the result within {WITHIN} of the star.")
    reached = first_reached("plane/two_heads.js")

    def _heads(self) -> list[Array]:
        """Return the weights of the heads that are on."""
        places = [self.first, *([self.second] if self.two else [])]
        return [weights_at(place) for place in places]

    def result(self) -> Array:
        """Return *who* of the first head and *how* of the last head that is on."""
        heads = self._heads()
        return np.array([heads[0] @ VALUES[:, 0], heads[-1] @ VALUES[:, 1]])

    def numbers(self) -> dict[str, Any]:
        """Return the weights of both heads by name, each of shape (3,)."""
        return {"first": weights_at(self.first), "second": weights_at(self.second)}

    def facts(self) -> dict[str, Any]:
        """Return the distance of the result from the star, and its lower limit."""
        distance = float(np.hypot(*(self.result() - STAR)))
        return {"distance": distance, "limit": LIMIT}

    def pictures(self) -> list[str]:
        """Draw the triangle with the result, and the weights of the heads."""
        drawn = triangle(WORDS, STAR, self.result(), ("who", "how"))
        return [drawn, *(bars(list(WORDS), weights) for weights in self._heads())]
