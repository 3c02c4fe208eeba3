"""Hungry or cold: one word changes, and *il* becomes *elle*."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import softmax
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, lines
from course.widgets.contract import IndexOf, choice, sent, setting
from transformer.decoding import translate
from transformer.laboratory import cut, heads_of
from transformer.model import decode_logits, encode_source
from transformer.parameters import Config
from transformer.storage import load
from transformer.trace import Trace
from transformer.vocabulary import ENGLISH, FRENCH, START

ENDINGS = ("hungry", "cold")
PRONOUNS = ("il", "elle")
_BEGUN = ("a", "dog", "ate", "the", "food", "because", "it", "was")
DOG, FOOD, IT = (_BEGUN.index(word) for word in ("dog", "food", "it"))
HEADS = tuple(
    name
    for name in heads_of(Config())
    if not name.startswith("decoder.0.self")
    if not name.startswith("decoder.1.self")
)
"""Heads that attend to English words, and so could find the noun that *it* means."""


def _label(name: str) -> str:
    side, layer, _, _, head = name.split(".")
    kind = "" if side == "encoder" else "cross "
    return f"{side} {int(layer) + 1}, {kind}head {int(head) + 1}"


CALLED = [_label(name) for name in HEADS]


class _Measured(NamedTuple):
    """Translations, weights and probabilities of the stored model for both endings.

    The weights are the row of *it* in the encoder. In the decoder, weights and
    probabilities are of the row in which the pronoun is chosen.
    """

    french: list[list[str]]
    attention: NDArray[np.float64]  # weights, shape (endings, heads, words)
    whole: NDArray[np.float64]  # probabilities, shape (endings, pronouns)
    without: NDArray[np.float64]  # with a head off, shape (endings, heads, pronouns)


@cache
def _measured() -> _Measured:
    weights, config = load()
    english = [[*_BEGUN, ending] for ending in ENDINGS]
    french = translate(english, weights, config)
    chosen = french[0].index("car") + 1  # the row of "car" chooses the pronoun
    source = ENGLISH.batch(english)
    target = FRENCH.batch([START, *words[:chosen]] for words in french)
    pronouns = FRENCH.encode(PRONOUNS)

    def shares(off: tuple[str, ...], trace: Trace) -> NDArray[np.float64]:
        machine = cut(weights, config, off)
        memory, _ = encode_source(
            source, machine.weights, machine.encoder_config, trace
        )
        logits, _ = decode_logits(
            target, memory, source, machine.weights, machine.decoder_config, trace
        )
        return softmax(logits[:, chosen])[:, pronouns]

    trace = Trace()
    whole = shares((), trace)
    rows = [IT if name.startswith("encoder") else chosen for name in HEADS]
    attention = [
        trace[f"{name}.weights"][:, row] for name, row in zip(HEADS, rows, strict=True)
    ]
    without = [shares((name,), Trace()) for name in HEADS]
    return _Measured(french, np.stack(attention, 1), whole, np.stack(without, 1))


def _most_moved_head() -> int:
    """Return the index of the head whose weight *cold* moves most from dog to food."""
    attention = _measured().attention
    difference = attention[:, :, DOG] - attention[:, :, FOOD]
    return int((difference[0] - difference[1]).argmax())


_WEIGHTS = {
    "": "This head gives {dog:.2f} of its weight to dog and {food:.2f} to food.",
    "_elsewhere": "This head attends most to “{most}” ({share:.2f}). It gives "
    "{dog:.2f} to dog and {food:.2f} to food.",
}
_EFFECTS = {
    "stays": "Without this head, {pronoun} is still more likely than {other}: its "
    "probability is {right:.2f}.",
    "turns": "Without this head, the probability of {pronoun} is only {right:.2f}. "
    "The model would write {other}.",
}


def _holds(effect: str, where: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the predicate of the sentence with the key `effect` + `where`."""
    return lambda fact: (
        (fact["right"] > 0.5) == (effect == "stays")
        and (fact["most"] in ("dog", "food")) == (not where)
    )


class Swing(Card, view="swing"):
    """Change the reason from *hungry* to *cold* and see *il* turn to *elle*.

    Attributes
    ----------
    ending : int
        Index of the reason in `ENDINGS`.
    head : int
        Index in `HEADS` of the head that is drawn large and switched off.
    """

    sentences = tuple(
        Sentence(f"{effect}{where}", f"{weights} {text}", _holds(effect, where))
        for where, weights in _WEIGHTS.items()
        for effect, text in _EFFECTS.items()
    )

    title = sent(t.Unicode("Hungry or cold"))
    ending = setting(IndexOf(0, ENDINGS))
    head = choice(0, CALLED, "Arcs of")
    english = sent(t.List(list(_BEGUN), read_only=True))
    endings = sent(t.List(list(ENDINGS), read_only=True))
    pronouns = sent(t.List(list(PRONOUNS), read_only=True))
    heads = sent(t.List([name.split(", ") for name in CALLED], read_only=True))
    measured = sent(t.Dict(read_only=True))

    @t.default("head")
    def _default_head(self) -> int:
        return _most_moved_head()

    @t.default("measured")
    def _default_measured(self) -> dict[str, Any]:
        found = _measured()
        return {
            "french": found.french,
            "attention": found.attention.tolist(),
            "whole": found.whole.tolist(),
            "without": found.without.tolist(),
            "places": [DOG, FOOD],
        }

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Return the probability of each pronoun, with and without the chosen head."""
        found = _measured()
        return {
            "whole": found.whole[self.ending],
            "without": found.without[self.ending, self.head],
        }

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        weights = _measured().attention[self.ending, self.head]
        shares = self.numbers()["without"]
        best = int(self.numbers()["whole"].argmax())
        return {
            "dog": weights[DOG],
            "food": weights[FOOD],
            "most": [*_BEGUN, ENDINGS[self.ending]][weights.argmax()],
            "share": weights.max(),
            "pronoun": PRONOUNS[best],
            "other": PRONOUNS[1 - best],
            "right": shares[best] / shares.sum(),
        }

    def pictures(self) -> list[str]:
        """Draw the head's weights, and the probabilities of the pronouns."""
        english = [*_BEGUN, ENDINGS[self.ending]]
        reads_it = HEADS[self.head].startswith("encoder")
        of = "it" if reads_it else self.facts()["pronoun"]
        weights = _measured().attention[self.ending, self.head]
        return [
            lines([of], english, [weights]),
            *(bars(PRONOUNS, shares) for shares in self.numbers().values()),
        ]
