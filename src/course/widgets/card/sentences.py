"""The sentences of a figure, with facts to fill in.

A field names a fact and says how it is written: ``{largest:.3f}`` with three decimals;
``{d_k}`` a text, or a number in full; a list as "a, b, c". ``card/sentences.js`` does
the same.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from course.kit.prose import number

_FIELD = re.compile(r"\{(\w+)(?::([^}]*))?\}")
_DECIMALS = re.compile(r"\.(\d)f")


class Sentence(NamedTuple):
    """A sentence of a figure, and the test for the states in which it is true."""

    key: str  # the name for the view's call: view.say("largest", { largest })
    text: str  # with facts in braces: "The largest weight is {largest:.2f}."
    holds: Callable[[Mapping[str, Any]], bool]  # if the facts make the sentence true


def true_one(sentences: tuple[Sentence, ...], facts: Mapping[str, Any]) -> Sentence:
    """Return the only sentence that is true of `facts`, or raise ValueError."""
    found = [sentence for sentence in sentences if sentence.holds(facts)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences are true, not one, of {dict(facts)}")
    return found[0]


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """Return a sentence with the facts filled in; KeyError for an unknown fact."""
    return _FIELD.sub(lambda field: _written(facts[field[1]], field[2] or ""), text)


def _written(fact: Any, form: str) -> str:
    if isinstance(fact, str):
        return fact
    if isinstance(fact, list | tuple | np.ndarray):
        return ", ".join(_written(each, form) for each in fact)
    if decimals := _DECIMALS.fullmatch(form):
        return number(fact, int(decimals[1]))
    return number(fact, None)
