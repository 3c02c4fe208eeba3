"""Measured claims of chapter 7: functions from a seed and sizes to a number."""

from functools import cache
from itertools import islice

import numpy as np

from attention import softmax
from course.chapters.translation import cuts, experiments, stored
from transformer.ablations import QUARTER
from transformer.evaluation import alignment
from transformer.laboratory import cut
from transformer.model import forward
from transformer.sentences import SETS, held_out_sentences, training_sentences
from transformer.storage import load, model_of
from transformer.training import batch_of


def right_by_kind(seed: int, *, kind: str) -> float:
    """Share of right translations among new sentences of one kind."""
    return float(stored.accuracy("kind")[kind].shares[seed])


def probability_of_il(seed: int, *, reason: str) -> float:
    """Mean probability of *il* where *elle* is right too, for one reason."""
    found = stored.calibration()[reason]
    means, sentences = found["mean"][seed], found["sentences"][seed]
    return float((means * sentences).sum() / sentences.sum())


def right_without(seed: int, *, part: str) -> float:
    """Share of right translations of a model that was trained without one part."""
    return float(stored.results(QUARTER)[part]["held-out sentences"][seed])


def best_head_ahead(seed: int, *, sentences: int) -> float:
    """Return `largest` of the best cross-attention head minus `diagonal`."""
    tried = held_out_sentences(sentences, pairs=False)
    heads = alignment(tried, *load(model_of(seed)))
    return float(max(head.largest for head in heads) - heads[0].diagonal)


# --- heads: the seed chooses the model, or draws sentences for one model --------------


CHOSEN_ON = 100
"""Number of sentences with which the claims and the page choose a head."""


@cache
def _readings(
    model: int, sentences: int, seed: int = 0
) -> list[experiments.HeadReading]:
    """Return each head's weights at *it*, or at the choice of the French pronoun."""
    tried = experiments.references(sentences, seed)
    return experiments.readings(tried, *load(model_of(model)))


@cache
def _pronouns_without(
    model: int, sentences: int, seed: int, *off: str
) -> dict[str, experiments.Pronouns]:
    """Return the pronoun shares with heads off, by the noun that *it* means."""
    weights, config = load(model_of(model))
    tried = experiments.references(sentences, seed)
    return experiments.by_meaning(tried, cut(weights, config, off).weights, config)


@cache
def _watched(model: int) -> str:
    """Return the head with the largest `difference` on the page's sentences."""
    return experiments.watched(_readings(model, CHOSEN_ON))


@cache
def _costliest(model: int) -> str:
    """Return the head whose removal costs the most pronouns on the page's sentences."""
    weights, config = load(model_of(model))
    tried = experiments.references(CHOSEN_ON, seed=0)
    without = {}
    for head in (reading.name for reading in _readings(model, CHOSEN_ON)):
        off = cut(weights, config, [head]).weights
        without[head] = experiments.pronouns(tried, off, config)
    return experiments.costliest(without)


def one_noun_for_both(seed: int, *, sentences: int, model: int = 0) -> float:
    """Difference between the shares of wrong pronouns for subject and object.

    The costliest head of `model` is off; the seed draws the sentences.
    """
    found = _pronouns_without(model, sentences, seed, _costliest(model))
    return abs(found["subject"].wrong - found["object"].wrong)


def costliest_on_reason(seed: int, *, sentences: int, model: int = 0) -> float:
    """Weight of the costliest head on the reason if *it* means the subject."""
    readings = {each.name: each for each in _readings(model, sentences, seed)}
    tried = experiments.references(sentences, seed=seed)
    subject = [one.means_subject for one in tried]
    return float(readings[_costliest(model)].reason[subject].mean())


@cache
def _route(model: int, sentences: int, seed: int) -> experiments.Route:
    """Return the route from the costliest head to the watched head."""
    tried = experiments.references(sentences, seed)
    both = _costliest(model), _watched(model)
    return experiments.route(tried, *load(model_of(model)), *both)


def object_chosen(seed: int, *, sentences: int, noun_head: str = "off") -> float:
    """Share of choices of the object's pronoun, with the costliest head off.

    The watched head is the noun head: "off" or "on". The seed draws the sentences.
    """
    tried = experiments.references(sentences, seed)
    off = {_costliest(0), *([_watched(0)] if noun_head == "off" else [])}
    return float(experiments.chooses_object(tried, *load(), off).mean())


def restored(seed: int, *, sentences: int, model: int = 0) -> float:
    """Return `Route.restored` of the costliest head and the watched head."""
    return _route(model, sentences, seed).restored


def right_without_encoder(seed: int, *, sentences: int, model: int = 0) -> float:
    """Share of right pronouns with all heads of the encoder off."""
    encoder = [head for head in cuts.HEADS if head.startswith("encoder")]
    found = _pronouns_without(model, sentences, seed, *encoder).values()
    return sum(half.right for half in found) / len(found)


def ahead_of_sublayer(seed: int, *, sublayer: int) -> float:
    """Cost of the last sublayer's costliest head minus that of another sublayer's.

    `sublayer` is the number of the other sublayer, from 1.
    """
    costs = [of_seeds[seed][0] for of_seeds in cuts.by_sublayer().values()]
    return costs[-1] - costs[sublayer - 1]


def lost_without_encoder_head(seed: int, *, head: int) -> float:
    """Share of 1,000 held-out sentences lost without the encoder's head `head`."""
    return cuts.lost(seed, cuts.HEADS[head])


# --- grammar and training data --------------------------------------------------------


def il_shown(seed: int, *, sentences: int) -> float:
    """Share with *il* or *ils* among training sentences with two right translations."""
    trained_on = islice(training_sentences(seed), sentences)
    shown = [set(s.french) for s in trained_on if s.other]
    return sum(bool(words & {"il", "ils"}) for words in shown) / len(shown)


def sure(seed: int, *, sentences: int) -> float:
    """Mean probability that the model gives to the whole right translation."""
    batch = batch_of(held_out_sentences(sentences, pairs=False))
    logits, _ = forward(batch.source, batch.target, *load(model_of(seed)))
    found = np.take_along_axis(softmax(logits), batch.labels[..., None], axis=-1)
    probabilities = np.where(batch.labels != 0, found[..., 0], 1)  # 1 at padding
    return float(probabilities.prod(axis=1).mean())


def pairs_behind(seed: int, *, kind: str) -> float:
    """Share right in held-out sentences minus share right in held-out pairs."""
    known, new = (stored.accuracy("kind", only)[kind].shares[seed] for only in SETS)
    return float(known - new)
