"""Words as numbers: two vocabularies with marks for padding, start and end."""

import difflib
import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from transformer.lexicon import (
    ACTIVITIES,
    ADJECTIVES,
    ALLER,
    AVOIR,
    BE,
    ETRE,
    FEELINGS,
    GAMES,
    NOUNS,
    PLAY,
    VERBS,
)

PAD, START, END = "<pad>", "<start>", "<end>"


class Vocabulary:
    """The words of one language, all different; a word's number is its index."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self.numbers = {word: i for i, word in enumerate(self.words)}
        if len(self.numbers) != len(self.words):
            raise ValueError("words must be different from each other")

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> list[int]:
        """Return the number of each word.

        An unknown word is a ValueError that names it and the nearest known word.
        """
        for word in words:
            if word not in self.numbers:
                near = difflib.get_close_matches(word, self.words, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise ValueError(
                    f"words must be of the grammar's {len(self)} words, got {word!r}"
                    f"{hint}"
                )
        return [self.numbers[word] for word in words]

    def decode(self, numbers: Iterable[int]) -> list[str]:
        """Return the words up to the end mark, without padding and start marks."""
        words = []
        for number in numbers:
            word = self.words[number]
            if word == END:
                break
            if word not in (PAD, START):
                words.append(word)
        return words

    def batch(self, sentences: Iterable[Sequence[str]]) -> NDArray[np.int64]:
        """Return sentences as the rows of an array, padded with `PAD` (0)."""
        rows = [self.encode(words) for words in sentences]
        numbers = np.zeros((len(rows), max(map(len, rows), default=0)), np.int64)
        for row, sentence in zip(numbers, rows, strict=True):
            row[: len(sentence)] = sentence
        return numbers


def split(sentence: str) -> list[str]:
    """Return the English words of a typed sentence, in the grammar's spelling.

    >>> split("A dog ate the food because it was hungry.")[:3]
    ['a', 'dog', 'ate']
    >>> split("i am good, not hungry; am I? yes!")
    ['I', 'am', 'good', 'not', 'hungry', 'am', 'I', 'yes']
    """
    words = re.findall(r"[^\s.,;:!?]+", sentence.lower())
    return ["I" if word == "i" else word for word in words]


def _english() -> list[str]:
    nouns = [word for noun in NOUNS for word in noun.english if word != "-"]
    verbs = [word for verb in (*VERBS, PLAY, *ACTIVITIES) for word in verb.english]
    games = [game.english for game in GAMES]
    function_words = ["the", "a", "an", "two", "I", "he", "she", "it", "we", "they"]
    be = [*BE["present"], *BE["past"], "not", "because", "on", "to"]
    adjectives = [adjective.english for adjective in ADJECTIVES]
    feelings = [feeling.english for feeling in FEELINGS]
    return [PAD, *function_words, *be, *nouns, *adjectives, *feelings, *verbs, *games]


def _french() -> list[str]:
    nouns = [word for noun in NOUNS for word in noun.french if word != "-"]
    every = (*VERBS, PLAY, *ACTIVITIES)
    verbs = [word for verb in every for word in verb.french + verb.participle]
    games = [word for game in GAMES for word in game.french]
    articles = ["le", "la", "l'", "les", "un", "une", "deux"]
    pronouns = ["je", "j'", "il", "elle", "nous", "ils", "elles"]
    reflexive = ["me", "m'", "se", "s'"]
    auxiliaries = [word for v in (ETRE, AVOIR, ALLER) for word in v.present + v.past]
    others = ["ne", "n'", "pas", "car", "sur", "à", "manger"]
    predicates = [word for one in (*ADJECTIVES, *FEELINGS) for word in one.french]
    small = [*articles, *pronouns, *reflexive, *others, *auxiliaries]
    return [PAD, START, END, *small, *nouns, *predicates, *verbs, *games]


ENGLISH = Vocabulary(dict.fromkeys(_english()))
FRENCH = Vocabulary(dict.fromkeys(_french()))
