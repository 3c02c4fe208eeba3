"""Experiments of chapter 8: numbers from the stored runs.

`transformer.small` stores the runs for pronouns and the induction head; `relations` in
this package stores the others.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from course.chapters.heads_that_learn import relations
from course.kit.arrays import Array
from transformer.small import pronouns
from transformer.small.pronouns import PLACES

# --- the sentence ---------------------------------------------------------------------


def baselines(count: int = 2000) -> dict[str, float]:
    """Return the shares of sentences where simple rules find the noun that *it* means.

    `count` is the number of pairs of sentences that differ only in the last word.
    """
    sentences = pronouns.pairs(count)
    first, nearest = (sentences.referent == place for place in PLACES)
    animals = np.isin(sentences.tokens, pronouns.numbers(pronouns.ANIMALS))
    animal = animals[np.arange(2 * count), sentences.referent]
    fitting = pronouns.ANIMALS[: pronouns.KNOWN]  # animals that an adjective fits
    return {
        "the first noun": float(first.mean()),
        "the nearest noun": float(nearest.mean()),
        "always the animal": float(animal.mean()),
        "any noun that the adjective is said of": 1 / len(fitting),
    }


class Answers(NamedTuple):
    """Right answers of one model without the head that attends most to the noun.

    `of_all` is the share of sentences in which the right noun is the most probable of
    all words, `of_two` the share in which it is more probable than the other noun.
    """

    seed: int
    weight: float  # mean weight of this head on the noun that *it* means
    of_all: float
    of_two: float


def without_best(count: int = pronouns.PAIRS) -> list[Answers]:
    """Return the answers of the three stored models with the answer loss alone.

    `count` is the number of pairs of sentences.
    """
    sentences = pronouns.pairs(count)
    return [_without_best(sentences, which) for which in range(3)]


def _without_best(sentences: pronouns.Sentences, which: int) -> Answers:
    seed = pronouns.chosen("answer")[which]
    result = pronouns.results()[seed]
    weights, config = pronouns.shown("answer", which)
    head = pronouns.heads_of(config)[result.best]
    found = pronouns.read(sentences.tokens, weights, config, [head])
    shares = pronouns.tell(sentences, found)
    return Answers(seed, result.best_mass, float(shares["right"]), shares["of_two"])


# --- one query, two relations ---------------------------------------------------------

Losses = dict[tuple[int, ...], Array]


def losses(task: relations.RelationTask) -> Losses:
    """Return the losses of both questions for each set of heads switched off."""
    return {r.off: np.array(r.losses) for r in relations.results()[task]}


class Split(NamedTuple):
    """Two groups of heads, one for each question, and loss increases without a group.

    The first group answers the question about the colour.
    """

    groups: tuple[tuple[int, ...], tuple[int, ...]]
    own: float  # of the missing group's question; the smaller of the two increases
    foreign: float  # of the other question; the larger of the two increases


def split(task: relations.RelationTask) -> Split:
    """Return the two groups of heads for which ``own - foreign`` is largest."""
    found, every = losses(task), range(task.num_heads)
    splits = []
    for size in range(1, task.num_heads):
        for group in combinations(every, size):
            rest = tuple(head for head in every if head not in group)
            without_group = found[group] - found[()]
            without_rest = found[rest] - found[()]
            own = min(without_group[0], without_rest[1])
            foreign = max(without_group[1], without_rest[0])
            splits.append(Split((group, rest), float(own), float(foreign)))
    return max(splits, key=lambda each: each.own - each.foreign)


def division(num_heads: int, seeds: Sequence[int]) -> tuple[float, float]:
    """Return the mean loss increases ``own`` and ``foreign`` of `split` over seeds."""
    splits = [split(relations.RelationTask(num_heads, seed=seed)) for seed in seeds]
    own = float(np.mean([each.own for each in splits]))
    return own, float(np.mean([each.foreign for each in splits]))


def of_seeds(
    quantity: Callable[[relations.RelationTask], float],
    seeds: Sequence[int],
    **sizes: object,
) -> Array:
    """Return `quantity` of the tasks with `sizes`, one number for each seed."""
    return np.array([quantity(relations.RelationTask(**sizes, seed=s)) for s in seeds])


def smaller_right(task: relations.RelationTask) -> float:
    """Return the share of right answers to the question that is answered worse."""
    return min(relations.results()[task][0].right)


def larger_right(task: relations.RelationTask) -> float:
    """Return the share of right answers to the question that is answered better."""
    return max(relations.results()[task][0].right)


def loss(task: relations.RelationTask) -> float:
    """Return the mean loss of the two questions."""
    return float(losses(task)[()].mean())
