"""What the stored model does, and what its training runs came to: tables and trials."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course.kit.arrays import Array
from transformer.decoding import translate
from transformer.grammar import NounPhrase, Sentence, realise, thing_of
from transformer.model import forward
from transformer.parameters import Config, Tree, named, nested
from transformer.sentences import draw_because
from transformer.storage import ABLATIONS, ACCURACY, ALIGNMENT, CALIBRATION, LOG
from transformer.trace import Trace
from transformer.training import batch_of

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


def results(quantity: str = "exact_match") -> dict[str, dict[str, Array]]:
    """Read what every variant came to.

    Parameters
    ----------
    quantity : {"exact_match", "bleu"}

    Returns
    -------
    dict
        By the name that the page gives the variant, and by the set of sentences:
        ``results()["the full machine"]["held-out pairs"]`` has a number a seed.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row in _rows(ABLATIONS):
        sets = found.setdefault(NAMES[row["variant"]], {})
        sets.setdefault(row["set"], []).append(float(row[quantity]))
    return {v: {s: np.array(x) for s, x in sets.items()} for v, sets in found.items()}


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


def accuracy(by: str = "set") -> dict[str, Share]:
    """Read what the shipped machine came to from every seed.

    Parameters
    ----------
    by : {"set", "kind", "words"}
        What the sentences are told apart by; by kind and by words over both sets.
    """
    rows = _rows(ACCURACY)
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


def stored_log() -> dict[str, Array]:
    """Read the log of the stored model's training; NaN where nothing was measured."""
    rows = _rows(LOG)
    return {
        name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]
    }


class Reference(NamedTuple):
    """A sentence whose *it* could be two things, and which of them it is.

    Attributes
    ----------
    sentence : Sentence
        Subject and object differ in gender, so that French tells them apart; the reason
        can be said of one of them only.
    it, referent, other : int
        Places of the pronoun, of the noun that it stands for and of the other one.
    """

    sentence: Sentence
    it: int
    referent: int
    other: int

    @property
    def means_subject(self) -> bool:
        """Whether *it* is the subject, and not the object."""
        return self.referent < self.other


def references(count: int, seed: int) -> list[Reference]:
    """Draw different sentences such as *a dog ate the food because it was hungry*.

    Parameters
    ----------
    count : int
        Half of them mean the subject, half the object.
    seed : int

    Returns
    -------
    list of Reference
    """
    rng = random.Random(seed)
    found: dict[bool, dict[tuple[str, ...], Reference]] = {True: {}, False: {}}
    while min(map(len, found.values())) < count // 2:
        clause = draw_because(rng)
        subject, thing = clause.action.subject, thing_of(clause.action.object)
        if not (isinstance(subject, NounPhrase) and thing):
            continue
        if subject.plural or thing.plural or subject.gender == thing.gender:
            continue
        sentence = realise(clause)
        if clause.reason.subject.word != "it" or sentence.other:
            continue
        because = sentence.english.index("because")
        nouns = 1, because - 1  # "a dog ate the food because it was hungry"
        meant = nouns if clause.reason.of is subject else nouns[::-1]
        half = found[clause.reason.of is subject]
        if len(half) < count // 2:
            half[sentence.english] = Reference(sentence, because + 1, *meant)
    return [reference for half in found.values() for reference in half.values()]


class Look(NamedTuple):
    """Where a head looks when it comes to *it*.

    Attributes
    ----------
    name : str
        ``encoder.1.self_attention.head.0``: row *it*; for ``decoder`` the row of the
        word before the French pronoun, from which that is chosen.
    referent, other : ndarray, shape (sentences,)
        Weights on the noun that is meant and on the other one.
    """

    name: str
    referent: Array
    other: Array

    @property
    def difference(self) -> float:
        """How much more the noun that is meant gets, in the mean."""
        return float((self.referent - self.other).mean())


def looks(found: Sequence[Reference], weights: Tree, config: Config) -> list[Look]:
    """Find where every head looks from *it*, and when its pronoun is chosen."""
    batch, trace = batch_of([one.sentence for one in found]), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    before = [one.sentence.french.index("car") + 1 for one in found]  # after the start
    return [
        _look(name, trace[f"{name}.weights"], rows, found)
        for kind, rows in (
            ("encoder.{}.self_attention", [one.it for one in found]),
            ("decoder.{}.cross_attention", before),
        )
        for layer in range(config.num_layers)
        for head in range(config.num_heads)
        for name in [f"{kind.format(layer)}.head.{head}"]
    ]


def _look(
    name: str, weights: Array, rows: Sequence[int], found: Sequence[Reference]
) -> Look:
    """Take out of a head's weights, shape (b, n, m), what lies on the two nouns."""
    sentences = np.arange(len(found))
    row = weights[sentences, rows]  # (b, m)
    referents, others = (
        [getattr(one, place) for one in found] for place in Look._fields[1:]
    )
    return Look(name, row[sentences, referents], row[sentences, others])


def without_head(weights: Tree, config: Config, name: str) -> Tree:
    """Switch a head off: its rows of W_O become 0.

    Parameters
    ----------
    weights : dict
        Stays as it is.
    config : Config
    name : str
        Such as ``encoder.1.self_attention.head.0``.

    Returns
    -------
    dict
    """
    sublayer, head = name.split(".head.")
    width = config.d_model // config.num_heads
    leaves = dict(named(weights))
    changed = leaves[f"{sublayer}.W_O"].copy()
    changed[int(head) * width : (int(head) + 1) * width] = 0
    leaves[f"{sublayer}.W_O"] = changed
    return nested(leaves)


class Pronouns(NamedTuple):
    """What became of *it*, as shares of the sentences.

    Attributes
    ----------
    right, wrong : float
        *Il* or *elle* stands where the reason begins, and is the right one or the
        other one.
    missing : float
        There is no pronoun to judge: the reason was left out, for instance.
    """

    right: float
    wrong: float
    missing: float


def pronouns(found: Sequence[Reference], weights: Tree, config: Config) -> Pronouns:
    """Translate, and count what *it* became."""
    translations = translate([one.sentence.english for one in found], weights, config)
    written = [_pronoun(french) for french in translations]
    wanted = [_pronoun(one.sentence.french) for one in found]
    right = sum(a == b for a, b in zip(written, wanted, strict=True))
    missing, count = written.count(None), len(written)
    return Pronouns(right / count, (count - right - missing) / count, missing / count)


def _pronoun(french: Sequence[str]) -> str | None:
    """Return the pronoun after *car*, if there is one."""
    after = list(french).index("car") + 1 if "car" in french else len(french)
    word = french[after] if after < len(french) else None
    return word if word in ("il", "elle") else None
