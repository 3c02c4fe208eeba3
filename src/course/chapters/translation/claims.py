"""What chapter 7 claims to have measured: one number for a seed and sizes."""

from functools import cache
from itertools import islice

from course.chapters.translation import cuts, experiments, fetch, stored
from course.chapters.translation.fetch import Task
from transformer.ablations import QUARTER
from transformer.evaluation import alignment
from transformer.laboratory import cut
from transformer.sentences import (
    has_held_out_pair,
    held_out_sentences,
    training_sentences,
)
from transformer.storage import load, model_of


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


@cache
def _looks(seed: int, sentences: int) -> list[experiments.Look]:
    """Where each head of a seed's model looks in sentences with *it*."""
    tried = experiments.references(sentences, seed=0)
    return experiments.looks(tried, *load(model_of(seed)))


def noun_meant(seed: int, *, sentences: int, where: str = "decoder.1") -> float:
    """How much more the head that tells them best looks at the noun that is meant."""
    looks = _looks(seed, sentences)
    return max(look.difference for look in looks if look.name.startswith(where))


def right_without_best(seed: int, *, sentences: int) -> float:
    """Share of the pronouns that stay right without the head that tells them best."""
    best = max(_looks(seed, sentences), key=lambda look: look.difference).name
    weights, config = load(model_of(seed))
    off = cut(weights, config, [best]).weights
    tried = experiments.references(sentences, seed=0)
    return experiments.pronouns(tried, off, config).right


def lost_without_encoder_head(seed: int, *, head: int) -> float:
    """Share of 1,000 held-out sentences lost with one head of the encoder off."""
    return cuts.lost(seed, cuts.HEADS[head])
