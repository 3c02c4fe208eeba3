"""Word order: self-attention of shuffled words, without and with positions."""

from functools import cache
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import scaled_dot_product_attention
from course.widgets.card import Card, Sentence
from course.widgets.card.still import matrix
from course.widgets.contract import checkbox, choice, sent
from transformer.positions import sinusoidal

WORDS = ("dog", "bites", "man")
ORDERS = ((0, 1, 2), (2, 1, 0))
WIDTH, SHOWN = 8, 2  # width of the vectors, number of shown columns
SEED = 1  # the cell beside the figure draws the same numbers


@cache
def _outputs(order: int, places: bool) -> NDArray[np.float64]:
    """Return the shown columns of one head's output for the words in an order."""
    rng = np.random.default_rng(SEED)
    words = rng.standard_normal((len(WORDS), WIDTH))[list(ORDERS[order])]
    weights = rng.standard_normal((3, WIDTH, WIDTH)) / np.sqrt(WIDTH)
    rows = words + sinusoidal(len(WORDS), WIDTH) * places
    return scaled_dot_product_attention(*(rows @ W for W in weights))[:, :SHOWN]


class WordOrder(Card, view="word_order"):
    """Shuffle three words and see which outputs change.

    Attributes
    ----------
    order : int
        Index in `ORDERS`: 0 as written, 1 reversed.
    places : bool
        Whether the vector of each position is added to its word.
    """

    sentences = (
        Sentence(
            "written",
            "The words are in their original order. Choose “man bites dog”.",
            lambda fact: fact["order"] == 0,
        ),
        Sentence(
            "blind",
            "No word has a new output: the largest change of a number is "
            "{change:.2f}. Only the order of the rows is new.",
            lambda fact: fact["order"] == 1 and not fact["places"],
        ),
        Sentence(
            "placed",
            "With positions the order matters: the numbers of a word change by up to "
            "{change:.2f}.",
            lambda fact: fact["order"] == 1 and fact["places"],
        ),
    )

    title = sent(t.Unicode("Does the order matter?"))
    order = choice(0, [" ".join(WORDS[i] for i in o) for o in ORDERS], "Words")
    places = checkbox(False, "Add positions")
    words = sent(t.List(list(WORDS), read_only=True))
    orders = sent(t.List([list(order) for order in ORDERS], read_only=True))
    outputs = sent(  # without and with positions, each in both orders
        t.List(read_only=True),
        lambda card: [[_outputs(o, p).tolist() for o in (0, 1)] for p in (False, True)],
    )

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Return the outputs as written and in the chosen order, shape (3, 2) each."""
        return {
            "written": _outputs(0, self.places),
            "output": _outputs(self.order, self.places),
        }

    def facts(self) -> dict[str, Any]:
        """Return the largest change of a shown number of the same word."""
        found, order = self.numbers(), list(ORDERS[self.order])
        return {"change": np.abs(found["output"] - found["written"][order]).max()}

    def pictures(self) -> list[str]:
        """Draw the outputs as written and the outputs in the chosen order."""
        chosen = [WORDS[i] for i in ORDERS[self.order]]
        found = self.numbers()
        return [
            matrix("as written", found["written"], WORDS, role="output"),
            matrix("in this order", found["output"], chosen, role="output"),
        ]
