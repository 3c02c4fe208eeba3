"""Byte-pair merges, one by one: letters become pieces of words."""

from collections import Counter
from itertools import pairwise
from typing import Any

import traitlets as t

from course.widgets.card import Card, Sentence
from course.widgets.card.still import pieces
from course.widgets.contract import sent, slider

TEXT = "she sells sea shells she shells sea shores"
MERGES = 9


def joined(pieces: list[str], pair: tuple[str, str]) -> list[str]:
    """Return a word's pieces after a merge of each occurrence of `pair`."""
    found: list[str] = []
    for piece in pieces:
        if found and (found[-1], piece) == pair:
            found[-1] += piece
        else:
            found.append(piece)
    return found


def merges(text: str, count: int) -> list[tuple[list[list[str]], str]]:
    """Return the pieces of each word after 0, 1, ... merges, and the newest piece.

    Each merge joins the most frequent pair of neighbours, in a tie the first pair.
    """
    words = [list(word) for word in text.split()]
    states = [(words, "")]
    for _ in range(count):
        pairs = Counter(pair for word in words for pair in pairwise(word))
        best = max(pairs, key=lambda pair: pairs[pair])
        words = [joined(word, best) for word in words]
        states.append((words, "".join(best)))
    return states


class WordPieces(Card, view="pieces"):
    """Step through the merges of a byte-pair tokenizer.

    Attributes
    ----------
    step : int
        Number of merges.
    """

    sentences = (
        Sentence(
            "letters",
            "Each letter is a piece. The text has {pieces} pieces of {kinds} kinds.",
            lambda fact: fact["step"] == 0,
        ),
        Sentence(
            "merged",
            "Merge {step} makes the piece “{newest}”. The text has {pieces} pieces of "
            "{kinds} kinds.",
            lambda fact: fact["step"] > 0,
        ),
    )

    title = sent(t.Unicode("Letters become pieces"))
    step = slider(0, range(MERGES + 1), "Merges")
    states = sent(t.List([list(s) for s in merges(TEXT, MERGES)], read_only=True))

    def facts(self) -> dict[str, Any]:
        """Return the newest piece, and the counts of pieces and of their kinds."""
        words, newest = self.states[self.step]
        found = [piece for word in words for piece in word]
        return {"newest": newest, "pieces": len(found), "kinds": len(set(found))}

    def pictures(self) -> list[str]:
        """Draw the pieces of each word in boxes."""
        return [pieces(self.states[self.step][0])]
