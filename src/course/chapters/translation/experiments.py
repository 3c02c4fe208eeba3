"""Experiments of chapter 7: pronouns with and without heads; cost of a layer."""

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from attention import softmax
from course.kit.arrays import Array
from transformer.decoding import translate
from transformer.grammar import NounPhrase, SentencePair, realise, thing_of
from transformer.laboratory import cut, heads_of
from transformer.model import forward
from transformer.parameters import Config, Tree
from transformer.sentences import draw_it
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import ENGLISH, FRENCH, START


class Reference(NamedTuple):
    """A sentence with *it* and two nouns, and the positions of these words.

    The nouns, subject and object, differ in gender, so the French pronouns differ. The
    reason fits only one of them. If the subject is a person, *it* must mean the object.
    """

    sentence: SentencePair
    it: int
    referent: int  # the noun that *it* means
    other: int  # the other noun

    @property
    def means_subject(self) -> bool:
        """Whether *it* means the subject."""
        return self.referent < self.other

    @property
    def reason(self) -> int:
        """Position of the reason, for example *hungry*: the last word."""
        return len(self.sentence.english) - 1

    @property
    def pronoun(self) -> int:
        """Position of the French pronoun, and of the decoder row that chooses it."""
        return self.sentence.french.index("car") + 1


def references(count: int, seed: int) -> list[Reference]:
    """Return random sentences such as *a dog ate the food because it was hungry*.

    In half of the `count` sentences *it* means the subject. Only the reason decides:
    *it* could stand for each of the two nouns.
    """
    rng = random.Random(seed)
    found: dict[bool, dict[tuple[str, ...], Reference]] = {True: {}, False: {}}
    while min(map(len, found.values())) < count // 2:
        clause = draw_it(rng)
        subject, thing = clause.action.subject, thing_of(clause.action.object)
        if not (isinstance(subject, NounPhrase) and thing):
            continue
        if subject.plural or thing.plural or subject.gender == thing.gender:
            continue
        sentence = realise(clause)
        # skip *he* and *she*, and sentences with two right translations
        if clause.reason.subject.word != "it" or sentence.other:
            continue
        because = sentence.english.index("because")
        nouns = 1, because - 1  # "a dog ate the food because it was hungry"
        means_subject = clause.reason.of is subject
        meant = nouns if means_subject else nouns[::-1]
        half = found[means_subject]
        if len(half) < count // 2:
            half[sentence.english] = Reference(sentence, because + 1, *meant)
    return [reference for half in found.values() for reference in half.values()]


class HeadReading(NamedTuple):
    """Attention weights of one head at *it*, or at the choice of the French pronoun.

    An encoder head has the weights in the row of *it*, a decoder head in the row that
    chooses the French pronoun. The arrays have shape (sentences,).
    """

    name: str  # such as ``encoder.1.self_attention.head.0``
    referent: Array  # weight on the noun that is meant
    other: Array  # weight on the other noun
    reason: Array  # weight on the reason
    it: Array  # weight on *it*

    @property
    def difference(self) -> float:
        """Mean weight on the noun that is meant, minus the weight on the other noun."""
        return float((self.referent - self.other).mean())


def readings(
    found: Sequence[Reference], weights: Tree, config: Config
) -> list[HeadReading]:
    """Return a `HeadReading` of each encoder head and each cross-attention head."""
    batch, trace = batch_of([one.sentence for one in found]), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    rows = {
        "encoder": [one.it for one in found],
        "decoder": [one.pronoun for one in found],
    }
    return [
        _reading(name, trace[f"{name}.weights"], rows[name.split(".")[0]], found)
        for name in heads_of(config)
        if name.startswith("encoder") or "cross_attention" in name
    ]


def _reading(
    name: str, weights: Array, rows: Sequence[int], found: Sequence[Reference]
) -> HeadReading:
    """Return a head's weights on four words; `weights` has shape (b, n, m)."""
    sentences = np.arange(len(found))
    row = weights[sentences, rows]  # (b, m)
    return HeadReading(
        name,
        referent=row[sentences, [one.referent for one in found]],
        other=row[sentences, [one.other for one in found]],
        reason=row[sentences, [one.reason for one in found]],
        it=row[sentences, [one.it for one in found]],
    )


def watched(found: Sequence[HeadReading]) -> str:
    """Return the name of the head with the largest `difference`."""
    return max(found, key=lambda reading: reading.difference).name


class Pronouns(NamedTuple):
    """The translation of *it*, as shares of the sentences."""

    right: float  # the right pronoun after *car*
    wrong: float  # the wrong pronoun after *car*
    missing: float  # no pronoun after *car*, for example because *car* is missing


def pronouns(found: Sequence[Reference], weights: Tree, config: Config) -> Pronouns:
    """Return the shares of right, wrong and missing pronouns in the translations."""
    translations = translate([one.sentence.english for one in found], weights, config)
    written = [_pronoun(french) for french in translations]
    wanted = [_pronoun(one.sentence.french) for one in found]
    right = sum(a == b for a, b in zip(written, wanted, strict=True))
    missing, count = written.count(None), len(written)
    return Pronouns(right / count, (count - right - missing) / count, missing / count)


def deciding_head(
    english: Sequence[Sequence[str]], weights: Tree, config: Config
) -> str:
    """Return the head whose removal makes the pronoun depend least on the reason.

    `english` are two sentences with different last words, so that *it* means different
    nouns. Without the head, the two probabilities of *il* differ least.
    """
    french = translate(english, weights, config)
    rows = [words.index("car") + 1 for words in french]  # row 0 is the start mark
    source = ENGLISH.batch(english)
    target = FRENCH.batch([START, *w[:n]] for w, n in zip(french, rows, strict=True))

    def apart(head: str) -> float:
        machine = cut(weights, config, [head]).weights
        shares = softmax(forward(source, target, machine, config)[0])
        first, second = shares[np.arange(2), rows, FRENCH.numbers["il"]]
        return abs(first - second)

    return min(heads_of(config), key=apart)


def costliest(without: Mapping[str, Pronouns]) -> str:
    """Return the head whose removal makes the most pronouns wrong."""
    return max(without, key=lambda name: without[name].wrong)


def by_meaning(
    found: Sequence[Reference], weights: Tree, config: Config
) -> dict[str, Pronouns]:
    """Return the pronoun shares by the noun that *it* means: "subject" or "object"."""
    halves = {
        "subject": [one for one in found if one.means_subject],
        "object": [one for one in found if not one.means_subject],
    }
    return {noun: pronouns(half, weights, config) for noun, half in halves.items()}


def _pronoun(french: Sequence[str]) -> str | None:
    """Return the pronoun after *car*, if there is one."""
    word = next((word for before, word in pairwise(french) if before == "car"), None)
    return word if word in ("il", "elle") else None


# --- patching -------------------------------------------------------------------------


class Route(NamedTuple):
    """Shares of sentences when a head and a later head are patched.

    The model chooses between *il* and *elle* after the right French words; other words
    do not count. A restored head adds the vector that it adds in the whole model. A
    replaced head adds the vector that it adds in the model without the first head.
    """

    deleted: float  # right pronouns when the first head is off
    restored: float  # right when the first head is off and the later head is restored
    replaced: float  # right when no head is off, but the later head is replaced


def route(
    found: Sequence[Reference], weights: Tree, config: Config, first: str, later: str
) -> Route:
    """Return the `Route` of two heads: shares when one or both of them are patched.

    `first` and `later` are names of heads. The later head belongs to the
    cross-attention of the last layer, so no other head reads its output.
    """

    def patched(one: Reference, adds: Mapping[str, Array]) -> Array:
        """Return whether the pronoun is right if these heads add these vectors."""
        machine = cut(weights, config, list(adds), adds).weights
        return chooses_right([one], machine, config)

    without = cut(weights, config, [first]).weights
    vectors = _added(found, weights, config, later)
    restored = [
        patched(one, {first: np.zeros(config.d_model), later: vector})
        for one, vector in zip(found, vectors, strict=True)
    ]
    vectors = _added(found, without, config, later)
    replaced = [
        patched(one, {later: vector})
        for one, vector in zip(found, vectors, strict=True)
    ]
    deleted = chooses_right(found, without, config)
    every = (deleted, restored, replaced)
    return Route(*(float(np.mean(right)) for right in every))


def chooses_right(found: Sequence[Reference], weights: Tree, config: Config) -> Array:
    """Return for each sentence whether the right pronoun has the larger logit.

    The choice is between *il* and *elle*. The decoder gets the right French words
    before the pronoun.
    """
    batch = batch_of([one.sentence for one in found])
    logits, _ = forward(batch.source, batch.target, weights, config)
    at = np.arange(len(found)), [one.pronoun for one in found]
    il, elle = (logits[at][:, FRENCH.numbers[word]] for word in ("il", "elle"))
    means_il = [one.sentence.french[one.pronoun] == "il" for one in found]
    return (il > elle) == np.array(means_il)


def chooses_object(
    found: Sequence[Reference], weights: Tree, config: Config, off: Collection[str]
) -> Array:
    """Return whether the object's pronoun has the larger logit with heads `off`."""
    right = chooses_right(found, cut(weights, config, list(off)).weights, config)
    return right != np.array([one.means_subject for one in found])


def _added(
    found: Sequence[Reference], weights: Tree, config: Config, head: str
) -> Array:
    """Return the vector that a head adds at the pronoun: (sentences, d_model)."""
    batch, trace = batch_of([one.sentence for one in found]), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    return trace[f"{head}.added"][np.arange(len(found)), [one.pronoun for one in found]]


# --- cost -----------------------------------------------------------------------------


def multiplications(n: int, d_model: int, d_ff: int) -> Mapping[str, int]:
    """Return the number of multiplications of each part of one encoder layer."""
    return {
        "projections": 4 * n * d_model**2,
        "scores and mixing": 2 * n**2 * d_model,
        "feed-forward": 2 * n * d_model * d_ff,
    }
