"""Measured claims of chapter 6: functions from a seed and sizes to a number."""

from course.chapters.transformer import experiments

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
    """Distance of the words from their mean over their size, at least `ROUNDING`.

    Measured after all layers; `around` is a name of `experiments.AROUND`.
    """
    run = experiments.through_stacks(d, [seed], layers, n, deviation, [around])
    return max(float(run[around]["difference"][0, -1]), ROUNDING)


def apart_post_norm(seed: int, *, d: int, layers: int) -> float:
    """Return `word_difference` in a stack with post-norm."""
    return word_difference(seed, d=d, layers=layers, around="residual, then norm")


def apart_pre_norm(seed: int, *, d: int, layers: int) -> float:
    """Return `word_difference` in a stack with pre-norm."""
    return word_difference(seed, d=d, layers=layers, around="norm, then residual")
