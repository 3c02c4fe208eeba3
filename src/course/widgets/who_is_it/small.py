"""The first sentence of the course: one word changes, and *it* looks elsewhere."""

from functools import cache
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, lines
from course.widgets.contract import IndexOf, sent, setting
from transformer.small import pronouns

ENDINGS = ("tired", "soft")
NOUNS = ("cat", "mat")
ORDERS = (("cat", "mat"), ("mat", "cat"))


def sentence(order: int, ending: int) -> list[str]:
    """Give the words of a state."""
    first, second = ORDERS[order]
    return f"the {first} sat on the {second} because it was {ENDINGS[ending]}".split()


@cache
def _measured() -> NDArray[np.float64]:
    """Give where *it* looks in every state, shape (orders, endings, words).

    The stack whose last layer was asked to look there, of its trainings the median; the
    mean of that layer's heads.
    """
    model = pronouns.shown("pointer", 1)
    read = [
        [pronouns.reading(sentence(order, ending), *model).looks for ending in range(2)]
        for order in range(2)
    ]
    return np.array(read)[:, :, -1].mean(axis=2)


class SmallWhoIsIt(Card):
    """Change *tired* to *soft*: the attention of *it* swings from the cat to the mat.

    Attributes
    ----------
    ending : int
        The last word, of `ENDINGS`.
    order : int
        Which noun comes first, of `ORDERS`.
    """

    _esm = bundle("who_is_it/small.js")
    _css = stylesheet("who_is_it/who_is_it.css")

    sentences = (
        Sentence(
            "cat",
            "It was tired: “it” gives {cat:.2f} of its attention to cat and {mat:.2f} "
            "to mat.",
            lambda fact: fact["ending"] == 0 and fact["cat"] > fact["mat"],
        ),
        Sentence(
            "mat",
            "It was soft: “it” gives {mat:.2f} of its attention to mat and {cat:.2f} "
            "to cat.",
            lambda fact: fact["ending"] == 1 and fact["mat"] > fact["cat"],
        ),
    )

    title = sent(t.Unicode("Tired or soft"))
    ending = setting(IndexOf(0, ENDINGS))
    order = setting(IndexOf(0, [" and ".join(order) for order in ORDERS]))
    endings = sent(t.List(list(ENDINGS), read_only=True))
    nouns = sent(t.List(list(NOUNS), read_only=True))
    spoken = sent(t.List(read_only=True))
    looks = sent(t.List(read_only=True))

    @t.default("spoken")
    def _default_spoken(self) -> list[list[list[str]]]:
        return [[sentence(order, ending) for ending in range(2)] for order in range(2)]

    @t.default("looks")
    def _default_looks(self) -> list[list[list[float]]]:
        return _measured().tolist()

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Give the attention of *it* on each of `NOUNS`."""
        words = sentence(self.order, self.ending)
        row = _measured()[self.order, self.ending]
        return {"looks": row[[words.index(noun) for noun in NOUNS]]}

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state, beside its traits."""
        return dict(zip(NOUNS, self.numbers()["looks"], strict=True))

    def pictures(self) -> list[str]:
        """Draw the arcs of *it* as lines."""
        words = sentence(self.order, self.ending)
        row = _measured()[self.order, self.ending]
        return [lines(["it"], words, [row]), bars(NOUNS, self.numbers()["looks"])]
