"""What heads are good for, attention alone: one query that fetches several words.

A sentence of 16 words, drawn from 32. One query, always the same, has to bring back the
words at the first 1, 2, 4 or 8 places: what attention returns for it is one vector, and
from that a linear readout for each place must tell which word stands there. Words and
places have random vectors, which stay; trained are the query, the four matrices of
attention and the readouts. However many heads there are, they have as many weights
together.

``python -m course.chapters.translation.fetch`` trains every `Task` of `TASKS` from five
seeds and stores the share of words that come out right in ``fetch.csv``.
``--cluster ADDRESS`` runs it on the machines of a cluster (`transformer.executors`).
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np

from attention import MultiHeadAttention
from course.kit.arrays import Array
from transformer import executors
from transformer.layers import feed_forward
from transformer.model import cross_entropy
from transformer.parameters import Tree
from transformer.seeds import store
from transformer.training import Adam, Plan

CSV = Path(__file__).with_name("fetch.csv")
LENGTH, D_MODEL = 16, 32
SEEDS, BATCH = 5, 64
EARLY = 20  # the step whose loss is stored too, by which a run can be known again
ASKED = 4000  # sentences on which the result is counted


@dataclass(frozen=True)
class Task:
    """What is fetched, and by how many heads.

    Attributes
    ----------
    places : int
        How many words are fetched.
    num_heads : int
        Each is ``D_MODEL / num_heads`` wide.
    words : int
        Different words that there are.
    feed_forward : bool
        Whether a feed-forward layer, with a residual, follows attention.
    learned : bool
        Whether the vectors of words and places are trained too.
    steps : int
        Of training.
    """

    places: int
    num_heads: int
    words: int = 32
    feed_forward: bool = False
    learned: bool = False
    steps: int = 1500


TASKS = [
    *(Task(places, heads) for places in (1, 2, 4, 8) for heads in (1, 2, 4, 8)),
    *(Task(2, heads, words=16) for heads in (1, 2)),
    *(Task(4, heads, feed_forward=True) for heads in (1, 2, 4)),
    *(Task(4, heads, learned=True) for heads in (1, 2, 4)),
    *(Task(4, heads, steps=6000) for heads in (1, 2)),
]


def initial(task: Task, rng: np.random.Generator) -> Tree:
    """Draw fresh weights, in single precision."""
    d, h = D_MODEL, task.num_heads

    def matrix(*shape: int) -> Array:
        return rng.normal(0, np.sqrt(2 / (shape[-2] + shape[-1])), shape)

    def heads() -> Array:  # (h, d, d / h), drawn as one matrix and cut
        return matrix(d, d).reshape(d, h, -1).swapaxes(0, 1).copy()

    vectors = {"words": (1 + task.words, d), "places": (LENGTH, d), "query": (1, d)}
    weights = {name: rng.normal(size=shape) for name, shape in vectors.items()}
    weights["query"] /= 10  # else one place may get all the weight before any step
    weights |= {name: heads() for name in ("W_Q", "W_K", "W_V")} | {"W_O": matrix(d, d)}
    weights["readouts"] = matrix(task.places, d, 1 + task.words)
    if task.feed_forward:
        weights |= {"W_1": matrix(d, 2 * d), "b_1": np.zeros(2 * d)}
        weights |= {"W_2": matrix(2 * d, d), "b_2": np.zeros(d)}
    return {name: array.astype(np.float32) for name, array in weights.items()}


def fetch(
    numbers: Array, weights: Tree, task: Task
) -> tuple[Array, Callable[[Array], Tree]]:
    """Ask for the words at the first places of sentences.

    Parameters
    ----------
    numbers : ndarray of int, shape (b, LENGTH)
        Words, numbered from 1: 0 is padding to `cross_entropy`.
    weights : dict
    task : Task

    Returns
    -------
    logits : ndarray, shape (b, places, 1 + words)
    backward : callable
        From the gradient by the logits to those by the weights that are trained.
    """
    context = weights["words"][numbers] + weights["places"]  # (b, LENGTH, d)
    query = np.broadcast_to(weights["query"], (len(numbers), 1, D_MODEL))
    attention = MultiHeadAttention(
        **{name: weights[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
    )
    found = attention(query, context)  # (b, 1, d)
    if task.feed_forward:
        more, feed_forward_back = feed_forward(found, weights)
    answer = (found + more if task.feed_forward else found)[:, 0]
    logits = np.einsum("bd,pdw->bpw", answer, weights["readouts"])

    def backward(d_logits: Array) -> Tree:
        gradients: Tree = {"readouts": np.einsum("bd,bpw->pdw", answer, d_logits)}
        d_answer = np.einsum("bpw,pdw->bd", d_logits, weights["readouts"])[:, None]
        if task.feed_forward:
            d_found, d_more = feed_forward_back(d_answer)
            gradients |= d_more
            d_answer = d_answer + d_found
        d = attention.gradients(d_answer, query, context)
        gradients |= {name: getattr(d, name) for name in ("W_Q", "W_K", "W_V", "W_O")}
        gradients["query"] = d.x.sum(axis=0)
        if task.learned:
            gradients["places"] = d.context.sum(axis=0)
            gradients["words"] = np.zeros_like(weights["words"])
            np.add.at(gradients["words"], numbers, d.context)
        return gradients

    return logits, backward


def train(task: Task, seed: int) -> Iterator[tuple[float, Tree]]:
    """Train from scratch; yield each step's loss and the live weights."""
    rng = np.random.default_rng(seed)
    weights = initial(task, rng)
    kept = () if task.learned else ("words", "places")
    adam = Adam({name: w for name, w in weights.items() if name not in kept})
    plan = Plan(steps=task.steps, batch=BATCH, peak=1e-2, warmup=100)
    for step in range(task.steps):
        numbers = rng.integers(1, 1 + task.words, (BATCH, LENGTH))
        logits, backward = fetch(numbers, weights, task)
        loss, d_logits = cross_entropy(logits, numbers[:, : task.places])
        adam.step(backward(d_logits), plan.rate(step))
        yield loss, weights


def share_right(task: Task, weights: Tree) -> float:
    """Return the share of words fetched that are the right ones, in new sentences."""
    rng = np.random.default_rng(ASKED)
    numbers = rng.integers(1, 1 + task.words, (ASKED, LENGTH))
    logits, _ = fetch(numbers, weights, task)
    return float((logits.argmax(axis=-1) == numbers[:, : task.places]).mean())


def measure(asked: tuple[Task, int]) -> dict[str, str | int | float]:
    """Train a task from one seed and return its row."""
    task, seed = asked
    for step, (loss, live) in enumerate(train(task, seed), start=1):
        weights = live
        if step == EARLY:
            early = loss
    right = round(share_right(task, weights), 4)
    return asdict(task) | {"seed": seed, "early": f"{early:.6g}", "right": right}


def results() -> dict[Task, Array]:
    """Read what every task came to: the share right, one number a seed."""
    found: dict[Task, list[float]] = {}
    with CSV.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            task = Task(
                *(int(row[name]) for name in ("places", "num_heads", "words")),
                *(row[name] == "True" for name in ("feed_forward", "learned")),
                steps=int(row["steps"]),
            )
            found.setdefault(task, []).append(float(row["right"]))
    return {task: np.array(right) for task, right in found.items()}


def main(arguments: Sequence[str]) -> None:
    """Train every task from every seed and store the rows."""
    asked = executors.parser("Train queries that fetch several words.")
    with executors.executor(asked.parse_args(arguments).cluster) as pool:
        runs = list(product(TASKS, range(SEEDS)))
        store(CSV, executors.gather(measure, runs, pool))


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    import_module("course.chapters.translation.fetch").main(sys.argv[1:])
