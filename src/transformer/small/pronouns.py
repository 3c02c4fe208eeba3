"""Who is *it*? A grammar of one kind of sentence, and the stack that learns it.

*the cat sat on the mat because it was tired*: an animal and a thing, in either order,
and an adjective that is said of animals or of things. That decides which of the two
*it* is, and nothing else does: every verb and every preposition goes with every noun in
either place, so that neither the first noun nor the nearest is right more than half the
time. (That a hat falls under a bear because it is folded makes sense to the
grammar alone.)

``python -m transformer.small.pronouns`` trains every `Task` of `TASKS` and stores what
it comes to in ``runs/pronouns.csv``, and the weights of the models that the page shows
(`chosen`), in half precision. Each run takes some seconds; they go two at a time, or on
the machines of a cluster, ``--cluster ADDRESS`` (`transformer.executors`).
"""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
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
    forward_with_looks,
    heads_of,
    initial,
)
from transformer.storage import as_stored, load, to_bytes
from transformer.trace import Trace
from transformer.training import Plan, Progress, descend

ANIMALS = ("cat", "dog", "horse", "cow", "pig", "goat", "hen", "duck", "fox", "bear")
ANIMALS += ("wolf", "lion", "tiger", "mouse", "rabbit")
ANIMALS += ("frog", "lamb", "pony", "camel", "owl")
THINGS = ("mat", "rug", "pillow", "blanket", "cushion", "towel", "sofa", "mattress")
THINGS += ("carpet", "quilt", "sheet", "coat", "scarf", "sock", "bag")
THINGS += ("tent", "curtain", "shirt", "hat", "cloth")
KNOWN = 15
"""Of the animals and of the things, how many are trained; the others are held out."""
HELD_OUT = ANIMALS[KNOWN:] + THINGS[KNOWN:]
VERBS = ("sat", "lay", "stood", "fell")
PREPOSITIONS = ("on", "by", "near", "under")
OF_ANIMALS = ("tired", "hungry", "sleepy", "afraid")
OF_THINGS = ("soft", "flat", "torn", "folded")
ADJECTIVES = OF_ANIMALS + OF_THINGS
FILLING = "(filling)"  # number 0, which is no word to `cross_entropy`
WORDS = (FILLING, "the", "because", "it", "was", *VERBS, *PREPOSITIONS, *ADJECTIVES)
WORDS += ANIMALS + THINGS
NUMBERS = {word: number for number, word in enumerate(WORDS)}

EXAMPLE = ("the", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired")
LENGTH, IT, LAST = 10, 7, 9
PLACES = (1, 5)
"""Where the two nouns stand."""
EVERYONE = np.ones((1, 1), bool)
"""The mask: every word sees every word."""

RUNS = Path(__file__).with_name("runs")
RESULTS = RUNS / "pronouns.csv"
Loss = Literal["answer", "pointer"]
LOSSES: tuple[Loss, ...] = ("answer", "pointer")
SEEDS = range(20)
FEWER, FEW = range(10), range(5)
EARLY = 20  # the step whose loss is stored too, by which a run can be known again
PAIRS = 1000  # of sentences that differ in the last word alone, on which it is measured
PLAN = Plan(steps=1500, peak=5e-3, warmup=50)


@dataclass(frozen=True)
class Task:
    """What is trained.

    Attributes
    ----------
    loss : {"answer", "pointer"}
        The surprise at the right noun, read at *it*; with ``"pointer"`` the surprise at
        the weight too that *it* gives this noun in the last layer, mean of the heads.
    num_layers, num_heads, d_model : int
    shared : bool
        Whether a noun's vector is made of what all of its kind have in common and of
        something of its own, instead of being learnt for each noun from nothing.
    seed : int
    """

    loss: Loss
    num_layers: int = 2
    num_heads: int = 2
    d_model: int = 16
    shared: bool = False
    seed: int = 0

    @property
    def config(self) -> Config:
        """The sizes of its machine."""
        return Config(self.num_layers, self.num_heads, self.d_model, 2 * self.d_model)


TASKS = [
    *(Task(x, seed=s) for x in LOSSES for s in SEEDS),
    *(Task(x, shared=True, seed=s) for x in LOSSES for s in FEWER),
    *(
        Task(x, d_model=d, shared=True, seed=s)
        for x in LOSSES
        for d in (24, 32)
        for s in FEW
    ),
    *(Task(x, 1, seed=s) for x in LOSSES for s in FEWER),
    *(Task(x, 1, num_heads=1, seed=s) for x in LOSSES for s in FEWER),
    *(
        Task(x, n, d_model=d, seed=s)
        for x in LOSSES
        for n in (2, 1)
        for d in (24, 32)
        for s in FEW
    ),
]


# --- The grammar ----------------------------------------------------------------------


class Sentences(NamedTuple):
    """Sentences as numbers.

    Attributes
    ----------
    tokens : ndarray of int, shape (b, LENGTH)
    referent : ndarray of int, shape (b,)
        The place of the noun that *it* stands for, of `PLACES`.
    """

    tokens: NDArray
    referent: NDArray

    @property
    def other(self) -> NDArray:
        """The place of the other noun, shape (b,)."""
        return sum(PLACES) - self.referent

    def at(self, places: NDArray) -> NDArray:
        """Return the word that stands at a place of each sentence, shape (b,)."""
        return self.tokens[np.arange(len(places)), places]


def draw(rng: np.random.Generator, count: int, *, held_out: bool = False) -> Sentences:
    """Draw sentences.

    Parameters
    ----------
    rng : numpy.random.Generator
    count : int
    held_out : bool, default False
        Whether both nouns are of `HELD_OUT`, or both of the others.
    """
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
    """Return the place of the noun that *it* stands for.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., LENGTH)
        Sentences of the grammar.

    Returns
    -------
    ndarray of int, shape (...,)
    """

    def among(place: int, words: Sequence[str]) -> NDArray:
        return np.isin(tokens[..., place], [NUMBERS[word] for word in words])

    first_meant = among(PLACES[0], ANIMALS) == among(LAST, OF_ANIMALS)
    return np.where(first_meant, *PLACES)


def pairs(count: int, *, held_out: bool = False, seed: int = 0) -> Sentences:
    """Draw sentences, and each once more with a last word of the other kind.

    Returns
    -------
    Sentences
        ``2 * count``, the counterparts after all the others.
    """
    rng = np.random.default_rng([count, seed])
    tokens, _ = draw(rng, count, held_out=held_out)
    kinds = np.array([[NUMBERS[word] for word in w] for w in (OF_THINGS, OF_ANIMALS)])
    of_things = np.isin(tokens[:, LAST], kinds[0])
    turned = tokens.copy()
    turned[:, LAST] = kinds[of_things.astype(int), rng.integers(0, 4, count)]
    both = np.concatenate([tokens, turned])
    return Sentences(both, referents(both))


def numbers(words: Sequence[str]) -> list[int]:
    """Return the numbers of words.

    Raises
    ------
    ValueError
        If the model does not know a word.
    """
    if unknown := [word for word in words if word not in NUMBERS]:
        raise ValueError(f"words must be of WORDS, got {unknown}")
    return [NUMBERS[word] for word in words]


# --- Training -------------------------------------------------------------------------


@cache
def features() -> NDArray:
    """Return what each word is made of where nouns share, shape (words, features).

    A noun has a 1 in the column of its kind and an own random vector of length about 1;
    any other word has a column to itself.
    """
    own = 16
    rng = np.random.default_rng(own)
    table = np.zeros((len(WORDS), 2 + own + NUMBERS[ANIMALS[0]]), np.float32)
    for column, kind in enumerate((ANIMALS, THINGS)):
        table[numbers(kind), column] = 1
    nouns = numbers(ANIMALS + THINGS)
    table[nouns, 2 : 2 + own] = rng.normal(0, own**-0.5, (len(nouns), own))
    others = np.arange(NUMBERS[ANIMALS[0]])
    table[others, 2 + own + others] = 1
    return table


def loss_of(sentences: Sentences, weights: Tree, task: Task) -> tuple[float, Tree]:
    """Return the loss of sentences, and its gradient by the model's weights."""
    answers = sentences.at(sentences.referent)
    if task.loss == "answer":
        logits, backward = forward(sentences.tokens, weights, task.config, EVERYONE)
        loss, d_logits = answer_loss(logits, answers)
        return loss, backward(d_logits)
    passed = forward_with_looks(sentences.tokens, weights, task.config, EVERYONE)
    loss, d_logits = answer_loss(passed.logits, answers)
    at = np.arange(len(answers)), IT, sentences.referent
    mass, d_looks = passed.looks[at], np.zeros_like(passed.looks)
    d_looks[at] = -1 / (mass * len(mass))
    return loss - float(np.log(mass).mean()), passed.backward(d_logits, d_looks)


def answer_loss(logits: NDArray, answers: NDArray) -> tuple[float, NDArray]:
    """Return the surprise at the answers, read at *it*, and its gradient."""
    d_logits = np.zeros_like(logits)
    loss, d_logits[:, IT] = cross_entropy(logits[:, IT], answers)
    return loss, d_logits


def train(task: Task, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train from scratch; the weights yielded are those of `forward`."""
    rng = np.random.default_rng([task.seed, 1])
    weights = initial(len(WORDS), task.config, task.seed)
    if not task.shared:
        yield from descend(
            weights, plan, lambda live: loss_of(draw(rng, plan.batch), live, task)
        )
        return
    table = features()
    shape = table.shape[1], task.d_model
    made = np.random.default_rng(task.seed).normal(0, task.d_model**-0.5, shape)
    parts = {"features": made.astype(np.float32), "encoder": weights["encoder"]}

    def whole(parts: Tree) -> Tree:
        return {"words": table @ parts["features"], "encoder": parts["encoder"]}

    def loss_of_parts(parts: Tree) -> tuple[float, Tree]:
        loss, d = loss_of(draw(rng, plan.batch), whole(parts), task)
        return loss, {"features": table.T @ d["words"], "encoder": d["encoder"]}

    for step, loss, live in descend(parts, plan, loss_of_parts):
        yield Progress(step, loss, whole(live))


# --- What it comes to -----------------------------------------------------------------


class Reading(NamedTuple):
    """What a model makes of sentences.

    Attributes
    ----------
    looks : ndarray, shape (..., layers, heads, n)
        The weights that *it* gives every word.
    shares : ndarray, shape (..., words)
        How probable each word is as what *it* stands for.
    """

    looks: NDArray
    shares: NDArray


def read(
    tokens: NDArray, weights: Tree, config: Config, off: Sequence[str] = ()
) -> Reading:
    """Ask a model, with heads switched off, what *it* stands for.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., n)
        At least eight: *it* is the eighth.
    weights : dict
    config : Config
    off : sequence of str
        Heads, as ``"encoder.0.self_attention.head.1"``.

    Returns
    -------
    Reading
    """
    trace = Trace()
    forward(tokens, cut(weights, config, off).weights, config, EVERYONE, trace)
    looks = [
        [
            trace[f"encoder.{layer}.self_attention.head.{head}.weights"][..., IT, :]
            for head in range(config.num_heads)
        ]
        for layer in range(config.num_layers)
    ]
    stacked = np.moveaxis(np.array(looks), (0, 1), (-3, -2))
    return Reading(stacked, softmax(trace["logits"][..., IT, :]))


def reading(
    words: Sequence[str], weights: Tree, config: Config, off: Sequence[str] = ()
) -> Reading:
    """Do the same for one sentence in words."""
    return read(np.array(numbers(words)), weights, config, off)


@dataclass(frozen=True)
class Result:
    """What a task came to, over `PAIRS` pairs of sentences.

    A share is *of two* where the two nouns of the sentence are compared with each other
    alone, and not with all words.

    Attributes
    ----------
    task : Task
    early : float
        The loss of step `EARLY`.
    right, of_two : float
        Share of sentences with the right answer, and of two.
    pointed : float
        Share in which *it* gives the referent more weight than the other noun, in the
        last layer, mean of the heads.
    mass, other : float
        That weight on the referent and on the other noun, in the mean.
    best, best_mass : int, float
        The head of any layer with the most weight on the referent, and that weight.
    without_best : float
        Share right of two with that head switched off.
    costliest, without_costliest : int, float
        The head without which fewest are right of two, and that share.
    new_of_two, new_pointed, new_mass, new_other : float
        The same of sentences with held-out nouns.
    """

    task: Task
    early: float
    right: float
    of_two: float
    pointed: float
    mass: float
    other: float
    best: int
    best_mass: float
    without_best: float
    costliest: int
    without_costliest: float
    new_of_two: float
    new_pointed: float
    new_mass: float
    new_other: float

    @property
    def swing(self) -> float:
        """What weight moves to the other noun as the last word changes kind."""
        return self.mass - self.other


def tell(sentences: Sentences, found: Reading) -> dict[str, float]:
    """Count right answers and weigh where *it* looks."""
    rows = np.arange(len(sentences.tokens))
    last = found.looks[:, -1].mean(axis=1)  # (b, n)
    mass, other = last[rows, sentences.referent], last[rows, sentences.other]
    return {
        "right": (
            found.shares.argmax(axis=1) == sentences.at(sentences.referent)
        ).mean(),
        "of_two": of_two(sentences, found),
        "pointed": (mass > other).mean(),
        "mass": mass.mean(),
        "other": other.mean(),
    }


def of_two(sentences: Sentences, found: Reading) -> float:
    """Return the share of sentences whose referent is likelier than the other noun."""
    rows = np.arange(len(sentences.tokens))
    answer = found.shares[rows, sentences.at(sentences.referent)]
    return float((answer > found.shares[rows, sentences.at(sentences.other)]).mean())


def result(task: Task, weights: Tree, early: float) -> Result:
    """Measure a trained model."""
    config, known = task.config, pairs(PAIRS)
    found = read(known.tokens, weights, config)
    rows = np.arange(len(known.tokens))
    masses = found.looks[rows, :, :, known.referent].mean(axis=0).ravel()
    cuts = [
        of_two(known, read(known.tokens, weights, config, [head]))
        for head in heads_of(config)
    ]
    best, costliest = int(masses.argmax()), int(np.argmin(cuts))
    new = pairs(PAIRS, held_out=True)
    there = tell(new, read(new.tokens, weights, config))
    values = tell(known, found) | {
        "best_mass": masses[best],
        "without_best": cuts[best],
        "without_costliest": cuts[costliest],
        **{
            f"new_{name}": there[name]
            for name in ("of_two", "pointed", "mass", "other")
        },
    }
    rounded = {name: round(float(value), 4) for name, value in values.items()}
    return Result(
        task, float(f"{early:.6g}"), best=best, costliest=costliest, **rounded
    )


def run(task: Task) -> tuple[Result, Tree]:
    """Train a task; measure and return the weights as they would be stored."""
    for progress in train(task):
        if progress.step == EARLY:
            early = progress.loss
    weights = as_stored(progress.weights)
    return result(task, weights, early), weights


# --- What is stored -------------------------------------------------------------------


def model_of(loss: Loss, seed: int) -> Path:
    """Return where a model of two layers is stored, of the seeds of `chosen`."""
    return RUNS / f"pronouns-{loss}-{seed}.safetensors"


def results(**sizes: object) -> list[Result]:
    """Read what the tasks of some sizes came to, by default the shipped ones.

    Parameters
    ----------
    **sizes : object
        Of `Task`: ``results(loss="pointer", num_layers=1)``.

    Returns
    -------
    list of Result
        One a seed.
    """
    asked = asdict(Task("answer")) | sizes
    del asked["seed"]
    return [
        result
        for result in _stored()
        if all(getattr(result.task, name) == value for name, value in asked.items())
    ]


@cache
def _stored() -> list[Result]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return [_from_row(row) for row in csv.DictReader(file)]


def _from_row(row: dict[str, str]) -> Result:
    read = {
        name: text if name == "loss" else json.loads(text) for name, text in row.items()
    }
    task = {field.name: read.pop(field.name) for field in fields(Task)}
    return Result(Task(**task), **read)


def _as_row(result: Result) -> dict[str, str | int | float]:
    row = asdict(result)
    return {
        name: json.dumps(value) if isinstance(value, bool) else value
        for name, value in (row.pop("task") | row).items()
    }


def chosen(loss: Loss, found: Sequence[Result] | None = None) -> tuple[int, int, int]:
    """Return the seeds with the least, the median and the most weight on the referent.

    Of the shipped size, two layers of width 16; of 20 seeds the tenth is the median.
    """
    every = results(loss=loss) if found is None else found
    ordered = sorted(every, key=lambda result: (result.mass, result.task.seed))
    seeds = [result.task.seed for result in ordered]
    return seeds[0], seeds[(len(seeds) - 1) // 2], seeds[-1]


def store(found: Sequence[tuple[Result, Tree]]) -> None:
    """Store the results of all tasks, and the models that the page shows."""
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        rows = [_as_row(result) for result, _ in found]
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    _stored.cache_clear()
    for old in RUNS.glob("pronouns-*.safetensors"):
        old.unlink()
    weights = {result.task: weights for result, weights in found}
    for loss in LOSSES:
        for seed in chosen(loss):
            task = Task(loss, seed=seed)
            told = {
                "seed": str(seed),
                "steps": str(PLAN.steps),
                "loss": json.dumps(loss),
            }
            content = to_bytes(weights[task], task.config, **told)
            model_of(loss, seed).write_bytes(content)


def shown(loss: Loss, which: int) -> tuple[Tree, Config]:
    """Return a stored model: 0 the least, 1 the median, 2 the most on the referent."""
    return load(model_of(loss, chosen(loss)[which]))


def main(arguments: Sequence[str]) -> None:
    """Train all tasks and store what they come to."""
    asked = executors.parser("Train the models of what *it* stands for.")
    with executors.executor(asked.parse_args(arguments).cluster) as pool:
        store(executors.gather(run, TASKS, pool))


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    import_module("transformer.small.pronouns").main(sys.argv[1:])
