"""The trained translator with parts switched off, and with beam search.

The parts that can be switched off have these names:

=====================================  ===============================================
``encoder.0.self_attention.head.2``    a head: its rows of W^O are 0
``decoder.1.feed_forward``             a feed-forward network: its output is 0
``decoder.positions``                  the position encodings of the French words
``encoder.residuals``                  the residual connections of the encoder
=====================================  ===============================================

An attention sublayer is off if all its heads are off. A head that is off contributes
either nothing or its mean over many sentences (`head_means`). With the mean, only the
information about the current sentence is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import softmax
from transformer.decoding import Translation, traced, translate
from transformer.grammar import SentencePair
from transformer.model import decode_logits, encode_source, forward
from transformer.parameters import MAX_LENGTH, Config, Tree, named, nested
from transformer.sentences import training_sentences
from transformer.storage import MEANS, from_bytes, load, to_bytes
from transformer.stored_files import write_file
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import END, ENGLISH, FRENCH, PAD, START

ATTENTIONS = {
    "encoder": ("self_attention",),
    "decoder": ("self_attention", "cross_attention"),
}

COUNT = 1000
"""Number of sentences for `head_means`."""


class CutTranslator(NamedTuple):
    """A translator whose encoder and decoder may lack different parts."""

    weights: Tree
    encoder_config: Config
    decoder_config: Config


def heads_of(config: Config) -> tuple[str, ...]:
    """Return the names of all heads, first the encoder's, layer by layer."""
    return tuple(
        f"{side}.{layer}.{sublayer}.head.{head}"
        for side, sublayers in ATTENTIONS.items()
        for layer in range(config.num_layers)
        for sublayer in sublayers
        for head in range(config.num_heads)
    )


def switches(config: Config) -> tuple[str, ...]:
    """Return the names of all parts that can be switched off."""
    others = (
        *(f"{layer}.feed_forward" for layer in range(config.num_layers)),
        "positions",
        "residuals",
    )
    sides = (f"{side}.{other}" for side in ATTENTIONS for other in others)
    return *heads_of(config), *sides


def cut(
    weights: Tree,
    config: Config,
    off: Sequence[str],
    means: Mapping[str, NDArray] | None = None,
) -> CutTranslator:
    """Return the translator without the parts `off`, names from `switches`.

    A head that is off adds its mean from `means`, or nothing, to every word's vector.
    The given weights do not change. An unknown name is a ValueError.
    """
    if unknown := set(off) - set(switches(config)):
        raise ValueError(f"off must name parts of `switches`, got {sorted(unknown)}")
    leaves, sides = named(weights), dict.fromkeys(ATTENTIONS, config)
    for name in dict.fromkeys(off):  # a head named twice adds its mean once
        side, part = name.split(".", 1)
        if part == "positions":
            sides[side] = replace(sides[side], positions="none")
        elif part == "residuals":
            sides[side] = replace(sides[side], residuals=False)
        elif ".head." in part:
            leaves |= _without_head(leaves, config, name, means)
        else:
            leaves |= {f"{name}.{w}": 0 * leaves[f"{name}.{w}"] for w in ("W_2", "b_2")}
    return CutTranslator(nested(leaves), sides["encoder"], sides["decoder"])


def _without_head(
    leaves: Mapping[str, NDArray],
    config: Config,
    name: str,
    means: Mapping[str, NDArray] | None,
) -> dict[str, NDArray]:
    """Return the arrays that change when a head is switched off."""
    sublayer, head = name.split(".head.")
    width = config.d_model // config.num_heads
    W_O = leaves[f"{sublayer}.W_O"].copy()
    W_O[int(head) * width : (int(head) + 1) * width] = 0
    changed = {f"{sublayer}.W_O": W_O}
    if means is not None:
        b_O = f"{sublayer}.b_O"
        changed[b_O] = leaves.get(b_O, 0) + means[name]
    return changed


def head_means(
    sentences: Sequence[SentencePair], weights: Tree, config: Config
) -> dict[str, NDArray]:
    """Return the mean of each head's contribution to a word's vector, shape (d_model,).

    The mean is over all words of the sentences; the decoder gets the right words.
    """
    batch, trace = batch_of(sentences), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    is_word = {"encoder": batch.source != 0, "decoder": batch.target != 0}
    return {
        name: trace[f"{name}.added"][is_word[name.split(".")[0]]].mean(axis=0)
        for name in heads_of(config)
    }


def stored_means() -> dict[str, NDArray]:
    """Return the stored `head_means` of the shipped model over `COUNT` sentences."""
    tree, _ = from_bytes(MEANS.read_bytes())
    return named(tree)


# --- Choosing words -------------------------------------------------------------------


def trace_run(
    english: Sequence[str],
    machine: CutTranslator,
    forced: Sequence[str] = (),
) -> Translation:
    """Return the translation of one sentence with all arrays, by greedy decoding.

    `forced` has the French word that must stand at each position, or ``""`` where the
    translator chooses. Positions after the end of `forced` are free.
    """
    weights, encoder_config, decoder_config = machine
    begun = [[word or PAD for word in forced]]
    (french,) = translate([english], weights, encoder_config, begun, decoder_config)
    return traced(english, french, *machine)


class Branch(NamedTuple):
    """A beginning of a translation in a beam.

    A finished translation ends with the end mark. `total` is the natural logarithm of
    the probability of the words.
    """

    words: tuple[str, ...]
    total: float

    @property
    def is_finished(self) -> bool:
        """Whether the last word is the end mark."""
        return self.words[-1:] == (END,)


def beam(english: Sequence[str], machine: CutTranslator, width: int) -> list[Branch]:
    """Return the translations that a beam search finds, the most probable first.

    After each word `width` branches stay; 1 is greedy search. A finished branch stays
    if its probability is among the `width` largest.
    """
    source = np.array(ENGLISH.encode(english), int)
    memory, _ = encode_source(source, machine.weights, machine.encoder_config)
    branches = [Branch((), 0.0)]
    for _ in range(MAX_LENGTH):
        candidates = [branch for branch in branches if branch.is_finished]
        for words, total in (branch for branch in branches if not branch.is_finished):
            target = np.array(FRENCH.encode([START, *words]))
            logits, _ = decode_logits(
                target, memory, source, machine.weights, machine.decoder_config
            )
            logs = np.log(softmax(logits[-1]))
            candidates += [
                Branch((*words, FRENCH.words[i]), total + logs[i])
                for i in np.argsort(-logs, kind="stable")[:width]
            ]
        branches = sorted(candidates, key=lambda branch: -branch.total)[:width]
    return branches


def main() -> None:
    """Store the `head_means` of the shipped model."""
    sentences = list(islice(training_sentences(seed=1), COUNT))
    weights, config = load()
    means = head_means(sentences, weights, config)
    write_file(MEANS, to_bytes(nested(means), config, sentences=str(COUNT)))


if __name__ == "__main__":
    main()
