"""The first sentence of the course: its last word changes the attention of *it*."""

from functools import cache
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, lines
from course.widgets.contract import checkbox, choice, sent
from transformer.small import pronouns

NOUNS = ("cat", "mat")
ENDINGS = pronouns.ADJECTIVES
SENTENCES = [
    [f"the {a} sat on the {b} because it was {ending}".split() for ending in ENDINGS]
    for a, b in (NOUNS, NOUNS[::-1])
]
"""The words of every state: with the cat first and with the mat first."""


@cache
def _measured() -> NDArray[np.float64]:
    """Return the attention of *it* in every state, shape (orders, endings, words).

    The weights are the mean over the heads of the last layer. The model is the median
    run of those that were trained to attend to the right noun.
    """
    model = pronouns.shown("pointer", 1)
    tokens = [[pronouns.numbers(words) for words in row] for row in SENTENCES]
    return pronouns.read(np.array(tokens), *model).looks[..., -1, :, :].mean(axis=-2)


class SmallWhoIsIt(Card, view="who_is_it/small"):
    """Change *tired* to *soft*: the attention of *it* moves from the cat to the mat.

    Attributes
    ----------
    ending : int
        Index of the last word in `ENDINGS`.
    turned : bool
        Whether the mat comes first.
    """

    sentences = (
        Sentence(
            "cat",
            "The cat was {word}. “it” gives {cat:.2f} of its weight to the cat and "
            "{mat:.2f} to the mat.",
            lambda fact: fact["of_animals"] and fact["cat"] > fact["mat"],
        ),
        Sentence(
            "mat",
            "The mat was {word}. “it” gives {mat:.2f} of its weight to the mat and "
            "{cat:.2f} to the cat.",
            lambda fact: not fact["of_animals"] and fact["mat"] > fact["cat"],
        ),
    )

    title = sent(t.Unicode("Who was tired?"))
    ending = choice(0, ENDINGS, "It was")
    turned = checkbox(False, "mat first")
    nouns = sent(t.List(list(NOUNS), read_only=True))
    spoken = sent(t.List(SENTENCES, read_only=True))
    looks = sent(t.List(read_only=True), lambda card: _measured().tolist())

    def _row(self) -> tuple[list[str], NDArray[np.float64]]:
        """Return the words of the present state and the attention of *it*."""
        state = int(self.turned), self.ending
        return SENTENCES[state[0]][state[1]], _measured()[state]

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Return the attention of *it* on each of `NOUNS`."""
        words, row = self._row()
        return {"looks": row[[words.index(noun) for noun in NOUNS]]}

    def facts(self) -> dict[str, Any]:
        """Return the values that the sentences name, besides the traits."""
        return {
            "word": ENDINGS[self.ending],
            "of_animals": ENDINGS[self.ending] in pronouns.OF_ANIMALS,
            **dict(zip(NOUNS, self.numbers()["looks"], strict=True)),
        }

    def pictures(self) -> list[str]:
        """Draw the arcs of *it* as lines, and the weight of each noun as a bar."""
        words, row = self._row()
        return [lines(["it"], words, [row]), bars(NOUNS, self.numbers()["looks"])]
