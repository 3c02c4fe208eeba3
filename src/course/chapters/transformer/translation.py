"""What the stored model does, and what its training runs came to: tables and trials."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course.kit.arrays import Array
from transformer.decoding import translate
from transformer.grammar import NounPhrase, Sentence, realise
from transformer.model import forward
from transformer.parameters import Config, Tree, named, nested
from transformer.sentences import draw_because
from transformer.storage import ABLATIONS, ALIGNMENT, LOG
from transformer.trace import Trace
from transformer.training import batch_of

SUBJECT, OBJECT, IT = 1, 4, 6
"""Places of three words in "a dog ate the food because it was hungry" and its like."""


VARIANTS = {
    "full": "the full machine",
    "no positions": "no positions",
    "no residuals": "no residual connections",
    "one head": "one head, not four",
    "mean for cross-attention": "mean, not cross-attention",
    "learned positions": "learned positions",
    "ALiBi": "a bias by distance (ALiBi)",
    "pre-norm": "norm before the sublayer",
}
"""What the page calls the variants that were trained."""


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def results(steps: int, quantity: str = "exact_match") -> dict[str, dict[str, Array]]:
    """Read what every variant came to after so many steps of training.

    Parameters
    ----------
    steps : int
        ``Plan().steps`` for the model that the course ships, half as many for all
        variants.
    quantity : {"exact_match", "bleu"}

    Returns
    -------
    dict
        By the name that the page gives the variant, and by the set of sentences:
        ``results(2000)["the full machine"]["held-out pairs"]`` has a number a seed.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row in _rows(ABLATIONS):
        if int(row["steps"]) == steps:
            sets = found.setdefault(VARIANTS[row["variant"]], {})
            sets.setdefault(row["set"], []).append(float(row[quantity]))
    return {v: {s: np.array(x) for s, x in sets.items()} for v, sets in found.items()}


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


def alignment(steps: int, variant: str = "full") -> HeadAlignment:
    """Read how the cross-attention of each head agrees with the grammar."""
    rows = [
        row
        for row in _rows(ALIGNMENT)
        if (row["variant"], int(row["steps"])) == (variant, steps)
    ]
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
        Subject and object differ in gender, so that French tells them apart.
    referent, other : int
        Places of the noun that *it* stands for and of the other one.
    """

    sentence: Sentence
    referent: int
    other: int


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
    rng, found = random.Random(seed), {SUBJECT: {}, OBJECT: {}}
    while min(map(len, found.values())) < count // 2:
        clause = draw_because(rng)
        subject, thing = clause.action.subject, clause.action.object
        if not isinstance(subject, NounPhrase) or clause.reason.subject.word != "it":
            continue
        if subject.plural or thing.plural or subject.gender == thing.gender:
            continue
        sentence = realise(clause)
        place = SUBJECT if clause.reason.of is subject else OBJECT
        if len(found[place]) < count // 2:
            other = SUBJECT + OBJECT - place
            found[place][sentence.english] = Reference(sentence, place, other)
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
    def follows(self) -> float:
        """Share of the sentences in which the noun that is meant gets more."""
        return float((self.referent > self.other).mean())


def looks(found: Sequence[Reference], weights: Tree, config: Config) -> list[Look]:
    """Find where every head looks from *it*, and when its pronoun is chosen."""
    batch, trace = batch_of([one.sentence for one in found]), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    before = [one.sentence.french.index("car") + 1 for one in found]  # after the start
    return [
        _look(name, trace[f"{name}.weights"], rows, found)
        for kind, rows in (
            ("encoder.{}.self_attention", [IT] * len(found)),
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
        [getattr(f, place) for f in found] for place in Look._fields[1:]
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
