"""Experiments of chapter 2: the spread of dot products and what softmax makes of it.

Random queries and keys have independent components of mean 0 and variance 1
unless a function says otherwise. Every function takes the seed or generator it
uses, so a rerun gives the same numbers.
"""

from collections.abc import Callable, Sequence

import numpy as np

from attention import softmax
from course.kit.arrays import Array
from course.kit.measures import entropy, jacobian, jacobian_norm

DIVISORS: dict[str, Callable[[int], float]] = {
    "1": lambda d_k: 1.0,
    "√dₖ": lambda d_k: float(np.sqrt(d_k)),
    "dₖ": float,
}
"""What the scores could be divided by."""


def dot_products(d_k: int, count: int, seed: int = 0) -> Array:
    """Draw dot products of independent standard normal vectors.

    Parameters
    ----------
    d_k : int
        Components of each vector.
    count : int
        Number of pairs.
    seed : int

    Returns
    -------
    ndarray, shape (count,)
    """
    rng = np.random.default_rng(seed)
    pairs = rng.standard_normal((2, count, d_k))
    return np.einsum("nd,nd->n", *pairs)


def spread(d_ks: Sequence[int], count: int = 2000, seed: int = 0) -> Array:
    """Measure the standard deviation of q . k for each d_k.

    Returns
    -------
    ndarray, shape (len(d_ks),)
    """
    return np.array([dot_products(d_k, count, seed).std() for d_k in d_ks])


def score_rows(d_k: int, m: int, rows: int, seed: int = 0) -> Array:
    """Draw rows of raw scores: each row one random query against m random keys.

    Returns
    -------
    ndarray, shape (rows, m)
    """
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((rows, 1, d_k))
    key = rng.standard_normal((rows, m, d_k))
    return np.einsum("rqd,rkd->rk", query, key)


def one_row(d_ks: Sequence[int], m: int = 8, seed: int = 0) -> Array:
    """Raw scores of one query whose vectors grow one component at a time.

    Parameters
    ----------
    d_ks : sequence of int
        Widths; the vectors of a smaller width are the first components of those
        of a larger one, so that rows can be compared.
    m : int
        Number of keys.
    seed : int

    Returns
    -------
    ndarray, shape (len(d_ks), m)
    """
    rng = np.random.default_rng(seed)
    query = rng.standard_normal(max(d_ks))
    key = rng.standard_normal((m, max(d_ks)))
    return np.array([key[:, :d_k] @ query[:d_k] for d_k in d_ks])


def saturation(
    d_ks: Sequence[int], m: int, rows: int, divisor: str = "1", seed: int = 0
) -> dict[str, Array]:
    """Measure how concentrated rows of weights are, as a mean over random rows.

    Parameters
    ----------
    d_ks : sequence of int
    m, rows : int
        Keys in a row, and number of random rows.
    divisor : {"1", "√dₖ", "dₖ"}
        What the scores are divided by.
    seed : int

    Returns
    -------
    dict of str to ndarray, shape (len(d_ks),)
        ``largest`` weight, ``entropy`` in nats and ``norm`` of the Jacobian.
    """
    found: dict[str, list[float]] = {"largest": [], "entropy": [], "norm": []}
    for d_k in d_ks:
        weights = softmax(score_rows(d_k, m, rows, seed) / DIVISORS[divisor](d_k))
        found["largest"].append(weights.max(axis=-1).mean())
        found["entropy"].append(entropy(weights).mean())
        found["norm"].append(jacobian_norm(weights).mean())
    return {name: np.array(values) for name, values in found.items()}


def norm_by_spread(
    spreads: Sequence[float], m: int, rows: int = 400, seed: int = 0
) -> dict[str, Array]:
    """Measure the Jacobian's norm for rows of normal logits of given spread.

    Parameters
    ----------
    spreads : sequence of float
        Standard deviations of the logits.
    m, rows : int
        Logits in a row, and number of random rows.
    seed : int

    Returns
    -------
    dict of str to ndarray, shape (len(spreads),)
        ``mean``, ``median``, and the 10th and 90th percentile ``low``, ``high``.
    """
    unit = np.random.default_rng(seed).standard_normal((rows, m))
    norms = np.array([jacobian_norm(softmax(s * unit)) for s in spreads])
    low, median, high = np.percentile(norms, [10, 50, 90], axis=1)
    return {"mean": norms.mean(axis=1), "median": median, "low": low, "high": high}


def query_gradients(
    d_ks: Sequence[int], scaled: bool, m: int = 8, rows: int = 400, seed: int = 0
) -> Array:
    """Measure the gradient that reaches a query through scale, softmax and keys.

    The weights receive a random gradient g from above; the query then receives
    ``scale * K^T J g`` with J the softmax Jacobian.

    Parameters
    ----------
    d_ks : sequence of int
    scaled : bool
        Whether the scores are divided by the square root of d_k.
    m, rows : int
        Keys in a row, and number of random rows.
    seed : int

    Returns
    -------
    ndarray, shape (len(d_ks), rows)
        Norms of the gradients.
    """
    found = []
    for d_k in d_ks:
        rng = np.random.default_rng(seed)
        query = rng.standard_normal((rows, d_k))
        key = rng.standard_normal((rows, m, d_k))
        above = rng.standard_normal((rows, m))
        scale = 1 / np.sqrt(d_k) if scaled else 1.0
        weights = softmax(scale * np.einsum("rd,rmd->rm", query, key))
        at_logits = np.einsum("rij,rj->ri", jacobian(weights), above)
        at_query = scale * np.einsum("ri,rid->rd", at_logits, key)
        found.append(np.linalg.norm(at_query, axis=-1))
    return np.array(found)


def unusual_spreads(d_k: int, count: int = 4000, seed: int = 0) -> dict[str, float]:
    """Spread of logits q . k / sqrt(d_k) where the usual assumptions fail.

    Parameters
    ----------
    d_k : int
    count : int
        Number of random queries and keys.
    seed : int

    Returns
    -------
    dict of str to float
        Standard deviation of the logits within a row. That is what softmax sees:
        it ignores whatever all keys of a row have in common.
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
