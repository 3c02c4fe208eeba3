"""What chapter 3 claims to have measured: one number for a seed and sizes."""

import numpy as np

from course.chapters.multi_head import experiments


def leak(seed: int, *, a: float, b: float, noise: float) -> float:
    """Sum of both errors of one head whose weights depend on the parts."""
    rng = np.random.default_rng(seed)
    return sum(experiments.leak_errors(a, b, noise=noise, draws=20_000, rng=rng))
