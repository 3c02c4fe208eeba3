"""The translator: the stored model translates a sentence and shows every number."""

from typing import Any

import traitlets as t

from course.widgets.card import Card
from course.widgets.card.still import matrix
from course.widgets.contract import (
    OneOf,
    choice,
    even,
    looked_at,
    sent,
    setting,
    slider,
)
from transformer.automaton import english as automaton
from transformer.decoding import Translation
from transformer.effects import held_out, stored_effects
from transformer.grammar import KINDS_OF_SENTENCES, text
from transformer.laboratory import cut, heads_of, stored_means, switches, trace_run
from transformer.lexicon import (
    ACTIVITIES,
    ADJECTIVES,
    EITHER,
    FEELINGS,
    GAMES,
    NOUNS,
    PLAY,
    TO_EAT,
    VERBS,
)
from transformer.parameters import MAX_LENGTH, Config
from transformer.storage import MEANS, MODEL, load
from transformer.vocabulary import END, ENGLISH, FRENCH, START

MOST_WORDS = 12
SWITCHES = switches(Config())
INSTEAD = ("nothing", "its mean over 1,000 sentences")
SAMPLE = 100  # sentences on which a page measures a cut without a stored result
LEVELS = ("sentence", "heads", "cell")


def _words() -> dict[str, Any]:
    """Return the words of both languages and the data of the lists of choices."""
    return {
        "english": list(ENGLISH.words),
        "french": list(FRENCH.words),
        "start": FRENCH.numbers[START],
        "end": FRENCH.numbers[END],
        "longest": MAX_LENGTH,
        "most": MOST_WORDS,
        "switches": list(SWITCHES),
        "grammar": _grammar(),
        "nouns": {
            noun.english[0]: {
                "forms": list(noun.english),
                "kind": noun.kind,
                "gender": noun.gender,
                "mass": noun.mass,
            }
            for noun in NOUNS
        },
        "adjectives": [adjective.english for adjective in ADJECTIVES],
        "feelings": [feeling.english for feeling in FEELINGS],
        "either": [quality.english for quality in EITHER],
        "games": [game.english for game in GAMES],
        "verbs": {
            verb.english[0]: {
                "forms": verb.english,
                "takes": takes,
                "objects": verb.objects,
                "purpose": verb in TO_EAT,
            }
            for takes, verbs in (
                ("object", VERBS),
                ("game", (PLAY,)),
                ("place", ACTIVITIES),
            )
            for verb in verbs
        },
    }


def _grammar() -> dict[str, Any]:
    """Return the automaton of the English half of the grammar, for the view."""
    grammar = automaton()
    kinds = grammar.kinds()
    states = [
        [
            int(ends),
            *{kinds[word]: [kinds[word], to] for word, to in words.items()}.values(),
        ]
        for ends, words in grammar.states
    ]
    return {
        "kinds": dict(sorted(kinds.items())),
        "states": states,
        "start": grammar.start,
    }


def _effects() -> dict[str, Any]:
    """Return the stored effects of cuts, and sentences to measure other cuts on."""
    sentences = held_out()
    kinds = [KINDS_OF_SENTENCES.index(sentence.kind) for sentence in sentences]
    return {
        "kinds": list(KINDS_OF_SENTENCES),
        "counts": [kinds.count(kind) for kind in range(len(KINDS_OF_SENTENCES))],
        "right": [
            [row.right[kind] for kind in KINDS_OF_SENTENCES] for row in stored_effects()
        ],
        "heads": len(heads_of(Config())),
        "sample": [
            {
                "source": ENGLISH.encode(sentence.english),
                "french": FRENCH.encode(sentence.french),
                "kind": kind,
            }
            for sentence, kind in list(zip(sentences, kinds, strict=True))[:SAMPLE]
        ],
    }


class Translator(Card, view="translator/translator"):
    """Compose an English sentence and watch the stored model translate it.

    The model's weights are sent once, as the bytes of the stored file. The view
    computes with them in float64, as `transformer` does, and shows every matrix. The
    reader can switch parts off and choose words, as in `transformer.laboratory`.

    Attributes
    ----------
    sentence : str
        Words that the model knows, at most `MOST_WORDS`.
    off : list of str
        Parts that are off, out of `transformer.laboratory.switches`.
    instead : int
        Index in `INSTEAD`: what a head that is off adds.
    forced : list of str
        For each place the French word that the reader chose, or ``""``.
    level : str
        One of `LEVELS`. Below the words the figure shows how a word is chosen, the
        parts of the machine, or one matrix with its arithmetic.
    step : int
        Number of words that the decoder has read, with the start mark; 0 for the
        whole translation.
    matrix : str
        Name of the open matrix in a `transformer.decoding.Translation`.
    word : int
        Index of the word whose arcs are shown in the encoder, and whose rows are shown
        for a matrix that shows one word alone.
    beta : float
        Sharpness (1 / temperature) of the distribution over next words.
    """

    title = sent(t.Unicode("The translator"))
    sentence = setting(t.Unicode("a dog ate the food because it was hungry"))
    off = setting(t.List(OneOf(SWITCHES[0], SWITCHES)))
    instead = choice(0, INSTEAD, "A head that is off adds")
    forced = setting(t.List(OneOf("", ("", *FRENCH.words)), maxlen=MAX_LENGTH))
    level = looked_at(OneOf(LEVELS[0], LEVELS))
    step = looked_at(t.Int(8, min=0, max=MAX_LENGTH + 1))
    matrix = looked_at(t.Unicode("decoder.1.cross_attention.head.0.weights"))
    word = looked_at(t.Int(0, min=0, max=MAX_LENGTH))
    beta = slider(1.0, even(0, 4, 0.05), "Sharpness", "β")
    weights = sent(t.Bytes(read_only=True))
    means = sent(t.Bytes(read_only=True), lambda card: MEANS.read_bytes())
    words = sent(t.Dict(read_only=True), lambda card: _words())
    effects = sent(t.Dict(read_only=True), lambda card: _effects())

    @t.default("weights")
    def _default_weights(self) -> bytes:
        _, config = load()
        computed = (config.norm, config.positions, config.residuals, config.cross)
        if computed != ("post", "sinusoidal", True, "attention"):
            raise ValueError(
                "the stored model must have post-norm, sinusoidal positions, residuals "
                f"and cross-attention for this view, got {config}"
            )
        return MODEL.read_bytes()

    @t.validate("sentence")
    def _valid_sentence(self, proposal: dict[str, Any]) -> str:
        words = proposal["value"].split()
        if not 1 <= len(words) <= MOST_WORDS:
            raise t.TraitError(
                f"sentence must have 1 to {MOST_WORDS} words, got {len(words)}"
            )
        try:
            ENGLISH.encode(words)
        except ValueError as error:
            raise t.TraitError(str(error)) from error
        return proposal["value"]

    def pictures(self) -> list[str]:
        """Draw the weights of one head, from each French word to the English words."""
        traced = self._traced()
        weights = traced.arrays["decoder.1.cross_attention.head.0.weights"]
        name = f"each French word to: {', '.join(traced.english)}"
        return [matrix(name, weights, traced.target, scale="weights")]

    def reading(self) -> str:
        """Return the sentence and its translation."""
        traced = self._traced()
        return f"“{' '.join(traced.english)}” → “{text(traced.french)}”"

    def _traced(self) -> Translation:
        means = stored_means() if self.instead else None
        return trace_run(
            self.sentence.split(),
            cut(*load(), self.off, means),
            self.forced,
        )
