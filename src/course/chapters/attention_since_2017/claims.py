"""Measured claims of chapter 10: functions from a seed and sizes to a number."""

from collections.abc import Callable
from functools import cache

import numpy as np

from course.chapters.attention_since_2017 import experiments


def one_pass_error(seed: int, *, n: int, block: int, bits: int = 64) -> float:
    """Return the error of `one_pass` against the formula, over the largest value."""
    q, k, v = np.random.default_rng(seed).standard_normal((3, n, 16))
    rounded = (x.astype(f"float{bits}") for x in (q, k, v))
    found = experiments.one_pass(*rounded, block)
    whole = experiments.by_formula(q, k, v)
    return float(np.abs(found - whole).max() / np.abs(v).max())


def recall_error(seed: int, *, d: int, share: float, rule: str = "sum") -> float:
    """Return d / (n - 1) times the mean squared error of n = share * d stored pairs."""
    n = round(share * d)
    rng = np.random.default_rng(seed)
    return experiments.recall_error(rng, n, d, rule) * d / (n - 1)


def share_recalled(seed: int, *, d: int, share: float, rule: str = "softmax") -> float:
    """Return the share of pairs that `rule` recalls; share * d pairs are stored."""
    n = round(share * d)
    return experiments.share_recalled(np.random.default_rng(seed), n, d, rule)


def lost_by_code(seed: int, *, h: int, share: float, rank: int = 0) -> float:
    """Return the error of random heads whose keys and values come from one code."""
    rng = np.random.default_rng(seed)
    return experiments.lost_by_code(rng, h, share, rank=rank)


def memory_of_one_pass(seed: int, *, n: int, block: int) -> float:
    """Return the peak memory of one pass divided by the peak memory of the formula."""
    del seed  # memory does not depend on the numbers
    return _memory_of_one_pass(n, block)


@cache
def _memory_of_one_pass(n: int, block: int) -> float:
    blocks = experiments.peak_bytes(
        lambda q, k, v: experiments.one_pass(q, k, v, block), n
    )
    return blocks / experiments.peak_bytes(experiments.by_formula, n)


def merge_error(seed: int, *, m: int, shards: int) -> float:
    """Return the error of a random sharding of m keys, divided by the largest value."""
    return experiments.shard_error(np.random.default_rng(seed), m, shards)


def forgotten(seed: int, *, n: int, width: int, penalty: float = 0.0) -> float:
    """Return the weight of a random query on the words outside of its window."""
    return experiments.forgotten(np.random.default_rng(seed), n, width, penalty)


def replaced_over_added(seed: int, *, d: int, share: float) -> float:
    """Return the ratio of the recall errors of the delta rule and the sum rule."""
    return _delta_over_sum(experiments.recall_error, seed, d, share)


def found_by_replacing(seed: int, *, d: int, share: float) -> float:
    """Return the ratio of the recalled shares of the delta rule and the sum rule."""
    return _delta_over_sum(experiments.share_recalled, seed, d, share)


def _delta_over_sum(
    measure: Callable[..., float], seed: int, d: int, share: float
) -> float:
    n = round(share * d)
    replaced, added = (
        measure(np.random.default_rng(seed), n, d, rule) for rule in ("delta", "sum")
    )
    return replaced / added
