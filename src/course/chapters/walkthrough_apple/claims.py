"""What the walkthrough and its appendix claim to have measured, as numbers."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from course.chapters.walkthrough_apple.experiments import LAWS, Law, cosines_after
from course.kit.arrays import Array

SIGNS = {"positive": LAWS["uniform, 0 to 1"], "both": LAWS["normal, both signs"]}
"""Laws of weights and features: even between 0 and 1, or normal."""


def _narrow(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.normal(scale=shape[-1] ** -0.5, size=shape)


@lru_cache(maxsize=15)  # drawing takes longest: one draw for every number of words
def _weights(law: Law, seed: int, shape: tuple[int, ...]) -> Array:
    return law(np.random.default_rng(seed), shape)


def _median_cosine(law: Law, words: ArrayLike, seed: int) -> float:
    def kept(_: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return _weights(law, seed, shape)

    return float(np.median(cosines_after(kept, words, trials=50)))


def smallest_cosine_after(seed: int, n: int, d: int, signs: str = "positive") -> float:
    """Median over 50 sets of three heads of the smallest cosine of two outputs.

    Parameters
    ----------
    seed : int
        Seed of the words and of the heads.
    n, d : int
        Number of words and of their features, even between 0 and 1.
    signs : str
        The law of the weights, a key of `SIGNS`.
    """
    words = np.random.default_rng(seed).random((n, d))
    return _median_cosine(SIGNS[signs], words, seed)


def smallest_cosine_narrow(seed: int, n: int, d: int, words: str = "positive") -> float:
    """Give `smallest_cosine_after` for normal weights of standard deviation 1/√d.

    Parameters
    ----------
    seed : int
        Seed of the words and of the heads.
    n, d : int
        Number of words and of their features.
    words : str
        The law of the features: even between 0 and 1 ("positive") or normal ("both").
    """
    return _median_cosine(
        _narrow, SIGNS[words](np.random.default_rng(seed), (n, d)), seed
    )


def angle_to_diagonal(seed: int, d: int, signs: str = "positive") -> float:
    """Median angle in degrees, over 200 heads, of ``a = W_K q`` to the diagonal.

    Parameters
    ----------
    seed : int
        Seed of the word and of the heads.
    d : int
        Number of features of the word, even between 0 and 1, and width of the heads.
    signs : str
        The law of the weights, a key of `SIGNS`.
    """
    rng = np.random.default_rng(seed)
    x, (W_Q, W_K) = rng.random(d), SIGNS[signs](rng, (2, 200, d, d))
    a = (W_K @ (x @ W_Q)[..., None])[..., 0]
    cosine = a.sum(axis=-1) / (np.sqrt(d) * np.linalg.norm(a, axis=-1))
    return float(np.median(np.degrees(np.arccos(cosine))))
