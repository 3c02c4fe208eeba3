"""The translator, trained from each of `SEEDS`: ``python -m transformer``.

Two runs at a time; each trains for about 130 s of processor time. Everything lies in
``runs``:

- ``model.safetensors``: the model of seed 0, which the course ships; ``seed-1`` and so
  on: its siblings, which tell what is chance and what is not;
- ``log.csv``: the shipped model's way: the loss of each of the first 20 steps and of
  every 20th, and after every 100 the share of right translations;
- ``accuracy.csv``: of 5,000 held-out sentences and 5,000 with held-out pairs of words,
  how many come out right, by kind and by length;
- ``calibration.csv``: how probable *il* is in 1,000 sentences of each set in which *it*
  may be *il* or *elle*, by the reason given, and how often what begins with either goes
  on in agreement;
- ``alignment.csv``: each head's cross-attention against the grammar's alignment.

All tables are of the weights as they are stored, in half precision.
"""

import csv
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np

from transformer.decoding import translate
from transformer.evaluation import (
    Point,
    alignment,
    ends_right,
    learning_curve,
    tally,
    undecided,
)
from transformer.grammar import Sentence
from transformer.lexicon import EITHER
from transformer.parameters import Config, Tree
from transformer.sentences import SETS, held_out_sentences, training_sentences
from transformer.storage import (
    ACCURACY,
    ALIGNMENT,
    CALIBRATION,
    LOG,
    SEEDS,
    load,
    model_of,
    to_bytes,
)
from transformer.training import Plan

Row = dict[str, str | int | float]

EACH, TWOFOLD = 5000, 1000
"""Sentences of each set that are translated, and of those with two translations."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def learn(seed: int) -> None:
    """Train from one seed and store the weights; of seed 0 the way there as well."""
    config, plan = Config(), Plan(seed=seed)
    shipped = seed == 0
    points = list(learning_curve(config, plan, every=100 if shipped else plan.steps))
    told = {"seed": seed, "steps": plan.steps}
    if shipped:
        store_log(points)
        drawn = islice(training_sentences(seed), plan.sentences)
        told["different"] = len({sentence.english for sentence in drawn})
    text = {name: str(value) for name, value in told.items()}
    model_of(seed).write_bytes(to_bytes(points[-1].weights, config, **text))


def store_log(points: Iterable[Point]) -> None:
    """Store the points of a learning curve that are worth it."""
    chosen = [p for p in points if p.step <= 20 or p.step % 20 == 0]
    rows = [(p.step, f"{p.loss:.7g}", p.held_out, p.pairs) for p in chosen]
    with LOG.open("w", newline="") as file:
        log = csv.writer(file, lineterminator="\n")
        log.writerows([("step", "loss", "held_out", "pairs"), *rows])


def accuracy_rows(weights: Tree, config: Config) -> list[Row]:
    """Count right translations of both sets, by kind and by length."""
    rows: list[Row] = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(EACH, pairs=pairs)
        found = []
        for start in range(0, EACH, 1000):  # 5,000 at once would need half a gigabyte
            part = [s.english for s in sentences[start : start + 1000]]
            found += translate(part, weights, config)
        rows += [{"set": name} | t._asdict() for t in tally(sentences, found)]
    return rows


def calibration_rows(weights: Tree, config: Config) -> list[Row]:
    """Say how probable *il* is where it may be *elle*, and what follows each."""
    rows: list[Row] = []
    for name, pairs in SETS.items():
        every = held_out_sentences(TWOFOLD, pairs=pairs, ambiguous=True)
        for reason in (said.english for said in EITHER):
            sentences = [s for s in every if s.english[-1] == reason]
            row: Row = {"set": name, "reason": reason, "sentences": len(sentences)}
            rows.append(row | calibration(sentences, weights, config))
    return rows


def calibration(sentences: list[Sentence], weights: Tree, config: Config) -> Row:
    """Return mean and quantiles of the probability of *il*, and what follows."""
    elle = np.array([[bool({"elle", "elles"} & {*s.french})] for s in sentences])
    il_first = np.where(elle, [[1, 0]], [[0, 1]])  # the columns, il before elle
    both = undecided(sentences, weights, config)
    il = np.take_along_axis(both, il_first, 1)[:, 0]
    ends = ends_right(sentences, weights, config)
    il_ends, elle_ends = np.take_along_axis(ends, il_first, 1).sum(axis=0)
    quantiles = zip(QUANTILES, np.quantile(il, QUANTILES), strict=True)
    return (
        {"mean": round(float(il.mean()), 4)}
        | {f"q{100 * q:.0f}": round(float(value), 4) for q, value in quantiles}
        | {"either": round(float(both.sum(axis=1).mean()), 5)}
        | {"il_ends_right": int(il_ends), "elle_ends_right": int(elle_ends)}
    )


def alignment_rows(weights: Tree, config: Config) -> list[Row]:
    """Compare where each head of the decoder looks with what the grammar aligns."""
    sentences = held_out_sentences(1000, pairs=False)
    return [
        {key: round(value, 4) for key, value in head._asdict().items()}
        for head in alignment(sentences, weights, config)
    ]


TABLES = {
    ACCURACY: accuracy_rows,
    CALIBRATION: calibration_rows,
    ALIGNMENT: alignment_rows,
}


def run(seed: int) -> list[list[Row]]:
    """Train from one seed, and return the rows of each of `TABLES`."""
    learn(seed)
    weights, config = load(model_of(seed))
    return [
        [{"seed": seed} | row for row in rows(weights, config)]
        for rows in TABLES.values()
    ]


def main() -> None:
    """Train from every seed, two at a time, and store what they come to."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(run, SEEDS))
    for path, tables in zip(TABLES, zip(*found, strict=True), strict=True):
        store(path, [row for rows in tables for row in rows])


def store(path: Path, rows: list[Row]) -> None:
    """Store rows under the names of the first one's fields."""
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
