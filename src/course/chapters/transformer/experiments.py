"""Experiments of chapter 6 with the parts of a transformer; `figures` draws them."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention import scaled_dot_product_attention, softmax
from course.kit.arrays import Array
from course.kit.threads import one_thread
from transformer.model import forward
from transformer.storage import load
from transformer.trace import Trace
from transformer.vocabulary import ENGLISH, FRENCH

WORDS = ("I", "am", "good")
TOLD = np.array([[0.90, 0.07, 0.03], [0.025, 0.95, 0.025], [0.21, 0.03, 0.76]])
"""Attention weights printed in the note, one row for each word."""

DOG = ("A", "dog", "ate", "the", "food", "because", "it", "was", "hungry")

ENDS = {
    "I": (1.76, 2.22, 6.66),
    "am": (7.77, 0.631, 5.35),
    "good": (11.44, 10.10, 3.33),
}
"""First, second and last entry of each embedding in the note."""


def note_embeddings(width: int, rng: np.random.Generator) -> dict[str, Array]:
    """Return the note's three embeddings; entries that it omits are random.

    A vector has `width` entries, 512 in the note. The omitted entries are normal with
    mean 5 and deviation 3.
    """
    vectors = {}
    for word, (first, second, last) in ENDS.items():
        middle = rng.normal(5, 3, width - 3)
        vectors[word] = np.array([first, second, *middle, last])
    return vectors


def queries_and_keys(
    weights: ArrayLike, d_k: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return queries and keys whose attention weights are exactly the given ones.

    The scores must be ``sqrt(d_k) ln(weights)`` plus a constant for each row, which
    softmax ignores; here each row has mean 0. A singular value decomposition
    splits them into queries and keys, and a random rotation spreads these over all
    ``d_k`` columns.

    The weights, shape (n, n), are positive, and each row adds up to 1. `d_k` is at
    least n: this construction uses one column more than necessary. Q and K have shape
    (n, d_k).
    """
    logs = np.log(np.asarray(weights, dtype=float))
    scores = np.sqrt(d_k) * (logs - logs.mean(axis=1, keepdims=True))
    left, size, right = np.linalg.svd(scores)
    spread = np.linalg.qr(rng.standard_normal((d_k, len(scores))))[0].T  # (n, d_k)
    return (left * np.sqrt(size)) @ spread, (right.T * np.sqrt(size)) @ spread


def projection_for(X: ArrayLike, wanted: ArrayLike) -> Array:
    """Return the smallest matrix W, shape (d_model, d_k), with ``X @ W == wanted``.

    The rows of `X`, shape (n, d_model), are linearly independent. `wanted` has shape
    (n, d_k).
    """
    return np.linalg.pinv(np.asarray(X, dtype=float)) @ np.asarray(wanted)


def largest_weight(m: int, d_k: int, queries: int = 4000, seed: int = 0) -> float:
    """Return the mean of the largest of m weights without division of the scores.

    Each query has its own keys. Queries and keys have width `d_k`, and their entries
    are normal with variance 1.
    """
    rng = np.random.default_rng(seed)
    largest = np.empty(queries)
    for i in range(queries):
        scores = rng.standard_normal((m, d_k)) @ rng.standard_normal(d_k)
        largest[i] = softmax(scores).max()
    return float(largest.mean())


# --- around a sublayer ----------------------------------------------------------------


def layer_norm(x: Array, epsilon: float = 1e-5) -> Array:
    """Return x with mean 0 and variance 1 in each row (gain 1, shift 0)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)


Around = Callable[[Array, Callable[[Array], Array]], Array]
AROUND: dict[str, Around] = {
    "attention alone": lambda x, f: f(x),
    "residual": lambda x, f: x + f(x),
    "residual, then norm": lambda x, f: layer_norm(x + f(x)),
    "norm, then residual": lambda x, f: x + f(layer_norm(x)),
}
"""Ways to apply a sublayer f: the 2017 paper has the third, newer models the last."""


def _random_heads(
    d: int, rngs: Sequence[np.random.Generator], deviation: float
) -> Callable[[Array], Array]:
    """Return a layer with a random head for each sentence, uniform weights around 0."""
    # a uniform draw between 0 and 1 has the standard deviation 1 / sqrt(12)
    spread = np.float32(deviation * np.sqrt(12 / d))
    weights = np.empty((len(rngs), 3, d, d), np.float32)
    for each, rng in zip(weights, rngs, strict=True):
        rng.random(out=each, dtype=np.float32)
        each -= np.float32(0.5)
        each *= spread
    W_Q, W_K, W_V = weights.swapaxes(0, 1)
    return lambda x: scaled_dot_product_attention(x @ W_Q, x @ W_K, x @ W_V)


def through_stacks(
    d: int,
    seeds: Sequence[int],
    layers: int = 12,
    n: int = 8,
    deviation: float = 1,
    around: Collection[str] = tuple(AROUND),
) -> dict[str, dict[str, Array]]:
    """Return how similar words become in stacks of random attention layers.

    For each seed a stack reads a sentence of n random words of width d, with variance
    1. `deviation` is the standard deviation of the weights, in units of
    ``1 / sqrt(d)``. For one seed, all of `around` (names of `AROUND`) get the same
    weights.

    For each name of `around`, the result has ``difference``, the distance of the words
    from their mean over their size, and ``size``, the root mean square of the entries.
    Both have shape (seeds, layers + 1).
    """
    rngs = [np.random.default_rng(seed) for seed in seeds]
    words = np.stack([rng.standard_normal((n, d)) for rng in rngs])
    # single precision: there are many matrices
    rows = dict.fromkeys(around, words.astype(np.float32))
    seen: dict[str, list[tuple[Array, Array]]] = {name: [] for name in around}
    for layer in range(layers + 1):
        for name, x in rows.items():
            size = np.sqrt((x**2).mean(axis=(1, 2)))
            from_mean = x - x.mean(axis=1, keepdims=True)
            apart = np.sqrt((from_mean**2).mean(axis=(1, 2))) / size
            seen[name].append((apart, size))
        if layer < layers:
            heads = _random_heads(d, rngs, deviation)
            rows = {name: AROUND[name](x, heads) for name, x in rows.items()}
    return {
        name: dict(zip(("difference", "size"), np.moveaxis(values, 0, -1), strict=True))
        for name, values in seen.items()
    }


@one_thread()
def through_layers(
    d: int, layers: int = 12, seeds: int = 5
) -> dict[str, dict[str, Array]]:
    """Return `through_stacks` for the seeds 0, 1, ..., with one thread of BLAS."""
    return through_stacks(d, range(seeds), layers)


# --- masks ----------------------------------------------------------------------------


def influence(layer: Callable[[Array], Array], X: Array) -> Array:
    """Return how much each input word changes each output word, shape (n, n).

    `layer` takes words, shape (n, d), and returns n rows. Entry (i, j) is the change of
    output row i when word j is reversed and negated. It is 0 if a mask hides word j
    from row i.
    """
    before, moved = layer(X), np.empty((len(X), len(X)))
    for j in range(len(X)):
        changed = X.copy()
        changed[j] = -X[j][::-1]
        moved[:, j] = np.linalg.norm(layer(changed) - before, axis=1)
    return moved


def masked_layer(
    d: int, rng: np.random.Generator, *, leaks: bool = False
) -> Callable[[Array], Array]:
    """Return masked self-attention with residual and norm.

    If the mask `leaks`, every word can attend to the next word.
    """
    head = rng.standard_normal((3, d, d)) / np.sqrt(d)

    def layer(x: Array) -> Array:
        mask = np.tri(len(x), k=int(leaks), dtype=bool)
        z = scaled_dot_product_attention(*(x @ W for W in head), attn_mask=mask)
        return layer_norm(x + z)

    return layer


def three_heads(source: Sequence[str], read: Sequence[str]) -> dict[str, Array]:
    """Return weights of three heads of the trained translator, by kind of attention.

    Each head is the first of its sublayer in layer 2. `source` has m English words,
    `read` the n French words that the decoder reads. The shapes are (m, m), (n, n) and
    (n, m).
    """
    trained, config = load()
    words = np.array(ENGLISH.encode(source)), np.array(FRENCH.encode(read))
    forward(*words, trained, config, trace := Trace())
    return {
        name: trace[f"{sublayer}.head.0.weights"]
        for name, sublayer in {
            "self-attention": "encoder.1.self_attention",
            "masked self-attention": "decoder.1.self_attention",
            "cross-attention": "decoder.1.cross_attention",
        }.items()
    }
