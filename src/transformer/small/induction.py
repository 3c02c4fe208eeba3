"""An induction head grows: a stack learns to go on with what has stood there before.

A sequence is a run of different letters, 6 to 12 of 12, and then the same run again and
again. After a letter that has stood there before comes what came after it then. How
long the run is, is drawn anew for each sequence, so that counting back does not tell
(`Task.fixed` periods, where it does, are the control).

``python -m transformer.small.induction`` trains every `Task` of `TASKS` and stores what
it comes to in ``runs/induction.csv``; of the run that the page shows, `WATCHED`, it
stores the weights in the end, in half precision, and where its heads look on the way,
after each of `POINTS` steps, one byte a weight. ``--cluster ADDRESS`` runs it on the
machines of a cluster (`transformer.executors`).

References
----------
Olsson et al. (2022), In-context Learning and Induction Heads.
"""

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer import executors
from transformer.embeddings import score_words
from transformer.encoder import encode
from transformer.laboratory import cut
from transformer.layers import feed_forward, residual
from transformer.masks import causal
from transformer.model import cross_entropy
from transformer.parameters import Config, Tree
from transformer.seeds import store as keep
from transformer.small.stack import forward, heads_of, initial
from transformer.storage import as_stored, to_bytes
from transformer.trace import Trace
from transformer.training import Plan, Progress, descend

LETTERS = "abcdefghijkl"  # numbered from 1: 0 is filling to `cross_entropy`
LENGTH, FEWEST = 24, 6
SEEDS, FEW = range(10), range(5)
COUNT = 300  # sequences on which it is measured
EVERY = 10  # steps between two measurements
LONGER = range(10, 13)
"""Periods on which a machine is tried that has seen the fixed one alone."""
REACHED = 0.95
"""The share of right letters at which a run is said to have learnt."""
EARLY = 20  # the step whose loss is stored too, by which a run can be known again
PLAN = Plan(steps=400, peak=1e-2, warmup=50)

RUNS = Path(__file__).with_name("runs")
RESULTS, MODEL = RUNS / "induction.csv", RUNS / "induction.safetensors"
SCRUB, SCRUB_NOTES = RUNS / "induction-scrub.bin", RUNS / "induction-scrub.json"
POINTS = 60  # of training, at which the page shows where the heads look
SHOWN = 16  # letters of a sequence on the page
PERIODS = 6, 7, 8  # of the sequences on the page


@dataclass(frozen=True)
class Task:
    """What is trained.

    Attributes
    ----------
    num_layers, num_heads, d_model : int
    fixed : bool
        Whether the period is 9 in every sequence.
    seed : int
    """

    num_layers: int = 2
    num_heads: int = 2
    d_model: int = 32
    fixed: bool = False
    seed: int = 0

    @property
    def config(self) -> Config:
        """The sizes of its machine."""
        d_model = self.d_model
        return Config(self.num_layers, self.num_heads, d_model, 2 * d_model, "pre")

    @property
    def periods(self) -> Sequence[int]:
        """How many letters a run may have."""
        return [9] if self.fixed else range(FEWEST, len(LETTERS) + 1)


TASKS = [
    *(Task(seed=s) for s in SEEDS),
    *(Task(1, seed=s) for s in FEW),
    *(Task(n, d_model=d, seed=s) for n in (2, 1) for d in (24, 48) for s in FEW),
    *(Task(1, d_model=d, fixed=True, seed=s) for d in (24, 32, 40, 48) for s in FEW),
]
WATCHED = Task()


class Sequences(NamedTuple):
    """Sequences as numbers.

    Attributes
    ----------
    tokens : ndarray of int, shape (b, n)
    labels : ndarray of int, shape (b, n)
        The letter that comes next; 0 where nothing tells it, because the letter here
        stands there for the first time.
    """

    tokens: NDArray
    labels: NDArray


def draw(
    rng: np.random.Generator, count: int, periods: Sequence[int], length: int = LENGTH
) -> Sequences:
    """Draw sequences, each with a period of `periods`."""
    order = np.argsort(rng.random((count, len(LETTERS))), axis=1) + 1
    period = rng.choice(periods, count)[:, None]
    place = np.arange(length + 1)
    letters = np.take_along_axis(order, place % period, axis=1)
    told = place[:-1] >= period
    return Sequences(letters[:, :-1], np.where(told, letters[:, 1:], 0))


def train(task: Task, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train from scratch."""
    rng = np.random.default_rng([task.seed, 1])
    mask = causal(LENGTH)

    def loss_of(weights: Tree) -> tuple[float, Tree]:
        tokens, labels = draw(rng, plan.batch, task.periods)
        logits, backward = forward(tokens, weights, task.config, mask)
        loss, d_logits = cross_entropy(logits, labels)
        return loss, backward(d_logits)

    yield from descend(fresh(task), plan, loss_of)


def fresh(task: Task) -> Tree:
    """Return the weights that training begins with."""
    return initial(len(LETTERS) + 1, task.config, task.seed, tied=False)


def held_out(periods: Sequence[int], count: int = COUNT) -> Sequences:
    """Draw the sequences on which models are measured."""
    return draw(np.random.default_rng(count), count, periods)


# --- What it comes to -----------------------------------------------------------------


def share_right(
    sequences: Sequences, weights: Tree, config: Config, off: Sequence[str] = ()
) -> float:
    """Return how many of the letters that could be told are right, heads switched off.

    Parameters
    ----------
    sequences : Sequences
    weights : dict
    config : Config
    off : sequence of str
        Heads, as ``"encoder.0.self_attention.head.1"``.
    """
    mask = causal(sequences.tokens.shape[1])
    machine = cut(weights, config, off)
    logits, _ = forward(sequences.tokens, machine.weights, config, mask)
    return right(logits, sequences)


def looks(tokens: NDArray, weights: Tree, config: Config) -> NDArray:
    """Return where every head looks, shape (b, layers, heads, n, n)."""
    trace = Trace()
    forward(tokens, weights, config, causal(tokens.shape[1]), trace)
    found = [trace[f"{head}.weights"] for head in heads_of(config)]
    stacked = np.stack(found, axis=1)
    heads = config.num_layers, config.num_heads
    return stacked.reshape(len(tokens), *heads, *stacked.shape[-2:])


def before(tokens: NDArray) -> NDArray:
    """Say which letter stands before each: True there, shape (b, n, n)."""
    n = tokens.shape[1]
    return np.broadcast_to(np.eye(n, k=-1, dtype=bool), (len(tokens), n, n))


def after_the_same(tokens: NDArray) -> NDArray:
    """Say which letters stand after an earlier one like this, shape (b, n, n)."""
    there = np.zeros((*tokens.shape, tokens.shape[1]), bool)
    same = tokens[:, :, None] == tokens[:, None, :]  # (b, i, j)
    there[:, :, 1:] = (same & np.tri(tokens.shape[1], k=-1, dtype=bool))[:, :, :-1]
    return there


def weight_on(found: NDArray, there: NDArray) -> NDArray:
    """Return the weight of each head on some letters, in the mean.

    Parameters
    ----------
    found : ndarray, shape (b, layers, heads, n, n)
    there : ndarray of bool, shape (b, n, n)
        A row that is False throughout does not count.

    Returns
    -------
    ndarray, shape (layers, heads)
    """
    weights = (found * there[:, None, None]).sum(axis=-1)  # (b, layers, heads, n)
    return weights.sum(axis=(0, 3)) / there.any(axis=-1).sum()


def with_patterns(
    sequences: Sequences,
    weights: Tree,
    config: Config,
    patterns: Mapping[str, NDArray],
) -> float:
    """Return the share right where heads look elsewhere than they do.

    Parameters
    ----------
    sequences : Sequences
    weights : dict
    config : Config
    patterns : mapping of str to ndarray, shape (b, n, n)
        For heads of one layer what stands in for their weights. Their values and their
        rows of W^O stay: what changes is where they look.

    Returns
    -------
    float
    """
    [name] = {head.split(".head.")[0] for head in patterns}
    layer = int(name.split(".")[1])
    trace, mask = Trace(), causal(sequences.tokens.shape[1])
    forward(sequences.tokens, weights, config, mask, trace)
    rows = np.split(
        weights["encoder"][str(layer)]["self_attention"]["W_O"], config.num_heads
    )
    x = trace[f"{name}.residual"]
    for head, pattern in patterns.items():
        added = (pattern @ trace[f"{head}.value"]) @ rows[int(head.split(".")[-1])]
        x = x + added - trace[f"{head}.added"]
    return right(go_on(x, weights, config, layer, mask), sequences)


def by_place(sequences: Sequences, weights: Tree, config: Config) -> float:
    """Return the share right where the last layer looks by place, blind to letters.

    Each of its heads looks where it looks in the mean over the sequences.
    """
    found = looks(sequences.tokens, weights, config)[:, -1]  # (b, heads, n, n)
    means = np.broadcast_to(found.mean(axis=0), found.shape)
    heads = heads_of(config)[-config.num_heads :]
    patterns = {head: means[:, number] for number, head in enumerate(heads)}
    return with_patterns(sequences, weights, config, patterns)


def right(logits: NDArray, sequences: Sequences) -> float:
    """Return how many of the letters that could be told are the likeliest."""
    told = sequences.labels > 0
    return float((logits.argmax(axis=-1) == sequences.labels)[told].mean())


def go_on(
    x: NDArray, weights: Tree, config: Config, layer: int, mask: NDArray
) -> NDArray:
    """Return the logits from what stands after the attention of a layer, pre-norm."""
    here = weights["encoder"][str(layer)]
    x, _ = residual(
        x,
        lambda normal: feed_forward(normal, here["feed_forward"]),
        here["feed_forward_norm"],
        config,
    )
    count = config.num_layers - layer - 1
    above = {str(i): weights["encoder"][str(layer + 1 + i)] for i in range(count)}
    above["norm"] = weights["encoder"]["norm"]
    y, _ = encode(x, above, mask, replace(config, num_layers=count))
    return score_words(y, weights["exit"])[0]


def all_on(there: NDArray) -> NDArray:
    """Return the pattern with all weight on some letters, alike, shape (b, n, n).

    A letter whose row is False throughout looks at itself.
    """
    itself = ~there.any(axis=-1)[..., None] & np.eye(there.shape[-1], dtype=bool)
    chosen = there | itself
    return chosen / chosen.sum(axis=-1, keepdims=True)


def evenly(tokens: NDArray) -> NDArray:
    """Return the pattern that looks at all letters so far alike, shape (b, n, n)."""
    n = tokens.shape[1]
    pattern = np.tri(n) / np.arange(1, n + 1)[:, None]
    return np.broadcast_to(pattern, (*tokens.shape, n))


class Named(NamedTuple):
    """The two heads of a model of two layers, named by what it costs to lose each.

    Attributes
    ----------
    previous, induction : str
        Of the first and of the second layer the head without which fewest letters are
        right.
    without : dict of str to float
        The share right without each head.
    """

    previous: str
    induction: str
    without: dict[str, float]


def name_heads(sequences: Sequences, weights: Tree, config: Config) -> Named:
    """Switch off each head in turn, and name the costliest of each layer."""
    heads = heads_of(config)
    without = {head: share_right(sequences, weights, config, [head]) for head in heads}
    layers = [[h for h in heads if h.startswith(f"encoder.{i}.")] for i in range(2)]
    first, second = (min(layer, key=without.__getitem__) for layer in layers)
    return Named(first, second, without)


@dataclass(frozen=True)
class Result:
    """What a task came to, over `COUNT` sequences.

    Attributes
    ----------
    task : Task
    early : float
        The loss of step `EARLY`.
    reached : int
        The first of every ten steps after which `REACHED` of the letters are right; 0
        if none is.
    right : float
        Share of letters right in the end.
    by_place : float
        Share right where the last layer looks by place alone.
    longer : float
        Of machines with a fixed period, the share right with the periods `LONGER`; 0
        for others.
    without_previous, without_induction, without_other : float
        Of machines of two layers, the share right without each of the two named heads,
        and without the less needed of the other two; 0 for others, as all below.
    on_previous, on_induction : float
        The weight that the first named head gives the letter before, and the second one
        the letters that stood after this one earlier.
    told_previous, told_induction : float
        Share right with the weights of either head replaced: all on these letters.
    even_previous, even_induction : float
        Share right with them replaced by equal ones.
    without_first, without_second : float
        Share right without both heads of either layer.
    other_on_induction : float
        The weight that the other head of the second layer gives the letters that stood
        after this one earlier.
    other_told, other_even : float
        Share right without the second named head, where the other one's weights are
        replaced: all on these letters, or equal ones.
    """

    task: Task
    early: float
    reached: int
    right: float
    by_place: float
    longer: float = 0.0
    without_previous: float = 0.0
    without_induction: float = 0.0
    without_other: float = 0.0
    on_previous: float = 0.0
    on_induction: float = 0.0
    told_previous: float = 0.0
    told_induction: float = 0.0
    even_previous: float = 0.0
    even_induction: float = 0.0
    without_first: float = 0.0
    without_second: float = 0.0
    other_on_induction: float = 0.0
    other_told: float = 0.0
    other_even: float = 0.0


def causes(sequences: Sequences, weights: Tree, config: Config) -> dict[str, float]:
    """Find what the two named heads do, and what it costs to change where they look."""
    named = name_heads(sequences, weights, config)
    tokens, found = sequences.tokens, looks(sequences.tokens, weights, config)
    told = {"previous": before(tokens), "induction": after_the_same(tokens)}
    values = {}
    for kind, there in told.items():
        head = getattr(named, kind)
        layer, number = (int(part) for part in head.split(".")[1::3])
        values[f"without_{kind}"] = named.without[head]
        values[f"on_{kind}"] = weight_on(found, there)[layer, number]
        for how, pattern in (("told", all_on(there)), ("even", evenly(tokens))):
            patterns = {head: pattern}
            value = with_patterns(sequences, weights, config, patterns)
            values[f"{how}_{kind}"] = value
    others = set(named.without) - {named.previous, named.induction}
    values["without_other"] = min(named.without[head] for head in others)
    return values | standing_in(sequences, weights, config, named)


def standing_in(
    sequences: Sequences, weights: Tree, config: Config, named: Named
) -> dict[str, float]:
    """Find whether the other head of a layer does what the named one does."""
    heads, tokens = heads_of(config), sequences.tokens
    layers = {"first": heads[: config.num_heads], "second": heads[config.num_heads :]}
    values = {
        f"without_{layer}": share_right(sequences, weights, config, both)
        for layer, both in layers.items()
    }
    [other] = (head for head in layers["second"] if head != named.induction)
    there = after_the_same(tokens)
    on = weight_on(looks(tokens, weights, config), there)
    values["other_on_induction"] = on[1, int(other.split(".")[-1])]
    alone = cut(weights, config, [named.induction]).weights
    for how, pattern in (("told", all_on(there)), ("even", evenly(tokens))):
        value = with_patterns(sequences, alone, config, {other: pattern})
        values[f"other_{how}"] = value
    return values


def run(task: Task) -> tuple[Result, Tree]:
    """Train a task; measure and return the weights as they would be stored."""
    sequences, reached = held_out(task.periods), 0
    for step, loss, live in train(task):
        if step == EARLY:
            early = float(f"{loss:.6g}")
        if not reached and step % EVERY == 0:
            enough = share_right(sequences, live, task.config) >= REACHED
            reached = step if enough else 0
        weights = live
    weights = as_stored(weights)
    found = {
        "right": share_right(sequences, weights, task.config),
        "by_place": by_place(sequences, weights, task.config),
    }
    if task.fixed:
        found["longer"] = share_right(held_out(LONGER), weights, task.config)
    if task.num_layers == WATCHED.num_layers:
        found |= causes(sequences, weights, task.config)
    rounded = {name: round(float(value), 4) for name, value in found.items()}
    return Result(task, early, reached, **rounded), weights


# --- What is stored -------------------------------------------------------------------


@cache
def _stored() -> list[Result]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        rows = [{k: json.loads(v) for k, v in r.items()} for r in csv.DictReader(file)]
    tasks = [Task(**{f.name: row.pop(f.name) for f in fields(Task)}) for row in rows]
    return [Result(task, **row) for task, row in zip(tasks, rows, strict=True)]


def results(**sizes: object) -> list[Result]:
    """Read what the tasks of some sizes came to, by default the watched ones.

    Parameters
    ----------
    **sizes : object
        Of `Task`: ``results(num_layers=1, fixed=True)``.

    Returns
    -------
    list of Result
        One a seed.
    """
    asked = asdict(Task()) | sizes
    del asked["seed"]
    return [
        result
        for result in _stored()
        if all(getattr(result.task, name) == value for name, value in asked.items())
    ]


class Scrub(NamedTuple):
    """The watched run, at some of its steps.

    Attributes
    ----------
    steps : list of int
        The first is 0, before any.
    loss, right : list of float
        Over `COUNT` sequences, after each of these steps.
    sequences : list of str
        The letters that the heads look at.
    named : dict of str to list of int
        Layer and number of the heads ``"previous"`` and ``"induction"``.
    looks : ndarray, shape (steps, sequences, layers, heads, n, n)
        To the nearest 255th.
    """

    steps: list[int]
    loss: list[float]
    right: list[float]
    sequences: list[str]
    named: dict[str, list[int]]
    looks: NDArray


def shown() -> NDArray:
    """Return the sequences of the page, as numbers, shape (sequences, n)."""
    rng = np.random.default_rng(SHOWN)
    return np.concatenate([draw(rng, 1, [p], SHOWN).tokens for p in PERIODS])


def steps_to_show(losses: Sequence[float], points: int = POINTS) -> list[int]:
    """Choose steps of a run, close together where its loss falls fast.

    Half of them are spread evenly over the steps, half over the way down.

    Parameters
    ----------
    losses : sequence of float
        After each step, from step 0 on.
    points : int

    Returns
    -------
    list of int
        Ascending, the first and the last step among them.
    """
    last = len(losses) - 1
    window = np.ones(9) / 9
    smooth = np.convolve(np.pad(losses, 4, mode="edge"), window, mode="valid")
    way = np.concatenate([[0], np.abs(np.diff(smooth)).cumsum()])
    share = np.arange(last + 1) / last + way / way[-1]
    wanted = np.linspace(0, 2, points)
    chosen = {int(np.abs(share - place).argmin()) for place in wanted}
    for step in range(last + 1):  # where two fell together, the next free step
        if len(chosen) >= points:
            break
        chosen.add(step)
    return sorted(chosen)


def watch(task: Task = WATCHED) -> Scrub:
    """Train the watched run again and look at it on the way."""
    losses = [progress.loss for progress in train(task)]
    steps = steps_to_show([losses[0], *losses])
    sequences, mask = held_out(task.periods), causal(LENGTH)
    loss, share, found = [], [], []

    def look(weights: Tree) -> None:
        logits, _ = forward(sequences.tokens, weights, task.config, mask)
        loss.append(round(cross_entropy(logits, sequences.labels)[0], 4))
        share.append(round(right(logits, sequences), 4))
        found.append(looks(shown(), weights, task.config))

    look(fresh(task))
    for progress in train(task):
        if progress.step in steps:
            look(progress.weights)
        weights = progress.weights
    named = name_heads(sequences, weights, task.config)
    places = {
        kind: [int(part) for part in getattr(named, kind).split(".")[1::3]]
        for kind in ("previous", "induction")
    }
    letters = ["".join(LETTERS[i - 1] for i in row) for row in shown()]
    return Scrub(steps, loss, share, letters, places, np.stack(found))


def lower(n: int) -> tuple[NDArray, NDArray]:
    """Return rows and columns of what a letter may look at, row by row."""
    return np.tril_indices(n)


def scrub() -> Scrub:
    """Read the watched run."""
    told = json.loads(SCRUB_NOTES.read_text(encoding="utf-8"))
    shape = len(told["steps"]), len(told["sequences"]), *(2, 2)
    looks = np.zeros((*shape, SHOWN, SHOWN))
    stored = np.frombuffer(SCRUB.read_bytes(), np.uint8).reshape(*shape, -1)
    looks[..., *lower(SHOWN)] = stored / 255
    return Scrub(**told, looks=looks)


def store(found: Sequence[tuple[Result, Tree]], watched: Scrub) -> None:
    """Store the results of all tasks, the watched run, and its weights."""
    rows = [asdict(result) for result, _ in found]
    flat = [row.pop("task") | row for row in rows]
    keep(RESULTS, [{k: json.dumps(v) for k, v in row.items()} for row in flat])
    _stored.cache_clear()
    [weights] = (weights for result, weights in found if result.task == WATCHED)
    told = {"seed": str(WATCHED.seed), "steps": str(PLAN.steps)}
    MODEL.write_bytes(to_bytes(weights, WATCHED.config, **told))
    bytes_of = np.rint(255 * watched.looks[..., *lower(SHOWN)]).astype(np.uint8)
    SCRUB.write_bytes(bytes_of.tobytes())
    notes = {
        name: value for name, value in watched._asdict().items() if name != "looks"
    }
    SCRUB_NOTES.write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Train all tasks and store what they come to."""
    asked = executors.parser("Train stacks to go on with what stood there before.")
    with executors.executor(asked.parse_args(arguments).cluster) as pool:
        watched = pool.submit(watch)
        store(executors.gather(run, TASKS, pool), watched.result())


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    import_module("transformer.small.induction").main(sys.argv[1:])
