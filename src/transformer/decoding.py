"""Translation, one word at a time."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.model import decode_logits, encode_source
from transformer.parameters import MAX_LENGTH, Config, Tree
from transformer.trace import Trace
from transformer.vocabulary import END, ENGLISH, FRENCH, START


def translate(
    sentences: Sequence[Sequence[str]],
    weights: Tree,
    config: Config,
    begun: Sequence[Sequence[str]] = (),
    decoder_config: Config | None = None,
) -> list[list[str]]:
    """Return greedy translations: the most probable word at each position.

    A translation starts with the French words of its entry in `begun`, if there is one,
    and ends at the end mark or after `MAX_LENGTH` words. Where `begun` has the padding
    mark, the model chooses. An unknown word, or a `begun` of another length than
    `sentences`, is a ValueError. By default both parts have the same `config`.
    """
    if begun and len(begun) != len(sentences):
        raise ValueError(
            f"begun must hold a beginning for each of {len(sentences)} sentences, "
            f"got {len(begun)}"
        )
    source, forced = ENGLISH.batch(sentences), FRENCH.batch(begun)
    memory, _ = encode_source(source, weights, config)
    start, end = FRENCH.encode([START, END])
    written = np.full((len(source), 1), start)
    unfinished = np.arange(len(source))
    while len(unfinished) and (length := written.shape[1]) <= MAX_LENGTH:
        batch = (array[unfinished] for array in (written, memory, source))
        logits, _ = decode_logits(*batch, weights, decoder_config or config)
        chosen = np.full(len(source), end)
        chosen[unfinished] = logits[:, -1].argmax(axis=-1)
        if length <= forced.shape[1]:  # 0 is padding: the model chooses
            chosen = np.where(forced[:, length - 1], forced[:, length - 1], chosen)
        written = np.column_stack([written, chosen])
        unfinished = np.flatnonzero(chosen != end)
    return [FRENCH.decode(row) for row in written]


class Translation(NamedTuple):
    """A translation with all arrays of its forward pass."""

    english: list[str]
    french: list[str]
    # The decoder's input: the start mark and the French words. Row ``i`` of the
    # decoder's arrays belongs to word ``i`` here; ``next[i]`` is the distribution over
    # the next word.
    target: list[str]
    # Every array of the forward pass, each with two axes. The modules `embeddings`,
    # `layers`, `encoder`, `decoder` and `model` document their arrays.
    arrays: dict[str, NDArray]


def traced(
    english: Sequence[str],
    french: Sequence[str],
    weights: Tree,
    encoder_config: Config,
    decoder_config: Config,
) -> Translation:
    """Return a translation with all arrays, from one pass over its finished words.

    A written word attends to no later word, so later words do not change its
    arrays. One pass over the finished sentence therefore contains every step.
    """
    target, trace = [START, *french], Trace()
    source = np.array(ENGLISH.encode(english), int)
    memory, _ = encode_source(source, weights, encoder_config, trace)
    written = np.array(FRENCH.encode(target))
    decode_logits(written, memory, source, weights, decoder_config, trace)
    return Translation(list(english), list(french), target, trace.arrays)


def trace_translation(
    english: Sequence[str], weights: Tree, config: Config
) -> Translation:
    """Return the greedy translation of one sentence with all arrays."""
    (french,) = translate([english], weights, config)
    return traced(english, french, weights, config, config)
