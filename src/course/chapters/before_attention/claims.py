"""Measured claims of *Before attention*: functions of a seed and sizes."""

from itertools import pairwise

from course.chapters.before_attention import experiments


def simple_gradient(seed: int, *, d: int, k: int, start: str = "uniform") -> float:
    """Return the ratio of the gradients at distances k and 1 in a simple network."""
    kind = "simple" if start == "uniform" else f"simple, {start}"
    return float(experiments.reach_once(kind, d, seed, n=k + 1)[-1])


def gated_gradient(seed: int, *, d: int, k: int, forget_bias: int = 3) -> float:
    """Return the ratio of the gradients at distances k and 1 in a gated network."""
    kind = f"gated, forget bias {forget_bias}" if forget_bias else "gated"
    return float(experiments.reach_once(kind, d, seed, n=k + 1)[-1])


LENGTHS = (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)


def twice_as_long(seed: int, *, d: int) -> float:
    """Return L(2d) / L(d).

    L(d) is the sentence length at which a state of width d recalls half of the words.
    """
    return _half_recalled(2 * d, seed) / _half_recalled(d, seed)


def _half_recalled(d: int, seed: int) -> float:
    """Return the interpolated sentence length at which half the words are recalled."""
    for shorter, longer in pairwise(LENGTHS):
        before, after = (
            experiments.recalled_once(d, n, seed) for n in (shorter, longer)
        )
        if after < 0.5:
            return shorter + (longer - shorter) * (before - 0.5) / (before - after)
    raise ValueError(f"more than half of {LENGTHS[-1]} words are read back at d = {d}")
