"""Training: predict every next word of a batch, then take a step of Adam."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.grammar import SentencePair
from transformer.model import cross_entropy, forward
from transformer.parameters import Config, Tree, initial, named
from transformer.sentences import training_sentences
from transformer.vocabulary import END, ENGLISH, FRENCH, START

EARLY = 20
"""Step whose loss is stored with every run. Tests repeat a run up to this step."""


@dataclass(frozen=True)
class Plan:
    """Length and learning rate of a training run."""

    steps: int = 4000  # steps of Adam
    batch: int = 64  # new sentences in each step
    # The largest learning rate, reached after `warmup` steps. From there the rate falls
    # along a cosine to 0 at the last step.
    peak: float = 4e-3
    warmup: int = 200
    seed: int = 0  # seed of the initial weights and of the sentences

    @property
    def sentences(self) -> int:
        """Number of sentences in all steps."""
        return self.steps * self.batch

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        if step < self.warmup:
            return self.peak * (step + 1) / self.warmup
        done = (step - self.warmup) / (self.steps - self.warmup)
        return self.peak * (1 + np.cos(np.pi * done)) / 2


class Batch(NamedTuple):
    """Sentences as numbers: the inputs and the labels of training."""

    source: NDArray  # shape (b, m). English words.
    # shape (b, n). The start mark and the French words: the decoder's input.
    target: NDArray
    # shape (b, n). The French words and the end mark: the right outputs. At each
    # position the decoder gets the right earlier words, not its predictions. This is
    # called teacher forcing; with it, training uses all positions in one pass.
    labels: NDArray


def batch_of(sentences: Sequence[SentencePair]) -> Batch:
    """Return sentences as the arrays of a batch."""
    return Batch(
        ENGLISH.batch(sentence.english for sentence in sentences),
        FRENCH.batch((START, *sentence.french) for sentence in sentences),
        FRENCH.batch((*sentence.french, END) for sentence in sentences),
    )


class Adam:
    """The Adam optimiser, which changes the weights in place.

    Source: Kingma and Ba (2015), Adam: A Method for Stochastic Optimization. The decay
    rates are those of Vaswani et al. (2017), section 5.3.
    """

    beta1, beta2, epsilon = 0.9, 0.98, 1e-9

    def __init__(self, weights: Tree) -> None:
        self.weights = named(weights)
        self.mean = {name: np.zeros_like(a) for name, a in self.weights.items()}
        self.square = {name: np.zeros_like(a) for name, a in self.weights.items()}
        self.steps = 0

    def step(self, gradients: Tree, rate: float) -> None:
        """Change the weights by one step."""
        self.steps += 1
        # The running means start at 0; these factors correct the bias.
        rate = rate * np.sqrt(1 - self.beta2**self.steps) / (1 - self.beta1**self.steps)
        for name, gradient in named(gradients).items():
            mean, square = self.mean[name], self.square[name]
            mean += (1 - self.beta1) * (gradient - mean)
            square += (1 - self.beta2) * (gradient**2 - square)
            self.weights[name] -= rate * mean / (np.sqrt(square) + self.epsilon)


class Progress(NamedTuple):
    """State of a training run after a step.

    The next step changes `weights` in place.
    """

    step: int
    loss: float
    weights: Tree


def descend(
    weights: Tree, plan: Plan, loss_of: Callable[[Tree], tuple[float, Tree]]
) -> Iterator[Progress]:
    """Train with Adam, changing the weights in place; yield each step.

    `loss_of` takes the weights, draws a batch, and returns its loss and the gradient.
    The loss of a step is the loss of its batch before the weights change.
    """
    adam = Adam(weights)
    for step in range(plan.steps):
        loss, gradients = loss_of(weights)
        adam.step(gradients, plan.rate(step))
        yield Progress(step + 1, loss, weights)


def train_to_end(
    steps: Iterable[Progress], after_step: Callable[[Progress], None] = lambda _: None
) -> tuple[Tree, float]:
    """Finish a training run; return the weights and the loss of step `EARLY`.

    The run has at least `EARLY` steps. The loss has six digits. `after_step` gets the
    progress after each step.
    """
    for progress in steps:
        if progress.step == EARLY:
            early = float(f"{progress.loss:.6g}")
        after_step(progress)
    return progress.weights, early


def train(config: Config, plan: Plan) -> Iterator[Progress]:
    """Train the translator from scratch; yield each step, as `descend` does."""
    sentences = training_sentences(plan.seed)

    def loss_of(weights: Tree) -> tuple[float, Tree]:
        batch = batch_of(list(islice(sentences, plan.batch)))
        logits, backward = forward(batch.source, batch.target, weights, config)
        loss, d_logits = cross_entropy(logits, batch.labels)
        return loss, backward(d_logits)

    yield from descend(initial(config, plan.seed), plan, loss_of)
