"""What chapter 6 claims to have measured: one number for a seed and sizes."""

from course.chapters.transformer import before, experiments, fetch, translation
from course.chapters.transformer.fetch import Task


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


def right_without(seed: int, *, part: str) -> float:
    """Share of held-out sentences that the machine gets right without one part."""
    found = translation.results()[part]
    return float(found["held-out sentences"][seed])


def fetched_by_as_many(seed: int, *, places: int) -> float:
    """Share of words that one query fetches with as many heads as places."""
    return float(fetch.results()[Task(places, num_heads=places)][seed])


def fetched_by_one(seed: int, *, places: int, words: int = 32) -> float:
    """Share of words that one query fetches with one head."""
    return float(fetch.results()[Task(places, 1, words)][seed])
