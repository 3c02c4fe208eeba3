"""Measured claims of the walkthrough and its appendix."""

import numpy as np

from course.chapters.walkthrough_apple.experiments import LAWS, angle, cosines_after

SIGNS = {"positive": LAWS["uniform, 0 to 1"], "both": LAWS["normal, both signs"]}
"""Distributions of the weights: uniform between 0 and 1, or normal."""


def smallest_cosine_after(seed: int, n: int, d: int, signs: str = "positive") -> float:
    """Return the median of `cosines_after` over 20 sets of three random heads.

    The sentence has n words with d features, uniform between 0 and 1. `signs` is a key
    of `SIGNS`.
    """
    X = np.random.default_rng(seed).random((n, d))
    heads = SIGNS[signs](np.random.default_rng(seed), (3, 20, 3, d, d))
    return float(np.median(cosines_after(heads, X)))


def angle_to_diagonal(seed: int, d: int, signs: str = "positive") -> float:
    """Return the median angle of ``a = W_K q`` to the diagonal, in degrees.

    The word has d features, uniform between 0 and 1, and the 200 heads have width d.
    `signs` is a key of `SIGNS`.
    """
    rng = np.random.default_rng(seed)
    x, (W_Q, W_K) = rng.random(d), SIGNS[signs](rng, (2, 200, d, d))
    a = (W_K @ (x @ W_Q)[..., None])[..., 0]
    return float(np.median(angle(a)))
