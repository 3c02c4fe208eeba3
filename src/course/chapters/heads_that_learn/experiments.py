"""Experiments of chapter 8: numbers only, no drawing.

The training runs are stored: those of the sentence and of the induction head with
`transformer.small`, since a figure reads them too, those of the two relations in this
room (`relations`). Here is what the chapter asks of them.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from course.chapters.heads_that_learn import relations
from course.kit.arrays import Array
from transformer.small import pronouns
from transformer.small.pronouns import PLACES, Loss, Sentences

# --- the sentence ---------------------------------------------------------------------


def baselines(count: int = 2000) -> dict[str, float]:
    """Count how often rules that understand nothing find the noun that *it* is.

    Parameters
    ----------
    count : int
        Pairs of sentences that differ in the last word alone.

    Returns
    -------
    dict of str to float
        Share of sentences.
    """
    sentences = pronouns.pairs(count)
    first, nearest = (sentences.referent == place for place in PLACES)
    animals = np.isin(sentences.tokens, pronouns.numbers(pronouns.ANIMALS))
    animal = animals[np.arange(2 * count), sentences.referent]
    kinds = len(pronouns.ANIMALS[: pronouns.KNOWN])
    return {
        "the first noun": float(first.mean()),
        "the nearest noun": float(nearest.mean()),
        "always the animal": float(animal.mean()),
        "any noun that the adjective is said of": 1 / kinds,
    }


def one_layer_ratio(
    words: Sequence[str], last: Sequence[str], weights: dict, config: object
) -> Array:
    """Compare where *it* looks under several last words, in the first layer.

    Parameters
    ----------
    words : sequence of str
        The sentence without its last word.
    last : sequence of str
    weights : dict
    config : Config

    Returns
    -------
    ndarray, shape (last words, heads)
        The weight on the first noun over the weight on the second.
    """
    looks = [
        pronouns.reading([*words, word], weights, config).looks[0] for word in last
    ]
    first, second = (np.array(looks)[:, :, place] for place in PLACES)
    return first / second


def two_heads_that_point() -> tuple[Array, Array]:
    """Make one layer with two heads whose mean points at whatever the last word means.

    Each head has fixed scores, with which it looks at one noun unless a last word of
    the other kind draws its weight away: the ratio of the two nouns is the same under
    both last words in each head, and in the mean it is turned round.

    Returns
    -------
    heads : ndarray, shape (2, 2, 3)
        Under each of two last words, of either head: the weights on *cat*, *mat* and
        the last word.
    mean : ndarray, shape (2, 3)
    """
    nouns = np.array([[4.0, 0.0], [0.0, 4.0]])  # scores of cat and mat in each head
    drawn = np.array([[0.0, 8.0], [8.0, 0.0]])  # of the last word: tired, soft
    scores = np.stack([np.column_stack([nouns, drawn[:, i]]) for i in range(2)])
    powers = np.exp(scores)
    heads = powers / powers.sum(axis=-1, keepdims=True)
    return heads, heads.mean(axis=1)


class Spread(NamedTuple):
    """The least, the median and the most over seeds."""

    least: float
    median: float
    most: float


def spread(values: Sequence[float]) -> Spread:
    """Say between which values the seeds lie."""
    return Spread(min(values), float(np.median(values)), max(values))


def summary(quantity: Callable[[pronouns.Result], float], **sizes: object) -> Spread:
    """Spread a quantity of the stored runs over their seeds."""
    return spread([quantity(result) for result in pronouns.results(**sizes)])


def by_mass(loss: Loss) -> list[pronouns.Result]:
    """Return the runs of two layers by the weight of *it* on the referent."""
    return sorted(pronouns.results(loss=loss), key=lambda result: result.mass)


def same_head(loss: Loss) -> int:
    """Count runs in which the head that looks at the referent most costs most too."""
    return sum(r.best == r.costliest for r in pronouns.results(loss=loss))


def same_answers(count: int = 500) -> dict[Loss, float]:
    """Count the answers in which the shown models of a loss all agree."""
    sentences: Sentences = pronouns.pairs(count, seed=1)
    shares = {}
    for loss in pronouns.LOSSES:
        models = [pronouns.shown(loss, which) for which in range(3)]
        answers = [
            pronouns.read(sentences.tokens, *model).shares.argmax(axis=1)
            for model in models
        ]
        shares[loss] = float(np.all(np.array(answers) == answers[0], axis=0).mean())
    return shares


# --- one query, two relations ---------------------------------------------------------

Losses = dict[tuple[int, ...], Array]


def losses(task: relations.Task) -> Losses:
    """Return both losses of a task with each set of heads off."""
    return {r.off: np.array(r.losses) for r in relations.results()[task]}


class Split(NamedTuple):
    """How the heads of a run share two questions.

    Attributes
    ----------
    groups : tuple of tuple of int
        The heads without which the loss of the colour's question rises, and the others.
    own : float
        By how much switching a group off raises the loss of its question: the smaller.
    foreign : float
        By how much it raises the loss of the other question: the larger.
    """

    groups: tuple[tuple[int, ...], tuple[int, ...]]
    own: float
    foreign: float


def split(task: relations.Task) -> Split:
    """Part the heads into two groups, so that each serves one question alone.

    Of all ways to do so the one whose smaller own effect exceeds its larger foreign one
    by most.
    """
    found, every = losses(task), range(task.num_heads)
    ways = []
    for size in range(1, task.num_heads):
        for group in combinations(every, size):
            rest = tuple(head for head in every if head not in group)
            rise = [found[off] - found[()] for off in (group, rest)]
            own, foreign = min(rise[0][0], rise[1][1]), max(rise[0][1], rise[1][0])
            ways.append(Split((group, rest), float(own), float(foreign)))
    return max(ways, key=lambda way: way.own - way.foreign)


def beyond(task: relations.Task) -> float:
    """Return how much more a group costs than its heads one by one, added up.

    Of the group of `split` that serves the colour.
    """
    found, (group, rest) = losses(task), split(task).groups
    rises = []
    for heads, asked in ((group, 0), (rest, 1)):
        if len(heads) > 1:
            alone = sum(found[(head,)][asked] - found[()][asked] for head in heads)
            rises.append(found[heads][asked] - found[()][asked] - alone)
    return float(max(rises, default=0.0))


def of_seeds(
    quantity: Callable[[relations.Task], float], seeds: Sequence[int], **sizes: object
) -> Array:
    """Measure a quantity of the tasks of some sizes, one number a seed."""
    return np.array([quantity(relations.Task(**sizes, seed=s)) for s in seeds])


def both_right(task: relations.Task) -> float:
    """Return the smaller of the two shares of right answers."""
    return min(relations.results()[task][0].right)


def larger_right(task: relations.Task) -> float:
    """Return the larger of the two shares of right answers."""
    return max(relations.results()[task][0].right)


def loss(task: relations.Task) -> float:
    """Return the mean of the two losses."""
    return float(losses(task)[()].mean())
