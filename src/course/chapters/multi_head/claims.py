"""Measured claims of chapter 3: functions from a seed and sizes to a number."""

import numpy as np

from course.chapters.multi_head import experiments


def leak(seed: int, *, a: float, b: float, noise: float) -> float:
    """Return the sum of the two errors of `leak_errors` for random places."""
    places = experiments.draw_places(20_000, np.random.default_rng(seed))
    return sum(experiments.leak_errors(a, b, places, noise=noise))
