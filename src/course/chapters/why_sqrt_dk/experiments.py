"""Experiments of chapter 2: the spread of dot products, and its effect on softmax.

Random queries and keys have independent components of mean 0 and variance 1, unless a
function says otherwise. Every function that draws numbers takes a seed, so a rerun
gives the same numbers.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attention import softmax
from course.kit.arrays import Array


def score_rows(d_k: int, m: int, rows: int, seed: int = 0) -> Array:
    """Draw rows of raw scores: each has one random query and m random keys."""
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((rows, 1, d_k))
    key = rng.standard_normal((rows, m, d_k))
    return np.einsum("rqd,rkd->rk", query, key)


class Gradients(NamedTuple):
    """Norms of query gradients, shape (queries,), without and with the division."""

    undivided: Array
    divided: Array


def query_gradients(d_k: int, m: int, sequences: int = 20, seed: int = 0) -> Gradients:
    """Return norms of the gradient that reaches a query through scale, softmax, keys.

    The weights receive a random gradient g from above; the query then receives
    ``scale * K^T J g`` with J the softmax Jacobian. In each sequence 20 queries
    meet the same m keys, so there are ``20 * sequences`` norms.
    """
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((sequences, 20, d_k))
    key = rng.standard_normal((sequences, m, d_k))
    above = rng.standard_normal((sequences, 20, m))
    scores = query @ key.swapaxes(-1, -2)
    found = []
    for scale in (1.0, d_k**-0.5):
        p = softmax(scale * scores)
        at_logits = p * (above - (p * above).sum(axis=-1, keepdims=True))  # J g
        found.append(np.linalg.norm(scale * at_logits @ key, axis=-1).ravel())
    return Gradients(*found)


def starved(norms: Array) -> float:
    """Return the share of queries whose gradient is below 1% of the mean."""
    return float((norms < 0.01 * norms.mean()).mean())


def _uniform(bound: float) -> Callable[..., Array]:
    return lambda rng, size: rng.uniform(-bound, bound, size)


STARTS: dict[str, Callable[[int], Callable[..., Array]]] = {
    "Xavier, separate square matrices": lambda d: _uniform(np.sqrt(6 / (d + d))),
    "Xavier, Q, K and V in one matrix": lambda d: _uniform(np.sqrt(6 / (d + 3 * d))),
    "a linear layer's default": lambda d: _uniform(1 / np.sqrt(d)),
    "standard deviation 0.02": lambda d: lambda rng, size: rng.normal(0, 0.02, size),
}
"""Distributions of the entries of W_Q and W_K, given the width d_model."""


def starting_spreads(
    d_model: int, d_k: int = 64, words: int = 128, seed: int = 0
) -> dict[str, float]:
    """Return the spread of an untrained head's logits for each of `STARTS`.

    The spread is the standard deviation of all logits of a sentence. The inputs have
    independent components of mean 0 and variance 1.
    """
    found = {}
    for name, start in STARTS.items():
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((words, d_model))
        W_Q, W_K = start(d_model)(rng, size=(2, d_model, d_k))
        found[name] = float(((X @ W_Q) @ (X @ W_K).T / np.sqrt(d_k)).std())
    return found


def unusual_spreads(d_k: int, count: int, seed: int = 0) -> dict[str, float]:
    """Return the spread of the logits where the usual assumptions fail.

    The spread is the standard deviation within a row, because softmax ignores a number
    that is added to a whole row. There are `count` random keys, eight for each query.
    """
    rng = np.random.default_rng(seed)
    m = 8
    query = rng.standard_normal((count // m, 1, d_k))
    key = rng.standard_normal((count // m, m, d_k))
    one = np.ones(d_k)
    cases = {
        "independent, variance 1": (query, key),
        "components twice as large": (2 * query, 2 * key),
        "all components equal": (query[..., :1] * one, key[..., :1] * one),
        "keys share a mean of 1": (query, key + 1),
        "queries share a mean of 1": (query + 1, key),
    }
    spreads = {}
    for name, (q, k) in cases.items():
        logits = (q * k).sum(axis=-1) / np.sqrt(d_k)
        spreads[name] = float(np.sqrt(logits.var(axis=-1, ddof=1).mean()))
    return spreads
