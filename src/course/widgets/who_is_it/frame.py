"""The one pattern of sentences that the stacks know, and its lists of words."""

from transformer.small.pronouns import (
    ADJECTIVES,
    ANIMALS,
    HELD_OUT,
    OF_ANIMALS,
    PREPOSITIONS,
    THINGS,
    VERBS,
)

NOUNS = (*ANIMALS, *THINGS)
FRAME = (
    ("the",),
    NOUNS,
    VERBS,
    PREPOSITIONS,
    ("the",),
    NOUNS,
    ("because",),
    ("it",),
    ("was",),
    ADJECTIVES,
)
"""For each place of a sentence, the words that may stand there."""
SLOTS = {"first": 1, "verb": 2, "preposition": 3, "second": 5, "last": 9}
"""Places at which the reader chooses a word, by trait."""
NOUNS_AT = (SLOTS["first"], SLOTS["second"])
NEW = tuple(f"{noun} *" if noun in HELD_OUT else noun for noun in NOUNS)
"""The nouns as a list shows them. Training sentences have no noun with a star."""


def fits(noun: str, last: str) -> bool:
    """Whether the last word can describe this kind of noun."""
    return (noun in ANIMALS) == (last in OF_ANIMALS)
