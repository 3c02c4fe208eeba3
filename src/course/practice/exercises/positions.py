"""The exercise on positional encodings: sines and cosines of growing wavelengths.

A clock is a pair of columns, the sine and the cosine of one angle.
"""

import numpy as np

from course.practice.gallery import Gallery
from course.practice.grader import FunctionTask

MISTAKES = Gallery()


def _angles(n, d_model):
    """Angle of each clock at each position, (n, d_model / 2)."""
    return np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)


def _interleaved(angles):
    """Sines in the even columns, cosines in the odd ones."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def positions(n, d_model):
    """The encoding of the paper, (n, d_model)."""
    return _interleaved(_angles(n, d_model))


@MISTAKES.add("positions", "sines left, cosines right", "[sin(angles), cos(angles)]")
def halves(n, d_model):
    """Another convention, not an error. The paper alternates sines and cosines."""
    angles = _angles(n, d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@MISTAKES.add("positions", "a frequency for each column", "10000 ** (column / d_model)")
def each_column_its_own(n, d_model):
    """The exponent grows with each column. The columns of a pair should share it."""
    columns = np.arange(d_model)
    angles = np.arange(n)[:, None] / 10000 ** (columns / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


@MISTAKES.add("positions", "places counted from 1", "p = 1 ... n")
def from_one(n, d_model):
    """Here the first position is 0, and its cosines are 1."""
    return positions(n + 1, d_model)[1:]


@MISTAKES.add("positions", "sine and cosine exchanged", "cos in the even columns")
def exchanged(n, d_model):
    """The clocks are the same, but the formula begins with the sine."""
    angles = _angles(n, d_model)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(n, d_model)


@MISTAKES.add("positions", "the exponent without its 2", "10000 ** (i / d_model)")
def half_the_exponent(n, d_model):
    """Clock i has the exponent 2i / d_model. With i, the slow clocks turn too fast."""
    clocks = np.arange(d_model // 2)
    return _interleaved(np.arange(n)[:, None] / 10000 ** (clocks / d_model))


@MISTAKES.add("positions", "the 2 counted twice", "10000 ** (4 i / d_model)")
def twice_the_exponent(n, d_model):
    """`np.arange(0, d_model, 2)` is already 2i. Doubled, the clocks are too slow."""
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / 10000 ** (2 * two_i / d_model))


def _power_of_integers(n, d_model):
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / 10000**two_i / d_model)


def _width_below_the_power_of_integers(n, d_model):
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / (10000**two_i / d_model))


def _width_below_the_power(n, d_model):
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / (10000.0**two_i / d_model))


@MISTAKES.add(
    "positions",
    "a bracket missing",
    "p / 10000 ** 2i / d_model",
    _power_of_integers,
    _width_below_the_power_of_integers,
    _width_below_the_power,
)
def without_bracket(n, d_model):
    """A power comes before a quotient: the exponent is 2i alone, not 2i/d_model."""
    two_i = np.arange(0, d_model, 2)
    return _interleaved(np.arange(n)[:, None] / 10000.0**two_i / d_model)


POSITIONS = FunctionTask(
    arguments=("n", "d_model"),
    right=positions,
    wrong=tuple(MISTAKES.values()),
    examples=((3, 4), (2, 6)),
    draw_sizes=lambda rng: (int(rng.integers(1, 30)), 2 * int(rng.integers(1, 9))),
    draw_inputs=lambda rng, sizes: [sizes],
    exposes_mistakes=lambda sizes: sizes[0] > 1 and sizes[1] > 2,
    edge_sizes=((1, 2), (1, 6), (5, 2), (60, 64)),
)
