"""Measured claims of chapter 4: functions from a seed and sizes to a number."""

import numpy as np

from course.chapters.output_projection import experiments


def confined(seed: int, *, h: int, aligned: str = "no") -> float:
    """Return the mean missed share of 20 tasks without W_O, divided by 1 - 1/h."""
    rng = np.random.default_rng(seed)
    tasks = (
        experiments.routing_task(rng, h, aligned=aligned == "yes") for _ in range(20)
    )
    missed = [experiments.missed_without_projection(task) for task in tasks]
    return float(np.mean(missed) / (1 - 1 / h))


def out_of_reach(seed: int, *, width: int, read: int, mix: float = 1.0) -> float:
    """Return the share of the wanted result that the next layer misses without W_O."""
    rng = np.random.default_rng(seed)
    return experiments.draw_out_of_reach(rng, width=width, read=read, mix=mix, rows=500)
