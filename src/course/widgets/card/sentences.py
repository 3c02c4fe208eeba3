"""What a figure says of itself, and when that is true."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Sentence(NamedTuple):
    """A sentence of a figure and the states in which it is the one that is true.

    Attributes
    ----------
    text : str
        With fields in braces: ``"The largest weight is {largest}."``
    holds : callable
        From the fields' values to whether the sentence is true of them.
    """

    text: str
    holds: Callable[[Mapping[str, Any]], bool]


def true_one(sentences: tuple[Sentence, ...], facts: Mapping[str, Any]) -> Sentence:
    """Find the sentence that is true of `facts`.

    Raises
    ------
    ValueError
        If none is, or more than one.
    """
    found = [sentence for sentence in sentences if sentence.holds(facts)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences hold, not one, of {dict(facts)}")
    return found[0]
