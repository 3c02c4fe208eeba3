"""The trained machine with parts switched off, and other ways to choose its words.

What can be switched off has a name, as the arrays of a trace have one:

=====================================  ===============================================
``encoder.0.self_attention.head.2``    a head: its rows of W^O are 0
``decoder.1.feed_forward``             a feed-forward network: its output is 0
``decoder.positions``                  the positions that are added to the French words
``encoder.residuals``                  what goes past every sublayer of the encoder
=====================================  ===============================================

An attention sublayer is switched off with all its heads. Instead of nothing, a head may
add the mean of what it adds elsewhere (`head_means`): then only what it would have said
about this sentence is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import softmax
from transformer.decoding import Translation
from transformer.grammar import Sentence
from transformer.model import forward, read, write
from transformer.parameters import MAX_LENGTH, Config, Tree, named, nested
from transformer.sentences import training_sentences
from transformer.storage import MEANS, from_bytes, load, to_bytes
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import END, ENGLISH, FRENCH, START

ATTENTIONS = {
    "encoder": ("self_attention",),
    "decoder": ("self_attention", "cross_attention"),
}


COUNT = 1000
"""Sentences over which the means go."""


class Machine(NamedTuple):
    """A machine whose two halves may lack different parts.

    Attributes
    ----------
    weights : dict
    reader, writer : Config
        Of the encoder and of the decoder.
    """

    weights: Tree
    reader: Config
    writer: Config


def heads_of(config: Config) -> tuple[str, ...]:
    """Name every head, the encoder's first, layer by layer."""
    return tuple(
        f"{side}.{layer}.{sublayer}.head.{head}"
        for side, sublayers in ATTENTIONS.items()
        for layer in range(config.num_layers)
        for sublayer in sublayers
        for head in range(config.num_heads)
    )


def switches(config: Config) -> tuple[str, ...]:
    """Name all that can be switched off."""
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
) -> Machine:
    """Switch parts off.

    Parameters
    ----------
    weights : dict
        Stays as it is.
    config : Config
    off : sequence of str
        Of `switches`.
    means : mapping of str to ndarray, shape (d_model,), optional
        What a head that is off adds to every word instead; nothing if left out.

    Returns
    -------
    Machine

    Raises
    ------
    ValueError
        If there is no such part.
    """
    if unknown := set(off) - set(switches(config)):
        raise ValueError(f"off must name parts of `switches`, got {sorted(unknown)}")
    leaves, sides = dict(named(weights)), dict.fromkeys(ATTENTIONS, config)
    for name in off:
        side, part = name.split(".", 1)
        if part == "positions":
            sides[side] = replace(sides[side], positions="none")
        elif part == "residuals":
            sides[side] = replace(sides[side], residuals=False)
        elif ".head." in part:
            leaves |= _without_head(leaves, config, name, means)
        else:
            leaves |= {f"{name}.{w}": 0 * leaves[f"{name}.{w}"] for w in ("W_2", "b_2")}
    return Machine(nested(leaves), sides["encoder"], sides["decoder"])


def _without_head(
    leaves: Mapping[str, NDArray],
    config: Config,
    name: str,
    means: Mapping[str, NDArray] | None,
) -> dict[str, NDArray]:
    """Give the leaves that change if a head adds nothing, or its mean."""
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
    sentences: Sequence[Sentence], weights: Tree, config: Config
) -> dict[str, NDArray]:
    """Return what each head adds to a word's row in the mean.

    Parameters
    ----------
    sentences : sequence of Sentence
        The mean goes over all their words; the decoder is given the right ones.
    weights : dict
    config : Config

    Returns
    -------
    dict of str to ndarray, shape (d_model,)
        By the name of the head.
    """
    batch, trace = batch_of(sentences), Trace()
    forward(batch.source, batch.target, weights, config, trace)
    real = {"encoder": batch.source != 0, "decoder": batch.target != 0}
    return {
        name: trace[f"{name}.added"][real[name.split(".")[0]]].mean(axis=0)
        for name in heads_of(config)
    }


def stored_means() -> dict[str, NDArray]:
    """Return the stored model's `head_means` over 1,000 of its training sentences."""
    tree, _ = from_bytes(MEANS.read_bytes())
    return named(tree)


# --- Choosing words -------------------------------------------------------------------


def chances(seed: int) -> Iterator[float]:
    """Yield numbers from 0 to 1, by chance but the same for the same seed.

    The minimal standard generator: 48271 times the last one, modulo 2^31 - 1. It is
    exact in float64, so that a page draws the same words as Python.

    References
    ----------
    Park, Miller and Stockmeyer (1993), Technical Correspondence, Communications of the
    ACM 36(7).
    """
    modulus, state = 2**31 - 1, seed
    for i in range(MAX_LENGTH + 4):
        state = 48271 * state % modulus
        if i > 2:  # of small seeds the first numbers are small
            yield state / modulus


def trace_run(
    english: Sequence[str],
    machine: Machine,
    forced: Sequence[str] = (),
    beta: float = 1.0,
    seed: int = 0,
) -> Translation:
    """Translate one sentence and keep every array, as `trace_translation` does.

    Parameters
    ----------
    english : sequence of str
    machine : Machine
    forced : sequence of str, optional
        At each place the French word that has to stand there, or ``""`` where the
        machine chooses.
    beta : float, default 1
        Sharpness of the distribution from which words are drawn: 1 / temperature.
    seed : int, default 0
        Of the draw; 0 is none: always the likeliest word.

    Returns
    -------
    Translation
    """
    source = np.array(ENGLISH.encode(english))
    memory, _ = read(source, machine.weights, machine.reader)
    chance, target = chances(seed), [START]
    while len(target) <= MAX_LENGTH:
        written = np.array(FRENCH.encode(target))
        logits, _ = write(written, memory, source, machine.weights, machine.writer)
        wanted = forced[len(target) - 1] if len(target) <= len(forced) else ""
        drawn = next(chance)  # at each place, so that a forced word changes no other
        following = wanted or FRENCH.words[choice(logits[-1], beta, seed and drawn)]
        if following == END:
            break
        target.append(following)
    trace = Trace()
    read(source, machine.weights, machine.reader, trace)
    written = np.array(FRENCH.encode(target))
    write(written, memory, source, machine.weights, machine.writer, trace)
    return Translation(list(english), target[1:], target, trace.arrays)


def choice(logits: NDArray, beta: float, drawn: float) -> int:
    """Return the likeliest word, or the one that a share of all probability leads to.

    Parameters
    ----------
    logits : ndarray, shape (vocabulary,)
    beta : float
    drawn : float
        From 0 to 1: the words before it, in the order of the vocabulary, have less of
        the probability together. 0 for the likeliest.

    Returns
    -------
    int
        The number of the word.
    """
    if not drawn:
        return int(logits.argmax())
    shares = softmax(logits, beta=beta).cumsum()
    return min(int((shares <= drawn).sum()), len(logits) - 1)


class Branch(NamedTuple):
    """A beginning that a beam tries.

    Attributes
    ----------
    words : tuple of str
        With the mark of the end, if it has been written.
    total : float
        Natural logarithm of the probability of all its words.
    parent : int
        Which beginning of the step before it goes on from.
    """

    words: tuple[str, ...]
    total: float
    parent: int


class Step(NamedTuple):
    """What a beam does after one more word.

    Attributes
    ----------
    kept : list of Branch
        The beginnings that go on, the most probable first.
    cut : Branch or None
        The most probable of those that do not.
    """

    kept: list[Branch]
    cut: Branch | None


def beam(english: Sequence[str], machine: Machine, width: int) -> list[Step]:
    """Keep the `width` most probable beginnings at each step, instead of one.

    Parameters
    ----------
    english : sequence of str
    machine : Machine
    width : int
        1 is greedy.

    Returns
    -------
    list of Step
        For each word. A finished beginning stays and competes with the others, by its
        whole probability.
    """
    source = np.array(ENGLISH.encode(english))
    memory, _ = read(source, machine.weights, machine.reader)
    kept, steps = [Branch((), 0.0, 0)], []
    while len(steps) <= MAX_LENGTH and not all(b.words[-1:] == (END,) for b in kept):
        found = []
        for parent, branch in enumerate(kept):
            if branch.words[-1:] == (END,):
                found.append(branch._replace(parent=parent))
                continue
            target = np.array(FRENCH.encode([START, *branch.words]))
            logits, _ = write(target, memory, source, machine.weights, machine.writer)
            shares = np.log(softmax(logits[-1]))
            found += [
                Branch(
                    (*branch.words, FRENCH.words[i]), branch.total + shares[i], parent
                )
                for i in np.argsort(-shares, kind="stable")[: width + 1]
            ]
        found.sort(key=lambda branch: -branch.total)
        kept = found[:width]
        steps.append(Step(kept, found[width] if len(found) > width else None))
    return steps


def main() -> None:
    """Store the means of the shipped model's heads."""
    sentences = list(islice(training_sentences(seed=1), COUNT))
    means = head_means(sentences, *load())
    MEANS.write_bytes(to_bytes(nested(means), load()[1], sentences=str(COUNT)))


if __name__ == "__main__":
    main()
