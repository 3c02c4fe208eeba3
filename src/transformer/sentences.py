"""Random sentences of the grammar, for training and for tests.

Two sets are held out of training: one sentence in ten, by its checksum, and every
sentence with a held-out pair, an adjective and the noun that it describes. A fifth of
all pairs of an adjective and a noun is held out.
"""

import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from transformer.grammar import (
    PRONOUNS,
    Action,
    Because,
    NounPhrase,
    PlacePhrase,
    Play,
    SentencePair,
    StateClause,
    Subject,
    ToEat,
    realise,
    refer_to,
    thing_of,
)
from transformer.lexicon import (
    ACTIVITIES,
    ADJECTIVES,
    EITHER,
    FEELINGS,
    GAMES,
    KINDS,
    NOUNS,
    PLAY,
    QUALITIES,
    TO_EAT,
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
THING: tuple[Kind, ...] = ("thing",)
OF_OBJECT = tuple(quality for quality in QUALITIES if quality not in EITHER)

NOUN_FORMS = frozenset(word for noun in NOUNS for word in noun.english)

HELD_OUT_PAIRS = frozenset(
    (adjective.english, noun.english[0])
    for i, adjective in enumerate(ADJECTIVES)
    for j, noun in enumerate(NOUNS)
    if (i + j) % 5 == 0
)
"""A fifth of all pairs of an adjective and a noun, and a fifth of each word's pairs."""


SETS = {"held-out sentences": False, "held-out pairs": True}
"""Test sets, and whether their sentences have held-out pairs."""


def has_held_out_pair(sentence: SentencePair) -> bool:
    """Return whether a sentence contains a held-out pair."""
    return not HELD_OUT_PAIRS.isdisjoint(sentence.pairs)


def is_held_out(english: Sequence[str]) -> bool:
    """Return whether English words are held out by their checksum: one in ten.

    Sentences without a noun, such as *I dance* and *we are not good*, are never held
    out, because many of them are the only sentence with a certain form of a verb.
    """
    if NOUN_FORMS.isdisjoint(english):
        return False
    return zlib.crc32(" ".join(english).encode()) % 10 == 0


def draw(rng: random.Random) -> SentencePair:
    """Return a random sentence: its kind is drawn first, then each part."""
    return realise(draw_clause(rng))


def draw_clause(rng: random.Random) -> Action | StateClause | Because:
    """Return a random clause; half have a reason, because this is hardest to learn."""
    kinds = draw_action, draw_activity, draw_state, draw_because, draw_it, draw_it
    return rng.choice(kinds)(rng)


def draw_action(rng: random.Random) -> Action:
    """Return a random *the small cat ate a red apple* or *I play football*."""
    verb = rng.choice((*VERBS, PLAY))
    most = 2  # adjectives of a noun
    if verb is PLAY:
        object_ = Play(rng.choice(GAMES))
    elif verb in TO_EAT and rng.random() < 0.5:
        most = 1
        object_ = ToEat(draw_phrase(rng, ("food",), most))
    else:
        object_ = draw_phrase(rng, verb.objects, most)
    return Action(draw_subject(rng, most), verb, object_, past=rng.random() < 0.5)


def draw_activity(rng: random.Random, most: int = 2) -> Action:
    """Return a random sentence such as *the cat sat* or *she danced on a table*."""
    place = None
    if rng.random() < 0.5:
        place = PlacePhrase(draw_phrase(rng, THING, min(most, 1)))
    subject, verb = draw_subject(rng, most), rng.choice(ACTIVITIES)
    return Action(subject, verb, place, past=rng.random() < 0.5)


def draw_state(rng: random.Random) -> StateClause:
    """Return a random sentence such as *the water is not cold* or *I am good*."""
    past, negated = rng.random() < 0.5, rng.random() < 0.25
    if rng.random() < 0.5:
        subject, predicates = draw_subject(rng, 1), FEELINGS
    else:
        subject, predicates = draw_phrase(rng, KINDS, 1), QUALITIES
    return StateClause(subject, rng.choice(predicates), past, negated)


def draw_because(rng: random.Random) -> Because:
    """Return a random sentence such as *the man ate the food because he was hungry*."""
    return draw_reason(draw_plain(rng), rng)


def draw_it(rng: random.Random) -> Because:
    """Return a random sentence such as *a dog ate the food because it was hungry*.

    Subject and object (or place) have the same English pronoun, so only the reason
    determines which of them is meant.
    """
    while True:
        action = draw_plain(rng)
        thing = thing_of(action.object)
        if thing and refer_to(thing).word == refer_to(action.subject).word:
            return draw_reason(action, rng)


def draw_reason(action: Action, rng: random.Random) -> Because:
    """Return an action with a random reason.

    The reason is a feeling (of the subject), a quality (of the object or place), or a
    quality that fits both. In the last case both are meant equally often.
    """
    subject, thing = action.subject, thing_of(action.object)
    group = rng.choice((FEELINGS, OF_OBJECT, EITHER) if thing else (FEELINGS, EITHER))
    if group is EITHER:
        of = rng.choice([part for part in (subject, thing) if part])
    else:
        of = subject if group is FEELINGS else thing
    return Because(
        action, StateClause(refer_to(of), rng.choice(group), action.past, of=of)
    )


def draw_plain(rng: random.Random) -> Action:
    """Return a random action without adjectives; its object, if any, is lifeless."""
    if rng.random() < 0.5:
        return draw_activity(rng, 0)
    verb = rng.choice((*VERBS, PLAY))
    object_ = (
        Play(rng.choice(GAMES)) if verb is PLAY else draw_phrase(rng, lifeless(verb), 0)
    )
    return Action(draw_subject(rng, 0), verb, object_, past=rng.random() < 0.5)


def draw_subject(rng: random.Random, most: int) -> Subject:
    """Return a random subject that can act or feel: a pronoun, person or animal."""
    if rng.random() < 0.3:
        return rng.choice(PRONOUNS)
    return draw_phrase(rng, LIVING, most)


def draw_phrase(rng: random.Random, kinds: tuple[Kind, ...], most: int) -> NounPhrase:
    """Return a random noun phrase with at most `most` adjectives."""
    noun = rng.choice(nouns_of(kinds))
    adjectives = draw_adjectives(rng, rng.randint(0, most))
    if noun.mass:
        return NounPhrase("the", adjectives, noun)
    article, plural = rng.choice(ARTICLES)
    return NounPhrase(article, adjectives, noun, plural)


def lifeless(verb: Verb) -> tuple[Kind, ...]:
    """Return the kinds of lifeless objects that a verb takes."""
    return tuple(kind for kind in verb.objects if kind not in LIVING)


@cache
def nouns_of(kinds: tuple[Kind, ...]) -> list[Noun]:
    """Return the nouns of some kinds."""
    return [noun for noun in NOUNS if noun.kind in kinds]


def draw_adjectives(rng: random.Random, number: int) -> tuple[Adjective, ...]:
    """Return random adjectives; the first of two stands before the French noun."""
    if number < 2:
        return tuple(rng.sample(ADJECTIVES, number))
    return rng.choice(BEFORE), rng.choice(AFTER)


def training_sentences(seed: int) -> Iterator[SentencePair]:
    """Yield training sentences without end; none of them is held out."""
    rng = random.Random(seed)
    while True:
        sentence = draw(rng)
        if not (is_held_out(sentence.english) or has_held_out_pair(sentence)):
            yield sentence


def held_out_sentences(
    count: int, *, pairs: bool, ambiguous: bool = False
) -> list[SentencePair]:
    """Return different sentences that training never shows.

    With `pairs` they contain a held-out pair of words. Otherwise they are held out by
    their checksum, and training shows all of their pairs. If `ambiguous`, the sentences
    have two right translations; otherwise they have one.
    """
    rng = random.Random("test 0")
    draw_one = draw_it if ambiguous else draw_clause
    found: dict[tuple[str, ...], SentencePair] = {}
    while len(found) < count:
        clause = draw_one(rng)
        if not (pairs or is_held_out(clause.english())):
            continue  # checked first, because `realise` takes longest
        sentence = realise(clause)
        if has_held_out_pair(sentence) == pairs and bool(sentence.other) == ambiguous:
            found[sentence.english] = sentence
    return list(found.values())


def phrases(kinds: tuple[Kind, ...], most: int) -> list[NounPhrase]:
    """Return every noun phrase that `draw_phrase` can return."""
    adjectives = [(), *((a,) for a in ADJECTIVES), *product(BEFORE, AFTER)]
    return [
        NounPhrase(article, described, noun, plural)
        for noun in nouns_of(kinds)
        for article, plural in ((("the", False),) if noun.mass else ARTICLES)
        for described in adjectives
        if len(described) <= most
    ]


def number_of_sentences() -> dict[str, int]:
    """Return the number of English sentences of the grammar, by kind."""

    def subjects(most: int) -> int:
        return len(PRONOUNS) + len(phrases(LIVING, most))

    feelings = subjects(1) * len(FEELINGS)
    qualities = len(phrases(KINDS, 1)) * len(QUALITIES)
    objects = sum(len(phrases(verb.objects, 2)) for verb in VERBS)
    places = 1 + len(phrases(THING, 1))  # 1 for no place
    tenses, signs = 2, 2
    return {
        "action": subjects(2) * objects * tenses,
        "purpose": subjects(1) * len(TO_EAT) * len(phrases(("food",), 1)) * tenses,
        "game": subjects(2) * len(GAMES) * tenses,
        "activity": subjects(2) * len(ACTIVITIES) * places * tenses,
        "state": (feelings + qualities) * tenses * signs,
        "because": actions_and_reasons() * tenses,
    }


def actions_and_reasons() -> int:
    """Return the number of actions with a reason, in one tense.

    A reason that fits subject and object gives one sentence if both have the same
    pronoun, else two sentences.
    """
    subjects = Counter(refer_to(s).word for s in (*PRONOUNS, *phrases(LIVING, 0)))
    things = Counter(refer_to(t).word for t in phrases(THING, 0) * len(ACTIVITIES))
    for verb in VERBS:
        things.update(refer_to(thing).word for thing in phrases(lifeless(verb), 0))
    of_subject = len(FEELINGS) + len(EITHER)
    without_thing = (len(ACTIVITIES) + len(GAMES)) * of_subject
    with_thing = things.total() * (of_subject + len(QUALITIES))
    shared = sum(subjects[word] * things[word] for word in things)
    return subjects.total() * (without_thing + with_thing) - shared * len(EITHER)
