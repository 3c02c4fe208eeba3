"""Training: guess every next word of a batch, see how wrong, step downhill."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.grammar import Sentence
from transformer.model import cross_entropy, forward
from transformer.parameters import Config, Tree, initial, named
from transformer.sentences import training_sentences
from transformer.vocabulary import END, ENGLISH, FRENCH, START


@dataclass(frozen=True)
class Plan:
    """How long and how fast to learn.

    Attributes
    ----------
    steps : int
        Steps of Adam.
    batch : int
        Sentences a step, all new.
    peak : float
        The largest learning rate, reached after `warmup` steps; from there it falls
        along a cosine to 0 at the last step.
    warmup : int
    seed : int
        Of the first weights and of the sentences drawn.
    """

    steps: int = 4000
    batch: int = 64
    peak: float = 4e-3
    warmup: int = 200
    seed: int = 0

    @property
    def sentences(self) -> int:
        """How many sentences are drawn in all."""
        return self.steps * self.batch

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        if step < self.warmup:
            return self.peak * (step + 1) / self.warmup
        done = (step - self.warmup) / (self.steps - self.warmup)
        return self.peak * (1 + np.cos(np.pi * done)) / 2


class Batch(NamedTuple):
    """Sentences as numbers, and what is to be guessed.

    Attributes
    ----------
    source : ndarray of int, shape (b, m)
        English words.
    target : ndarray of int, shape (b, n)
        The mark of the start, then the French words: what the decoder is given.
    labels : ndarray of int, shape (b, n)
        The French words, then the mark of the end: what it should say. At every place
        it is given the *right* words before, whatever it would have said itself: this
        is teacher forcing, and it is why all places can be learnt at once.
    """

    source: NDArray
    target: NDArray
    labels: NDArray


def batch_of(sentences: Sequence[Sentence]) -> Batch:
    """Return sentences as the arrays that training needs."""
    return Batch(
        ENGLISH.batch(sentence.english for sentence in sentences),
        FRENCH.batch((START, *sentence.french) for sentence in sentences),
        FRENCH.batch((*sentence.french, END) for sentence in sentences),
    )


class Adam:
    """Steps whose size in each weight is set by how steady its gradient has been.

    Parameters
    ----------
    weights : dict
        Changed in place.

    References
    ----------
    Kingma and Ba (2015), Adam: A Method for Stochastic Optimization. The decay rates
    are those of Vaswani et al. (2017), section 5.3.
    """

    beta1, beta2, epsilon = 0.9, 0.98, 1e-9

    def __init__(self, weights: Tree) -> None:
        self.weights = named(weights)
        self.mean = {name: np.zeros_like(a) for name, a in self.weights.items()}
        self.square = {name: np.zeros_like(a) for name, a in self.weights.items()}
        self.steps = 0

    def step(self, gradients: Tree, rate: float) -> None:
        """Go one step against the gradients."""
        self.steps += 1
        # The running means begin at 0; these factors make up for it.
        rate = rate * np.sqrt(1 - self.beta2**self.steps) / (1 - self.beta1**self.steps)
        for name, gradient in named(gradients).items():
            mean, square = self.mean[name], self.square[name]
            mean += (1 - self.beta1) * (gradient - mean)
            square += (1 - self.beta2) * (gradient**2 - square)
            self.weights[name] -= rate * mean / (np.sqrt(square) + self.epsilon)


class Progress(NamedTuple):
    """Where training stands after a step.

    `weights` are the live ones: the next step changes them.
    """

    step: int
    loss: float
    weights: Tree


def descend(
    weights: Tree, plan: Plan, loss_of: Callable[[Tree], tuple[float, Tree]]
) -> Iterator[Progress]:
    """Go downhill, one step of Adam at a time.

    Parameters
    ----------
    weights : dict
        Changed in place.
    plan : Plan
    loss_of : callable
        Draws a batch; returns its loss with these weights, and the gradient.

    Yields
    ------
    Progress
        After each step, with the loss of its batch before it.
    """
    adam = Adam(weights)
    for step in range(plan.steps):
        loss, gradients = loss_of(weights)
        adam.step(gradients, plan.rate(step))
        yield Progress(step + 1, loss, weights)


def train(config: Config, plan: Plan) -> Iterator[Progress]:
    """Train the translator from scratch, one step at a time.

    Parameters
    ----------
    config : Config
    plan : Plan

    Yields
    ------
    Progress
        After each step, with the loss of its batch before it.
    """
    sentences = training_sentences(plan.seed)

    def loss_of(weights: Tree) -> tuple[float, Tree]:
        batch = batch_of(list(islice(sentences, plan.batch)))
        logits, backward = forward(batch.source, batch.target, weights, config)
        loss, d_logits = cross_entropy(logits, batch.labels)
        return loss, backward(d_logits)

    yield from descend(initial(config, plan.seed), plan, loss_of)
