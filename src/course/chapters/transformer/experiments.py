"""The parts of a transformer, each small enough to be taken apart.

Arrays in, arrays out; `figures` beside this module draws them. What came before the
transformer is measured in `before`.
"""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention import (
    alibi,
    rotary_embedding,
    rotary_table,
    scaled_dot_product_attention,
)
from course.kit.arrays import Array
from course.kit.threads import one_thread
from transformer.positions import sinusoidal

WORDS = ("I", "am", "good")
TOLD = np.array([[0.90, 0.07, 0.03], [0.025, 0.95, 0.025], [0.21, 0.03, 0.76]])
"""The weights that the note tells of: one row a word."""

DOG = ("A", "dog", "ate", "the", "food", "because", "it", "was", "hungry")

ENDS = {
    "I": (1.76, 2.22, 6.66),
    "am": (7.77, 0.631, 5.35),
    "good": (11.44, 10.10, 3.33),
}
"""First, second and last entry of each embedding, as the note prints them."""


def note_embeddings(width: int, rng: np.random.Generator) -> dict[str, Array]:
    """Fill the note's three embeddings: its ends stand, what it left out is random.

    Parameters
    ----------
    width : int
        Entries of a vector, 512 in the note.
    rng : numpy.random.Generator
        Draws the entries between, normal with mean 5 and deviation 3.
    """
    vectors = {}
    for word, (first, second, last) in ENDS.items():
        middle = rng.normal(5, 3, width - 3)
        vectors[word] = np.array([first, second, *middle, last])
    return vectors


def queries_and_keys(
    weights: ArrayLike, d_k: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Find queries and keys whose attention weights are exactly the ones given.

    The scores have to be ``sqrt(d_k) ln(weights)``, up to a number for each row that
    softmax does not see; each row is given the mean 0. A singular value decomposition
    splits them into queries and keys, and a random rotation spreads these over all
    ``d_k`` columns.

    Parameters
    ----------
    weights : array_like, shape (n, n)
        Positive, each row with the sum 1.
    d_k : int
        At least ``n``.
    rng : numpy.random.Generator

    Returns
    -------
    Q, K : ndarray, shape (n, d_k)
    """
    logs = np.log(np.asarray(weights, dtype=float))
    scores = np.sqrt(d_k) * (logs - logs.mean(axis=1, keepdims=True))
    left, size, right = np.linalg.svd(scores)
    spread = np.linalg.qr(rng.standard_normal((d_k, len(scores))))[0].T  # (n, d_k)
    return (left * np.sqrt(size)) @ spread, (right.T * np.sqrt(size)) @ spread


def projection_for(X: ArrayLike, wanted: ArrayLike) -> Array:
    """Find the smallest matrix that takes the rows of X to the wanted rows.

    Parameters
    ----------
    X : array_like, shape (n, d_model)
        Rows that are linearly independent.
    wanted : array_like, shape (n, d_k)

    Returns
    -------
    ndarray, shape (d_model, d_k)
    """
    return np.linalg.pinv(np.asarray(X, dtype=float)) @ np.asarray(wanted)


# --- where a word stands --------------------------------------------------------------


def rotated(x: Array, start: int = 0) -> Array:
    """Turn pairs of columns by the place of the row, the first one at ``start``."""
    n, d = x.shape
    return rotary_embedding(x, *rotary_table(np.arange(start, start + n), d))


class Head:
    """A head of random weights, and ways to tell it where its words stand.

    Parameters
    ----------
    d : int
        Width of words, queries and keys.
    rng : numpy.random.Generator
    longest : int
        Places that the learned table has, and distances that the relative one has.
    """

    SCHEMES = ("none", "sinusoidal", "learned", "relative", "rotary", "bias")

    def __init__(self, d: int, rng: np.random.Generator, longest: int = 32) -> None:
        self.d, self.longest = d, longest
        self.W_Q, self.W_K = rng.standard_normal((2, d, d)) / np.sqrt(d)
        self.table = rng.standard_normal((longest, d))
        self.by_distance = rng.standard_normal((2 * longest - 1, d))

    def logits(self, scheme: str, X: Array, start: int = 0) -> Array:
        """Score words X, shape (n, d), of which the first stands at ``start``.

        They are told where they stand by a scheme, one of `SCHEMES`.
        """
        if scheme not in self.SCHEMES:
            raise ValueError(f"scheme is {scheme!r}, expected one of {self.SCHEMES}")
        n = len(X)
        if scheme == "sinusoidal":
            X = X + sinusoidal(start + n, self.d)[start:]
        if scheme == "learned":
            if start + n > self.longest:
                raise IndexError(
                    f"the table has {self.longest} places, a word stands at {start + n}"
                )
            X = X + self.table[start : start + n]
        Q, K = X @ self.W_Q, X @ self.W_K
        if scheme == "rotary":
            Q, K = rotated(Q, start), rotated(K, start)
        distance = np.arange(n)[:, None] - np.arange(n)
        scores = Q @ K.T
        if scheme == "relative":  # Shaw et al. 2018: a key for every distance
            keys = self.by_distance[distance + self.longest - 1]  # (n, n, d)
            scores = scores + np.einsum("id,ijd->ij", Q, keys)
        bias = alibi(8, n, n)[0] if scheme == "bias" else 0  # the first of 8 heads
        return scores / np.sqrt(self.d) + bias


def tell_order(d: int, seeds: int = 5, n: int = 8) -> dict[str, dict[str, Array]]:
    """Try which schemes show shuffling, and moving the whole sentence.

    Returns
    -------
    dict
        By scheme: largest change of a logit between the same two words, one entry a
        seed, when the sentence is ``shuffled`` and when it is ``moved`` by 7 places.
    """
    changes = {
        scheme: {"shuffled": np.empty(seeds), "moved": np.empty(seeds)}
        for scheme in Head.SCHEMES
    }
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        head, X, order = Head(d, rng), rng.standard_normal((n, d)), rng.permutation(n)
        for scheme, found in changes.items():
            before = head.logits(scheme, X)
            same_pairs = before[np.ix_(order, order)]
            shuffled = head.logits(scheme, X[order]) - same_pairs
            moved = head.logits(scheme, X, start=7) - before
            found["shuffled"][seed] = np.abs(shuffled).max()
            found["moved"][seed] = np.abs(moved).max()
    return changes


# --- around a sublayer ----------------------------------------------------------------


def layer_norm(x: Array, epsilon: float = 1e-5) -> Array:
    """Bring each row to mean 0 and variance 1, its gain 1 and its shift 0."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)


def feed_forward(x: Array, W_1: Array, b_1: Array, W_2: Array, b_2: Array) -> Array:
    """Send each row by itself through two matrices with a ReLU between."""
    return np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2


Around = Callable[[Array, Callable[[Array], Array]], Array]
AROUND: dict[str, Around] = {
    "attention alone": lambda x, f: f(x),
    "residual": lambda x, f: x + f(x),
    "residual, then norm": lambda x, f: layer_norm(x + f(x)),
    "norm, then residual": lambda x, f: x + f(layer_norm(x)),
}
"""What may stand around a sublayer f; the third is the paper's, the last newer."""


def _random_heads(
    d: int, rngs: Sequence[np.random.Generator], deviation: float
) -> Callable[[Array], Array]:
    """Draw a head of full width for each sentence, its weights uniform around 0."""
    spread = np.float32(deviation * np.sqrt(12 / d))  # a draw deviates by 1 / sqrt(12)
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
    """Send a sentence through a stack for each seed, layer by layer, all at once."""
    rngs = [np.random.default_rng(seed) for seed in seeds]
    words = np.stack([rng.standard_normal((n, d)) for rng in rngs])
    rows = dict.fromkeys(around, words.astype(np.float32))  # the matrices are many
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
    d: int,
    layers: int = 12,
    seeds: int = 5,
    n: int = 8,
    deviation: float = 1,
    around: Collection[str] = tuple(AROUND),
) -> dict[str, dict[str, Array]]:
    """Send words through stacks of random attention layers and watch them.

    Parameters
    ----------
    d : int
        Width.
    layers, seeds, n : int
        Depth; networks and sentences; words, random and of variance 1.
    deviation : float
        Of the weights, in units of ``1 / sqrt(d)``.
    around : collection of str
        Of `AROUND`. All that stand around the same seed's layers get the same weights.

    Returns
    -------
    dict
        For each of `around`: ``difference``: how far the words lie from their mean, as
        a share of their size; ``size``: root mean square of the entries. Shape
        (seeds, layers + 1).
    """
    return through_stacks(d, range(seeds), layers, n, deviation, around)


# --- masks ----------------------------------------------------------------------------


def influence(layer: Callable[[Array], Array], X: Array) -> Array:
    """Measure which input word moves which output word.

    Parameters
    ----------
    layer : callable
        Takes words, shape (n, d), and returns as many rows.
    X : ndarray, shape (n, d)

    Returns
    -------
    ndarray, shape (n, n)
        Entry (i, j): how far output row i moves when word j is turned round. A word
        that a mask hides from i moves it by exactly 0.
    """
    before, moved = layer(X), np.empty((len(X), len(X)))
    for j in range(len(X)):
        changed = X.copy()
        changed[j] = -X[j][::-1]
        moved[:, j] = np.linalg.norm(layer(changed) - before, axis=1)
    return moved


def masked_layer(
    d: int, rng: np.random.Generator, leak: str | None = None
) -> Callable[[Array], Array]:
    """Build a decoder's self-attention with residual and norm, whole or with a leak.

    Parameters
    ----------
    d : int
        Width.
    rng : numpy.random.Generator
    leak : {"mask", "norm"}, optional
        "mask" lets every word see the next one; "norm" takes mean and spread over the
        sentence instead of over the entries of each word.
    """
    head = rng.standard_normal((3, d, d)) / np.sqrt(d)

    def layer(x: Array) -> Array:
        mask = np.tri(len(x), k=1 if leak == "mask" else 0, dtype=bool)
        z = scaled_dot_product_attention(*(x @ W for W in head), attn_mask=mask)
        return layer_norm((x + z).T).T if leak == "norm" else layer_norm(x + z)

    return layer
