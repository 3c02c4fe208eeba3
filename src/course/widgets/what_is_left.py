"""How much of a word a recurrent state keeps, for each strength of its steps."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import traitlets as t

from course.kit.arrays import Array
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import choice, sent, slider

WORDS = ("dogs", "in", "the", "park", "behind", "the", "old", "house", "bark")
OTHERS = {0: "dog", 3: "parks", 7: "houses"}
"""Replacements for three of `WORDS`, by the position of the replaced word."""

WIDTH, SEED = 8, 0


class Drawn(NamedTuple):
    """The random numbers: the network's matrix, and a vector for each word."""

    W: Array  # shape (8, 8), orthogonal: multiplication by W keeps every length
    words: Array  # shape (9, 8): length about 1; both articles have the same vector
    others: Array  # shape (3, 8): vectors of the words in `OTHERS`


@cache
def drawn() -> Drawn:
    """Return the matrix and the vectors, drawn with seed 0."""
    rng = np.random.default_rng(SEED)
    q, r = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))
    words, others = (
        rng.standard_normal((n, WIDTH)) / np.sqrt(WIDTH)
        for n in (len(WORDS), len(OTHERS))
    )
    words[5] = words[2]
    return Drawn(q * np.sign(np.diag(r)), words, others)


def states(words: Array, W: Array, strength: float) -> Array:
    """Return the states of a network: ``h_t = tanh(strength h_{t-1} W + x_t)``.

    Parameters
    ----------
    words : ndarray, shape (n, d)
        Vector of each word.
    W : ndarray, shape (d, d)
    strength : float
        Each step first multiplies the old state by this number.

    Returns
    -------
    ndarray, shape (n, d)
        The state after each word.
    """
    h, found = np.zeros(len(W)), []
    for x in words:
        h = np.tanh(strength * h @ W + x)
        found.append(h)
    return np.array(found)


def left_of(place: int, strength: float) -> Array:
    """Return how far each state moves if the word at `place` is replaced.

    Returns
    -------
    ndarray, shape (9,)
        Distances, divided by the distance at `place`; 0 before `place`.
    """
    W, words, others = drawn()
    changed = words.copy()
    changed[place] = others[[*OTHERS].index(place)]
    difference = states(changed, W, strength) - states(words, W, strength)
    moved = np.linalg.norm(difference, axis=1)
    return moved / moved[place]


def _change(place: int) -> dict[str, Any]:
    """Return a replaced word, the other word, and the distance to the last word."""
    steps = len(WORDS) - 1 - place
    far = f"{steps} word{'s' * (steps > 1)}"
    return {"place": place, "word": WORDS[place], "other": OTHERS[place], "far": far}


class WhatIsLeft(Card, view="what_is_left"):
    """Weaken a network's steps and see what its states keep of a word.

    Attributes
    ----------
    strength : int
        Each step first multiplies the old state by this share, 0 to 100 percent.
    changed : int
        Index of the replaced word among the words of `OTHERS`.
    """

    sentences = (
        Sentence(
            "nothing",
            "At 0%, no state keeps anything of an earlier word.",
            lambda fact: fact["strength"] == 0,
        ),
        Sentence(
            "weaker",
            "With {other} in place of {word} the state differs. Each step keeps at "
            "most {strength}% of this difference. At {last}, {far} later, {left:.3f} "
            "of the difference is left.",
            lambda fact: 0 < fact["strength"] < 100,
        ),
        Sentence(
            "full",
            "At 100%, the matrix keeps the length of the difference. Only tanh "
            "shrinks it. At {last}, {far} later, {left:.3f} of the difference between "
            "{word} and {other} is left.",
            lambda fact: fact["strength"] == 100,
        ),
    )

    title = sent(t.Unicode("What is left of a word"))
    strength = slider(75, range(0, 101, 5), "Strength of each step, in %")
    changed = choice(
        0, [f"{WORDS[i]} or {other}" for i, other in OTHERS.items()], "Change a word"
    )
    words = sent(t.List(list(WORDS), read_only=True))
    changes = sent(t.List([*map(_change, OTHERS)], read_only=True))
    drawn = sent(
        t.Dict(read_only=True),
        lambda card: {name: part.tolist() for name, part in drawn()._asdict().items()},
    )

    def _place(self) -> int:
        return [*OTHERS][self.changed]

    def numbers(self) -> dict[str, Array]:
        """Return the share of the difference that each state keeps, shape (9,)."""
        return {"left": left_of(self._place(), self.strength / 100)}

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        left = float(self.numbers()["left"][-1])
        return {**_change(self._place()), "left": left, "last": WORDS[-1]}

    def pictures(self) -> list[str]:
        """Draw the share of the difference that is left after each word."""
        return [bars(WORDS, self.numbers()["left"])]
