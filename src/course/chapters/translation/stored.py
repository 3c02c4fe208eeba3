"""Stored tables of the training runs, as arrays."""

from typing import NamedTuple

import numpy as np

from course.kit.arrays import Array
from transformer.storage import ABLATIONS, ACCURACY, ALIGNMENT, CALIBRATION, SEEDS
from transformer.stored_files import read_numbers

NAMES = {
    "full": "the full machine",
    "no positions": "no positions",
    "no residuals": "no residuals",
    "one head": "one head for four",
    "mean for cross-attention": "mean for cross-attention",
}
"""Names on the page for the full model and for the variants without a part."""


def results(steps: int) -> dict[str, dict[str, Array]]:
    """Return the share of right translations of every variant after training.

    `steps` is ``Plan().steps`` (full model only) or a quarter of it.
    ``results(1000)["the full machine"]["held-out pairs"]`` has one number for each
    seed.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row in read_numbers(ABLATIONS):
        if row["steps"] == steps and row["variant"] in NAMES:
            sets = found.setdefault(NAMES[row["variant"]], {})
            sets.setdefault(row["set"], []).append(row["exact_match"])
    return {v: {s: np.array(x) for s, x in sets.items()} for v, sets in found.items()}


class Share(NamedTuple):
    """Number of right translations among some sentences."""

    sentences: int
    right: Array  # of int, shape (seeds,)

    @property
    def shares(self) -> Array:
        """Share of right translations for each seed."""
        return self.right / self.sentences


def accuracy(by: str = "set", only: str | None = None) -> dict[str, Share]:
    """Return the accuracy of the shipped translator for every seed.

    The sentences are grouped `by` "set" or "kind". Groups by kind contain both sets,
    unless `only` names one: "held-out sentences" or "held-out pairs".
    """
    rows = [row for row in read_numbers(ACCURACY) if only in (None, row["set"])]
    found = {}
    for name in dict.fromkeys(row[by] for row in rows):
        of_seeds = [
            [row for row in rows if (row[by], row["seed"]) == (name, seed)]
            for seed in SEEDS
        ]
        right = [sum(row["right"] for row in mine) for mine in of_seeds]
        # every seed translates the same sentences
        sentences = sum(row["sentences"] for row in of_seeds[0])
        found[name] = Share(int(sentences), np.array(right, int))
    return found


def calibration() -> dict[str, dict[str, Array]]:
    """Return the probabilities of *il* in sentences where *it* may mean either noun.

    Each reason word has arrays of shape (seeds, sets of sentences): the number of
    ``sentences``; the ``mean`` probability of *il*; ``il_ends_right`` and
    ``elle_ends_right``, the number of sentences whose translation, begun with this
    pronoun, is right to the end.
    """
    rows = read_numbers(CALIBRATION)
    shape = len(SEEDS), -1
    names = [name for name in rows[0] if name not in ("seed", "set", "reason")]
    return {
        reason: {
            name: np.reshape([r[name] for r in rows if r["reason"] == reason], shape)
            for name in names
        }
        for reason in dict.fromkeys(row["reason"] for row in rows)
    }


class HeadAlignment(NamedTuple):
    """Shares of French words whose largest weight is on a word that they translate."""

    heads: Array  # shape (seeds, layers * heads), layer by layer
    chance: float  # of a random head
    diagonal: float  # of a head that attends to the same position


def alignment() -> HeadAlignment:
    """Return the share of aligned words for each cross-attention head."""
    rows = read_numbers(ALIGNMENT)
    heads = [[r["largest"] for r in rows if r["seed"] == seed] for seed in SEEDS]
    return HeadAlignment(np.array(heads), rows[0]["chance"], rows[0]["diagonal"])
