"""A card with traits of each kind, to test controls, links, undo and storage."""

import traitlets as t

from course.widgets import Card
from course.widgets.card import Sentence
from course.widgets.contract import (
    Asked,
    OneOf,
    answer,
    checkbox,
    choice,
    even,
    kept,
    looked_at,
    sent,
    setting,
    slider,
)

WORDS = ("cat", "dog", "apple")


class Probe(Card):
    """A card without a drawing: it shows only the controls that `Card` builds."""

    sentences = (
        Sentence("on", "At {beta} with {word}: {shares:.2f}.", lambda f: f["on"]),
        Sentence("off", "Off.", lambda f: not f["on"]),
    )

    names = sent(t.List(list(WORDS)))
    beta = slider(1.0, even(0, 4, 0.5), "Sharpness", "β", unless="on")
    n = slider(3, range(1, 9), "Tokens", device=True)
    word = choice(1, lambda card: card.names, "Word")
    on = checkbox(False, "Switched *n*")
    forced = setting(OneOf("cat", lambda card: card.names), device=True)
    off = setting(t.List(t.Int(min=0, max=7)))
    matrices = setting(t.List(t.List(t.List(t.Float()), minlen=1)))
    point = setting(t.List(t.Float(), [0.0, 0.0], minlen=2, maxlen=2))
    step = looked_at(t.Enum(["first", "last"], "first"), visited=True)
    guess = answer(t.Unicode(), Asked("guess.js", needs=("names",)), called=("a", "b"))
    helped = kept(t.Int(0, min=0), called=("help", "helps"))

    def facts(self):
        return {"word": [self.names[self.word]], "shares": [0.125, -0.5]}
