"""The wall of chapter 9: the maps of all 270 heads of a real model, one opened."""

from typing import Any

import traitlets as t
from numpy.typing import NDArray

from course.kit import real_maps
from course.kit.real_maps import HEADS, LAYERS, SENTENCES
from course.widgets.card import Card, Sentence
from course.widgets.card.still import matrix
from course.widgets.contract import IndexOf, choice, sent, setting, slider

TITLES = list(SENTENCES.values())
SHARPNESS = ("0", "1/8", "1/4", "1/2", "1", "2", "4", "8")


def _stored(sentence: int) -> real_maps.Stored:
    return real_maps.stored(list(SENTENCES)[sentence])


def _words(sentence: int) -> list[str]:
    return [word.strip() for word in _stored(sentence).words]


class HeadWall(Card, view="head_wall"):
    """Look at the maps of all heads at once, and open one.

    Attributes
    ----------
    sentence : int
        Index of the stored sentence that the model has read.
    layer, head : int
        Layer and head of the opened map.
    own : str
        The reader's own sentence, which the model reads in the page (`book.model`).
    without : bool
        Whether the opened head is off when the model reads `own`.
    sharpness : int
        Sharpness of all heads when the model reads `own`: an index of `SHARPNESS`.
    maps : bytes
        All maps of sentence `mapped`. A page fetches the maps of other sentences.
    """

    sentences = (
        Sentence(
            "first",
            "Layer {layer}, head {head}: the last token, “{last}”, gives the largest "
            "weight to the first token, “{top}”: {share:.2f}.",
            lambda fact: fact["place"] == 0,
        ),
        Sentence(
            "itself",
            "Layer {layer}, head {head}: the last token, “{last}”, gives the largest "
            "weight to itself: {share:.2f}. The first token gets {first:.2f}.",
            lambda fact: fact["place"] == fact["count"] - 1,
        ),
        Sentence(
            "other",
            "Layer {layer}, head {head}: the last token, “{last}”, gives the largest "
            "weight to “{top}”: {share:.2f}. The first token gets {first:.2f}.",
            lambda fact: 0 < fact["place"] < fact["count"] - 1,
        ),
    )

    title = sent(t.Unicode("All 270 heads of a real model"))
    sentence = choice(0, TITLES, "Sentence")
    layer = slider(13, list(range(LAYERS)), "Layer")
    head = slider(8, list(range(HEADS)), "Head")
    own = setting(t.Unicode(""))
    without = setting(t.Bool(False))
    sharpness = setting(IndexOf(SHARPNESS.index("1"), SHARPNESS))
    heads = sent(t.Int(HEADS, read_only=True))
    stops = sent(t.List(list(SHARPNESS), read_only=True))
    words = sent(
        t.List(read_only=True), lambda wall: [*map(_words, range(len(SENTENCES)))]
    )
    files = sent(t.List(list(SENTENCES), read_only=True))
    mapped = sent(t.Int(read_only=True), lambda wall: wall.sentence)
    maps = sent(t.Bytes(read_only=True), lambda wall: _stored(wall.sentence).packed)

    @t.observe("sentence")
    def _send_maps(self, change: dict[str, Any]) -> None:
        """Send the maps of the newly chosen sentence to a notebook's view."""
        with self.hold_sync():
            self.set_trait("mapped", change["new"])
            self.set_trait("maps", _stored(change["new"]).packed)

    def numbers(self) -> dict[str, NDArray]:
        """Return the opened map."""
        return {"weights": _stored(self.sentence).weights[self.layer, self.head]}

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        words, row = _words(self.sentence), self.numbers()["weights"][-1]
        place = int(row.argmax())
        return {
            "last": words[-1],
            "top": words[place],
            "share": row[place],
            "first": row[0],
            "place": place,
            "count": len(words),
        }

    def pictures(self) -> list[str]:
        """Draw the opened map."""
        weights = self.numbers()["weights"]
        name = f"Weights of layer {self.layer}, head {self.head}"
        return [matrix(name, weights, _words(self.sentence), scale="weights")]
