"""Experiments of chapter 3: what several heads can do, and what they cost.

Paper section 3.2.2. Every function takes arrays or sizes and returns arrays or counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax
from course.kit.arrays import Array

BLEU_BY_HEADS = {1: 24.9, 4: 25.5, 8: 25.8, 16: 25.8, 32: 25.4}
"""BLEU on newstest2013, English to German, by the number of heads at equal cost.

Vaswani et al. 2017, Table 3: rows (A), and the base model for 8 heads.
"""


def blend_errors(share: ArrayLike) -> tuple[Array, Array]:
    """Return the smallest errors of one head that must return parts of two places.

    Each of two places holds two independent parts of mean 0 and variance 1. The
    head puts weight `share` on the first place and the rest on the second; the
    best linear readout then estimates the first part of the first place and the
    second part of the second place.

    The results are the mean squared errors of the two estimates. Their sum is 1 for
    every share: half of the total variance of the wanted parts.
    """
    share = np.asarray(share, dtype=np.float64)
    a, b = share**2, (1 - share) ** 2
    return b / (a + b), a / (a + b)


def measured_blend_errors(
    share: float, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Measure the errors of `blend_errors` on random parts, in `draws` pairs of places.

    They are mean squared errors of the best linear readout of the head's output.
    """
    places = rng.standard_normal((draws, 2, 2))  # (draw, place, part)
    head = np.array([share, 1 - share]) @ places  # (draw, part)
    wanted = places[:, [0, 1], [0, 1]]
    readout, *_ = np.linalg.lstsq(head, wanted, rcond=None)
    first, second = np.mean((head @ readout - wanted) ** 2, axis=0)
    return float(first), float(second)


class Places(NamedTuple):
    """Pairs of random places, and standard normal noise for the outputs of a head."""

    u: Array  # (draws, 2): the two parts of the first place
    v: Array  # (draws, 2): the two parts of the second place
    added: Array  # (draws, 3): noise


def draw_places(draws: int, rng: np.random.Generator) -> Places:
    """Draw pairs of places whose parts are independent and normal."""
    u, v = rng.standard_normal((2, draws, 2))
    return Places(u, v, rng.standard_normal((draws, 3)))


def leak_errors(
    a: float, b: float, places: Places, *, noise: float
) -> tuple[float, float]:
    """Measure the errors of one head whose weights depend on the parts.

    Two places hold the parts (u0, u1) and (v0, v1). The head should return u0 and v1.
    The logits are ``a * u0 + b`` and ``a * v0``. The values are (u0, u1, 1) and
    (v0, v1, 0), so the third output is the weight of the first place. `noise` is the
    standard deviation of the noise of each output.

    The best linear readout (with a constant) of the three outputs is fitted on half of
    the places. The results are its mean squared errors on the other half.
    """
    u, v, added = places
    logits = np.stack([a * u[:, 0] + b, a * v[:, 0]])
    weight = softmax(logits, axis=0)[0, :, None]  # of the first place
    output = np.hstack([weight * u + (1 - weight) * v, weight]) + noise * added
    read = np.hstack([output, np.ones((len(u), 1))])
    wanted = np.column_stack([u[:, 0], v[:, 1]])
    fit, test = slice(len(u) // 2), slice(len(u) // 2, None)
    readout, *_ = np.linalg.lstsq(read[fit], wanted[fit], rcond=None)
    first, second = np.mean((read[test] @ readout - wanted[test]) ** 2, axis=0)
    return float(first), float(second)


class Cost(NamedTuple):
    """Multiplications, parameters and weights of one multi-head self-attention."""

    projections: int
    scores: int
    weighted_sums: int
    output: int
    parameters: int
    attention_weights: int

    @property
    def multiplications(self) -> int:
        """Number of multiplications of all matrix products."""
        return self.projections + self.scores + self.weighted_sums + self.output


def cost(n: int, d_model: int, h: int) -> Cost:
    """Count the work of ``h`` heads of width ``d_model / h`` on ``n`` tokens.

    The multiplications are those in the matrix products; scaling and softmax are left
    out. A ValueError is raised if ``h`` does not divide ``d_model``.
    """
    if d_model % h:
        raise ValueError(f"h must divide d_model, got h={h} and d_model={d_model}")
    d_k = d_model // h
    return Cost(
        projections=h * 3 * n * d_model * d_k,
        scores=h * n * n * d_k,
        weighted_sums=h * n * n * d_k,
        output=n * (h * d_k) * d_model,
        parameters=h * 3 * d_model * d_k + (h * d_k) * d_model,
        attention_weights=h * n * n,
    )
