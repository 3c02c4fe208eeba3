"""What chapter 4 claims to have measured: one number for a seed and sizes."""

import numpy as np

from course.chapters.output_projection import experiments


def out_of_reach(seed: int, *, width: int, read: int, mix: float = 1.0) -> float:
    """Share of what the next layer should read that it misses without W_O."""
    rng = np.random.default_rng(seed)
    return experiments.draw_out_of_reach(rng, width=width, read=read, mix=mix, rows=500)
