"""Measured claims of the walkthrough and its appendix."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.chapters.walkthrough_apple.experiments import LAWS, Law, cosines_after

SIGNS = {"positive": LAWS["uniform, 0 to 1"], "both": LAWS["normal, both signs"]}
"""Distributions of weights and features: uniform between 0 and 1, or normal."""


def smallest_cosine_after(
    seed: int, n: ArrayLike, d: int, signs: str = "positive"
) -> NDArray[np.float64]:
    """Return the median over 20 sets of three heads of the smallest cosine of outputs.

    Parameters
    ----------
    seed : int
        Seed of the words and of the heads.
    n : int or sequence of int
        Number of words; the words of a smaller number are the first of a larger one.
    d : int
        Number of features of the words, uniform between 0 and 1.
    signs : str
        Distribution of the weights, a key of `SIGNS`.
    """
    words = np.random.default_rng(seed).random((np.max(n), d))
    return medians(seed, SIGNS[signs], words, n)


def smallest_cosine_narrow(
    seed: int, n: ArrayLike, d: int, words: str = "positive"
) -> NDArray[np.float64]:
    """Return `smallest_cosine_after` for normal weights of standard deviation 1/√d.

    Parameters
    ----------
    seed : int
        Seed of the words and of the heads.
    n : int or sequence of int
        Number of words; the words of a smaller number are the first of a larger one.
    d : int
        Number of features of the words.
    words : str
        Distribution of the features, a key of `SIGNS`.
    """
    X = SIGNS[words](np.random.default_rng(seed), (np.max(n), d))

    def law(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        return rng.normal(scale=d**-0.5, size=shape)

    return medians(seed, law, X, n)


def medians(
    seed: int, law: Law, X: NDArray[np.float64], n: ArrayLike
) -> NDArray[np.float64]:
    """Draw the heads once, and measure them on the first n words for each n."""
    d = X.shape[-1]
    heads = law(np.random.default_rng(seed), (3, 20, 3, d, d))
    found = [np.median(cosines_after(heads, X[:words])) for words in np.atleast_1d(n)]
    return np.reshape(found, np.shape(n))


def angle_to_diagonal(seed: int, d: int, signs: str = "positive") -> float:
    """Return the median angle of ``a = W_K q`` to the diagonal, in degrees.

    Parameters
    ----------
    seed : int
        Seed of the word and of the heads.
    d : int
        Number of features of the word, uniform between 0 and 1, and width of the heads.
    signs : str
        Distribution of the weights, a key of `SIGNS`.
    """
    rng = np.random.default_rng(seed)
    x, (W_Q, W_K) = rng.random(d), SIGNS[signs](rng, (2, 200, d, d))
    a = (W_K @ (x @ W_Q)[..., None])[..., 0]
    cosine = a.sum(axis=-1) / (np.sqrt(d) * np.linalg.norm(a, axis=-1))
    return float(np.median(np.degrees(np.arccos(cosine))))
