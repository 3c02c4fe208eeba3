"""Positional encodings: sines and cosines of ever longer wavelengths."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery import Gallery
from course.practice.grader import FunctionTask

Array = NDArray[Any]

MISTAKES = Gallery()


def _angles(n: int, d_model: int) -> Array:
    """Angle of each clock at each place, (n, d_model / 2)."""
    return np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)


def _interleaved(angles: Array) -> Array:
    """Sines in the even columns, cosines in the odd ones."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def positions(n: int, d_model: int) -> Array:
    """The paper's: sines in the even columns, cosines in the odd ones."""
    angles = _angles(n, d_model)
    return _interleaved(angles)


@MISTAKES.holds("positions", "sines left, cosines right", "[sin(angles), cos(angles)]")
def halves(n: int, d_model: int) -> Array:
    """Two halves side by side are the same clocks in another order of the columns."""
    angles = _angles(n, d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@MISTAKES.holds("positions", "a clock for each column", "10000 ** (column / d_model)")
def each_column_its_own(n: int, d_model: int) -> Array:
    """The exponent grows with the column; sine and cosine should share a clock."""
    columns = np.arange(d_model)
    angles = np.arange(n)[:, None] / 10000 ** (columns / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


@MISTAKES.holds("positions", "places counted from 1", "p = 1 ... n")
def from_one(n: int, d_model: int) -> Array:
    """That is how people count; here the first place is 0, and its cosines are 1."""
    return positions(n + 1, d_model)[1:]


@MISTAKES.holds("positions", "sine and cosine exchanged", "cos in the even columns")
def exchanged(n: int, d_model: int) -> Array:
    """The clocks are the same, but the formula begins with the sine."""
    angles = _angles(n, d_model)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(n, d_model)


@MISTAKES.holds("positions", "the exponent without its 2", "10000 ** (i / d_model)")
def half_the_exponent(n: int, d_model: int) -> Array:
    """Clock i has the exponent 2i / d_model; with i alone, slow ones turn too fast."""
    clocks = np.arange(d_model // 2)
    angles = np.arange(n)[:, None] / 10000 ** (clocks / d_model)
    return _interleaved(angles)


@MISTAKES.holds("positions", "the 2 counted twice", "10000 ** (4 i / d_model)")
def twice_the_exponent(n: int, d_model: int) -> Array:
    """`np.arange(0, d_model, 2)` is 2i already; with twice that clocks are too slow."""
    clocks = np.arange(0, d_model, 2)
    angles = np.arange(n)[:, None] / 10000 ** (2 * clocks / d_model)
    return _interleaved(angles)


def _power_of_integers(n: int, d_model: int) -> Array:
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / 10000**two_i / d_model)


def _width_below_the_power(n: int, d_model: int) -> Array:
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / (10000.0**two_i / d_model))


@MISTAKES.holds(
    "positions",
    "a bracket missing",
    "p / 10000 ** 2i / d_model",
    _power_of_integers,
    _width_below_the_power,
)
def without_bracket(n: int, d_model: int) -> Array:
    """A power comes before a quotient: the exponent is 2i alone, and not 2i/d_model."""
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / 10000.0**two_i / d_model)


POSITIONS = FunctionTask(
    arguments=("n", "d_model"),
    right=positions,
    wrong=tuple(MISTAKES.values()),
    printed=((3, 4), (2, 6)),
    sizes=lambda rng: (int(rng.integers(1, 30)), 2 * int(rng.integers(1, 9))),
    draw=lambda rng, sizes: [sizes],
    tells=lambda sizes: sizes[0] > 1 and sizes[1] > 2,
    always=((1, 2), (1, 6), (5, 2), (60, 64)),
)
