"""Measured claims of chapter 10: a number for a seed and sizes."""

import numpy as np

from course.chapters.attention_since_2017 import experiments


def lost_by_sharing(seed: int, *, h: int, group: int, alike: float = 0.0) -> float:
    """Return the error of random heads that share their mean key and value."""
    rng = np.random.default_rng(seed)
    return experiments.lost_by_sharing(rng, h, group, alike=alike)


def one_pass_error(seed: int, *, n: int, block: int, bits: int = 64) -> float:
    """Return the error of one pass against the formula, over the largest value."""
    q, k, v = np.random.default_rng(seed).standard_normal((3, n, 16))
    single = (x.astype(f"float{bits}") for x in (q, k, v))
    found = experiments.one_pass(*single, block)
    whole = experiments.by_formula(q, k, v)
    return float(np.abs(found - whole).max() / np.abs(v).max())


def recall_error(seed: int, *, d: int, share: float, rule: str = "sum") -> float:
    """Return the squared error of n = share * d stored pairs, over (n - 1) / d."""
    n = round(share * d)
    rng = np.random.default_rng(seed)
    return experiments.recall_error(rng, n, d, rule) * d / (n - 1)


def share_recalled(seed: int, *, d: int, share: float, rule: str = "softmax") -> float:
    """Return the share of `share * d` stored pairs that are found again."""
    n = round(share * d)
    return experiments.share_recalled(np.random.default_rng(seed), n, d, rule)
