"""A toy grammar of English and French: every sentence has one right translation.

The grammar is finite and small enough to be stated:

=============  ==============================  ================================
sentence       English                         French
=============  ==============================  ================================
action         the small cat ate a red apple   le petit chat a mangé une pomme
                                               rouge
state          the water is not cold           l'eau n'est pas froide
phrase         I am good                       je vais bien
because        a dog ate the food because it   un chien a mangé la nourriture
               was hungry                      car il avait faim
=============  ==============================  ================================

What differs between the languages, and so has to be learnt:

- **order**: adjectives follow the French noun, but for *petit*, *grand*, *joli*;
- **agreement**: article and adjective with the noun, the verb with its person;
- **phrases**: *I am good* is *je vais bien*, *I am hungry* is *j'ai faim*;
- **negation and past**: one English word, two French ones (*ne ... pas*, *a mangé*);
- **elision**: *le*, *la*, *je*, *ne* lose their vowel before a vowel or a mute h;
- **reference**: *it* is *il* or *elle*. What is felt (hungry, tired) is said of the
  subject, a quality (red, cold) of the object: "a dog ate the apple because it was
  red" has *elle*, the apple.

Where English says less than French a rule decides: *I*, *we* and a *they* that refers
to nothing before it are masculine. A sentence has 3 to 9 English words.
"""

from dataclasses import dataclass

from transformer.lexicon import (
    AVOIR,
    BE,
    QUALITIES,
    Adjective,
    Gender,
    Noun,
    Predicate,
    Verb,
)

MAX_WORDS = 9
ARTICLES = {  # French forms: le, la, les (m), les (f)
    "the": ("le", "la", "les", "les"),
    "a": ("un", "une"),
    "two": ("deux",) * 4,
}
ELIDED = {"le": "l'", "la": "l'", "je": "j'", "ne": "n'"}
VOWELS = "aeiouâéœ"
MUTE_H = {"homme", "hommes"}

Aligned = tuple[str, tuple[int, ...]]
"""A French word with the places of the English words that it translates."""


def form(gender: Gender, plural: bool) -> int:
    """Return which of the four forms agrees: le, la, les (m), les (f)."""
    return 2 * plural + (gender == "f")


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
        """Which form of a verb it takes: 1 as *he*, 3 as *they*."""
        return 3 if self.plural else 1

    def english(self) -> list[str]:
        """Return the English words; *a* is *an* before a vowel."""
        words = [a.english for a in self.adjectives] + [self.noun.english[self.plural]]
        vowel = words[0][0] in "aeiou"
        return ["an" if self.article == "a" and vowel else self.article, *words]

    def french(self, start: int) -> list[Aligned]:
        """Return the French words of a phrase whose English begins at `start`."""
        agree = form(self.gender, self.plural)
        placed = [(a, (start + 1 + i,)) for i, a in enumerate(self.adjectives)]
        noun = (start + 1 + len(placed),)
        return [
            (ARTICLES[self.article][agree], (start,)),
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
        """Whether an adjective takes its plural."""
        return self.person >= 2

    def english(self) -> list[str]:
        """Return the English word."""
        return [self.word]

    def french(self, start: int) -> list[Aligned]:
        """Return the French word."""
        return [(self.translation, (start,))]


Subject = NounPhrase | Pronoun
PRONOUNS = (
    Pronoun("I", "je", 0),
    Pronoun("he", "il", 1),
    Pronoun("she", "elle", 1, "f"),
    Pronoun("we", "nous", 2),
    Pronoun("they", "ils", 3),
)


def refer_to(phrase: Subject) -> Pronoun:
    """Return the pronoun that stands for what has been named."""
    if isinstance(phrase, Pronoun):
        return phrase
    french = ("il", "elle", "ils", "elles")[form(phrase.gender, phrase.plural)]
    if phrase.plural:
        english = "they"
    elif phrase.noun.kind == "person":
        english = "he" if phrase.gender == "m" else "she"
    else:
        english = "it"
    return Pronoun(english, french, phrase.person, phrase.gender)


@dataclass(frozen=True)
class Action:
    """Someone does something to something."""

    subject: Subject
    verb: Verb
    object: NounPhrase
    past: bool

    def english(self) -> list[str]:
        """Return the English words."""
        verb = self.verb.english[2 if self.past else self.subject.person == 1]
        return [*self.subject.english(), verb, *self.object.english()]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words with what each translates."""
        at = start + len(self.subject.english())
        person = self.subject.person
        past = (AVOIR.present[person], self.verb.french[4])
        verb = past if self.past else (self.verb.french[person],)
        return [
            *self.subject.french(start),
            *((word, (at,)) for word in verb),
            *self.object.french(at + 1),
        ]

    def pairs(self) -> set[tuple[str, str]]:
        """Return which adjective meets which noun."""
        return described(self.subject) | described(self.object)


@dataclass(frozen=True)
class State:
    """Something is said of someone or something; `of` is what a pronoun stands for."""

    subject: Subject
    predicate: Predicate
    past: bool
    negated: bool = False
    of: Subject | None = None

    def english(self) -> list[str]:
        """Return the English words."""
        be = BE["past" if self.past else "present"][self.subject.person]
        negation = ["not"] if self.negated else []
        return [*self.subject.english(), be, *negation, self.predicate.english]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words with what each translates."""
        subject, auxiliary = self.subject, self.predicate.auxiliary
        at = start + len(subject.english())
        forms = auxiliary.past if self.past else auxiliary.present
        verb = (forms[subject.person], (at,))
        agree = form(subject.gender, subject.plural)
        predicate = (self.predicate.french[agree], (at + 1 + self.negated,))
        negation = [("ne", (at + 1,)), verb, ("pas", (at + 1,))]
        middle = negation if self.negated else [verb]
        return [*subject.french(start), *middle, predicate]

    def pairs(self) -> set[tuple[str, str]]:
        """Return which adjective meets which noun, a pronoun's noun included."""
        of = self.of or self.subject
        if isinstance(of, Pronoun) or self.predicate not in QUALITIES:
            return described(self.subject)
        said = (self.predicate.english, of.noun.english[0])
        return described(self.subject) | {said}


@dataclass(frozen=True)
class Because:
    """An action and its reason."""

    action: Action
    reason: State

    def english(self) -> list[str]:
        """Return the English words."""
        return [*self.action.english(), "because", *self.reason.english()]

    def french(self, start: int = 0) -> list[Aligned]:
        """Return the French words with what each translates."""
        at = start + len(self.action.english())
        return [*self.action.french(start), ("car", (at,)), *self.reason.french(at + 1)]

    def pairs(self) -> set[tuple[str, str]]:
        """Return which adjective meets which noun."""
        return self.action.pairs() | self.reason.pairs()


def described(phrase: Subject) -> set[tuple[str, str]]:
    """Return the pairs (adjective, noun) inside a phrase."""
    if isinstance(phrase, Pronoun):
        return set()
    return {(a.english, phrase.noun.english[0]) for a in phrase.adjectives}


def elide(words: list[Aligned]) -> list[Aligned]:
    """Shorten *le*, *la*, *je* and *ne* before a vowel or a mute h."""
    following = [word for word, _ in words[1:]] + ["."]
    return [
        (ELIDED[word] if word in ELIDED and opens_with_vowel(after) else word, at)
        for (word, at), after in zip(words, following, strict=True)
    ]


def opens_with_vowel(word: str) -> bool:
    """Return whether a French word begins with a vowel or a mute h."""
    return word[0] in VOWELS or word in MUTE_H


@dataclass(frozen=True)
class Sentence:
    """A sentence of the grammar in both languages.

    Attributes
    ----------
    english, french : tuple of str
        The words; an elided one (``l'``) is a word of its own.
    alignment : tuple of tuple of int
        For each French word the places of the English words that it translates.
    pairs : frozenset of (str, str)
        Which English adjective is said of which English noun, anywhere in it.
    """

    english: tuple[str, ...]
    french: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]
    pairs: frozenset[tuple[str, str]]


def realise(clause: Action | State | Because) -> Sentence:
    """Write a clause out in both languages."""
    french = elide(clause.french())
    return Sentence(
        tuple(clause.english()),
        tuple(word for word, _ in french),
        tuple(at for _, at in french),
        frozenset(clause.pairs()),
    )


def text(words: tuple[str, ...] | list[str]) -> str:
    """Join words as they are written: no space after an apostrophe."""
    return " ".join(words).replace("' ", "'")
