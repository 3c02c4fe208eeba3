"""Word by word: the reader has the stored model write its next word."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import choice, sent, setting
from transformer.laboratory import cut, trace_run
from transformer.storage import load
from transformer.vocabulary import END, FRENCH, START, split

ENGLISH = ("I am good", "she is good", "we are good", "they are good")
SHOWN = 4  # next words, the likeliest
MARKS = {START: "⟨start⟩", END: "⟨end⟩"}


class _Written(NamedTuple):
    """What the stored model writes of one sentence.

    Attributes
    ----------
    words : list of str
        The mark of the start, the French words, the mark of the end.
    likely : list of list of str
        After so many words the likeliest next ones.
    shares : list of list of float
        Their probabilities.
    """

    words: list[str]
    likely: list[list[str]]
    shares: list[list[float]]


def _shown(words: Iterable[str]) -> list[str]:
    return [MARKS.get(word, word) for word in words]


@cache
def _measured() -> list[_Written]:
    machine = cut(*load(), ())
    runs = [trace_run(split(english), machine) for english in ENGLISH]
    tops = [np.argsort(-run.arrays["next"], axis=1)[:, :SHOWN] for run in runs]
    return [
        _Written(
            _shown([*run.target, END]),
            [_shown(FRENCH.words[i] for i in row) for row in top],
            np.take_along_axis(run.arrays["next"], top, axis=1).tolist(),
        )
        for run, top in zip(runs, tops, strict=True)
    ]


LONGEST = 3
"""French words of each of the sentences."""


class WordByWord(Card):
    """Have the model write one word after another, and change what it has read.

    Attributes
    ----------
    sentence : int
        What the encoder reads, of `ENGLISH`.
    written : int
        How many French words the decoder has written.
    """

    _esm = bundle("word_by_word.js")
    _css = stylesheet("word_by_word.css")

    sentences = (
        Sentence(
            "word",
            "The encoder has read “{english}”, and the decoder has read “{so_far}”. "
            "The most likely next word is “{next}”, with a probability of {share:.2f}.",
            lambda fact: fact["next"] != MARKS[END],
        ),
        Sentence(
            "end",
            "The encoder has read “{english}”, and the decoder has read “{so_far}”. "
            "The most likely next token is the end mark, with a probability of "
            "{share:.2f}. The translation is complete.",
            lambda fact: fact["next"] == MARKS[END],
        ),
    )

    title = sent(t.Unicode("One word after another"))
    sentence = choice(0, ENGLISH, "The encoder reads")
    written = setting(t.Int(0, min=0, max=LONGEST))
    english = sent(t.List(list(ENGLISH), read_only=True))
    measured = sent(t.List(read_only=True))

    @t.default("measured")
    def _default_measured(self) -> list[dict[str, Any]]:
        return [found._asdict() for found in _measured()]

    def numbers(self) -> dict[str, list[float]]:
        """Give the probabilities of the likeliest next words."""
        return {"next": _measured()[self.sentence].shares[self.written]}

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state."""
        found = _measured()[self.sentence]
        return {
            "english": ENGLISH[self.sentence],
            "so_far": " ".join(found.words[: self.written + 1]),
            "next": found.likely[self.written][0],
            "share": found.shares[self.written][0],
        }

    def pictures(self) -> list[str]:
        """Draw the likeliest next words."""
        found = _measured()[self.sentence]
        return [bars(found.likely[self.written], found.shares[self.written])]
