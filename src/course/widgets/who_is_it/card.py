"""Who is *it*: a sentence from lists, and the attention of *it* in trained stacks."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, lines
from course.widgets.contract import IndexOf, OneOf, choice, looked_at, sent, setting
from transformer.parameters import Config, Tree
from transformer.small import pronouns

NOUNS = (*pronouns.ANIMALS, *pronouns.THINGS)
FRAME = (
    ("the",),
    NOUNS,
    pronouns.VERBS,
    pronouns.PREPOSITIONS,
    ("the",),
    NOUNS,
    ("because",),
    ("it",),
    ("was",),
    pronouns.ADJECTIVES,
)
"""For each place of a sentence, the words that may stand there."""
SLOTS = {"first": 1, "verb": 2, "preposition": 3, "second": 5, "last": 9}
"""Places at which the reader chooses a word, by trait."""
NOUNS_AT = (SLOTS["first"], SLOTS["second"])
NEW = tuple(f"{noun} *" if noun in pronouns.HELD_OUT else noun for noun in NOUNS)
"""The nouns as a list shows them. Training sentences have no noun with a star."""
LOSSES = {"pointer": "pointer", "answer": "answer only"}
"""The losses, and their names in the list."""
_VOCABULARY = {
    "frame": FRAME,
    "slots": SLOTS,
    "numbers": pronouns.NUMBERS,
    "of_animals": [*pronouns.ANIMALS, *pronouns.OF_ANIMALS],
    "held_out": pronouns.HELD_OUT,
    "losses": list(LOSSES.values()),
}
SEEDS = ("least weight", "median", "most weight")
HEADS = tuple(pronouns.heads_of(pronouns.PronounTask("answer").config))
"""Heads of a stored stack, layer by layer."""
SHOWN = (*HEADS, "mean")
"""Whose arcs can be drawn: those of a head, or of the mean of the last layer."""
CAT, MAT = NOUNS.index("cat"), NOUNS.index("mat")
TIRED = pronouns.ADJECTIVES.index("tired")


def fits(noun: str, last: str) -> bool:
    """Whether the last word can describe this kind of noun."""
    return (noun in pronouns.ANIMALS) == (last in pronouns.OF_ANIMALS)


@cache
def _model(loss: int, seed: int) -> tuple[Tree, Config]:
    return pronouns.shown(list(LOSSES)[loss], seed)


def _answers(fact: Mapping[str, Any], which: str) -> bool:
    """Whether the sentence determines the noun, and the answer is ``fact[which]``."""
    return fact["decided"] and fact["answer"] == fact[which]


class WhoIsIt(Card, view="who_is_it/who_is_it"):
    """Choose the words of a sentence and watch how the attention of *it* changes.

    Attributes
    ----------
    first, verb, preposition, second, last : int
        Indices of the words in `FRAME`.
    loss : int
        Index of the loss in `LOSSES`.
    seed : int
        Index in `SEEDS` of a run with this loss, ranked by the weight of *it* on the
        right noun.
    head : int
        Index in `SHOWN` of the arcs that are drawn.
    off : list of str
        Heads of `HEADS` that add nothing.
    """

    sentences = (
        Sentence(
            "undetermined",
            "“{last_word}” fits both nouns or neither, so the sentence does not "
            "determine the noun. The last layer gives the first noun {one_weight:.2f} "
            "and the second {two_weight:.2f}. The answer is {answer} ({top:.2f}).",
            lambda fact: not fact["decided"],
        ),
        Sentence(
            "both",
            "It is the {noun}. The answer is right ({share:.2f} against {rest:.2f}). "
            "The last layer attends to the same noun: {weight:.2f} on {noun}, "
            "{against:.2f} on {other}.",
            lambda fact: _answers(fact, "noun") and fact["weight"] > fact["against"],
        ),
        Sentence(
            "blind",
            "It is the {noun}. The answer is right ({share:.2f} against {rest:.2f}), "
            "but the last layer attends more to the other noun: {weight:.2f} on "
            "{noun}, {against:.2f} on {other}.",
            lambda fact: _answers(fact, "noun") and fact["weight"] <= fact["against"],
        ),
        Sentence(
            "wrong",
            "It is the {noun}. The last layer attends to it ({weight:.2f} against "
            "{against:.2f}), but the answer is wrong: {noun} has {share:.2f}, "
            "{other} has {rest:.2f}.",
            lambda fact: _answers(fact, "other") and fact["weight"] > fact["against"],
        ),
        Sentence(
            "neither",
            "It is the {noun}. Weights and answer are both wrong. The last layer "
            "gives {noun} {weight:.2f} and {other} {against:.2f}. In the answer "
            "{noun} has {share:.2f} and {other} has {rest:.2f}.",
            lambda fact: _answers(fact, "other") and fact["weight"] <= fact["against"],
        ),
        Sentence(
            "astray",
            "It is the {noun}. The answer is {answer} ({top:.2f}), which is neither "
            "noun. The last layer gives {noun} {weight:.2f} and {other} "
            "{against:.2f}.",
            lambda fact: (
                fact["decided"] and fact["answer"] not in (fact["noun"], fact["other"])
            ),
        ),
    )

    title = sent(t.Unicode("Who is it?"))
    first = choice(CAT, NEW, "First noun")
    verb = choice(0, FRAME[SLOTS["verb"]], "Verb")
    preposition = choice(0, FRAME[SLOTS["preposition"]], "Preposition")
    second = choice(MAT, NEW, "Second noun")
    last = choice(TIRED, FRAME[SLOTS["last"]], "Last word")
    loss = choice(0, tuple(LOSSES.values()), "Loss")
    seed = choice(1, SEEDS, "Seed")
    head = looked_at(IndexOf(len(HEADS), SHOWN))
    off = setting(t.List(OneOf(HEADS[0], HEADS)))
    models = sent(
        t.List(t.Bytes(), read_only=True),
        lambda card: [
            pronouns.model_of(loss, seed).read_bytes()
            for loss in LOSSES
            for seed in pronouns.chosen(loss)
        ],
    )
    words = sent(t.Dict(_VOCABULARY, read_only=True))

    def sentence(self) -> list[str]:
        """Return the chosen words."""
        chosen = {at: getattr(self, name) for name, at in SLOTS.items()}
        return [options[chosen.get(at, 0)] for at, options in enumerate(FRAME)]

    def _read(self) -> pronouns.PronounReading:
        model = _model(self.loss, self.seed)
        return pronouns.reading(self.sentence(), *model, self.off)

    def _rows(self) -> NDArray[np.float64]:
        """Return the attention of *it* in each of `SHOWN`, shape (heads + 1, words)."""
        attention = self._read().attention
        return np.vstack([*attention, attention[-1].mean(axis=0)])

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Return the weights and the probabilities of both nouns.

        ``heads`` (4, 2): the attention of *it* in each head; ``mean`` (2,): the mean
        of the last layer's heads; ``answer`` (2,): the probabilities among all words.
        """
        *heads, mean = self._rows()[:, NOUNS_AT]
        nouns = [pronouns.NUMBERS[self.sentence()[at]] for at in NOUNS_AT]
        answer = self._read().shares[nouns]
        return {"heads": np.array(heads), "mean": mean, "answer": answer}

    def facts(self) -> dict[str, Any]:
        """Return the values that the sentences name, besides the traits."""
        words, numbers = self.sentence(), self.numbers()
        nouns = [words[at] for at in NOUNS_AT]
        fitting = [fits(noun, words[-1]) for noun in nouns]
        right = int(fitting[1] and not fitting[0])
        shares = self._read().shares
        return {
            "decided": fitting[0] != fitting[1],
            "last_word": words[-1],
            "answer": pronouns.WORDS[int(shares.argmax())],
            "top": shares.max(),
            "one_weight": numbers["mean"][0],
            "two_weight": numbers["mean"][1],
            "noun": nouns[right],
            "other": nouns[1 - right],
            "weight": numbers["mean"][right],
            "against": numbers["mean"][1 - right],
            "share": numbers["answer"][right],
            "rest": numbers["answer"][1 - right],
        }

    def pictures(self) -> list[str]:
        """Draw the answer, and the arcs of *it* as lines."""
        words = self.sentence()
        answer = self.numbers()["answer"]
        return [
            bars([words[at] for at in NOUNS_AT], answer),
            lines(["it"], words, [self._rows()[self.head]]),
        ]
