"""The translator trained from each of `SEEDS`, and tables of its right translations.

``python -m transformer`` writes these files into ``runs``:

- ``model.safetensors``: the model of seed 0, which the course ships; ``seed-1`` and so
  on: the models of the other seeds;
- ``log.csv``: the training of the shipped model: the loss of the first 20 steps and of
  every 20th step, and after every 100 steps the share of right translations;
- ``accuracy.csv``: how many of 5,000 held-out sentences and of 5,000 sentences with
  held-out pairs of words are right, by kind and by length;
- ``calibration.csv``: the probability of *il* or *ils* in 1,000 sentences of each set
  that allow both genders, by the reason; and how often the rest of the translation
  agrees with it, and with *elle* or *elles*;
- ``alignment.csv``: the cross-attention of each head against the grammar's alignment.

All tables except the log are measured with the stored weights (half precision).
"""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from transformer import executors
from transformer.decoding import translate
from transformer.evaluation import (
    Point,
    alignment,
    ends_right,
    learning_curve,
    tally,
    undecided,
)
from transformer.grammar import SentencePair
from transformer.lexicon import EITHER
from transformer.parameters import Config, Tree
from transformer.sentences import SETS, held_out_sentences, training_sentences
from transformer.storage import (
    ACCURACY,
    ALIGNMENT,
    CALIBRATION,
    LOG,
    SEEDS,
    from_bytes,
    model_of,
    to_bytes,
)
from transformer.stored_files import Row, write_file, write_table
from transformer.training import Plan

CLEAR, TWOFOLD = 5000, 1000
"""Number of sentences of each set: with one right translation, and with two."""


def learn(seed: int) -> tuple[bytes, list[Row]]:
    """Return the stored form of a trained model; for seed 0 also its training log."""
    config, plan = Config(), Plan(seed=seed)
    shipped = seed == 0
    points = list(learning_curve(config, plan, every=100 if shipped else plan.steps))
    metadata = {"seed": seed, "steps": plan.steps}
    if shipped:
        drawn = islice(training_sentences(seed), plan.sentences)
        metadata["different"] = len({sentence.english for sentence in drawn})
    text = {name: str(value) for name, value in metadata.items()}
    content = to_bytes(points[-1].weights, config, **text)
    return content, log_rows(points) if shipped else []


def log_rows(points: Iterable[Point]) -> list[Row]:
    """Return the rows of the log: the first 20 steps, then every 20th step."""
    return [
        {
            "step": point.step,
            "loss": f"{point.loss:.7g}",
            "held_out": point.held_out,
            "pairs": point.pairs,
        }
        for point in points
        if point.step <= 20 or point.step % 20 == 0
    ]


def accuracy_rows(weights: Tree, config: Config) -> list[Row]:
    """Return the counts of right translations of both sets, by kind and by length."""
    rows: list[Row] = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(CLEAR, pairs=pairs)
        found = []
        for start in range(0, CLEAR, 1000):  # 5,000 at once need half a gigabyte
            part = [s.english for s in sentences[start : start + 1000]]
            found += translate(part, weights, config)
        rows += [{"set": name} | t._asdict() for t in tally(sentences, found)]
    return rows


def calibration_rows(weights: Tree, config: Config) -> list[Row]:
    """Return the probability of *il* if *elle* is right too, by set and reason."""
    rows: list[Row] = []
    for name, pairs in SETS.items():
        every = held_out_sentences(TWOFOLD, pairs=pairs, ambiguous=True)
        for reason in (predicate.english for predicate in EITHER):
            sentences = [s for s in every if s.english[-1] == reason]
            row: Row = {"set": name, "reason": reason, "sentences": len(sentences)}
            rows.append(row | calibration(sentences, weights, config))
    return rows


def calibration(sentences: list[SentencePair], weights: Tree, config: Config) -> Row:
    """Return the mean probability of *il*, and counts of right ends by pronoun."""
    elle = np.array([[bool({"elle", "elles"} & {*s.french})] for s in sentences])
    il_elle = np.where(elle, [[1, 0]], [[0, 1]])  # columns: il, elle
    both = undecided(sentences, weights, config)
    il = np.take_along_axis(both, il_elle, 1)[:, 0]
    ends = ends_right(sentences, weights, config)
    il_ends, elle_ends = np.take_along_axis(ends, il_elle, 1).sum(axis=0)
    return {
        "mean": round(float(il.mean()), 4),
        "il_ends_right": int(il_ends),
        "elle_ends_right": int(elle_ends),
    }


def alignment_rows(weights: Tree, config: Config) -> list[Row]:
    """Return how each head's cross-attention agrees with the grammar's alignment."""
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


class TranslatorRun(NamedTuple):
    """One trained translator: its file, its log (only of seed 0), and its `TABLES`."""

    seed: int
    model: bytes
    log: list[Row]
    tables: list[list[Row]]


def run(seed: int) -> TranslatorRun:
    """Train from one seed and measure the stored form of the model."""
    model, log = learn(seed)
    weights, config = from_bytes(model)
    tables = [
        [{"seed": seed} | row for row in rows(weights, config)]
        for rows in TABLES.values()
    ]
    return TranslatorRun(seed, model, log, tables)


def main() -> None:
    """Train from every seed and store the files."""
    found = executors.gather(run, SEEDS)
    for trained in found:
        write_file(model_of(trained.seed), trained.model)
    write_table(LOG, found[0].log)
    for i, path in enumerate(TABLES):
        write_table(path, [row for trained in found for row in trained.tables[i]])
