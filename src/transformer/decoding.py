"""Translating: one word at a time, each written word read again for the next."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer.model import read, write
from transformer.parameters import MAX_LENGTH, Config, Tree
from transformer.trace import Trace
from transformer.vocabulary import END, ENGLISH, FRENCH, START


def translate(
    sentences: Sequence[Sequence[str]],
    weights: Tree,
    config: Config,
    begun: Sequence[Sequence[str]] = (),
) -> list[list[str]]:
    """Translate English sentences greedily: always the likeliest next word.

    Parameters
    ----------
    sentences : sequence of sequence of str
        English words of the grammar.
    weights : dict
    config : Config
    begun : sequence of sequence of str, optional
        The French words with which each translation has to begin; the likeliest words
        go on from there.

    Returns
    -------
    list of list of str
        French words; a translation ends at the mark of the end, or at `MAX_LENGTH`.

    Raises
    ------
    ValueError
        If a word is not in the vocabulary, or `begun` is not one a sentence.
    """
    if begun and len(begun) != len(sentences):
        raise ValueError(
            f"begun must hold a beginning for each of {len(sentences)} sentences, "
            f"got {len(begun)}"
        )
    source, given = ENGLISH.batch(sentences), FRENCH.batch(begun)
    memory, _ = read(source, weights, config)
    start, end = FRENCH.encode([START, END])
    written = np.full((len(source), 1), start)
    going_on = np.arange(len(source))
    while len(going_on) and (words := written.shape[1]) <= MAX_LENGTH:
        batch = (array[going_on] for array in (written, memory, source))
        logits, _ = write(*batch, weights, config)
        following = np.full(len(source), end)
        following[going_on] = logits[:, -1].argmax(axis=-1)
        if words <= given.shape[1]:  # 0 is padding: that beginning is over
            following = np.where(given[:, words - 1], given[:, words - 1], following)
        written = np.column_stack([written, following])
        going_on = np.flatnonzero(following != end)
    return [FRENCH.decode(row) for row in written]


class Translation(NamedTuple):
    """A translation with everything that led to it.

    Attributes
    ----------
    english, french : list of str
    target : list of str
        What the decoder read: the mark of the start, then the French words. Row ``i``
        of the decoder's arrays belongs to word ``i`` of it, and ``next[i]`` is the
        distribution over the word that follows.
    arrays : dict of str to ndarray
        Every array of the forward pass under the name of its place, each with two axes:
        see what `embeddings`, `layers`, `encoder`, `decoder` and `model` keep.
    """

    english: list[str]
    french: list[str]
    target: list[str]
    arrays: dict[str, NDArray]


def trace_translation(
    english: Sequence[str], weights: Tree, config: Config
) -> Translation:
    """Translate one sentence and keep every array on the way.

    A word that is written sees only what stands before it, so its arrays do not change
    when more is written. One pass over the finished sentence therefore holds the rows
    of all the steps.

    Parameters
    ----------
    english : sequence of str
    weights : dict
    config : Config

    Returns
    -------
    Translation
    """
    (french,) = translate([english], weights, config)
    target = [START, *french]
    trace = Trace()
    source = np.array(ENGLISH.encode(english))
    memory, _ = read(source, weights, config, trace)
    write(np.array(FRENCH.encode(target)), memory, source, weights, config, trace)
    return Translation(list(english), french, target, trace.arrays)
