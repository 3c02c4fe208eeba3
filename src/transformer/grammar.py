"""A toy grammar of English and French: each sentence has one or two right translations.

The grammar is finite:

=============  ==================================  ====================================
sentence       English                             French
=============  ==================================  ====================================
action         the small cat ate a red apple       le petit chat a mangé une pomme rouge
purpose        I bought an apple to eat            j'ai acheté une pomme à manger
game           I play football                     je joue au football
activity       the cat sat (on the mat)            le chat s'est assis (sur le tapis)
state          the water is not cold, I am good    l'eau n'est pas froide, je vais bien
because        a dog ate the food because it was   un chien a mangé la nourriture car il
               hungry                              avait faim
=============  ==================================  ====================================

The languages differ in these points, which the translator has to learn:

- **order**: adjectives follow the French noun, except *petit*, *grand* and *joli*;
- **agreement**: article and adjective agree with the noun, the verb with its person,
  and after *être* the participle with the subject: *elle est tombée*;
- **phrases**: *I am good* is *je vais bien*, *I am hungry* is *j'ai faim*;
- **negation and past**: one English word becomes two French words (*ne ... pas*,
  *a mangé*) or three (*s'est assis*);
- **elision**: *le*, *la*, *je*, *me*, *se*, *ne* lose their vowel before a vowel or a
  mute h;
- **reference**: *it* is *il* or *elle*. A feeling (hungry, tired) belongs to the
  subject, a quality (red, cold) to the object: in "a dog ate the apple because it was
  red" *it* is the apple, *elle*.

Four qualities (small, big, heavy, wet) fit the subject and the object. So "a dog ate
the apple because it was small" has two right translations.

English gives no gender to *I*, *we*, and a *they* without a noun before it; in French
all three are masculine. A sentence has 2 to 10 English words.
"""

from dataclasses import dataclass

from transformer.lexicon import (
    BE,
    EITHER,
    QUALITIES,
    Adjective,
    Game,
    Gender,
    Noun,
    Predicate,
    Verb,
)

MAX_WORDS, MAX_FRENCH = 10, 12  # words of the longest English and French sentence
FRENCH_ARTICLES = {  # French forms: le, la, les (m), les (f)
    "the": ("le", "la", "les", "les"),
    "a": ("un", "une"),
    "two": ("deux",) * 4,
}
ELIDED = {"le": "l'", "la": "l'", "je": "j'", "me": "m'", "se": "s'", "ne": "n'"}
REFLEXIVE = ("me", "se", "nous", "se")  # je, il, nous, ils
VOWELS = "aeiouâéœ"
MUTE_H = {"homme", "hommes"}

Aligned = tuple[str, tuple[int, ...]]
"""A French word with the positions of the English words that it translates."""


@dataclass(frozen=True)
class NounPhrase:
    """An article, up to two adjectives and a noun."""

    article: str
    adjectives: tuple[Adjective, ...]
    noun: Noun
    plural: bool = False

    @property
    def gender(self) -> Gender:
        """The gender of the French noun."""
        return self.noun.gender

    @property
    def person(self) -> int:
        """Index of the verb form: 1 as for *he*, 3 as for *they*."""
        return 3 if self.plural else 1

    def english(self) -> list[str]:
        """Return the English words; *a* is *an* before a vowel."""
        words = [a.english for a in self.adjectives] + [self.noun.english[self.plural]]
        vowel = words[0][0] in "aeiou"
        return ["an" if self.article == "a" and vowel else self.article, *words]

    def french(self, start: int) -> list[Aligned]:
        """Return the French words; the English words begin at position `start`."""
        agree = agreement(self)
        placed = [(a, (start + 1 + i,)) for i, a in enumerate(self.adjectives)]
        noun = (start + 1 + len(placed),)
        return [
            (FRENCH_ARTICLES[self.article][agree], (start,)),
            *((a.french[agree], at) for a, at in placed if a.before),
            (self.noun.french[self.plural], noun),
            *((a.french[agree], at) for a, at in placed if not a.before),
        ]


@dataclass(frozen=True)
class Pronoun:
    """A pronoun as a subject."""

    word: str
    translation: str
    person: int
    gender: Gender = "m"

    @property
    def plural(self) -> bool:
        """Whether an adjective takes its plural form."""
        return self.person >= 2

    def english(self) -> list[str]:
        """Return the English word."""
        return [self.word]

    def french(self, start: int) -> list[Aligned]:
        """Return the French word."""
        return [(self.translation, (start,))]


Subject = NounPhrase | Pronoun


def agreement(subject: Subject) -> int:
    """Return the index of the form that agrees: le, la, les (m), les (f)."""
    return 2 * subject.plural + (subject.gender == "f")


PRONOUNS = (
    Pronoun("I", "je", 0),
    Pronoun("he", "il", 1),
    Pronoun("she", "elle", 1, "f"),
    Pronoun("we", "nous", 2),
    Pronoun("they", "ils", 3),
)


def refer_to(phrase: Subject) -> Pronoun:
    """Return the pronoun for a phrase; a pronoun stands for itself."""
    if isinstance(phrase, Pronoun):
        return phrase
    french = ("il", "elle", "ils", "elles")[agreement(phrase)]
    if phrase.plural:
        english = "they"
    elif phrase.noun.kind == "person":
        english = "he" if phrase.gender == "m" else "she"
    else:
        english = "it"
    return Pronoun(english, french, phrase.person, phrase.gender)


@dataclass(frozen=True)
class Play:
    """A game as the object of *play*."""

    game: Game

    def english(self) -> list[str]:
        """Return the English word."""
        return [self.game.english]

    def french(self, start: int) -> list[Aligned]:
        """Return the French words."""
        return [(word, (start,)) for word in self.game.french]


@dataclass(frozen=True)
class PlacePhrase:
    """The place of an activity: *on the mat*."""

    thing: NounPhrase

    def english(self) -> list[str]:
        """Return the English words."""
        return ["on", *self.thing.english()]

    def french(self, start: int) -> list[Aligned]:
        """Return the French words; the English words begin at position `start`."""
        return [("sur", (start,)), *self.thing.french(start + 1)]


@dataclass(frozen=True)
class ToEat:
    """Food with a purpose: *an apple to eat*."""

    thing: NounPhrase

    def english(self) -> list[str]:
        """Return the English words."""
        return [*self.thing.english(), "to", "eat"]

    def french(self, start: int) -> list[Aligned]:
        """Return the French words; the English words begin at position `start`."""
        to = start + len(self.thing.english())
        return [*self.thing.french(start), ("à", (to,)), ("manger", (to + 1,))]


Object = NounPhrase | Play | PlacePhrase | ToEat


def thing_of(part: Subject | Object | None) -> NounPhrase | None:
    """Return the noun phrase in a part of a sentence, if there is one."""
    if isinstance(part, PlacePhrase | ToEat):
        return part.thing
    return part if isinstance(part, NounPhrase) else None


@dataclass(frozen=True)
class Action:
    """A subject, a verb, and an object, a game, a place or nothing."""

    subject: Subject
    verb: Verb
    object: Object | None
    past: bool

    @property
    def kind(self) -> str:
        """Kind of the sentence, which depends on the object."""
        kinds = {NounPhrase: "action", ToEat: "purpose", Play: "game"}
        return kinds.get(type(self.object), "activity")

    def english(self) -> list[str]:
        """Return the English words."""
        verb = self.verb.english[2 if self.past else self.subject.person == 1]
        object_ = self.object.english() if self.object else []
        return [*self.subject.english(), verb, *object_]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words, each with the English words that it translates."""
        at = start + len(self.subject.english())
        return [
            *self.subject.french(start),
            *((word, (at,)) for word in self._verb()),
            *(self.object.french(at + 1) if self.object else []),
        ]

    def _verb(self) -> list[str]:
        """Return the French words of the verb."""
        person, agree = self.subject.person, agreement(self.subject)
        reflexive = [REFLEXIVE[person]] if self.verb.reflexive else []
        if not self.past:
            return [*reflexive, self.verb.french[person]]
        auxiliary = self.verb.auxiliary.present[person]
        return [*reflexive, auxiliary, self.verb.participle[agree]]

    def pairs(self) -> set[tuple[str, str]]:
        """Return the pairs of an adjective and the noun that it describes."""
        return described(self.subject) | described(thing_of(self.object))


@dataclass(frozen=True)
class StateClause:
    """A subject is or feels something; `of` is the phrase that a pronoun stands for."""

    subject: Subject
    predicate: Predicate
    past: bool
    negated: bool = False
    of: Subject | None = None

    kind = "state"

    def english(self) -> list[str]:
        """Return the English words."""
        be = BE["past" if self.past else "present"][self.subject.person]
        negation = ["not"] if self.negated else []
        return [*self.subject.english(), be, *negation, self.predicate.english]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words, each with the English words that it translates."""
        subject, auxiliary = self.subject, self.predicate.auxiliary
        at = start + len(subject.english())
        forms = auxiliary.past if self.past else auxiliary.present
        verb = (forms[subject.person], (at,))
        word = self.predicate.french[agreement(subject)]
        predicate = (word, (at + 1 + self.negated,))
        negation = [("ne", (at + 1,)), verb, ("pas", (at + 1,))]
        middle = negation if self.negated else [verb]
        return [*subject.french(start), *middle, predicate]

    def pairs(self) -> set[tuple[str, str]]:
        """Return pairs (adjective, noun); a pronoun counts as the noun it means."""
        of = self.of or self.subject
        if isinstance(of, Pronoun) or self.predicate not in QUALITIES:
            return described(self.subject)
        pair = (self.predicate.english, of.noun.english[0])
        return described(self.subject) | {pair}


@dataclass(frozen=True)
class Because:
    """An action and its reason."""

    action: Action
    reason: StateClause

    kind = "because"

    def english(self) -> list[str]:
        """Return the English words."""
        return [*self.action.english(), "because", *self.reason.english()]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words, each with the English words that it translates."""
        at = start + len(self.action.english())
        return [*self.action.french(start), ("car", (at,)), *self.reason.french(at + 1)]

    def pairs(self) -> set[tuple[str, str]]:
        """Return the pairs of an adjective and its noun, in both readings."""
        other = self.other_reading()
        found = self.action.pairs() | self.reason.pairs()
        return found | (other.reason.pairs() if other else set())

    def other_reading(self) -> "Because | None":
        """Return the other meaning of the same English words, if there is one."""
        of, thing = self.reason.of, thing_of(self.action.object)
        other = thing if of == self.action.subject else self.action.subject
        if self.reason.predicate not in EITHER or not of or not other:
            return None
        if refer_to(other).word != refer_to(of).word:
            return None
        reason = StateClause(
            refer_to(other), self.reason.predicate, self.reason.past, of=other
        )
        return Because(self.action, reason)


def described(phrase: Subject | None) -> set[tuple[str, str]]:
    """Return the pairs (adjective, noun) inside a phrase."""
    if not isinstance(phrase, NounPhrase):
        return set()
    return {(a.english, phrase.noun.english[0]) for a in phrase.adjectives}


def elide(words: list[Aligned]) -> list[Aligned]:
    """Return the words; words in `ELIDED` lose their vowel before a vowel or mute h."""
    following = [word for word, _ in words[1:]] + ["."]
    return [
        (ELIDED[word] if word in ELIDED and opens_with_vowel(after) else word, at)
        for (word, at), after in zip(words, following, strict=True)
    ]


def opens_with_vowel(word: str) -> bool:
    """Return whether a French word begins with a vowel or a mute h."""
    return word[0] in VOWELS or word in MUTE_H


@dataclass(frozen=True)
class SentencePair:
    """A sentence of the grammar in both languages."""

    # The words; an elided word (``l'``) is a separate word.
    english: tuple[str, ...]
    french: tuple[str, ...]
    # For each French word the positions of the English words that it translates.
    alignment: tuple[tuple[int, ...], ...]
    # The English adjectives, each with the noun that it describes, in all readings.
    pairs: frozenset[tuple[str, str]]
    kind: str  # one of `KINDS_OF_SENTENCES`
    # The other right translation, if there are two: *il était petit*, *elle était
    # petite*. Otherwise empty.
    other: tuple[str, ...] = ()


KINDS_OF_SENTENCES = ("action", "purpose", "game", "activity", "state", "because")


def realise(clause: Action | StateClause | Because) -> SentencePair:
    """Return a clause as words of both languages."""
    french = elide(clause.french())
    words = tuple(word for word, _ in french)
    reading = clause.other_reading() if isinstance(clause, Because) else None
    other = tuple(word for word, _ in elide(reading.french())) if reading else words
    return SentencePair(
        tuple(clause.english()),
        words,
        tuple(at for _, at in french),
        frozenset(clause.pairs()),
        clause.kind,
        other if other != words else (),
    )


def text(words: tuple[str, ...] | list[str]) -> str:
    """Return words as text, without a space after an apostrophe."""
    return " ".join(words).replace("' ", "'")
