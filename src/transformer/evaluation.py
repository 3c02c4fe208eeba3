"""Measures of the translator: right translations, calibration, alignment."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.decoding import translate
from transformer.grammar import KINDS_OF_SENTENCES, SentencePair
from transformer.model import forward
from transformer.parameters import Config, Tree
from transformer.sentences import held_out_sentences
from transformer.trace import Trace
from transformer.training import Plan, batch_of, train
from transformer.vocabulary import FRENCH

Sentences = Sequence[SentencePair]
Translations = Sequence[Sequence[str]]
"""The output of `translate` for some sentences."""


def exact_match(sentences: Sentences, translations: Translations) -> float:
    """Return the share of sentences translated without a single wrong word."""
    pairs = zip(sentences, translations, strict=True)
    return sum(s.french == tuple(found) for s, found in pairs) / len(sentences)


def accuracy(sentences: Sentences, weights: Tree, config: Config) -> float:
    """Return the share of sentences that a model translates without a wrong word."""
    return exact_match(
        sentences, translate([s.english for s in sentences], weights, config)
    )


class Tally(NamedTuple):
    """The number of right translations among sentences of one kind and length.

    The length is the number of English words.
    """

    kind: str
    words: int
    sentences: int
    right: int


def tally(sentences: Sentences, translations: Translations) -> list[Tally]:
    """Return the counts of right translations, by kind, then by length."""
    every, right = Counter(), Counter()
    for sentence, found in zip(sentences, translations, strict=True):
        at = sentence.kind, len(sentence.english)
        every[at] += 1
        right[at] += sentence.french == tuple(found)
    order = sorted(every, key=lambda at: (KINDS_OF_SENTENCES.index(at[0]), at[1]))
    return [Tally(*at, every[at], right[at]) for at in order]


def parting(sentence: SentencePair) -> int:
    """Return the index of the first word in which two right translations differ."""
    pairs = zip(sentence.french, sentence.other, strict=True)
    return next(i for i, (word, other) in enumerate(pairs) if word != other)


def undecided(
    sentences: Sentences, weights: Tree, config: Config
) -> NDArray[np.float64]:
    """Return the probabilities of the two words where two right translations differ.

    An example of such a sentence is "a dog ate the apple because it was small". After
    the words that both translations share, a row has the probability of the next word
    of ``french`` and of ``other``, for example *il* and *elle*.
    """
    batch, trace = batch_of(sentences), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    places = [parting(s) for s in sentences]  # row i of the decoder chooses word i
    both = zip(sentences, places, strict=True)
    words = [FRENCH.encode([s.french[i], s.other[i]]) for s, i in both]
    rows = np.arange(len(sentences))[:, None]
    return trace["next"][rows, np.array(places)[:, None], np.array(words)]


def ends_right(
    sentences: Sentences, weights: Tree, config: Config
) -> NDArray[np.bool_]:
    """Return whether the translator finishes each of two right translations.

    The translator gets the words of ``french`` (or ``other``) up to and including the
    first word that differs. The result, shape (sentences, 2), is True if the translator
    writes the rest of the same translation: *il était petit*, *elle était petite*.
    """
    english, ends = [s.english for s in sentences], []
    for name in ("french", "other"):
        right = [getattr(s, name) for s in sentences]
        begun = [w[: parting(s) + 1] for s, w in zip(sentences, right, strict=True)]
        found = translate(english, weights, config, begun)
        ends.append([tuple(f) == w for f, w in zip(found, right, strict=True)])
    return np.array(ends).T


class Alignment(NamedTuple):
    """Agreement of one head's cross-attention with the grammar's word alignment."""

    layer: int
    head: int
    mass: float  # mean weight on the English words that the next French word translates
    # Share of French words whose largest weight is on one of these English words.
    largest: float
    # `mass` of a head with equal weights; also `largest` of a random head.
    chance: float
    # `largest` of a head that attends to position ``i`` for word ``i``, or to the last
    # position if the English sentence is too short.
    diagonal: float


def aligned(sentences: Sentences, m: int, n: int) -> NDArray:
    """Return the grammar's word alignment, shape (b, n, m).

    It is True where French word ``i`` translates English word ``j``; `m` and `n` are
    the lengths of the longest English and French sentence.
    """
    table = np.zeros((len(sentences), n, m), bool)
    for sentence, rows in zip(sentences, table, strict=True):
        for row, places in zip(rows, sentence.alignment, strict=False):
            row[list(places)] = True
    return table


def alignment(sentences: Sentences, weights: Tree, config: Config) -> list[Alignment]:
    """Return how each head's cross-attention agrees with the grammar's alignment.

    The decoder gets the right earlier words. Row ``i`` has the weights with which the
    decoder chooses word ``i``. The end mark translates no word and does not count.
    """
    batch = batch_of(sentences)
    trace = Trace()
    forward(batch.source, batch.target, weights, config, trace)
    table = aligned(sentences, batch.source.shape[1], batch.target.shape[1])
    words = table.any(axis=-1)  # (b, n): False at the end mark and at padding
    lengths = (batch.source != 0).sum(axis=-1)[:, None]  # (b, 1)
    chance = (table.sum(axis=-1) / lengths)[words].mean()
    diagonal = np.minimum(np.arange(table.shape[1]), lengths - 1)  # (b, n)
    return [
        Alignment(
            layer,
            head,
            mass=float((attention * table).sum(axis=-1)[words].mean()),
            largest=hits(table, attention.argmax(axis=-1))[words].mean(),
            chance=chance,
            diagonal=hits(table, diagonal)[words].mean(),
        )
        for layer in range(config.num_layers)
        for head in range(config.num_heads)
        for attention in [trace[f"decoder.{layer}.cross_attention.head.{head}.weights"]]
    ]


def hits(table: NDArray, places: NDArray) -> NDArray:
    """Return whether each French word is aligned with its English word in `places`."""
    return np.take_along_axis(table, places[..., None], axis=-1)[..., 0]


class Point(NamedTuple):
    """A point of the learning curve."""

    step: int
    loss: float  # of the step's batch, in nats per word
    # Share of right translations of held-out sentences and of sentences with held-out
    # pairs; None at steps without a measurement.
    held_out: float | None
    pairs: float | None
    weights: Tree  # the next step changes them in place


def learning_curve(
    config: Config, plan: Plan, every: int = 100, count: int = 200
) -> Iterator[Point]:
    """Train the translator, and yield each step.

    The accuracy is measured after every `every`-th step and after the last step, on
    `count` sentences of each of the two sets.
    """
    known = held_out_sentences(count, pairs=False)
    new = held_out_sentences(count, pairs=True)
    for step, loss, weights in train(config, plan):
        measured = (None, None)
        if step % every == 0 or step == plan.steps:
            measured = (
                accuracy(known, weights, config),
                accuracy(new, weights, config),
            )
        yield Point(step, loss, *measured, weights)
