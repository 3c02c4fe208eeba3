"""What chapter 6 claims to have measured: one number for a seed and sizes."""

from course.chapters.transformer import before, experiments, fetch, translation
from course.chapters.transformer.fetch import Task
from transformer.ablations import HALF
from transformer.evaluation import alignment
from transformer.sentences import held_out_sentences
from transformer.storage import load, model_of


def simple_gradient(seed: int, *, d: int, k: int, start: str = "uniform") -> float:
    """Gradient by a word k back in a simple network, by the neighbour's share."""
    kind = "simple" if start == "uniform" else f"simple, {start}"
    return float(before.reach_once(kind, d, seed, n=k + 1).gradient[-1])


def gated_gradient(seed: int, *, d: int, k: int, forget_bias: int = 3) -> float:
    """Gradient by a word k back in a gated network, by the neighbour's share."""
    kind = f"gated, forget bias {forget_bias}" if forget_bias else "gated"
    return float(before.reach_once(kind, d, seed, n=k + 1).gradient[-1])


def word_difference(
    seed: int, *, d: int, layers: int, around: str = "attention alone"
) -> float:
    """Words' distance from their mean after layers of random attention."""
    run = experiments.through_layers_once(around, d, seed, layers)
    return float(run["difference"][-1])


def right_by_kind(seed: int, *, kind: str) -> float:
    """Share of sentences of a kind, none of them trained on, that come out right."""
    return float(translation.accuracy("kind")[kind].shares[seed])


def right_by_length(seed: int, *, words: int) -> float:
    """Share of sentences of a length, none of them trained on, that come out right."""
    return float(translation.accuracy("words")[str(words)].shares[seed])


def probability_of_il(seed: int, *, reason: str) -> float:
    """Mean probability of *il* where *elle* is as right, for one reason."""
    found = translation.calibration()[reason]
    means, sentences = found["mean"][seed], found["sentences"][seed]
    return float((means * sentences).sum() / sentences.sum())


def right_without(seed: int, *, part: str) -> float:
    """Share of held-out sentences that the machine gets right without one part."""
    found = translation.results(HALF)[part]
    return float(found["held-out sentences"][seed])


def heads_ahead(
    seed: int, *, steps: int, num_layers: int = 1, d_model: int = 32
) -> float:
    """How many more held-out sentences four heads get right than one, as a share."""
    found = translation.by_heads("held-out sentences", num_layers, d_model)
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
