"""A task that needs several heads: one query asks about two tokens.

Each of eight tokens has a colour, a shape and a value. No two tokens share a colour or
a shape. A query holds the colour of one token and the shape of another token. Two
linear readouts must return the values of both tokens. One head has one row of attention
weights, so it attends to one of the two tokens, or divides its weight between them.

The vectors of colours, shapes and values are random and fixed. Training changes the
four matrices of attention and the readouts. ``h * d_k`` is 32 for any number of heads.

``python -m course.chapters.heads_that_learn.relations`` trains every task of `TASKS`
and stores in ``relations.csv`` the losses with each set of heads switched off.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from attention import MultiHeadAttention
from course.kit.arrays import Array
from transformer import executors
from transformer.model import cross_entropy
from transformer.parameters import Tree, as_dtype
from transformer.small.sweep import Sweep
from transformer.training import Plan, Progress, descend, train_to_end

D_MODEL, VALUES = 32, 16
SEEDS, FEWER, FEW = range(20), range(10), range(5)
COUNT = 2000  # questions for measuring a model
PLAN = Plan(steps=1500, peak=1e-2, warmup=100)
Output = Literal["full", "blocks", "none"]


@dataclass(frozen=True)
class RelationTask:
    """Settings of a model and of the questions that it must answer.

    The control task, `twice`, has one relation instead of two: both readouts must
    return the value of the token with the colour. If the heads are `equal`, they start
    with equal weights and stay equal (see `shared`). `output` is the kind of W^O: each
    head writes into all columns ("full") or into its own columns ("blocks"), or W^O is
    the identity ("none").
    """

    num_heads: int = 2  # each head is ``D_MODEL / num_heads`` wide
    tokens: int = 8  # number of tokens, of colours and of shapes
    twice: bool = False
    equal: bool = False
    output: Output = "full"
    frozen: bool = False  # whether W_V and the readouts stay random
    seed: int = 0

    @property
    def trained(self) -> list[str]:
        """Names of the arrays that training changes."""
        free = [] if self.frozen else ["W_V", "readouts"]
        return ["W_Q", "W_K", *free, *(["W_O"] if self.output != "none" else [])]


TASKS = [
    *(RelationTask(h, seed=s) for h in (1, 2, 4) for s in SEEDS),
    *(RelationTask(h, tokens=n, seed=s) for n in (6, 12) for h in (1, 2) for s in FEW),
    *(RelationTask(2, tokens=n, twice=True, seed=s) for n in (6, 8, 12) for s in FEW),
    *(RelationTask(2, equal=True, seed=s) for s in FEWER),
    *(RelationTask(2, output=o, seed=s) for o in ("blocks", "none") for s in FEWER),
    *(
        RelationTask(2, output=o, frozen=True, seed=s)
        for o in ("full", "blocks", "none")
        for s in FEWER
    ),
]


class Questions(NamedTuple):
    """Tokens, and the two tokens that each query asks about.

    Colours, shapes and values have shape (b, tokens). `asked`, shape (b, 2), has the
    positions of the token whose colour the query holds and of the token whose shape it
    holds. The two positions differ.
    """

    colours: Array
    shapes: Array
    values: Array
    asked: Array

    def labels(self, *, twice: bool) -> Array:
        """Return the two right values, numbered from 1, shape (b, 2)."""
        places = self.asked[:, [0, 0]] if twice else self.asked
        return np.take_along_axis(self.values, places, axis=1) + 1


def draw(rng: np.random.Generator, count: int, tokens: int) -> Questions:
    """Return random questions."""
    shape = count, tokens
    colours, shapes = (np.argsort(rng.random(shape), axis=1) for _ in range(2))
    one = rng.integers(tokens, size=count)
    other = (one + rng.integers(1, tokens, size=count)) % tokens
    values = rng.integers(VALUES, size=shape)
    return Questions(colours, shapes, values, np.stack([one, other], axis=1))


def initial(task: RelationTask) -> Tree:
    """Return the random initial weights, in single precision."""
    rng = np.random.default_rng(task.seed)
    d, h = D_MODEL, task.num_heads

    def matrix(*shape: int) -> Array:
        return rng.normal(0, np.sqrt(2 / (shape[-2] + shape[-1])), shape)

    def heads() -> Array:  # one matrix, split into (h, d, d / h)
        cut = matrix(d, d).reshape(d, h, -1).swapaxes(0, 1)
        return np.repeat(cut[:1], h, axis=0) if task.equal else cut

    counts = {"colours": task.tokens, "shapes": task.tokens, "values": VALUES}
    weights = {name: rng.normal(size=(count, d)) for name, count in counts.items()}
    weights |= {name: heads() for name in ("W_Q", "W_K", "W_V")}
    rows = matrix(d, d)
    if task.equal:
        rows = np.tile(rows[: d // h], (h, 1))
    weights["W_O"] = np.eye(d) if task.output == "none" else rows * written(task)
    weights["readouts"] = matrix(2, d, 1 + VALUES)
    return as_dtype(weights, np.float32)


def written(task: RelationTask) -> Array:
    """Return 1 where W^O may differ from 0, else 0, shape (d, d)."""
    if task.output == "full":
        return np.ones((D_MODEL, D_MODEL), np.float32)
    width = D_MODEL // task.num_heads
    return np.kron(np.eye(task.num_heads), np.ones((width, width))).astype(np.float32)


def inputs(questions: Questions, weights: Tree) -> tuple[Array, Array]:
    """Return the queries, shape (b, 1, d), and the tokens, shape (b, tokens, d)."""
    colours, shapes = (
        weights[name][getattr(questions, name)] for name in ("colours", "shapes")
    )
    rows, (one, other) = np.arange(len(colours)), questions.asked.T
    query = (colours[rows, one] + shapes[rows, other])[:, None]
    return query, colours + shapes + weights["values"][questions.values]


def forward(
    questions: Questions, weights: Tree
) -> tuple[Array, Callable[[Array], Tree]]:
    """Return the logits of both answers, and the gradient function.

    The logits have shape (b, 2, 1 + VALUES). The function takes the gradient with
    respect to the logits, and returns the gradients with respect to the weights.
    """
    query, context = inputs(questions, weights)
    names = "W_Q", "W_K", "W_V", "W_O"
    attention = MultiHeadAttention(**{name: weights[name] for name in names})
    found = attention(query, context)[:, 0]  # (b, d)
    logits = np.einsum("bd,pdv->bpv", found, weights["readouts"])

    def backward(d_logits: Array) -> Tree:
        d_found = np.einsum("bpv,pdv->bd", d_logits, weights["readouts"])[:, None]
        d = attention.gradients(d_found, query, context)
        readouts = np.einsum("bd,bpv->pdv", found, d_logits)
        return {name: getattr(d, name) for name in names} | {"readouts": readouts}

    return logits, backward


def shared(gradients: Tree, num_heads: int) -> Tree:
    """Return gradients in which every head has the gradient of the first head.

    In exact arithmetic equal heads have equal gradients, so this changes nothing. BLAS
    may round equal products differently, and training makes the difference grow.
    """
    tied = {
        name: np.broadcast_to(gradients[name][:1], gradients[name].shape)
        for name in ("W_Q", "W_K", "W_V")
    }
    rows = gradients["W_O"][: D_MODEL // num_heads]
    return gradients | tied | {"W_O": np.tile(rows, (num_heads, 1))}


def train(task: RelationTask, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train a model from scratch; yield each step."""
    rng = np.random.default_rng([task.seed, 1])
    weights, free = initial(task), written(task)

    def loss_of(trained: Tree) -> tuple[float, Tree]:
        questions = draw(rng, plan.batch, task.tokens)
        logits, backward = forward(questions, weights)  # `weights` contains `trained`
        loss, d_logits = cross_entropy(logits, questions.labels(twice=task.twice))
        gradients = backward(d_logits)
        gradients["W_O"] = gradients["W_O"] * free
        if task.equal:
            gradients = shared(gradients, task.num_heads)
        return loss, {name: gradients[name] for name in trained}

    trained = {name: weights[name] for name in task.trained}
    for step, loss, _ in descend(trained, plan, loss_of):
        yield Progress(step, loss, weights)


def without(weights: Tree, off: Sequence[int]) -> Tree:
    """Return the weights with some heads switched off: their rows of W^O are 0."""
    width = D_MODEL // len(weights["W_Q"])
    kept = np.repeat([i not in off for i in range(len(weights["W_Q"]))], width)
    return weights | {"W_O": weights["W_O"] * kept[:, None]}


def sets_of(num_heads: int) -> list[tuple[int, ...]]:
    """Return all sets of heads, from the empty set to all heads."""
    heads = range(num_heads)
    return [off for n in range(num_heads + 1) for off in combinations(heads, n)]


@dataclass(frozen=True)
class RelationResult:
    """Mean losses and shares of right answers with some heads switched `off`."""

    task: RelationTask
    early: float  # loss at step `transformer.training.EARLY`
    apart: float  # largest difference of the first two heads' weights, or 0
    off: tuple[int, ...]
    loss_colour: float
    loss_shape: float
    right_colour: float
    right_shape: float

    @property
    def losses(self) -> tuple[float, float]:
        """Mean losses of the colour question and of the shape question."""
        return self.loss_colour, self.loss_shape

    @property
    def right(self) -> tuple[float, float]:
        """Shares of right answers to the colour question and to the shape question."""
        return self.right_colour, self.right_shape


SWEEP = Sweep(Path(__file__).with_name("relations.csv"), RelationResult)


def measure(task: RelationTask) -> list[RelationResult]:
    """Train a model; return its measurements with every set of heads off."""
    weights, early = train_to_end(train(task))
    heads = [weights[name] for name in ("W_Q", "W_K", "W_V")]
    apart = max(float(np.abs(w[0] - w[min(1, len(w) - 1)]).max()) for w in heads)
    questions = draw(np.random.default_rng(COUNT), COUNT, task.tokens)
    labels, found = questions.labels(twice=task.twice), []
    for off in sets_of(task.num_heads):
        logits, _ = forward(questions, without(weights, off))
        losses = [cross_entropy(logits[:, i], labels[:, i])[0] for i in range(2)]
        right = (logits.argmax(axis=-1) == labels).mean(axis=0)
        rounded = (round(float(value), 4) for value in (*losses, *right))
        found.append(RelationResult(task, early, apart, off, *rounded))
    return found


@cache
def results() -> dict[RelationTask, list[RelationResult]]:
    """Return the stored results of every task; the first result has no head off."""
    found: dict[RelationTask, list[RelationResult]] = {}
    for result in SWEEP.results:
        found.setdefault(result.task, []).append(result)
    return found


def main() -> None:
    """Train and store all tasks."""
    found = executors.gather(measure, TASKS)
    SWEEP.store([result for results in found for result in results])


if __name__ == "__main__":
    # Workers cannot import from `__main__`, so run the module under its full name.
    import_module("course.chapters.heads_that_learn.relations").main()
