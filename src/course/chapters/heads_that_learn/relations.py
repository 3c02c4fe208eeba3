"""What heads are for: one query, two relations.

Eight tokens, each with a colour, a shape and a value; no two have the same colour, or
the same shape. One query holds the colour of one token and the shape of another, and
both values are asked, by two linear readouts. One head has one row of weights: it can
look at one of the two, or at both a little. Vectors of colours, shapes and values are
random and stay; trained are the four matrices of attention and the readouts. However
many heads there are, ``h * d_k`` is 32.

``python -m course.chapters.heads_that_learn.relations`` trains every `Task` of `TASKS`
and stores, in ``relations.csv``, what it comes to with each set of heads switched off.
``--cluster ADDRESS`` runs it on the machines of a cluster (`transformer.executors`).
"""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib import import_module
from itertools import chain, combinations
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from attention import MultiHeadAttention
from course.kit.arrays import Array
from transformer import executors
from transformer.model import cross_entropy
from transformer.parameters import Tree, as_dtype
from transformer.seeds import store
from transformer.training import Plan, Progress, descend

CSV = Path(__file__).with_name("relations.csv")
D_MODEL, VALUES = 32, 16
ASKED = ("colour", "shape")
SEEDS, FEWER, FEW = range(20), range(10), range(5)
COUNT = 2000  # questions on which it is measured
EARLY = 20  # the step whose loss is stored too, by which a run can be known again
PLAN = Plan(steps=1500, peak=1e-2, warmup=100)
Output = Literal["full", "blocks", "none"]


@dataclass(frozen=True)
class Task:
    """What is trained.

    Attributes
    ----------
    num_heads : int
        Each is ``D_MODEL / num_heads`` wide.
    tokens : int
        Colours, shapes and tokens.
    twice : bool
        Whether both readouts are asked for the value behind the colour: the control, in
        which there is one relation.
    equal : bool
        Whether all heads begin with the same weights, and stay equal (`shared`).
    output : {"full", "blocks", "none"}
        W^O: every head writes into every column; each into its own; or there is none,
        and the heads' outputs stand side by side.
    frozen : bool
        Whether the matrices of the values and the readouts stay as they were drawn.
    seed : int
    """

    num_heads: int = 2
    tokens: int = 8
    twice: bool = False
    equal: bool = False
    output: Output = "full"
    frozen: bool = False
    seed: int = 0

    @property
    def trained(self) -> list[str]:
        """The names of the arrays that training changes."""
        free = [] if self.frozen else ["W_V", "readouts"]
        return ["W_Q", "W_K", *free, *(["W_O"] if self.output != "none" else [])]


TASKS = [
    *(Task(h, seed=s) for h in (1, 2, 4) for s in SEEDS),
    *(Task(h, tokens=n, seed=s) for n in (6, 12) for h in (1, 2) for s in FEW),
    *(Task(2, tokens=n, twice=True, seed=s) for n in (6, 8, 12) for s in FEW),
    *(Task(2, equal=True, seed=s) for s in FEWER),
    *(Task(2, output=o, seed=s) for o in ("blocks", "none") for s in FEWER),
    *(
        Task(2, output=o, frozen=True, seed=s)
        for o in ("full", "blocks", "none")
        for s in FEWER
    ),
]


class Questions(NamedTuple):
    """Questions, and what they are asked of.

    Attributes
    ----------
    colours, shapes, values : ndarray of int, shape (b, tokens)
    asked : ndarray of int, shape (b, 2)
        The place of the token whose colour the query holds, and of that whose shape;
        never the same.
    """

    colours: Array
    shapes: Array
    values: Array
    asked: Array

    def labels(self, *, twice: bool) -> Array:
        """Return the two values that are asked, from 1 on, shape (b, 2)."""
        places = self.asked[:, [0, 0]] if twice else self.asked
        return np.take_along_axis(self.values, places, axis=1) + 1


def draw(rng: np.random.Generator, count: int, tokens: int) -> Questions:
    """Draw questions."""
    shape = count, tokens
    colours, shapes = (np.argsort(rng.random(shape), axis=1) for _ in ASKED)
    one = rng.integers(tokens, size=count)
    other = (one + rng.integers(1, tokens, size=count)) % tokens
    values = rng.integers(VALUES, size=shape)
    return Questions(colours, shapes, values, np.stack([one, other], axis=1))


def initial(task: Task) -> Tree:
    """Draw fresh weights, in single precision."""
    rng = np.random.default_rng(task.seed)
    d, h = D_MODEL, task.num_heads

    def matrix(*shape: int) -> Array:
        return rng.normal(0, np.sqrt(2 / (shape[-2] + shape[-1])), shape)

    def heads() -> Array:  # (h, d, d / h), drawn as one matrix and cut
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


def written(task: Task) -> Array:
    """Say into which columns each row of W^O may write, shape (d, d)."""
    if task.output == "full":
        return np.ones((D_MODEL, D_MODEL), np.float32)
    width = D_MODEL // task.num_heads
    return np.kron(np.eye(task.num_heads), np.ones((width, width))).astype(np.float32)


class Pass(NamedTuple):
    """What comes out of a forward pass.

    Attributes
    ----------
    logits : ndarray, shape (b, 2, 1 + VALUES)
    backward : callable
        From the gradient by the logits to those by the weights that can be trained.
    """

    logits: Array
    backward: Callable[[Array], Tree]


def inputs(questions: Questions, weights: Tree) -> tuple[Array, Array]:
    """Return the queries, shape (b, 1, d), and the tokens, shape (b, tokens, d)."""
    colours, shapes = (
        weights[name][getattr(questions, name)] for name in ("colours", "shapes")
    )
    rows, (one, other) = np.arange(len(colours)), questions.asked.T
    query = (colours[rows, one] + shapes[rows, other])[:, None]
    return query, colours + shapes + weights["values"][questions.values]


def forward(questions: Questions, weights: Tree) -> Pass:
    """Answer questions."""
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

    return Pass(logits, backward)


def shared(gradients: Tree, num_heads: int) -> Tree:
    """Return the gradients with the first head's in the place of every head's.

    In exact arithmetic equal heads have equal gradients, and nothing changes here. BLAS
    may round equal products differently, and training makes the difference grow.
    """
    tied = {
        name: np.broadcast_to(gradients[name][:1], gradients[name].shape)
        for name in ("W_Q", "W_K", "W_V")
    }
    rows = gradients["W_O"][: D_MODEL // num_heads]
    return gradients | tied | {"W_O": np.tile(rows, (num_heads, 1))}


def train(task: Task, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train from scratch."""
    rng = np.random.default_rng([task.seed, 1])
    weights, free = initial(task), written(task)

    def loss_of(trained: Tree) -> tuple[float, Tree]:
        questions = draw(rng, plan.batch, task.tokens)
        logits, backward = forward(questions, weights)  # `trained` lives in there
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
    """Return the weights with the rows of W^O of some heads at 0."""
    width = D_MODEL // len(weights["W_Q"])
    kept = np.repeat([i not in off for i in range(len(weights["W_Q"]))], width)
    return weights | {"W_O": weights["W_O"] * kept[:, None]}


def sets_of(num_heads: int) -> list[tuple[int, ...]]:
    """Return all sets of heads, none first and all last."""
    every = range(num_heads)
    return list(chain(*(combinations(every, n) for n in range(num_heads + 1))))


@dataclass(frozen=True)
class Result:
    """What a trained model comes to with some heads switched off.

    Attributes
    ----------
    task : Task
    early : float
        The loss of step `EARLY`.
    apart : float
        The largest difference between the weights of the first two heads; 0 for one.
    off : tuple of int
    losses, right : tuple of float
        Mean surprise and share right of the two values that are asked.
    """

    task: Task
    early: float
    apart: float
    off: tuple[int, ...]
    losses: tuple[float, float]
    right: tuple[float, float]


def measure(task: Task) -> list[Result]:
    """Train a task and measure it with every set of heads off."""
    for progress in train(task):
        if progress.step == EARLY:
            early = float(f"{progress.loss:.6g}")
    weights = progress.weights
    heads = [weights[name] for name in ("W_Q", "W_K", "W_V")]
    apart = max(float(np.abs(w[0] - w[min(1, len(w) - 1)]).max()) for w in heads)
    questions = draw(np.random.default_rng(COUNT), COUNT, task.tokens)
    labels, found = questions.labels(twice=task.twice), []
    for off in sets_of(task.num_heads):
        logits, _ = forward(questions, without(weights, off))
        losses = [cross_entropy(logits[:, i], labels[:, i])[0] for i in range(2)]
        right = (logits.argmax(axis=-1) == labels).mean(axis=0)
        pairs = (tuple(round(float(x), 4) for x in pair) for pair in (losses, right))
        found.append(Result(task, early, apart, off, *pairs))
    return found


# --- What is stored -------------------------------------------------------------------


@cache
def results() -> dict[Task, list[Result]]:
    """Read what every task came to, with nothing off first."""
    found: dict[Task, list[Result]] = {}
    with CSV.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            texts = {"output": row.pop("output")}
            off = tuple(int(head) for head in row.pop("off").split())
            read = texts | {name: json.loads(text) for name, text in row.items()}
            task = Task(**{field.name: read.pop(field.name) for field in fields(Task)})
            losses, right = (
                tuple(read[f"{kind}_{asked}"] for asked in ASKED)
                for kind in ("loss", "right")
            )
            result = Result(task, read["early"], read["apart"], off, losses, right)
            found.setdefault(task, []).append(result)
    return found


def _as_row(result: Result) -> dict[str, str | int | float]:
    row = {
        name: json.dumps(value) if isinstance(value, bool) else value
        for name, value in asdict(result.task).items()
    }
    row |= {"early": result.early, "apart": result.apart}
    row["off"] = " ".join(map(str, result.off))
    for kind, pair in (("loss", result.losses), ("right", result.right)):
        row |= {f"{kind}_{a}": x for a, x in zip(ASKED, pair, strict=True)}
    return row


def main(arguments: Sequence[str]) -> None:
    """Train all tasks and store what they come to."""
    asked = executors.parser("Train heads on one relation and on two.")
    with executors.executor(asked.parse_args(arguments).cluster) as pool:
        found = executors.gather(measure, TASKS, pool)
    store(CSV, [_as_row(result) for results in found for result in results])


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    import_module("course.chapters.heads_that_learn.relations").main(sys.argv[1:])
