"""What chapter 7 claims to have measured: one number for a seed and sizes."""

import random
from functools import cache
from itertools import islice

import numpy as np

from attention import softmax
from course.chapters.translation import cuts, experiments, fetch, stored
from course.chapters.translation.fetch import Task
from transformer.ablations import QUARTER
from transformer.evaluation import alignment
from transformer.grammar import Sentence
from transformer.laboratory import cut
from transformer.model import forward
from transformer.sentences import (
    NOUN_FORMS,
    SETS,
    draw,
    has_held_out_pair,
    held_out_sentences,
    is_held_out,
    training_sentences,
)
from transformer.storage import load, model_of
from transformer.training import batch_of


def right_by_kind(seed: int, *, kind: str) -> float:
    """Share of sentences of a kind, none of them trained on, that come out right."""
    return float(stored.accuracy("kind")[kind].shares[seed])


def right_by_length(seed: int, *, words: int) -> float:
    """Share of sentences of a length, none of them trained on, that come out right."""
    return float(stored.accuracy("words")[str(words)].shares[seed])


def probability_of_il(seed: int, *, reason: str) -> float:
    """Mean probability of *il* where *elle* is as right, for one reason."""
    found = stored.calibration()[reason]
    means, sentences = found["mean"][seed], found["sentences"][seed]
    return float((means * sentences).sum() / sentences.sum())


def right_without(seed: int, *, part: str) -> float:
    """Share of held-out sentences that the machine gets right without one part."""
    return float(stored.results(QUARTER)[part]["held-out sentences"][seed])


def heads_ahead(
    seed: int, *, steps: int, num_layers: int = 1, d_model: int = 32
) -> float:
    """How many more held-out sentences four heads get right than one, as a share."""
    found = stored.by_heads("held-out sentences", num_layers, d_model)
    return float(found[4][steps][seed] - found[1][steps][seed])


def fetched_by_as_many(seed: int, *, places: int) -> float:
    """Share of words that one query fetches with as many heads as places."""
    return float(fetch.results()[Task(places, num_heads=places)][seed])


def fetched_by_one(seed: int, *, places: int, words: int = 32) -> float:
    """Share of words that one query fetches with one head."""
    return float(fetch.results()[Task(places, 1, words)][seed])


def best_head_ahead(seed: int, *, sentences: int) -> float:
    """How far the best cross-attention head lies above looking at the same place."""
    tried = held_out_sentences(sentences, pairs=False)
    heads = alignment(tried, *load(model_of(seed)))
    return float(max(head.largest for head in heads) - heads[0].diagonal)


def held_out_pairs_shown(seed: int, *, sentences: int) -> float:
    """Share of training sentences with a pair of words that is held out."""
    shown = islice(training_sentences(seed), sentences)
    return sum(map(has_held_out_pair, shown)) / sentences


# --- heads: the model of a seed, or the shipped one over draws of sentences -----------


CHOSEN_ON = 100
"""Sentences, those of the page, on which a head is chosen before it is measured."""


@cache
def _looks(model: int, sentences: int, drawn: int = 0) -> list[experiments.Look]:
    """Where each head of a seed's model looks in sentences with *it*."""
    tried = experiments.references(sentences, seed=drawn)
    return experiments.looks(tried, *load(model_of(model)))


@cache
def _became(
    model: int, sentences: int, drawn: int, *off: str
) -> dict[str, experiments.Pronouns]:
    """Count what becomes of the pronouns with heads off, by the noun that is meant."""
    weights, config = load(model_of(model))
    tried = experiments.references(sentences, seed=drawn)
    return experiments.by_meaning(tried, cut(weights, config, off).weights, config)


def _wrong(model: int, sentences: int, drawn: int, *off: str) -> float:
    """Share of the pronouns that are not right with heads off; half mean each noun."""
    found = _became(model, sentences, drawn, *off).values()
    return 1 - sum(half.right for half in found) / len(found)


@cache
def _watched(model: int) -> str:
    """Name the head that tells the noun meant best, on the page's sentences."""
    return experiments.watched(_looks(model, CHOSEN_ON))


@cache
def _costliest(model: int) -> str:
    """Name the head without which most pronouns are wrong, on the page's sentences."""
    weights, config = load(model_of(model))
    tried = experiments.references(CHOSEN_ON, seed=0)
    heads = [look.name for look in _looks(model, CHOSEN_ON)]
    return experiments.costliest(
        {
            head: experiments.pronouns(
                tried, cut(weights, config, [head]).weights, config
            )
            for head in heads
        }
    )


@cache
def _partner(model: int) -> str:
    """Name the head of its sublayer that the watched one stands in for most."""
    watched = _watched(model)
    sublayer = watched.split(".head.")[0]
    others = [h for h in cuts.HEADS if h.startswith(sublayer) and h != watched]
    return max(others, key=lambda head: _wrong(model, CHOSEN_ON, 0, watched, head))


def noun_meant(seed: int, *, sentences: int, where: str = "decoder.1") -> float:
    """How much more the head that tells them best looks at the noun that is meant."""
    looks = _looks(seed, sentences)
    return max(look.difference for look in looks if look.name.startswith(where))


def right_without_watched(seed: int, *, sentences: int) -> float:
    """Share of the pronouns that stay right without the head that tells them best."""
    best = experiments.watched(_looks(seed, sentences))
    return 1 - _wrong(seed, sentences, 0, best)


def one_noun_for_both(seed: int, *, sentences: int, model: int = 0) -> float:
    """How many more pronouns are wrong of one noun than of the other, a head off.

    The head is the costliest one of `model`; the seed draws the sentences.
    """
    found = _became(model, sentences, seed, _costliest(model))
    return abs(found["subject"].wrong - found["object"].wrong)


def costliest_on_noun(seed: int, *, sentences: int, model: int = 0) -> float:
    """Weight of the costliest head on the noun that is meant."""
    looks = {look.name: look for look in _looks(model, sentences, seed)}
    return float(looks[_costliest(model)].referent.mean())


def costliest_on_reason(seed: int, *, sentences: int, model: int = 0) -> float:
    """Weight of the costliest head on the reason, where the subject is meant."""
    looks = {look.name: look for look in _looks(model, sentences, seed)}
    tried = experiments.references(sentences, seed=seed)
    subject = [one.means_subject for one in tried]
    return float(looks[_costliest(model)].reason[subject].mean())


def pair_beyond_each(seed: int, *, sentences: int, model: int = 0) -> float:
    """Share of pronouns lost without two heads, less what each alone costs."""
    heads = _watched(model), _partner(model)
    alone = sum(_wrong(model, sentences, seed, head) for head in heads)
    return _wrong(model, sentences, seed, *heads) - alone


def right_without_encoder(seed: int, *, sentences: int, model: int = 0) -> float:
    """Share of the pronouns that stay right with all heads of the encoder off."""
    encoder = [head for head in cuts.HEADS if head.startswith("encoder")]
    return 1 - _wrong(model, sentences, seed, *encoder)


def ahead_of_sublayer(seed: int, *, sublayer: int) -> float:
    """How much more the costliest head of all costs than that of another sublayer."""
    costs = [of_seeds[seed][0] for of_seeds in cuts.by_sublayer().values()]
    return costs[-1] - costs[sublayer - 1]


def lost_without_encoder_head(seed: int, *, head: int) -> float:
    """Share of 1,000 held-out sentences lost with one head of the encoder off."""
    return cuts.lost(seed, cuts.HEADS[head])


# --- grammar and training data --------------------------------------------------------


def _trained_on(seed: int, sentences: int) -> list[Sentence]:
    return list(islice(training_sentences(seed), sentences))


def two_translations(seed: int, *, sentences: int) -> float:
    """Share of training sentences that have two right translations."""
    return sum(bool(s.other) for s in _trained_on(seed, sentences)) / sentences


def il_shown(seed: int, *, sentences: int) -> float:
    """Share of *il* and *ils* where training shows a sentence that may be either."""
    shown = [set(s.french) for s in _trained_on(seed, sentences) if s.other]
    return sum(bool(words & {"il", "ils"}) for words in shown) / len(shown)


def one_in_ten(seed: int, *, sentences: int) -> float:
    """Share of the different sentences drawn that name a noun which are held out."""
    rng = random.Random(seed)
    drawn = {s.english: s for s in (draw(rng) for _ in range(sentences))}
    named = [s for s in drawn.values() if not NOUN_FORMS.isdisjoint(s.english)]
    return sum(map(is_held_out, named)) / len(named)


def sure(seed: int, *, sentences: int) -> float:
    """Mean probability of the right translation, as a whole."""
    batch = batch_of(held_out_sentences(sentences, pairs=False))
    logits, _ = forward(batch.source, batch.target, *load(model_of(seed)))
    shares = np.take_along_axis(softmax(logits), batch.labels[..., None], axis=-1)
    words = np.where(batch.labels != 0, shares[..., 0], 1)  # not the filling
    return float(words.prod(axis=1).mean())


def pairs_behind(seed: int, *, kind: str) -> float:
    """How many fewer sentences with held-out pairs come out right, as a share."""
    known, new = (stored.accuracy("kind", only)[kind].shares[seed] for only in SETS)
    return float(known - new)
