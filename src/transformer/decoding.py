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
    and ends at the end mark or at `MAX_LENGTH`. Where `begun` has the padding mark, the
    model chooses. An unknown word, or a `begun` of another length than `sentences`, is
    a ValueError. By default the decoder has the `config` of the encoder.
    """
    if begun and len(begun) != len(sentences):
        raise ValueError(
            f"begun must hold a beginning for each of {len(sentences)} sentences, "
            f"got {len(begun)}"
        )
    source, given = ENGLISH.batch(sentences), FRENCH.batch(begun)
    memory, _ = encode_source(source, weights, config)
    start, end = FRENCH.encode([START, END])
    written = np.full((len(source), 1), start)
    going_on = np.arange(len(source))
    while len(going_on) and (words := written.shape[1]) <= MAX_LENGTH:
        batch = (array[going_on] for array in (written, memory, source))
        logits, _ = decode_logits(*batch, weights, decoder_config or config)
        following = np.full(len(source), end)
        following[going_on] = logits[:, -1].argmax(axis=-1)
        if words <= given.shape[1]:  # 0 is padding: the model chooses
            following = np.where(given[:, words - 1], given[:, words - 1], following)
        written = np.column_stack([written, following])
        going_on = np.flatnonzero(following != end)
    return [FRENCH.decode(row) for row in written]


class Translation(NamedTuple):
    """A translation with all arrays of its forward pass."""

    english: list[str]
    french: list[str]
    # The decoder's input: the start mark and the French words. Row ``i`` of the
    # decoder's arrays belongs to its word ``i``; ``next[i]`` is the distribution over
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
