"""Sentences of the grammar: those to learn from, and those that are held out.

Two kinds are held out of training entirely: one sentence in ten, by its checksum, and
every sentence in which an adjective meets a noun that it is never seen with, a fifth
of all pairs.
"""

import random
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import product

from transformer.grammar import (
    PRONOUNS,
    Action,
    Because,
    NounPhrase,
    Sentence,
    State,
    Subject,
    realise,
    refer_to,
)
from transformer.lexicon import (
    ADJECTIVES,
    FEELINGS,
    KINDS,
    NOUNS,
    QUALITIES,
    VERBS,
    Adjective,
    Kind,
    Noun,
    Verb,
)

BEFORE = tuple(adjective for adjective in ADJECTIVES if adjective.before)
AFTER = tuple(adjective for adjective in ADJECTIVES if not adjective.before)
ARTICLES = (("the", False), ("a", False), ("the", True), ("two", True))
LIVING: tuple[Kind, ...] = ("person", "animal")

HELD_OUT_PAIRS = frozenset(
    (adjective.english, noun.english[0])
    for i, adjective in enumerate(ADJECTIVES)
    for j, noun in enumerate(NOUNS)
    if (i + j) % 5 == 0
)
"""A fifth of all pairs of an adjective and a noun, evenly over both."""


def has_held_out_pair(sentence: Sentence) -> bool:
    """Return whether an adjective meets a noun that it never meets in training."""
    return not HELD_OUT_PAIRS.isdisjoint(sentence.pairs)


def is_held_out(sentence: Sentence) -> bool:
    """Return whether a sentence is kept for the test: one in ten, by its checksum."""
    return zlib.crc32(" ".join(sentence.english).encode()) % 10 == 0


def draw(rng: random.Random) -> Sentence:
    """Draw a sentence: first what kind it is, then its parts, each part evenly."""
    return realise(rng.choice((draw_action, draw_state, draw_because))(rng))


def draw_action(rng: random.Random) -> Action:
    """Draw a sentence such as *the small cat ate a red apple*."""
    subject, verb = draw_subject(rng, 2), rng.choice(VERBS)
    object_ = draw_phrase(rng, verb.objects, 2)
    return Action(subject, verb, object_, past=rng.random() < 0.5)


def draw_state(rng: random.Random) -> State:
    """Draw a sentence such as *the water is not cold* or *I am good*."""
    past, negated = rng.random() < 0.5, rng.random() < 0.25
    if rng.random() < 0.5:
        subject, said = draw_subject(rng, 1), FEELINGS
    else:
        subject, said = draw_phrase(rng, KINDS, 1), QUALITIES
    return State(subject, rng.choice(said), past, negated)


def draw_because(rng: random.Random) -> Because:
    """Draw a sentence such as *a dog ate the food because it was hungry*."""
    subject, verb = draw_subject(rng, 0), rng.choice(VERBS)
    object_ = draw_phrase(rng, lifeless(verb), 0)
    past = rng.random() < 0.5
    if rng.random() < 0.5:
        of, said = subject, rng.choice(FEELINGS)
    else:
        of, said = object_, rng.choice(QUALITIES)
    reason = State(refer_to(of), said, past, of=of)
    return Because(Action(subject, verb, object_, past), reason)


def draw_subject(rng: random.Random, most: int) -> Subject:
    """Draw someone who can act or feel: a pronoun, a person or an animal."""
    if rng.random() < 0.3:
        return rng.choice(PRONOUNS)
    return draw_phrase(rng, LIVING, most)


def draw_phrase(rng: random.Random, kinds: tuple[Kind, ...], most: int) -> NounPhrase:
    """Draw a noun phrase with at most `most` adjectives."""
    noun = rng.choice(nouns_of(kinds))
    adjectives = draw_adjectives(rng, rng.randint(0, most))
    if noun.mass:
        return NounPhrase("the", adjectives, noun)
    article, plural = rng.choice(ARTICLES)
    return NounPhrase(article, adjectives, noun, plural)


def lifeless(verb: Verb) -> tuple[Kind, ...]:
    """Return the kinds of objects of a verb that feel nothing."""
    return tuple(kind for kind in verb.objects if kind not in LIVING)


@cache
def nouns_of(kinds: tuple[Kind, ...]) -> list[Noun]:
    """Return the nouns of some kinds."""
    return [noun for noun in NOUNS if noun.kind in kinds]


def draw_adjectives(rng: random.Random, number: int) -> tuple[Adjective, ...]:
    """Draw adjectives; of two, the first stands before the French noun."""
    if number < 2:
        return tuple(rng.sample(ADJECTIVES, number))
    return rng.choice(BEFORE), rng.choice(AFTER)


def training_sentences(seed: int) -> Iterator[Sentence]:
    """Yield training sentences without end: nothing that is held out."""
    rng = random.Random(seed)
    while True:
        sentence = draw(rng)
        if not (is_held_out(sentence) or has_held_out_pair(sentence)):
            yield sentence


def held_out_sentences(count: int, *, pairs: bool, seed: int = 0) -> list[Sentence]:
    """Return different sentences that training never shows.

    Parameters
    ----------
    count : int
        How many.
    pairs : bool
        Sentences with a held-out pair of adjective and noun; otherwise held-out
        sentences all of whose pairs are known.
    seed : int, default 0
        Of the draw.

    Returns
    -------
    list of Sentence
    """
    rng = random.Random(f"test {seed}")
    found: dict[tuple[str, ...], Sentence] = {}
    while len(found) < count:
        sentence = draw(rng)
        if has_held_out_pair(sentence) == pairs and (pairs or is_held_out(sentence)):
            found[sentence.english] = sentence
    return list(found.values())


def phrases(kinds: tuple[Kind, ...], most: int) -> list[NounPhrase]:
    """Return every noun phrase that `draw_phrase` can draw."""
    adjectives = [(), *((a,) for a in ADJECTIVES), *product(BEFORE, AFTER)]
    return [
        NounPhrase(article, described, noun, plural)
        for noun in nouns_of(kinds)
        for article, plural in ((("the", False),) if noun.mass else ARTICLES)
        for described in adjectives
        if len(described) <= most
    ]


def number_of_sentences() -> dict[str, int]:
    """Count the sentences of the grammar, by kind.

    Returns
    -------
    dict of str to int
    """

    def subjects(most: int) -> int:
        return len(PRONOUNS) + len(phrases(LIVING, most))

    felt = subjects(1) * len(FEELINGS)
    seen = len(phrases(KINDS, 1)) * len(QUALITIES)
    objects = sum(len(phrases(verb.objects, 2)) for verb in VERBS)
    things = sum(len(phrases(lifeless(verb), 0)) for verb in VERBS)
    reasons = len(FEELINGS) + len(QUALITIES)
    tenses, signs = 2, 2
    return {
        "action": subjects(2) * objects * tenses,
        "state": (felt + seen) * tenses * signs,
        "because": subjects(0) * things * tenses * reasons,
    }
