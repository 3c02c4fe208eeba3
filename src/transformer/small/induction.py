"""How an induction head develops: a stack learns to continue a repeated sequence.

A sequence is a block of 6 to 12 different letters, repeated until the sequence is full.
So the letter after a repeated letter is the letter that followed its earlier copy. The
length of the block, the period, is drawn for each sequence, so counting back a fixed
number of letters does not help. As a control, the period of some tasks is fixed.

``python -m transformer.small.induction`` trains every task of `TASKS` and stores the
results in ``runs/induction.csv``. For the run that the page shows, `WATCHED`, it also
stores the final weights in half precision, and the attention weights of all heads at
`POINTS` steps, one byte per weight.

References
----------
Olsson et al. (2022), In-context Learning and Induction Heads.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from transformer.small.stack import forward, head_weights, heads_of, initial
from transformer.small.sweep import Sweep
from transformer.storage import as_stored, to_bytes
from transformer.stored_files import write_file
from transformer.trace import Trace
from transformer.training import Plan, Progress, descend, train_to_end

LETTERS = "abcdefghijkl"  # numbered from 1: `cross_entropy` does not count 0
LENGTH, FEWEST = 24, 6  # letters of a sequence; fewest letters of a block
SEEDS, FEW = range(10), range(5)  # seeds of the default task, and of the others
COUNT = 300  # sequences for measuring a model
EVERY = 10  # steps between two measurements
LONGER = range(10, 13)
"""Test periods for models that were trained with one fixed period."""
REACHED = 0.95
"""Share of right letters from which a run counts as having learnt the task."""
PLAN = Plan(steps=400, peak=1e-2, warmup=50)

RUNS = Path(__file__).with_name("runs")
MODEL = RUNS / "induction.safetensors"
HISTORY, HISTORY_NOTES = RUNS / "induction-scrub.bin", RUNS / "induction-scrub.json"
POINTS = 60  # steps of the watched run whose attention weights are stored
SHOWN = 16  # letters of a sequence on the page
PERIODS = 6, 7, 8  # of the sequences on the page


@dataclass(frozen=True)
class InductionTask:
    """The model that is trained, and its data; `fixed`: the period is always 9."""

    num_layers: int = 2
    num_heads: int = 2
    d_model: int = 32
    fixed: bool = False
    seed: int = 0

    @property
    def config(self) -> Config:
        """Sizes of the model."""
        d_model = self.d_model
        return Config(self.num_layers, self.num_heads, d_model, 2 * d_model, "pre")

    @property
    def periods(self) -> Sequence[int]:
        """The periods that a sequence may have."""
        return [9] if self.fixed else range(FEWEST, len(LETTERS) + 1)


TASKS = [
    *(InductionTask(seed=s) for s in SEEDS),
    *(InductionTask(1, seed=s) for s in FEW),
    *(
        InductionTask(n, d_model=d, seed=s)
        for n in (2, 1)
        for d in (24, 48)
        for s in FEW
    ),
    *(
        InductionTask(1, d_model=d, fixed=True, seed=s)
        for d in (24, 32, 40, 48)
        for s in FEW
    ),
]
WATCHED = InductionTask()  # the run that the page shows


class Sequences(NamedTuple):
    """Sequences as numbers."""

    tokens: NDArray  # shape (b, n)
    # shape (b, n). The next letter; 0 where the letter at this position is new, because
    # then nothing determines the next letter.
    labels: NDArray


def draw(
    rng: np.random.Generator, count: int, periods: Sequence[int], length: int = LENGTH
) -> Sequences:
    """Return random sequences, each with a period drawn from `periods`."""
    order = np.argsort(rng.random((count, len(LETTERS))), axis=1) + 1
    period = rng.choice(periods, count)[:, None]
    place = np.arange(length + 1)
    letters = np.take_along_axis(order, place % period, axis=1)
    known = place[:-1] >= period
    return Sequences(letters[:, :-1], np.where(known, letters[:, 1:], 0))


def train(task: InductionTask, plan: Plan = PLAN) -> Iterator[Progress]:
    """Train a model from scratch; yield each step."""
    rng = np.random.default_rng([task.seed, 1])
    mask = causal(LENGTH)

    def loss_of(weights: Tree) -> tuple[float, Tree]:
        tokens, labels = draw(rng, plan.batch, task.periods)
        logits, backward = forward(tokens, weights, task.config, mask)
        loss, d_logits = cross_entropy(logits, labels)
        return loss, backward(d_logits)

    yield from descend(fresh(task), plan, loss_of)


def fresh(task: InductionTask) -> Tree:
    """Return the weights before training."""
    return initial(len(LETTERS) + 1, task.config, task.seed, tied=False)


def held_out(periods: Sequence[int], count: int = COUNT) -> Sequences:
    """Return the sequences for measuring models."""
    return draw(np.random.default_rng(count), count, periods)


# --- Measuring a model ----------------------------------------------------------------


def share_right(
    sequences: Sequences, weights: Tree, config: Config, off: Sequence[str] = ()
) -> float:
    """Return the share of repeated letters that a model without some heads predicts.

    The heads `off` have names like ``"encoder.0.self_attention.head.1"``.
    """
    mask = causal(sequences.tokens.shape[1])
    machine = cut(weights, config, off)
    logits, _ = forward(sequences.tokens, machine.weights, config, mask)
    return right(logits, sequences)


def attention_of(tokens: NDArray, weights: Tree, config: Config) -> NDArray:
    """Return the attention weights of all heads, shape (b, layers, heads, n, n)."""
    return head_weights(tokens, weights, config, causal(tokens.shape[1]))[1]


def before(tokens: NDArray) -> NDArray:
    """Return a pattern that is True at the previous letter, shape (b, n, n)."""
    n = tokens.shape[1]
    return np.broadcast_to(np.eye(n, k=-1, dtype=bool), (len(tokens), n, n))


def after_the_same(tokens: NDArray) -> NDArray:
    """Return a pattern that is True right after earlier copies of the current letter.

    Shape (b, n, n).
    """
    pattern = np.zeros((*tokens.shape, tokens.shape[1]), bool)
    same = tokens[:, :, None] == tokens[:, None, :]  # (b, i, j)
    pattern[:, :, 1:] = (same & np.tri(tokens.shape[1], k=-1, dtype=bool))[:, :, :-1]
    return pattern


def weight_on(attention: NDArray, pattern: NDArray) -> NDArray:
    """Return the mean weight of each head on a pattern, shape (layers, heads).

    `attention` has shape (b, layers, heads, n, n). The pattern, shape (b, n, n), is
    True at its letters; rows without a True do not count.
    """
    weights = (attention * pattern[:, None, None]).sum(axis=-1)  # (b, layers, heads, n)
    return weights.sum(axis=(0, 3)) / pattern.any(axis=-1).sum()


def with_patterns(
    sequences: Sequences,
    weights: Tree,
    config: Config,
    new_weights: Mapping[str, NDArray],
) -> float:
    """Return the share of right letters with new attention weights in some heads.

    The new weights of a head have shape (b, n, n), and the heads are in one layer. The
    values of these heads and their rows of W^O stay the same.
    """
    [name] = {head.split(".head.")[0] for head in new_weights}
    layer = int(name.split(".")[1])
    trace, mask = Trace(), causal(sequences.tokens.shape[1])
    forward(sequences.tokens, weights, config, mask, trace)
    rows = np.split(
        weights["encoder"][str(layer)]["self_attention"]["W_O"], config.num_heads
    )
    x = trace[f"{name}.residual"]
    for head, new in new_weights.items():
        added = (new @ trace[f"{head}.value"]) @ rows[int(head.split(".")[-1])]
        x = x + added - trace[f"{head}.added"]
    return right(go_on(x, weights, config, layer, mask), sequences)


def by_place(sequences: Sequences, weights: Tree, config: Config) -> float:
    """Return the share of right letters if the last layer's heads ignore the letters.

    The attention weights of each head are replaced by their mean over the sequences.
    This mean depends on the positions alone.
    """
    last = attention_of(sequences.tokens, weights, config)[:, -1]  # (b, heads, n, n)
    means = np.broadcast_to(last.mean(axis=0), last.shape)
    heads = heads_of(config)[-config.num_heads :]
    new_weights = {head: means[:, number] for number, head in enumerate(heads)}
    return with_patterns(sequences, weights, config, new_weights)


def right(logits: NDArray, sequences: Sequences) -> float:
    """Return the share of repeated letters that get the largest logit."""
    known = sequences.labels > 0
    return float((logits.argmax(axis=-1) == sequences.labels)[known].mean())


def go_on(
    x: NDArray, weights: Tree, config: Config, layer: int, mask: NDArray
) -> NDArray:
    """Return the logits from the residual stream after one layer's attention."""
    layers = weights["encoder"]
    x, _ = residual(x, "feed_forward", feed_forward, layers[str(layer)], config)
    count = config.num_layers - layer - 1
    above = {str(i): layers[str(layer + 1 + i)] for i in range(count)}
    above["norm"] = layers["norm"]
    y, _ = encode(x, above, mask, replace(config, num_layers=count))
    return score_words(y, weights["exit"])[0]


def all_on(pattern: NDArray) -> NDArray:
    """Return weights that are equal on the letters of a pattern, shape (b, n, n).

    In a row without a True the letter itself gets all the weight.
    """
    itself = ~pattern.any(axis=-1)[..., None] & np.eye(pattern.shape[-1], dtype=bool)
    chosen = pattern | itself
    return chosen / chosen.sum(axis=-1, keepdims=True)


def evenly(tokens: NDArray) -> NDArray:
    """Return equal weights on all letters so far, shape (b, n, n)."""
    n = tokens.shape[1]
    equal = np.tri(n) / np.arange(1, n + 1)[:, None]
    return np.broadcast_to(equal, (*tokens.shape, n))


class NamedHeads(NamedTuple):
    """The costliest head of each layer, in a model of two layers.

    `without` has the share of right letters without each head. The costliest head of a
    layer is the head without which this share is smallest.
    """

    previous: str
    induction: str
    without: dict[str, float]


def name_heads(sequences: Sequences, weights: Tree, config: Config) -> NamedHeads:
    """Return the costliest head of each layer; each head is switched off in turn."""
    heads = heads_of(config)
    without = {head: share_right(sequences, weights, config, [head]) for head in heads}
    layers = [[h for h in heads if h.startswith(f"encoder.{i}.")] for i in range(2)]
    first, second = (min(layer, key=without.__getitem__) for layer in layers)
    return NamedHeads(first, second, without)


@dataclass(frozen=True)
class InductionResult:
    """Measurements of a trained model on `COUNT` sequences.

    "Share right" is the share of repeated letters that the model predicts.
    """

    task: InductionTask
    early: float  # the loss of step `transformer.training.EARLY`
    # The first multiple of `EVERY` steps with a share right of at least `REACHED`; 0 if
    # there is none.
    reached: int
    right: float  # share right after training
    # Share right if the last layer's heads ignore the letters (`by_place`).
    by_place: float
    # For tasks with a fixed period: share right with the periods `LONGER`. Else 0.
    longer: float = 0.0
    # For two layers: share right without each of the two named heads. Otherwise 0, like
    # all fields below.
    without_previous: float = 0.0
    without_induction: float = 0.0
    # Share right if the first named head attends only to the previous letter, and if
    # the second attends only to the letters right after earlier copies of the current
    # letter.
    told_previous: float = 0.0
    told_induction: float = 0.0
    # Share right if the first (second) named head has equal attention weights.
    even_previous: float = 0.0
    even_induction: float = 0.0
    # Share right without the second named head, if the other head of its layer has
    # equal attention weights.
    other_even: float = 0.0


SWEEP = Sweep(RUNS / "induction.csv", InductionResult)


def causes(sequences: Sequences, weights: Tree, config: Config) -> dict[str, float]:
    """Return the share right after each change of the named heads."""
    named = name_heads(sequences, weights, config)
    tokens = sequences.tokens
    wanted = {"previous": before(tokens), "induction": after_the_same(tokens)}
    values = {}
    for kind, pattern in wanted.items():
        head = getattr(named, kind)
        values[f"without_{kind}"] = named.without[head]
        for how, new in (("told", all_on(pattern)), ("even", evenly(tokens))):
            value = with_patterns(sequences, weights, config, {head: new})
            values[f"{how}_{kind}"] = value
    second_layer = heads_of(config)[config.num_heads :]
    [other] = (head for head in second_layer if head != named.induction)
    without_induction = cut(weights, config, [named.induction]).weights
    equal = {other: evenly(tokens)}
    values["other_even"] = with_patterns(sequences, without_induction, config, equal)
    return values


def run(task: InductionTask) -> tuple[InductionResult, Tree]:
    """Train a model; return its measurements and its weights in half precision."""
    sequences, reached = held_out(task.periods), 0

    def after_step(progress: Progress) -> None:
        nonlocal reached
        if not reached and progress.step % EVERY == 0:
            share = share_right(sequences, progress.weights, task.config)
            reached = progress.step if share >= REACHED else 0

    weights, early = train_to_end(train(task), after_step)
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
    return InductionResult(task, early, reached, **rounded), weights


# --- Stored results -------------------------------------------------------------------


def results(**sizes: object) -> list[InductionResult]:
    """Return the stored results of the watched task with some sizes changed, by seed.

    Sizes are fields of `InductionTask`: ``results(num_layers=1, fixed=True)``.
    """
    return SWEEP.select(WATCHED, **sizes)


class Run(NamedTuple):
    """The watched run at some of its steps; the page's slider moves through them."""

    steps: list[int]  # the first is 0, before training
    # Loss and share right on `COUNT` sequences after each of these steps.
    loss: list[float]
    right: list[float]
    sequences: list[str]  # the sequences of the page
    # Layer and number of the heads ``"previous"`` and ``"induction"``.
    named: dict[str, list[int]]
    # shape (steps, sequences, layers, heads, n, n). Attention weights, to the nearest
    # 255th.
    attention: NDArray


def shown() -> NDArray:
    """Return the sequences of the page as numbers, shape (sequences, n)."""
    rng = np.random.default_rng(SHOWN)
    return np.concatenate([draw(rng, 1, [p], SHOWN).tokens for p in PERIODS])


def steps_to_show(losses: Sequence[float], points: int = POINTS) -> list[int]:
    """Return ascending steps of a run, close together where its loss changes fast.

    They are evenly spaced in a sum of two shares: of the steps so far, and of the
    changes of the smoothed loss so far. The first and the last step are always chosen.
    The first of the `losses` belongs to step 0.
    """
    last = len(losses) - 1
    window = np.ones(9) / 9
    smooth = np.convolve(np.pad(losses, 4, mode="edge"), window, mode="valid")
    fallen = np.concatenate([[0], np.abs(np.diff(smooth)).cumsum()])
    share = np.arange(last + 1) / last + fallen / fallen[-1]
    wanted = np.linspace(0, 2, points)
    chosen = {int(np.abs(share - place).argmin()) for place in wanted}
    for step in range(last + 1):  # replaces steps that were chosen twice
        if len(chosen) >= points:
            break
        chosen.add(step)
    return sorted(chosen)


def watch(task: InductionTask = WATCHED) -> Run:
    """Train the watched run to choose steps, and again to measure; return the run."""
    losses = [progress.loss for progress in train(task)]
    steps = steps_to_show([losses[0], *losses])
    sequences, mask = held_out(task.periods), causal(LENGTH)
    loss, share, found = [], [], []

    def keep(weights: Tree) -> None:
        logits, _ = forward(sequences.tokens, weights, task.config, mask)
        loss.append(round(cross_entropy(logits, sequences.labels)[0], 4))
        share.append(round(right(logits, sequences), 4))
        found.append(attention_of(shown(), weights, task.config))

    keep(fresh(task))
    for progress in train(task):
        if progress.step in steps:
            keep(progress.weights)
    named = name_heads(sequences, progress.weights, task.config)
    places = {
        kind: [int(part) for part in getattr(named, kind).split(".")[1::3]]
        for kind in ("previous", "induction")
    }
    letters = ["".join(LETTERS[i - 1] for i in row) for row in shown()]
    return Run(steps, loss, share, letters, places, np.stack(found))


def history() -> Run:
    """Return the stored watched run."""
    notes = json.loads(HISTORY_NOTES.read_text(encoding="utf-8"))
    layers, heads = WATCHED.num_layers, WATCHED.num_heads
    shape = len(notes["steps"]), len(notes["sequences"]), layers, heads
    attention = np.zeros((*shape, SHOWN, SHOWN))
    stored = np.frombuffer(HISTORY.read_bytes(), np.uint8).reshape(*shape, -1)
    attention[..., *np.tril_indices(SHOWN)] = stored / 255
    return Run(**notes, attention=attention)


def store(
    found: Sequence[tuple[InductionResult, Tree]], watched: Run, sweep: Sweep = SWEEP
) -> None:
    """Store the results of all tasks, and the watched run with its weights."""
    folder = sweep.path.parent
    sweep.store([result for result, _ in found])
    [weights] = (weights for result, weights in found if result.task == WATCHED)
    seed, steps = str(WATCHED.seed), str(PLAN.steps)
    content = to_bytes(weights, WATCHED.config, seed=seed, steps=steps)
    write_file(folder / MODEL.name, content)
    visible = watched.attention[..., *np.tril_indices(SHOWN)]
    write_file(folder / HISTORY.name, np.rint(255 * visible).astype(np.uint8).tobytes())
    notes = watched._asdict()
    del notes["attention"]
    write_file(folder / HISTORY_NOTES.name, f"{json.dumps(notes, indent=1)}\n".encode())


def main() -> None:
    """Train and store all tasks."""
    store(executors.gather(run, TASKS), watch())


if __name__ == "__main__":
    # The import by name lets other processes import the functions of this module.
    import_module("transformer.small.induction").main()
