"""What several heads are for: one query that fetches several words.

A sentence has 16 words, drawn from 32. One query must fetch the words at the first 1,
2, 4 or 8 positions: attention returns one vector for this query, and a linear readout
for each position must recover the word there. The vectors of words and positions are
random and fixed. Training changes the query, the four matrices of attention and the
readouts. The number of weights is the same for every number of heads.

``python -m course.chapters.translation.fetch`` trains every task of `TASKS` from five
seeds and stores in ``fetch.csv`` the share of words that are right.
``--cluster ADDRESS`` runs it on a cluster.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np

from attention import MultiHeadAttention
from course.kit.arrays import Array
from transformer import executors
from transformer.layers import feed_forward
from transformer.model import cross_entropy
from transformer.parameters import Tree
from transformer.small.sweep import Sweep
from transformer.stored_files import write_table
from transformer.training import Plan, Progress, descend, train_to_end

LENGTH, D_MODEL = 16, 32
SEEDS, BATCH = 5, 64
ASKED = 4000  # sentences for measuring a model


@dataclass(frozen=True)
class FetchTask:
    """The words that are fetched, and the model that is trained.

    Attributes
    ----------
    places : int
        Number of words that are fetched.
    num_heads : int
        Each is ``D_MODEL / num_heads`` wide.
    words : int
        Size of the vocabulary.
    feed_forward : bool
        Whether a feed-forward layer with a residual follows attention.
    learned : bool
        Whether the vectors of words and positions are trained too.
    steps : int
        Of training.
    seed : int
    """

    places: int
    num_heads: int
    words: int = 32
    feed_forward: bool = False
    learned: bool = False
    steps: int = 1500
    seed: int = 0


SIZES = [
    *(FetchTask(places, heads) for places in (1, 2, 4, 8) for heads in (1, 2, 4, 8)),
    *(FetchTask(2, heads, words=16) for heads in (1, 2)),
    *(FetchTask(4, heads, feed_forward=True) for heads in (1, 2, 4)),
    *(FetchTask(4, heads, learned=True) for heads in (1, 2, 4)),
    *(FetchTask(4, heads, steps=6000) for heads in (1, 2)),
]
TASKS = [replace(task, seed=seed) for task in SIZES for seed in range(SEEDS)]


def initial(task: FetchTask, rng: np.random.Generator) -> Tree:
    """Return random weights in single precision."""
    d, h = D_MODEL, task.num_heads

    def matrix(*shape: int) -> Array:
        return rng.normal(0, np.sqrt(2 / (shape[-2] + shape[-1])), shape)

    def heads() -> Array:  # one matrix, split into (h, d, d / h)
        return matrix(d, d).reshape(d, h, -1).swapaxes(0, 1).copy()

    vectors = {"words": (1 + task.words, d), "places": (LENGTH, d), "query": (1, d)}
    weights = {name: rng.normal(size=shape) for name, shape in vectors.items()}
    weights["query"] /= 10  # or one position may start with all the weight
    weights |= {name: heads() for name in ("W_Q", "W_K", "W_V")} | {"W_O": matrix(d, d)}
    weights["readouts"] = matrix(task.places, d, 1 + task.words)
    if task.feed_forward:
        weights |= {"W_1": matrix(d, 2 * d), "b_1": np.zeros(2 * d)}
        weights |= {"W_2": matrix(2 * d, d), "b_2": np.zeros(d)}
    return {name: array.astype(np.float32) for name, array in weights.items()}


def fetch(
    numbers: Array, weights: Tree, task: FetchTask
) -> tuple[Array, Callable[[Array], Tree]]:
    """Return the logits of the words at the first positions, and the gradient function.

    Parameters
    ----------
    numbers : ndarray of int, shape (b, LENGTH)
        Words, numbered from 1: `cross_entropy` does not count 0.
    weights : dict
    task : FetchTask

    Returns
    -------
    logits : ndarray, shape (b, places, 1 + words)
    backward : callable
        Takes the gradient by the logits, returns those by the trained weights.
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


def train(task: FetchTask) -> Iterator[Progress]:
    """Train a model from scratch; yield each step."""
    rng = np.random.default_rng(task.seed)
    weights = initial(task, rng)
    fixed = () if task.learned else ("words", "places")

    def loss_of(trained: Tree) -> tuple[float, Tree]:
        numbers = rng.integers(1, 1 + task.words, (BATCH, LENGTH))
        logits, backward = fetch(numbers, weights, task)  # contains `trained`
        loss, d_logits = cross_entropy(logits, numbers[:, : task.places])
        gradients = backward(d_logits)
        return loss, {name: gradients[name] for name in trained}

    plan = Plan(steps=task.steps, batch=BATCH, peak=1e-2, warmup=100)
    trained = {name: w for name, w in weights.items() if name not in fixed}
    for step, loss, _ in descend(trained, plan, loss_of):
        yield Progress(step, loss, weights)


def share_right(task: FetchTask, weights: Tree) -> float:
    """Return the share of words that a model fetches right from new sentences."""
    rng = np.random.default_rng(ASKED)
    numbers = rng.integers(1, 1 + task.words, (ASKED, LENGTH))
    logits, _ = fetch(numbers, weights, task)
    return float((logits.argmax(axis=-1) == numbers[:, : task.places]).mean())


@dataclass(frozen=True)
class FetchResult:
    """The loss of step `transformer.training.EARLY`, and the share of right words."""

    task: FetchTask
    early: float
    right: float


SWEEP = Sweep(Path(__file__).with_name("fetch.csv"), FetchResult)


def measure(task: FetchTask) -> FetchResult:
    """Train a model and return its measurements."""
    weights, early = train_to_end(train(task))
    return FetchResult(task, early, round(share_right(task, weights), 4))


def results() -> dict[FetchTask, Array]:
    """Return the stored shares of right words of each of `SIZES`, shape (seeds,)."""
    return {
        size: np.array([result.right for result in SWEEP.select(size)])
        for size in SIZES
    }


def store(found: Sequence[FetchResult], path: Path = SWEEP.path) -> None:
    """Write the results; booleans are written as Python prints them."""
    measured = [{"early": result.early, "right": result.right} for result in found]
    tasks = [asdict(result.task) for result in found]
    write_table(path, [task | row for task, row in zip(tasks, measured, strict=True)])


def main(arguments: Sequence[str]) -> None:
    """Train and store all tasks."""
    about = "Train queries that fetch several words."
    store(executors.run_command(about, arguments, measure, TASKS))


if __name__ == "__main__":
    # Under this name other processes can import the module too.
    import_module("course.chapters.translation.fetch").main(sys.argv[1:])
