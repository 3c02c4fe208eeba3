"""Texts, sentences and pairs that the real model reads, all written for this course.

The first token of a text is special to the model (chapter 9, *sinks*), so each sentence
begins with a word that no experiment compares.
"""

import json
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

_STORED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

TEXTS: dict[str, str] = _STORED["texts"]
"""Six texts of different kinds."""

OTHER_TEXTS: dict[str, str] = _STORED["other_texts"]
"""Six texts by another author, to test what was chosen on `TEXTS`."""

QUOTED = tuple(_STORED["quoted"])
"""Sentences that begin with a quotation mark."""

REPEATED = 40
"""Length of a sequence of random words; the sequence then occurs a second time."""


class Pair(NamedTuple):
    """Two sentences that differ in one word, which decides between two nouns.

    After each sentence comes the text of its `question`. The next word should then be
    the noun that the sentence means.
    """

    nouns: tuple[str, str]  # meant by the first and by the second sentence
    sentences: tuple[str, str]
    question: tuple[str, str]


_AFTER = (  # the deciding word comes after "it": start, nouns, deciding words
    (
        "Yesterday the {a} sat on the {b} because it was",
        "cat mat, dog rug, bird bed, horse grass, lion rock, fox snow, cow hay, duck "
        "chair, child floor",
        "tired soft, hungry warm, sleepy flat",
    ),
    (
        "Yesterday the {a} did not cross the {b} because it was too",
        "animal street, dog road, cat river, horse bridge, bear lake, boy field, girl "
        "square, wolf forest, man desert",
        "tired wide, scared long, weak busy",
    ),
    (
        "Yesterday the {a} did not fit into the {b} because it was too",
        "ball box, book bag, lamp drawer, bottle basket, table room, car garage, "
        "picture frame, ship tunnel, coat case",
        "big small, large narrow, wide tight",
    ),
    (
        "Yesterday the {a} ate the {b} because it was",
        "dog cake, bird bread, horse apple, cat fish, mouse cheese, bear honey, pig "
        "corn, monkey fruit, girl soup",
        "hungry fresh, greedy sweet, starving delicious",
    ),
)

_AFTER_OTHERS = (  # in the form of `_AFTER`, by another author
    (
        "Last week the {a} hid behind the {b} because it was",
        "fox tree, cat wall, mouse box, rabbit stone, deer house, boy door, "
        "bird rock, snake bush, dog car",
        "afraid tall, shy wide, scared large",
    ),
    (
        "At noon the {a} could not pass through the {b} because it was too",
        "truck gate, piano door, bus tunnel, elephant hole, cow fence, "
        "boat bridge, bed window, table hall, wagon street",
        "fat tight, huge narrow, big small",
    ),
    (
        "At night the {a} drank the {b} because it was",
        "cat milk, dog water, bear juice, boy tea, girl coffee, horse beer, "
        "baby soup, pig wine, man drink",
        "thirsty fresh, lazy sweet, old warm",
    ),
    (
        "In the end the {a} broke the {b} because it was so",
        "hammer glass, stone window, ball lamp, storm roof, wave boat, "
        "wind tree, truck bridge, knife rope, bullet plate",
        "strong weak, hard thin, heavy old",
    ),
)


def after(*, others: bool = False) -> list[Pair]:
    """Return 36 pairs, or 36 other pairs, with the deciding word after *it*."""
    pairs = []
    for start, nouns, words in _AFTER_OTHERS if others else _AFTER:
        deciding = [each.split() for each in words.split(", ")]
        for i, each in enumerate(nouns.split(", ")):
            a, b = each.split()
            begun = start.format(a=a, b=b)
            last = deciding[i % len(deciding)]
            first, second = (f"{begun} {word}" for word in last)
            questions = tuple(f". What was {word}? The" for word in last)
            pairs.append(Pair((a, b), (first, second), questions))
    return pairs


_VERBS = {
    "ate": "apple cake",
    "read": "book letter",
    "drove": "car truck",
    "wore": "shirt hat",
    "drank": "milk coffee",
    "played": "piano guitar",
    "opened": "door window",
    "sang": "song",
    "rode": "horse bike",
}


_OTHER_VERBS = {
    "cooked": "rice soup",
    "baked": "bread pie",
    "climbed": "tree mountain",
    "mailed": "letter package",
    "painted": "wall fence",
    "milked": "cow goat",
    "watered": "garden plant",
    "burned": "wood paper",
    "hunted": "bear fox",
}
_BEGUN = "Yesterday Anna saw the {} and the {}. Then she"
_OTHERS_BEGUN = "This morning Ben found the {} and the {}. Later he"


def before(word: str = "it", *, others: bool = False) -> list[Pair]:
    """Return 36 pairs in which the verb before the last word decides.

    The last `word` is *it*, or a word that stands for neither noun. The `others` are 36
    pairs by another author, with other verbs.
    """
    verbs, start = (_OTHER_VERBS, _OTHERS_BEGUN) if others else (_VERBS, _BEGUN)
    pairs = []
    for i, (one, two) in enumerate(combinations(verbs, 2)):
        a, b = (verbs[verb].split() for verb in (one, two))
        nouns = a[i % len(a)], b[(i // 2) % len(b)]
        order = nouns if i % 2 else nouns[::-1]
        begun = start.format(*order)
        first, second = (f"{begun} {verb} {word}" for verb in (one, two))
        pairs.append(Pair(nouns, (first, second), (", the", ", the")))
    return pairs


_EACH = list(_STORED["senses"].items())  # the two senses of a word follow each other
SENSES: dict[str, tuple[list[str], list[str]]] = {
    word: (one, two)
    for (word, one), (_, two) in zip(_EACH[::2], _EACH[1::2], strict=True)
}
"""Sentences with the first and the second sense of their last word, by this word."""
