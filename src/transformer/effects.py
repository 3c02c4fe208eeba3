"""What each cut costs: how many held-out sentences the machine still has right.

``python -m transformer.effects`` switches off, in the model of each of `storage.SEEDS`,
every part alone, and in the shipped one every pair of heads too. What came out lies in
``runs/effects.csv``: of 1,000 held-out sentences, how many are right to the last word,
by kind. A sentence is right if the likeliest word is the right one after each of its
beginnings: then, and only then, does writing word by word end in it, so one pass over
all words tells as much as a translation.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.grammar import KINDS_OF_SENTENCES, Sentence
from transformer.laboratory import Machine, cut, heads_of, switches
from transformer.model import read, write
from transformer.parameters import Config, Tree
from transformer.seeds import Row, store
from transformer.sentences import held_out_sentences
from transformer.storage import EFFECTS, SEEDS, load, model_of
from transformer.training import Batch, batch_of

COUNT = 1000


@cache
def held_out() -> tuple[Sentence, ...]:
    """Return the sentences that every cut is tried on, drawn once."""
    return tuple(held_out_sentences(COUNT, pairs=False))


def memory_of(batch: Batch, machine: Machine) -> NDArray:
    """Return what the encoder makes of the sentences."""
    return read(batch.source, machine.weights, machine.reader)[0]


def right(batch: Batch, machine: Machine, memory: NDArray) -> NDArray[np.bool_]:
    """Say of each sentence whether it is translated without a mistake.

    Parameters
    ----------
    batch : Batch
    machine : Machine
    memory : ndarray, shape (sentences, m, d_model)
        Of the same machine: `memory_of`.

    Returns
    -------
    ndarray of bool, shape (sentences,)
    """
    logits, _ = write(
        batch.target, memory, batch.source, machine.weights, machine.writer
    )
    return ((logits.argmax(axis=-1) == batch.labels) | (batch.labels == 0)).all(axis=1)


def cuts(config: Config, *, pairs: bool) -> list[tuple[str, ...]]:
    """Return nothing off, each part alone, and where asked for each pair of heads."""
    alone = [(name,) for name in switches(config)]
    return [(), *alone, *(combinations(heads_of(config), 2) if pairs else ())]


def effects(
    sentences: Sequence[Sentence],
    weights: Tree,
    config: Config,
    wanted: Sequence[tuple[str, ...]],
) -> Iterator[tuple[tuple[str, ...], Counter[str]]]:
    """Yield each cut with how many sentences of each kind stay right."""
    batch = batch_of(sentences)
    memories: dict[tuple[str, ...], NDArray] = {}
    for off in wanted:
        machine = cut(weights, config, off)
        read_by = tuple(name for name in off if name.startswith("encoder"))
        if read_by not in memories:
            memories[read_by] = memory_of(batch, machine)
        found = right(batch, machine, memories[read_by])
        both = zip(sentences, found, strict=True)
        yield off, Counter(sentence.kind for sentence, is_right in both if is_right)


def rows(seed: int) -> Iterator[Row]:
    """Measure the model of one seed."""
    sentences = held_out()
    weights, config = load(model_of(seed))
    wanted = cuts(config, pairs=seed == 0)
    for off, counts in effects(sentences, weights, config, wanted):
        kinds = {kind: counts[kind] for kind in KINDS_OF_SENTENCES}
        yield {"seed": seed, "off": " ".join(off), **kinds}


class Effect(NamedTuple):
    """A stored row.

    Attributes
    ----------
    seed : int
    off : tuple of str
    right : dict of str to int
        How many sentences of each kind stay right.
    """

    seed: int
    off: tuple[str, ...]
    right: dict[str, int]


def stored_effects(seed: int = 0) -> list[Effect]:
    """Read what `main` stored of one seed, in the order of `cuts`."""
    with EFFECTS.open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if int(row["seed"]) == seed]
    return [
        Effect(
            seed,
            tuple(row["off"].split()),
            {kind: int(row[kind]) for kind in KINDS_OF_SENTENCES},
        )
        for row in found
    ]


def main() -> None:
    """Measure the models of all seeds and store the rows."""
    store(EFFECTS, [row for seed in SEEDS for row in rows(seed)])


if __name__ == "__main__":
    main()
