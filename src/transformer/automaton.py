"""The English half of the grammar as an automaton: the words that may come next.

Each word leads from one state to the next; the state determines how a sentence may
continue. So the automaton finds the first wrong word of a sentence, and the words that
are allowed in its place. Equal states are merged, so this is the smallest automaton of
the grammar.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from transformer.grammar import NounPhrase, Subject, refer_to
from transformer.lexicon import (
    ACTIVITIES,
    BE,
    EITHER,
    FEELINGS,
    GAMES,
    KINDS,
    PLAY,
    QUALITIES,
    TO_EAT,
    VERBS,
    Kind,
    Verb,
)
from transformer.sentences import (
    ADJECTIVES,
    AFTER,
    ARTICLES,
    BEFORE,
    LIVING,
    OF_OBJECT,
    PRONOUNS,
    THING,
    lifeless,
    nouns_of,
)


class State(NamedTuple):
    """The words that may come next, each with the number of the next state.

    `ends` is whether a sentence may end here.
    """

    ends: bool
    words: Mapping[str, int]


class Automaton(NamedTuple):
    """An automaton whose start is its last state; words lead to earlier states."""

    states: tuple[State, ...]

    @property
    def start(self) -> int:
        """Number of the state before the first word."""
        return len(self.states) - 1

    def follow(self, words: Sequence[str]) -> list[int]:
        """Return the states on the path of some words, up to the first wrong word."""
        path = [self.start]
        for word in words:
            if word not in (after := self.states[path[-1]].words):
                break
            path.append(after[word])
        return path

    def accepts(self, words: Sequence[str]) -> bool:
        """Return whether some words are a sentence of the grammar."""
        path = self.follow(words)
        return len(path) == len(words) + 1 and self.states[path[-1]].ends

    def kinds(self) -> dict[str, int]:
        """Return a kind for each word; words of one kind have equal transitions."""
        columns: dict[str, dict[int, int]] = {}
        for number, state in enumerate(self.states):
            for word, to in state.words.items():
                columns.setdefault(word, {})[number] = to
        known: dict[frozenset[tuple[int, int]], int] = {}
        keys = {word: frozenset(column.items()) for word, column in columns.items()}
        return {word: known.setdefault(key, len(known)) for word, key in keys.items()}

    def number_of_sentences(self) -> int:
        """Return the number of sentences, the paths from the start to an end."""
        paths: list[int] = []  # number of paths from each state to an end
        for ends, words in self.states:
            paths.append(ends + sum(paths[state] for state in words.values()))
        return paths[-1]


class Referent(NamedTuple):
    """The pronoun that stands for a phrase, and the index of the phrase's verb form.

    The rest of a sentence depends on these two properties of the phrase.
    """

    pronoun: str
    person: int


def referent_of(phrase: Subject) -> Referent:
    """Return the properties of a phrase that the rest of its sentence depends on."""
    pronoun = refer_to(phrase)
    return Referent(pronoun.word, pronoun.person)


Then = Callable[[Referent, Referent | None, bool], int]
"""Returns the state after an action.

Takes the subject, the object or place (or None) and whether the tense is past.
"""


class _Maker:
    """Builds the states of the automaton; equal states are built once."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self._numbers: dict[tuple[bool, frozenset[tuple[str, int]]], int] = {}
        self.end = self.state({}, ends=True)
        self.union = cache(self._union)

    def state(self, words: Mapping[str, int], ends: bool = False) -> int:
        """Return the number of a state; an equal state is reused."""
        key = ends, frozenset(words.items())
        if key not in self._numbers:
            self._numbers[key] = len(self.states)
            self.states.append(State(ends, dict(words)))
        return self._numbers[key]

    def _union(self, *numbers: int) -> int:
        """Return the state that allows the words of all the given states."""
        if len(set(numbers)) == 1:
            return numbers[0]
        given = [self.states[number] for number in numbers]
        targets: dict[str, list[int]] = {}
        for state in given:
            for word, to in state.words.items():
                targets.setdefault(word, []).append(to)
        merged = {word: self.any_of(to) for word, to in targets.items()}
        return self.state(merged, any(state.ends for state in given))

    def any_of(self, states: Iterable[int]) -> int:
        """Return the union of some states."""
        return self.union(*sorted(set(states)))

    def phrase(
        self, kinds: tuple[Kind, ...], most: int, then: Callable[[Referent], int]
    ) -> int:
        """Return the state before a noun phrase (see `sentences.draw_phrase`).

        The phrase has `most` adjectives at most; `then` returns the state after it.
        """
        return self.any_of(
            self._article(article, plural, kinds, most, then)
            for article, plural in ARTICLES
        )

    def _article(
        self,
        article: str,
        plural: bool,
        kinds: tuple[Kind, ...],
        most: int,
        then: Callable[[Referent], int],
    ) -> int:
        singular_the = (article, plural) == ("the", False)
        nouns = [n for n in nouns_of(kinds) if singular_the or not n.mass]
        after = {
            noun.english[plural]: then(
                referent_of(NounPhrase(article, (), noun, plural))
            )
            for noun in nouns
        }
        bare = self.state(after)
        described = [bare]
        if most > 0:
            described.append(self.state({a.english: bare for a in ADJECTIVES}))
        if most > 1:
            second = self.state({a.english: bare for a in AFTER})
            described.append(self.state({a.english: second for a in BEFORE}))
        follows = self.any_of(described)
        if article != "a":
            return self.state({article: follows})
        sounds = {"a": {}, "an": {}}
        for word, to in self.states[follows].words.items():
            sounds["an" if word[0] in "aeiou" else "a"][word] = to
        parts = {word: self.state(nexts) for word, nexts in sounds.items() if nexts}
        return self.state(parts)

    def subject(self, most: int, then: Callable[[Referent], int]) -> int:
        """Return the state before a subject (see `sentences.draw_subject`)."""
        then = cache(then)
        pronouns = self.state({p.word: then(referent_of(p)) for p in PRONOUNS})
        return self.any_of([pronouns, self.phrase(LIVING, most, then)])

    def verb(
        self, verb: Verb, subject: Referent, then: Callable[[bool], int]
    ) -> list[int]:
        """Return the states before a verb, one for each tense."""
        # the forms are I, he, past: see `lexicon.Verb`
        present = verb.english[subject.person == 1]
        forms = {False: present, True: verb.english[2]}
        return [self.state({form: then(past)}) for past, form in forms.items()]

    def actions(self, most: int, then: Then, *, with_reason: bool) -> int:
        """Return the state before an action.

        Each of its phrases has `most` adjectives at most; the phrase of a place has at
        most one. If a reason follows the action, the object is lifeless.
        """

        def after(subject: Referent) -> int:
            @cache
            def phrase_after(kinds: tuple[Kind, ...], most: int, past: bool) -> int:
                return self.phrase(
                    kinds, most, lambda thing: then(subject, thing, past)
                )

            def place_after(past: bool) -> int:
                on = phrase_after(THING, min(most, 1), past)
                return self.union(then(subject, None, past), self.state({"on": on}))

            def game_after(past: bool) -> int:
                end = then(subject, None, past)
                return self.state({game.english: end for game in GAMES})

            def object_of(verb: Verb) -> Callable[[bool], int]:
                kinds = lifeless(verb) if with_reason else verb.objects
                return lambda past: phrase_after(kinds, most, past)

            found = self.verb(PLAY, subject, game_after)
            for verb in ACTIVITIES:
                found += self.verb(verb, subject, place_after)
            for verb in VERBS:
                found += self.verb(verb, subject, object_of(verb))
            return self.any_of(found)

        return self.subject(most, after)

    def to_eat(self) -> int:
        """Return the state before sentences like *I bought an apple to eat*."""
        purpose = self.state({"to": self.state({"eat": self.end})})
        food = self.phrase(("food",), 1, lambda _: purpose)

        def after(subject: Referent) -> int:
            return self.any_of(
                state
                for verb in TO_EAT
                for state in self.verb(verb, subject, lambda _: food)
            )

        return self.subject(1, after)

    def be_phrase(
        self, person: int, past: bool, words: Iterable[str], may_negate: bool
    ) -> int:
        """Return the state before phrases like *is not tired*."""
        what = self.state(dict.fromkeys(words, self.end))
        after = self.union(what, self.state({"not": what})) if may_negate else what
        return self.state({BE["past" if past else "present"][person]: after})

    def states_of_being(self) -> int:
        """Return the state before sentences like *the water is not cold*."""

        def is_(words: Sequence[str]) -> Callable[[Referent], int]:
            return lambda subject: self.any_of(
                self.be_phrase(subject.person, past, words, may_negate=True)
                for past in (False, True)
            )

        feelings = self.subject(1, is_([each.english for each in FEELINGS]))
        qualities = self.phrase(KINDS, 1, is_([each.english for each in QUALITIES]))
        return self.union(feelings, qualities)

    def reason(self, subject: Referent, thing: Referent | None, past: bool) -> int:
        """Return the state between an action and its reason."""
        meanings = [(subject, FEELINGS), (thing, OF_OBJECT)]
        meanings += [(subject, EITHER), (thing, EITHER)]
        clauses = []
        for referent, predicates in meanings:
            if referent:
                words = [predicate.english for predicate in predicates]
                be = self.be_phrase(referent.person, past, words, may_negate=False)
                clauses.append(self.state({referent.pronoun: be}))
        return self.state({"because": self.any_of(clauses)})


@cache
def english() -> Automaton:
    """Return the automaton of all English sentences of the grammar."""
    maker = _Maker()
    start = maker.any_of(
        [
            maker.actions(2, lambda *_: maker.end, with_reason=False),
            maker.to_eat(),
            maker.states_of_being(),
            maker.actions(0, maker.reason, with_reason=True),
        ]
    )
    return _reached(maker.states, start)


def _reached(states: Sequence[State], start: int) -> Automaton:
    """Return the automaton of the states that can be reached."""
    found, unvisited = {start}, [start]
    while unvisited:
        new = set(states[unvisited.pop()].words.values()) - found
        found |= new
        unvisited += new
    numbers = {state: i for i, state in enumerate(sorted(found))}
    return Automaton(
        tuple(
            State(ends, {word: numbers[to] for word, to in words.items()})
            for ends, words in (states[state] for state in numbers)
        )
    )
