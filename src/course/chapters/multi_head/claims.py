"""Measured claims of chapter 3: a number for a seed and sizes."""

import numpy as np

from course.chapters.multi_head import experiments


def leak(seed: int, *, a: float, b: float, noise: float) -> float:
    """Return the sum of both errors of one head whose weights depend on the parts."""
    places = experiments.draw_places(20_000, np.random.default_rng(seed))
    return sum(experiments.leak_errors(a, b, places, noise=noise))
