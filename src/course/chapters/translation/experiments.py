"""Experiments of chapter 7: pronouns with and without heads; cost of a layer."""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from attention import softmax
from course.kit.arrays import Array
from transformer.decoding import translate
from transformer.grammar import NounPhrase, SentencePair, realise, thing_of
from transformer.laboratory import cut, heads_of
from transformer.model import forward
from transformer.parameters import Config, Tree
from transformer.sentences import draw_because
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import ENGLISH, FRENCH, START


class Reference(NamedTuple):
    """A sentence whose *it* may mean two nouns, and the noun that it means.

    Attributes
    ----------
    sentence : SentencePair
        Subject and object differ in gender, so the French pronouns differ. The reason
        fits one of them only.
    it, referent, other : int
        Positions of the pronoun, of the noun that it means, and of the other noun.
    """

    sentence: SentencePair
    it: int
    referent: int
    other: int

    @property
    def means_subject(self) -> bool:
        """Whether *it* means the subject."""
        return self.referent < self.other

    @property
    def reason(self) -> int:
        """Position of the reason, for example *hungry*: the last word."""
        return len(self.sentence.english) - 1


def references(count: int, seed: int) -> list[Reference]:
    """Return random sentences such as *a dog ate the food because it was hungry*.

    Parameters
    ----------
    count : int
        In half of the sentences *it* means the subject.
    seed : int

    Returns
    -------
    list of Reference
    """
    rng = random.Random(seed)
    found: dict[bool, dict[tuple[str, ...], Reference]] = {True: {}, False: {}}
    while min(map(len, found.values())) < count // 2:
        clause = draw_because(rng)
        subject, thing = clause.action.subject, thing_of(clause.action.object)
        if not (isinstance(subject, NounPhrase) and thing):
            continue
        if subject.plural or thing.plural or subject.gender == thing.gender:
            continue
        sentence = realise(clause)
        if clause.reason.subject.word != "it" or sentence.other:
            continue
        because = sentence.english.index("because")
        nouns = 1, because - 1  # "a dog ate the food because it was hungry"
        meant = nouns if clause.reason.of is subject else nouns[::-1]
        half = found[clause.reason.of is subject]
        if len(half) < count // 2:
            half[sentence.english] = Reference(sentence, because + 1, *meant)
    return [reference for half in found.values() for reference in half.values()]


class HeadReading(NamedTuple):
    """Attention weights of one head at *it*.

    Attributes
    ----------
    name : str
        For a head of the encoder, as ``encoder.1.self_attention.head.0``, the weights
        are those of *it*. For a head of the decoder they are those of the word before
        the French pronoun, where the pronoun is chosen.
    referent, other, reason : ndarray, shape (sentences,)
        Weights on the noun that is meant, on the other noun and on the reason.
    """

    name: str
    referent: Array
    other: Array
    reason: Array

    @property
    def difference(self) -> float:
        """Mean weight on the noun that is meant, minus the weight on the other noun."""
        return float((self.referent - self.other).mean())


def looks(
    found: Sequence[Reference], weights: Tree, config: Config
) -> list[HeadReading]:
    """Return the weights of every head at *it*, or where its pronoun is chosen."""
    batch, trace = batch_of([one.sentence for one in found]), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    before = [one.sentence.french.index("car") + 1 for one in found]  # after the start
    return [
        _look(name, trace[f"{name}.weights"], rows, found)
        for kind, rows in (
            ("encoder.{}.self_attention", [one.it for one in found]),
            ("decoder.{}.cross_attention", before),
        )
        for layer in range(config.num_layers)
        for head in range(config.num_heads)
        for name in [f"{kind.format(layer)}.head.{head}"]
    ]


def _look(
    name: str, weights: Array, rows: Sequence[int], found: Sequence[Reference]
) -> HeadReading:
    """Return the weights of one row on three words; weights have shape (b, n, m)."""
    sentences = np.arange(len(found))
    row = weights[sentences, rows]  # (b, m)
    places = [[getattr(one, word) for one in found] for word in HeadReading._fields[1:]]
    return HeadReading(name, *(row[sentences, place] for place in places))


def watched(found: Sequence[HeadReading]) -> str:
    """Return the head with the largest `difference` between the two nouns."""
    return max(found, key=lambda look: look.difference).name


class Pronouns(NamedTuple):
    """The translation of *it*, as shares of the sentences.

    Attributes
    ----------
    right, wrong : float
        The word after *car* is the right pronoun, or the other pronoun.
    missing : float
        There is no pronoun after *car*, for example because there is no reason.
    """

    right: float
    wrong: float
    missing: float


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
    """Return the head without which the reason changes the pronoun least.

    Parameters
    ----------
    english : sequence of sequence of str
        Two sentences with different last words, so that *it* means different nouns.
    weights : dict
    config : Config

    Returns
    -------
    str
        Without this head the two probabilities of *il* differ least.
    """
    french = translate(english, weights, config)
    rows = [words.index("car") + 1 for words in french]  # after the start
    source = ENGLISH.batch(english)
    target = FRENCH.batch([START, *w[:n]] for w, n in zip(french, rows, strict=True))

    def apart(head: str) -> float:
        machine = cut(weights, config, [head]).weights
        shares = softmax(forward(source, target, machine, config)[0])
        il, other = shares[np.arange(2), rows, FRENCH.numbers["il"]]
        return abs(il - other)

    return min(heads_of(config), key=apart)


def costliest(became: Mapping[str, Pronouns]) -> str:
    """Return the head without which most pronouns are wrong."""
    return max(became, key=lambda name: became[name].wrong)


def by_meaning(
    found: Sequence[Reference], weights: Tree, config: Config
) -> dict[str, Pronouns]:
    """Return the shares for the pronouns that mean the subject, and the object."""
    halves = {
        noun: [one for one in found if one.means_subject == (noun == "subject")]
        for noun in ("subject", "object")
    }
    return {noun: pronouns(half, weights, config) for noun, half in halves.items()}


def _pronoun(french: Sequence[str]) -> str | None:
    """Return the pronoun after *car*, if there is one."""
    after = list(french).index("car") + 1 if "car" in french else len(french)
    word = french[after] if after < len(french) else None
    return word if word in ("il", "elle") else None


# --- cost -----------------------------------------------------------------------------


def multiplications(n: int, d_model: int, d_ff: int) -> Mapping[str, int]:
    """Return the number of multiplications of one encoder layer, by part.

    Parameters
    ----------
    n : int
        Number of words.
    d_model, d_ff : int
        Width of the words and inside the feed-forward network.
    """
    return {
        "projections": 4 * n * d_model**2,
        "scores and mixing": 2 * n**2 * d_model,
        "feed-forward": 2 * n * d_model * d_ff,
    }
