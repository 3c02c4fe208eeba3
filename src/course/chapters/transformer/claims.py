"""Measurements that chapter 6 claims: one number for a seed and sizes."""

import numpy as np

from course.chapters.transformer import experiments
from transformer.parameters import Config, initial

ROUNDING = 1e-6
"""Smaller distances are rounding errors of single precision, which vary with BLAS."""


def word_difference(
    seed: int,
    *,
    d: int,
    layers: int,
    around: str = "attention alone",
    n: int = 8,
    deviation: float = 1,
) -> float:
    """Distance of the words from their mean after attention, at least `ROUNDING`."""
    run = experiments.through_stacks(d, [seed], layers, n, deviation, [around])
    return max(float(run[around]["difference"][0, -1]), ROUNDING)


def apart_with_residual(seed: int, *, d: int, layers: int, n: int = 8) -> float:
    """Smallest distance over the three kinds of stacks with a residual connection."""
    around = [name for name in experiments.AROUND if "residual" in name]
    runs = experiments.through_stacks(d, [seed], layers, n, around=around)
    return float(min(run["difference"][0, -1] for run in runs.values()))


def apart_post_norm(seed: int, *, d: int, layers: int) -> float:
    """Distance of the words from their mean in a stack with post-norm."""
    return word_difference(seed, d=d, layers=layers, around="residual, then norm")


def apart_pre_norm(seed: int, *, d: int, layers: int) -> float:
    """Distance of the words from their mean in a stack with pre-norm."""
    return word_difference(seed, d=d, layers=layers, around="norm, then residual")


def first_logits(seed: int, *, d_model: int, n: int = 100) -> float:
    """Root mean square of an untrained table's logits for vectors of size 1."""
    rng = np.random.default_rng(seed)
    table = initial(Config(d_model=d_model), seed)["french"]
    rows = rng.standard_normal((n, d_model))
    return float(np.sqrt(((rows @ table.T) ** 2).mean()))
