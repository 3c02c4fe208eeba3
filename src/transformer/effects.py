"""How many held-out sentences the translator gets right with parts switched off.

``python -m transformer.effects`` switches off every part alone in the model of each of
`storage.SEEDS`, and every pair of heads in the shipped model. It stores in
``runs/effects.csv`` how many of 1,000 held-out sentences are right, by kind.

A sentence is right if, after every beginning of its right translation, the most
probable next word is the right one. This is true if and only if the greedy translation
is right. So the program makes one pass over the right words instead of translating.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.grammar import KINDS_OF_SENTENCES, SentencePair
from transformer.laboratory import CutTranslator, cut, heads_of, switches
from transformer.model import decode_logits, encode_source
from transformer.parameters import Config, Tree
from transformer.sentences import held_out_sentences
from transformer.storage import EFFECTS, SEEDS, load, model_of
from transformer.stored_files import Row, read_table, write_table
from transformer.training import Batch, batch_of

COUNT = 1000  # held-out sentences


@cache
def held_out() -> tuple[SentencePair, ...]:
    """Return the sentences on which every cut is measured."""
    return tuple(held_out_sentences(COUNT, pairs=False))


def memory_of(batch: Batch, machine: CutTranslator) -> NDArray:
    """Return the encoder's output for the sentences."""
    return encode_source(batch.source, machine.weights, machine.encoder_config)[0]


def right(batch: Batch, machine: CutTranslator, memory: NDArray) -> NDArray[np.bool_]:
    """Return for each sentence whether it is translated without a mistake.

    `memory` is the output of `memory_of` for the same machine.
    """
    logits, _ = decode_logits(
        batch.target, memory, batch.source, machine.weights, machine.decoder_config
    )
    return ((logits.argmax(axis=-1) == batch.labels) | (batch.labels == 0)).all(axis=1)


def cuts(config: Config, *, pairs: bool) -> list[tuple[str, ...]]:
    """Return the cuts: nothing, each part alone and, with `pairs`, pairs of heads."""
    alone = [(name,) for name in switches(config)]
    return [(), *alone, *(combinations(heads_of(config), 2) if pairs else ())]


def effects(
    sentences: Sequence[SentencePair],
    weights: Tree,
    config: Config,
    wanted: Sequence[tuple[str, ...]],
) -> Iterator[tuple[tuple[str, ...], Counter[str]]]:
    """Yield each cut with the number of right sentences of each kind."""
    batch = batch_of(sentences)
    memories: dict[tuple[str, ...], NDArray] = {}
    for off in wanted:
        machine = cut(weights, config, off)
        off_in_encoder = tuple(name for name in off if name.startswith("encoder"))
        if off_in_encoder not in memories:
            memories[off_in_encoder] = memory_of(batch, machine)
        found = right(batch, machine, memories[off_in_encoder])
        both = zip(sentences, found, strict=True)
        yield off, Counter(sentence.kind for sentence, is_right in both if is_right)


def rows(seed: int) -> Iterator[Row]:
    """Yield the rows of one seed's model."""
    sentences = held_out()
    weights, config = load(model_of(seed))
    wanted = cuts(config, pairs=seed == 0)
    for off, counts in effects(sentences, weights, config, wanted):
        kinds = {kind: counts[kind] for kind in KINDS_OF_SENTENCES}
        yield {"seed": seed, "off": " ".join(off), **kinds}


class Effect(NamedTuple):
    """The stored effect of one cut: the number of right sentences of each kind."""

    seed: int
    off: tuple[str, ...]
    right: dict[str, int]


def stored_effects(seed: int = 0) -> list[Effect]:
    """Return the stored effects of one seed, in the order of `cuts`."""
    return [
        Effect(
            seed,
            tuple(row["off"].split()),
            {kind: int(row[kind]) for kind in KINDS_OF_SENTENCES},
        )
        for row in read_table(EFFECTS)
        if int(row["seed"]) == seed
    ]


def main() -> None:
    """Measure the models of all seeds and store the rows."""
    write_table(EFFECTS, [row for seed in SEEDS for row in rows(seed)])


if __name__ == "__main__":
    main()
