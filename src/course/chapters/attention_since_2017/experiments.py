"""Experiments of chapter 10: arrays in, arrays out."""

import itertools
import tracemalloc
from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import scaled_dot_product_attention, softmax
from course.kit.arrays import Array

Mask = NDArray[np.bool_]

WORDS = ("we", "saw", "the", "sea")
POWERS = np.array([1.0, 1.0, 2.0, 4.0])
"""exp(logit) of each word as a key; every query has these values."""

VALUES = np.array([10.0, 6.0, 2.0, 5.0])
"""One value for each word: under a causal mask every output is a whole number."""


# --- 2. The cache ---------------------------------------------------------------------


def cache_bytes(layers: int, heads: int, d_k: int, n: int, size: int = 2) -> int:
    """Return the bytes of a cache: keys and values of n tokens, `size` bytes each."""
    return 2 * layers * heads * d_k * n * size


# --- 3. A code in the cache -----------------------------------------------------------


def lost_by_code(
    rng: np.random.Generator, h: int, share: float, *, n: int = 128, rank: int = 0
) -> float:
    """Return the error if one code holds the keys and values of all heads.

    The heads are random, of width 8. If a word has x numbers in its keys and values,
    its code has ``share * x``; singular values give the best code. The keys and
    values of all heads together have full rank, unless `rank` is given. The error is
    the squared difference, relative to the squared outputs without a code.
    """
    wide = 2 * h * 8
    q, cache = rng.standard_normal((h, n, 8)), rng.standard_normal((n, wide))
    if rank:
        cache = cache[:, :rank] @ rng.standard_normal((rank, wide)) / rank**0.5
    left, singular, right = np.linalg.svd(cache, full_matrices=False)
    size = round(share * wide)
    coded = left[:, :size] * singular[:size] @ right[:size]

    def outputs(cache: Array) -> Array:
        return scaled_dot_product_attention(
            q, *cache.reshape(n, 2, h, 8).transpose(1, 2, 0, 3)
        )

    whole = outputs(cache)
    return float(np.sum((outputs(coded) - whole) ** 2) / np.sum(whole**2))


# --- 4. Rotary positions --------------------------------------------------------------


def _speeds(width: int, base: float) -> Array:
    """Return the angle by which each pair of columns turns from word to word."""
    return base ** (-np.arange(0, width, 2) / width)


def similarity(distances: Array, width: int, base: float) -> Array:
    """Return q·k / |q|² by distance, if q = k and all column pairs have one length."""
    return np.cos(np.outer(distances, _speeds(width, base))).mean(axis=1)


def full_turns(n: int, width: int, base: float) -> int:
    """Return how many pairs of columns make a full turn within n positions."""
    return int(np.sum(n * _speeds(width, base) >= 2 * np.pi))


# --- 5. One pass ----------------------------------------------------------------------


class Part(NamedTuple):
    """Attention to a part of the keys: outputs, and log of the sum of exponentials."""

    output: Array  # (n, d_v)
    lse: Array  # (n,)


def attend(q: Array, k: Array, v: Array, mask: Mask) -> Part:
    """Attend to the keys in the mask; a row without keys has output 0 and lse -inf."""
    logits = np.where(mask, q @ k.T / np.sqrt(q.shape[1]), -np.inf)
    top = logits.max(axis=1, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)
    powers = np.exp(logits - top[:, None])
    total = powers.sum(axis=1)
    output = powers @ v / np.where(total, total, 1)[:, None]
    with np.errstate(divide="ignore"):
        return Part(output, top + np.log(total))


def merged(a: Part, b: Part) -> Part:
    """Merge attention to two parts of the keys."""
    lse = np.logaddexp(a.lse, b.lse)
    finite = np.where(np.isfinite(lse), lse, 0)  # a row without keys keeps output 0
    share_a, share_b = (np.exp(part.lse - finite)[:, None] for part in (a, b))
    return Part(share_a * a.output + share_b * b.output, lse)


def mean_of_outputs(a: Part, b: Part) -> Part:
    """Wrong: take the mean of the two outputs."""
    return Part((a.output + b.output) / 2, np.logaddexp(a.lse, b.lse))


def lse_as_shares(a: Part, b: Part) -> Part:
    """Wrong: weigh the outputs with lse itself, without the exponential."""
    first, second = (np.where(np.isfinite(p.lse), p.lse, 0)[:, None] for p in (a, b))
    total = np.where(first + second == 0, 1, first + second)
    output = (first * a.output + second * b.output) / total
    return Part(output, np.logaddexp(a.lse, b.lse))


Merge = Callable[[Part, Part], Part]


def sharded(
    q: Array, k: Array, v: Array, mask: Mask, cuts: Sequence[int], merge: Merge
) -> Part:
    """Attend to each shard of the keys, and merge the results one after another."""
    edges = [0, *cuts, len(k)]
    parts = [
        attend(q, k[i:j], v[i:j], mask[:, i:j]) for i, j in itertools.pairwise(edges)
    ]
    return reduce(merge, parts)


def shard_error(
    rng: np.random.Generator, m: int, shards: int, merge: Merge = merged
) -> float:
    """Return the error of a random sharding of m keys, relative to the largest value.

    Shards may be empty. One key in four is masked, and the first query sees no key.
    """
    q, k, v = (rng.standard_normal((rows, 8)) for rows in (4, m, m))
    mask = rng.random((4, m)) > 1 / 4
    mask[0] = False
    cuts = np.sort(rng.integers(0, m + 1, size=shards - 1))
    found = sharded(q, k, v, mask, list(cuts), merge).output
    whole = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return float(np.abs(found - whole).max() / np.abs(v).max())


def shard_errors(rng: np.random.Generator, count: int, merge: Merge = merged) -> Array:
    """Return the errors of random shardings of 2 to 12 keys into 2 to 6 shards."""
    sizes = rng.integers((2, 2), (13, 7), size=(count, 2))
    return np.array([shard_error(rng, *size, merge) for size in sizes])


def one_pass(q: Array, k: Array, v: Array, block: int) -> Array:
    """Attend to the keys block by block, with a running maximum, sum and output."""
    top = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros_like(top)
    output = np.zeros((len(q), v.shape[1]), q.dtype)
    for j in range(0, len(k), block):
        logits = q @ k[j : j + block].T / q.shape[1] ** 0.5  # (n, block)
        new = np.maximum(top, logits.max(axis=1, keepdims=True))
        shrink, powers = np.exp(top - new), np.exp(logits - new)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        output = output * shrink + powers @ v[j : j + block]
        top = new
    return output / total


def by_formula(q: Array, k: Array, v: Array) -> Array:
    """Attend to all keys at once, with all n x m weights in memory."""
    logits = q @ k.T / np.sqrt(q.shape[1])
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


Attention = Callable[[Array, Array, Array], Array]


def peak_bytes(attention: Attention, n: int) -> int:
    """Return the largest memory that an attention of n words allocates, in bytes."""
    q, k, v = np.random.default_rng(0).standard_normal((3, n, 16))
    tracemalloc.start()
    try:
        attention(q, k, v)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# --- 6. Windows and sinks -------------------------------------------------------------


def window(n: int, width: int, sinks: int = 0) -> Mask:
    """Return a causal mask of the last `width` keys and of the first `sinks` keys."""
    query, key = np.arange(n)[:, None], np.arange(n)
    return (key <= query) & ((query - key < width) | (key < sinks))


def forgotten(
    rng: np.random.Generator, n: int, width: int, penalty: float = 0.0
) -> float:
    """Return the weight of a random query on the words outside of its window.

    The penalty times the distance is subtracted from each logit.
    """
    q, k = rng.standard_normal(16), rng.standard_normal((n, 16))
    distance = np.arange(n)[::-1]
    return float(softmax(k @ q / 4 - penalty * distance)[: max(n - width, 0)].sum())


def window_off_by_one(n: int, width: int, sinks: int = 0) -> Mask:
    """Wrong: `width` earlier keys and the key at the query's own place."""
    return window(n, width + 1, sinks)


def reached(mask: Mask, layers: int) -> Mask:
    """Return which words each word can depend on after layers with one mask, (n, n)."""
    found = np.eye(len(mask), dtype=bool)
    for _ in range(layers):
        found = (mask.astype(int) @ found) > 0
    return found


def influence(mask: Mask, layers: int, rng: np.random.Generator) -> Array:
    """Return for each input word how much its change moves the last output, (n,).

    The layers have random weights and a residual connection.
    """
    n, d = len(mask), 4
    X, change = rng.standard_normal((n, d)), rng.standard_normal(d)
    weights = rng.standard_normal((layers, 3, d, d))

    def last(x: Array) -> Array:
        for W in weights:
            x = x + scaled_dot_product_attention(*(x @ W), attn_mask=mask)
        return x[-1]

    moved = [last(X + change * (np.arange(n) == j)[:, None]) for j in range(n)]
    return np.abs(np.stack(moved) - last(X)).max(axis=1)


# --- 7. Without a softmax -------------------------------------------------------------


def written(
    keys: Array, values: Array, *, replace: bool = False, keep: float = 1
) -> Array:
    """Return the state after each word, shape (n, d_k, d_v).

    With `replace`, each word first removes the old value of its key (delta rule). Each
    word keeps the share `keep` of the state.
    """
    state = np.zeros((keys.shape[1], values.shape[1]))
    states = []
    for key, value in zip(keys, values, strict=True):
        old = key @ state if replace else 0
        state = keep * state + np.outer(key, value - old)
        states.append(state)
    return np.stack(states)


def recalled(
    rng: np.random.Generator, n: int, d: int, rule: str
) -> tuple[Array, Array]:
    """Store n pairs of random unit vectors of width d; return read and stored values.

    The rule is a state that adds ("sum"), a state that replaces ("delta"), or attention
    with the factor d in its scores ("softmax").
    """
    keys, values = rng.standard_normal((2, n, d))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    if rule == "softmax":
        return scaled_dot_product_attention(keys, keys, values, scale=d), values
    return keys @ written(keys, values, replace=rule == "delta")[-1], values


def share_recalled(rng: np.random.Generator, n: int, d: int, rule: str) -> float:
    """Return the share of keys whose result is nearest to their own value."""
    found, values = recalled(rng, n, d, rule)
    nearest = (found @ values.T).argmax(axis=1)
    return float(np.mean(nearest == np.arange(n)))


def recall_error(rng: np.random.Generator, n: int, d: int, rule: str) -> float:
    """Return the mean squared distance between the stored and the read values."""
    found, values = recalled(rng, n, d, rule)
    return float(np.mean(np.sum((found - values) ** 2, axis=1)))
