"""What the training runs came to: the tables that are stored, as arrays."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course.kit.arrays import Array
from transformer.ablations import VARIANTS
from transformer.parameters import Config
from transformer.storage import ABLATIONS, ACCURACY, ALIGNMENT, CALIBRATION, LOG

NAMES = {
    "full": "the full machine",
    "no positions": "no positions",
    "no residuals": "no residuals",
    "one head": "one head for four",
    "mean for cross-attention": "mean for cross-attention",
}
"""What the page calls the variants that lack a part."""


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def results(steps: int, quantity: str = "exact_match") -> dict[str, dict[str, Array]]:
    """Read what every variant came to after so many steps of training.

    Parameters
    ----------
    steps : int
        ``Plan().steps`` for the model that the course ships, a quarter as many for all
        variants.
    quantity : {"exact_match", "bleu"}

    Returns
    -------
    dict
        By the name that the page gives the variant, and by the set of sentences:
        ``results(1000)["the full machine"]["held-out pairs"]`` has a number a seed.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row in _rows(ABLATIONS):
        if int(row["steps"]) == steps and row["variant"] in NAMES:
            sets = found.setdefault(NAMES[row["variant"]], {})
            sets.setdefault(row["set"], []).append(float(row[quantity]))
    return {v: {s: np.array(x) for s, x in sets.items()} for v, sets in found.items()}


def by_heads(
    set_of_sentences: str, num_layers: int = 1, d_model: int = 32
) -> dict[int, dict[int, Array]]:
    """Read how exact machines with few and many heads are, by how long they learnt.

    Parameters
    ----------
    set_of_sentences : {"held-out sentences", "held-out pairs"}
    num_layers, d_model : int
        Of the machines that are compared: all have as many weights.

    Returns
    -------
    dict of int to dict of int to ndarray, shape (seeds,)
        By the number of heads, then by the steps of training.
    """
    found: dict[int, dict[int, list[float]]] = {}
    for row in _rows(ABLATIONS):
        config = VARIANTS[row["variant"]]
        same = Config(num_layers, config.num_heads, d_model) == config
        if same and row["set"] == set_of_sentences:
            steps = found.setdefault(config.num_heads, {})
            steps.setdefault(int(row["steps"]), []).append(float(row["exact_match"]))
    return {
        heads: {n: np.array(x) for n, x in sorted(found[heads].items())}
        for heads in sorted(found)
    }


class Share(NamedTuple):
    """How many of some sentences come out right.

    Attributes
    ----------
    sentences : int
    right : ndarray of int, shape (seeds,)
    """

    sentences: int
    right: Array

    @property
    def shares(self) -> Array:
        """The share of each seed."""
        return self.right / self.sentences


def accuracy(by: str = "set", only: str | None = None) -> dict[str, Share]:
    """Read what the shipped machine came to from every seed.

    Parameters
    ----------
    by : {"set", "kind", "words"}
        What the sentences are told apart by; by kind and by words over both sets.
    only : {"held-out sentences", "held-out pairs"}, optional
        Count the sentences of this set alone.
    """
    rows = [row for row in _rows(ACCURACY) if only in (None, row["set"])]
    seeds = max(int(row["seed"]) for row in rows) + 1
    asked: dict[str, int] = {}
    right: dict[str, Array] = {}
    for row in rows:
        name = row[by]
        counts = right.setdefault(name, np.zeros(seeds, int))
        counts[int(row["seed"])] += int(row["right"])
        if row["seed"] == "0":  # every seed is asked for the same sentences
            asked[name] = asked.get(name, 0) + int(row["sentences"])
    return {name: Share(asked[name], right[name]) for name in right}


def calibration() -> dict[str, dict[str, Array]]:
    """Read what the machine makes of sentences in which *it* may be either.

    Returns
    -------
    dict of str to dict of str to ndarray, shape (seeds, sets of sentences)
        By the reason given: how many ``sentences``; of the probability of *il* the
        ``mean`` and quantiles, ``q5`` to ``q95``; ``either``: the mean of that of *il*
        and *elle* together; ``il_ends_right`` and ``elle_ends_right``: of how many
        sentences that were made to begin with either the rest agrees to the end.
    """
    rows = _rows(CALIBRATION)
    seeds = len({row["seed"] for row in rows})
    names = [name for name in rows[0] if name not in ("seed", "set", "reason")]
    return {
        reason: {
            name: np.array(
                [float(r[name]) for r in rows if r["reason"] == reason]
            ).reshape(seeds, -1)
            for name in names
        }
        for reason in dict.fromkeys(row["reason"] for row in rows)
    }


class HeadAlignment(NamedTuple):
    """How often a head's largest weight lies on a word that the next one translates.

    Attributes
    ----------
    heads : ndarray, shape (seeds, layers * heads)
        Layer by layer.
    chance, diagonal : float
        For a head that looks blindly, and for one that looks at the same place.
    """

    heads: Array
    chance: float
    diagonal: float


def alignment() -> HeadAlignment:
    """Read how the cross-attention of each head agrees with the grammar."""
    rows = _rows(ALIGNMENT)
    seeds = sorted({row["seed"] for row in rows})
    heads = [[float(r["largest"]) for r in rows if r["seed"] == s] for s in seeds]
    return HeadAlignment(
        np.array(heads), float(rows[0]["chance"]), float(rows[0]["diagonal"])
    )


def log() -> dict[str, Array]:
    """Read the log of the stored model's training; NaN where nothing was measured."""
    rows = _rows(LOG)
    return {
        name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]
    }
