"""What does *it* mean? A small grammar, and models that learn the answer.

*the cat sat on the mat because it was tired*: a sentence names an animal and a thing,
in either order, and ends in an adjective for animals or an adjective for things. The
adjective alone determines which noun *it* means. Every verb and every preposition goes
with every noun, so the first noun is right in half of the sentences, and the nearest
noun in the other half. (A sentence need not make sense: a hat may fall under a bear.)

``python -m transformer.small.pronouns`` trains every task of `TASKS`. It stores the
results in ``runs/pronouns.csv`` and the weights of the models that the page shows
(`chosen`) in half precision.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import softmax
from transformer import executors
from transformer.laboratory import cut
from transformer.model import cross_entropy
from transformer.parameters import Config, Tree
from transformer.small.stack import (
    forward,
    forward_with_attention,
    head_weights,
    heads_of,
    initial,
)
from transformer.small.sweep import Sweep
from transformer.storage import as_stored, load, to_bytes
from transformer.stored_files import write_file
from transformer.training import Plan, Progress, descend, train_to_end

ANIMALS = ("cat", "dog", "horse", "cow", "pig", "goat", "hen", "duck", "fox", "bear")
ANIMALS += ("wolf", "lion", "tiger", "mouse", "rabbit")
ANIMALS += ("frog", "lamb", "pony", "camel", "owl")
THINGS = ("mat", "rug", "pillow", "blanket", "cushion", "towel", "sofa", "mattress")
THINGS += ("carpet", "quilt", "sheet", "coat", "scarf", "sock", "bag")
THINGS += ("tent", "curtain", "shirt", "hat", "cloth")
KNOWN = 15
"""Number of animals, and number of things, in the training sentences."""
HELD_OUT = ANIMALS[KNOWN:] + THINGS[KNOWN:]
VERBS = ("sat", "lay", "stood", "fell")
PREPOSITIONS = ("on", "by", "near", "under")
OF_ANIMALS = ("tired", "hungry", "sleepy", "afraid")
OF_THINGS = ("soft", "flat", "torn", "folded")
ADJECTIVES = OF_ANIMALS + OF_THINGS
FILLING = "(filling)"  # word 0: `cross_entropy` does not count it
WORDS = (FILLING, "the", "because", "it", "was", *VERBS, *PREPOSITIONS, *ADJECTIVES)
WORDS += ANIMALS + THINGS
NUMBERS = {word: number for number, word in enumerate(WORDS)}

EXAMPLE = ("the", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired")
LENGTH, IT, LAST = 10, 7, 9  # words; positions of *it* and of the last word
PLACES = (1, 5)
"""Positions of the two nouns."""
EVERYONE = np.ones((1, 1), bool)
"""Mask in which every word attends to every word."""

RUNS = Path(__file__).with_name("runs")
Loss = Literal["answer", "pointer"]
LOSSES: tuple[Loss, ...] = ("answer", "pointer")
SEEDS = range(20)
FEWER, FEW = range(10), range(5)  # seeds of models with another size or input
PAIRS = 1000
"""Pairs of sentences for measuring a model; the two differ in the last word."""
PLAN = Plan(steps=1500, peak=5e-3, warmup=50)


@dataclass(frozen=True)
class PronounTask:
    """The model that is trained, and its loss."""

    # ``"answer"``: -log of the probability of the right noun, read at *it*.
    # ``"pointer"``: this loss plus -log of the attention weight that *it* gives the
    # right noun in the last layer (mean over the heads).
    loss: Loss
    num_layers: int = 2
    num_heads: int = 2
    d_model: int = 16
    # Whether all animals share one part of their vectors, and all things another part
    # (see `features`). Otherwise every noun's vector is learnt separately.
    shared: bool = False
    seed: int = 0

    @property
    def config(self) -> Config:
        """Sizes of the model."""
        return Config(self.num_layers, self.num_heads, self.d_model, 2 * self.d_model)


TASKS = [
    *(PronounTask(x, seed=s) for x in LOSSES for s in SEEDS),
    *(PronounTask(x, shared=True, seed=s) for x in LOSSES for s in FEWER),
    *(
        PronounTask(x, d_model=d, shared=True, seed=s)
        for x in LOSSES
        for d in (24, 32)
        for s in FEW
    ),
    *(PronounTask(x, 1, seed=s) for x in LOSSES for s in FEWER),
    *(PronounTask(x, 1, num_heads=1, seed=s) for x in LOSSES for s in FEWER),
    *(
        PronounTask(x, n, d_model=d, seed=s)
        for x in LOSSES
        for n in (2, 1)
        for d in (24, 32)
        for s in FEW
    ),
]


# --- The grammar ----------------------------------------------------------------------


class Sentences(NamedTuple):
    """Sentences as numbers of words."""

    tokens: NDArray  # shape (b, LENGTH)
    # shape (b,). Position of the noun that *it* means, one of `PLACES`.
    referent: NDArray

    @property
    def other(self) -> NDArray:
        """Position of the other noun, shape (b,)."""
        return sum(PLACES) - self.referent

    def at(self, places: NDArray) -> NDArray:
        """Return the word at one position of each sentence, shape (b,)."""
        return self.tokens[np.arange(len(places)), places]


def draw(rng: np.random.Generator, count: int, *, held_out: bool = False) -> Sentences:
    """Return random sentences; both nouns are `held_out`, or neither is."""
    part = slice(KNOWN, None) if held_out else slice(KNOWN)

    def some(words: Sequence[str]) -> NDArray:
        return rng.choice([NUMBERS[word] for word in words], count)

    animal, thing = some(ANIMALS[part]), some(THINGS[part])
    animal_first = rng.random(count) < 0.5
    tokens = np.empty((count, LENGTH), int)
    tokens[:] = numbers(EXAMPLE)
    tokens[:, PLACES[0]] = np.where(animal_first, animal, thing)
    tokens[:, PLACES[1]] = np.where(animal_first, thing, animal)
    for place, words in ((2, VERBS), (3, PREPOSITIONS), (LAST, ADJECTIVES)):
        tokens[:, place] = some(words)
    return Sentences(tokens, referents(tokens))


def referents(tokens: NDArray) -> NDArray:
    """Return the position of the noun that *it* means, in sentences of the grammar."""

    def among(place: int, words: Sequence[str]) -> NDArray:
        return np.isin(tokens[..., place], [NUMBERS[word] for word in words])

    first_meant = among(PLACES[0], ANIMALS) == among(LAST, OF_ANIMALS)
    return np.where(first_meant, *PLACES)


def pairs(count: int, *, held_out: bool = False, seed: int = 0) -> Sentences:
    """Return random sentences, then each sentence with an adjective of the other kind.

    Sentence ``count + i`` differs from sentence ``i`` in the last word, and therefore
    in the noun that *it* means.
    """
    rng = np.random.default_rng([count, seed])
    tokens, _ = draw(rng, count, held_out=held_out)
    kinds = np.array([[NUMBERS[word] for word in w] for w in (OF_THINGS, OF_ANIMALS)])
    of_things = np.isin(tokens[:, LAST], kinds[0])
    swapped = tokens.copy()
    swapped[:, LAST] = kinds[of_things.astype(int), rng.integers(0, 4, count)]
    both = np.concatenate([tokens, swapped])
    return Sentences(both, referents(both))


def numbers(words: Sequence[str]) -> list[int]:
    """Return the numbers of words; a word that the model does not know is an error."""
    if unknown := [word for word in words if word not in NUMBERS]:
        raise ValueError(f"words must be of WORDS, got {unknown}")
    return [NUMBERS[word] for word in words]


# --- Training -------------------------------------------------------------------------


@cache
def features() -> NDArray:
    """Return fixed features of the words, shape (words, features).

    A noun has a 1 in the column of its kind (animal or thing) and a random vector of
    length about 1. Every other word has a 1 in its own column.
    """
    width = 16
    rng = np.random.default_rng(width)
    table = np.zeros((len(WORDS), 2 + width + NUMBERS[ANIMALS[0]]), np.float32)
    for column, kind in enumerate((ANIMALS, THINGS)):
        table[numbers(kind), column] = 1
    nouns = numbers(ANIMALS + THINGS)
    table[nouns, 2 : 2 + width] = rng.normal(0, width**-0.5, (len(nouns), width))
    others = np.arange(NUMBERS[ANIMALS[0]])
    table[others, 2 + width + others] = 1
    return table


def loss_of(
    sentences: Sentences, weights: Tree, task: PronounTask
) -> tuple[float, Tree]:
    """Return the loss on some sentences, and its gradient with respect to `weights`."""
    answers = sentences.at(sentences.referent)
    if task.loss == "answer":
        logits, backward = forward(sentences.tokens, weights, task.config, EVERYONE)
        loss, d_logits = answer_loss(logits, answers)
        return loss, backward(d_logits)
    logits, attention, backward = forward_with_attention(
        sentences.tokens, weights, task.config, EVERYONE
    )
    loss, d_logits = answer_loss(logits, answers)
    at = np.arange(len(answers)), IT, sentences.referent
    mass, d_attention = attention[at], np.zeros_like(attention)
    d_attention[at] = -1 / (mass * len(mass))
    return loss - float(np.log(mass).mean()), backward(d_logits, d_attention)


def answer_loss(logits: NDArray, answers: NDArray) -> tuple[float, NDArray]:
    """Return the cross-entropy of the answers, read at *it*, and its gradient."""
    d_logits = np.zeros_like(logits)
    loss, d_logits[:, IT] = cross_entropy(logits[:, IT], answers)
    return loss, d_logits


def train(task: PronounTask, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train a model; yield each step with the weights that `forward` takes."""
    rng = np.random.default_rng([task.seed, 1])
    weights = initial(len(WORDS), task.config, task.seed)
    if not task.shared:
        yield from descend(
            weights, plan, lambda current: loss_of(draw(rng, plan.batch), current, task)
        )
        return
    table = features()
    shape = table.shape[1], task.d_model
    vectors = np.random.default_rng(task.seed).normal(0, task.d_model**-0.5, shape)
    parts = {"features": vectors.astype(np.float32), "encoder": weights["encoder"]}

    def weights_of(parts: Tree) -> Tree:
        return {"words": table @ parts["features"], "encoder": parts["encoder"]}

    def loss_of_parts(parts: Tree) -> tuple[float, Tree]:
        loss, d = loss_of(draw(rng, plan.batch), weights_of(parts), task)
        return loss, {"features": table.T @ d["words"], "encoder": d["encoder"]}

    for step, loss, current in descend(parts, plan, loss_of_parts):
        yield Progress(step, loss, weights_of(current))


# --- Measuring a model ----------------------------------------------------------------


class PronounReading(NamedTuple):
    """Attention and answers of a model on some sentences."""

    # shape (..., layers, heads, n). The attention weights of *it* on every word.
    attention: NDArray
    shares: NDArray  # shape (..., words). The probability of each word as the answer.


def read(
    tokens: NDArray, weights: Tree, config: Config, off: Sequence[str] = ()
) -> PronounReading:
    """Return attention and answers at *it* of a model with some heads switched off.

    The sentences have at least eight words; *it* is the eighth. `off` has names such as
    ``"encoder.0.self_attention.head.1"``.
    """
    machine = cut(weights, config, off).weights
    logits, found = head_weights(tokens, machine, config, EVERYONE)
    return PronounReading(found[..., IT, :], softmax(logits[..., IT, :]))


def reading(
    words: Sequence[str], weights: Tree, config: Config, off: Sequence[str] = ()
) -> PronounReading:
    """Return the result of `read` for one sentence, given in words."""
    return read(np.array(numbers(words)), weights, config, off)


@dataclass(frozen=True)
class PronounResult:
    """Measurements of a trained model on `PAIRS` pairs of sentences.

    ``of_two`` counts an answer as right if the right noun is more probable than the
    other noun of the sentence. The probabilities of other words do not matter.
    """

    task: PronounTask
    early: float  # the loss of step `transformer.training.EARLY`
    # Share of sentences whose most probable word is the right noun, among all words and
    # among the two nouns of the sentence.
    right: float
    of_two: float
    # Share of sentences in which *it* gives the right noun more weight than the other
    # noun (last layer, mean over the heads).
    pointed: float
    mass: float  # mean of this weight on the right noun
    # Index in `heads_of` of the head with most weight on the right noun; its weight.
    best: int
    best_mass: float
    without_best: float  # ``of_two`` with this head switched off
    costliest: int  # index of the head without which ``of_two`` is smallest
    new_of_two: float  # ``of_two`` for sentences with held-out nouns


SWEEP = Sweep(RUNS / "pronouns.csv", PronounResult)


def tell(sentences: Sentences, found: PronounReading) -> dict[str, float]:
    """Return ``right``, ``of_two``, ``pointed`` and ``mass`` of `PronounResult`."""
    rows = np.arange(len(sentences.tokens))
    last = found.attention[:, -1].mean(axis=1)  # (b, n)
    mass, other = last[rows, sentences.referent], last[rows, sentences.other]
    answers = found.shares.argmax(axis=1)
    return {
        "right": (answers == sentences.at(sentences.referent)).mean(),
        "of_two": of_two(sentences, found),
        "pointed": (mass > other).mean(),
        "mass": mass.mean(),
    }


def of_two(sentences: Sentences, found: PronounReading) -> float:
    """Return the share of sentences in which the right noun is the likelier noun."""
    rows = np.arange(len(sentences.tokens))
    answer = found.shares[rows, sentences.at(sentences.referent)]
    return float((answer > found.shares[rows, sentences.at(sentences.other)]).mean())


def measure(task: PronounTask, weights: Tree, early: float) -> PronounResult:
    """Return the measurements of a trained model."""
    config, known = task.config, pairs(PAIRS)
    found = read(known.tokens, weights, config)
    rows = np.arange(len(known.tokens))
    masses = found.attention[rows, :, :, known.referent].mean(axis=0).ravel()
    without = [
        of_two(known, read(known.tokens, weights, config, [head]))
        for head in heads_of(config)
    ]
    best, costliest = int(masses.argmax()), int(np.argmin(without))
    new = pairs(PAIRS, held_out=True)
    values = tell(known, found) | {
        "best_mass": masses[best],
        "without_best": without[best],
        "new_of_two": of_two(new, read(new.tokens, weights, config)),
    }
    rounded = {name: round(float(value), 4) for name, value in values.items()}
    return PronounResult(task, early, best=best, costliest=costliest, **rounded)


def run(task: PronounTask) -> tuple[PronounResult, Tree]:
    """Train a model; return its measurements and its weights in half precision."""
    weights, early = train_to_end(train(task))
    weights = as_stored(weights)
    return measure(task, weights, early), weights


# --- Stored results -------------------------------------------------------------------


def model_of(loss: Loss, seed: int, folder: Path = RUNS) -> Path:
    """Return the path of the stored two-layer model of a seed from `chosen`."""
    return folder / f"pronouns-{loss}-{seed}.safetensors"


def results(**sizes: object) -> list[PronounResult]:
    """Return the stored results of the shipped task with some sizes changed, by seed.

    Sizes are fields of `PronounTask`: ``results(loss="pointer", num_layers=1)``.
    """
    return SWEEP.select(PronounTask("answer"), **sizes)


def chosen(
    loss: Loss, found: Sequence[PronounResult] | None = None
) -> tuple[int, int, int]:
    """Return the seeds with the least, the median and the most `mass`.

    The models have the shipped size: two layers of width 16. The median of 20 seeds
    is the tenth.
    """
    every = results(loss=loss) if found is None else found
    ordered = sorted(every, key=lambda result: (result.mass, result.task.seed))
    seeds = [result.task.seed for result in ordered]
    return seeds[0], seeds[(len(seeds) - 1) // 2], seeds[-1]


def store(found: Sequence[tuple[PronounResult, Tree]], sweep: Sweep = SWEEP) -> None:
    """Store the results of all tasks, and the models that the page shows."""
    folder = sweep.path.parent
    for old in folder.glob("pronouns-*.safetensors"):
        old.unlink()
    sweep.store([result for result, _ in found])
    weights = {result.task: weights for result, weights in found}
    for loss in LOSSES:
        for seed in chosen(loss, sweep.select(PronounTask(loss))):
            task = PronounTask(loss, seed=seed)
            notes = {"seed": seed, "steps": PLAN.steps, "loss": loss}
            text = {name: json.dumps(value) for name, value in notes.items()}
            content = to_bytes(weights[task], task.config, **text)
            write_file(model_of(loss, seed, folder), content)


def shown(loss: Loss, which: int) -> tuple[Tree, Config]:
    """Return the stored model with the least (0), median (1) or most (2) `mass`."""
    return load(model_of(loss, chosen(loss)[which]))


def main() -> None:
    """Train and store all tasks."""
    store(executors.gather(run, TASKS))


if __name__ == "__main__":
    # The import by name lets other processes import the functions of this module.
    import_module("transformer.small.pronouns").main()
