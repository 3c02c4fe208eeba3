"""Experiments of chapter 3: what several heads can do, and what they cost.

Paper section 3.2.2. Every function takes arrays or sizes and returns arrays or counts.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import MultiHeadAttention, softmax
from course.kit.arrays import Array

BLEU_BY_HEADS = {1: 24.9, 4: 25.5, 8: 25.8, 16: 25.8, 32: 25.4}
"""BLEU on newstest2013, English to German, by the number of heads at equal cost.

Vaswani et al. 2017, Table 3: rows (A), and the base model for 8 heads.
"""

BLEU_BY_KEY_WIDTH = {16: 25.1, 32: 25.4, 64: 25.8}
"""BLEU with 8 heads, by the width of a query and a key.

Vaswani et al. 2017, Table 3: rows (B), and the base model for 64.
"""


def blend_errors(share: ArrayLike) -> tuple[Array, Array]:
    """Return the least errors of one head that should return parts of two places.

    Each of two places holds two independent parts of mean 0 and variance 1. The
    head puts weight ``share`` on the first place and the rest on the second; the
    best linear readout then estimates the first part of the first place and the
    second part of the second place.

    Parameters
    ----------
    share : array_like
        Weight on the first place, between 0 and 1.

    Returns
    -------
    first, second : ndarray
        Mean squared errors of the two estimates. They add up to 1 for every share,
        which is half of the total variance of the wanted parts.
    """
    a = np.asarray(share, dtype=np.float64) ** 2
    b = (1 - np.asarray(share, dtype=np.float64)) ** 2
    return b / (a + b), a / (a + b)


def measured_blend_errors(
    share: float, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Measure the errors of `blend_errors` on random parts.

    Parameters
    ----------
    share : float
        Weight on the first place.
    draws : int
        Number of random pairs of places.
    rng : numpy.random.Generator
        Source of the parts.

    Returns
    -------
    first, second : float
        Mean squared errors of the best linear readout of the head's output.
    """
    places = rng.standard_normal((draws, 2, 2))  # (draw, place, part)
    head = np.array([share, 1 - share]) @ places  # (draw, part)
    wanted = places[:, [0, 1], [0, 1]]
    readout, *_ = np.linalg.lstsq(head, wanted, rcond=None)
    first, second = np.mean((head @ readout - wanted) ** 2, axis=0)
    return float(first), float(second)


class Places(NamedTuple):
    """Pairs of random places, and noise of size 1 for the outputs of a head."""

    u: Array  # (draws, 2): the two parts of the first place
    v: Array  # (draws, 2): the two parts of the second place
    added: Array  # (draws, 3): noise


def draw_places(draws: int, rng: np.random.Generator) -> Places:
    """Draw pairs of places whose parts are independent and normal.

    Parameters
    ----------
    draws : int
        Number of pairs.
    rng : numpy.random.Generator
        Source of parts and noise.
    """
    u, v = rng.standard_normal((2, draws, 2))
    return Places(u, v, rng.standard_normal((draws, 3)))


def leak_errors(
    a: float, b: float, places: Places, *, noise: float
) -> tuple[float, float]:
    """Measure the errors of one head whose weights depend on the parts.

    Two places hold the parts (u0, u1) and (v0, v1). The head should return u0 and v1.
    The logits are ``a * u0 + b`` and ``a * v0``. The values are (u0, u1, 1) and
    (v0, v1, 0), so the third output is the weight of the first place.

    Parameters
    ----------
    a, b : float
        Dependence of the logits on the parts, and advantage of the first place.
    places : Places
        Pairs of places; the readout is fitted on half of them.
    noise : float
        Standard deviation of the noise of each output.

    Returns
    -------
    first, second : float
        Mean squared errors, on the other half, of the best linear readout (with a
        constant) of the three outputs.
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


A_TRIED = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5)
B_TRIED = (-4.0, -3.0, -2.0, -1.5, -1.0, -0.5, 0.0)


def ignoring_errors(noise: ArrayLike) -> Array:
    """Return the least sum of errors of one head whose weights ignore the parts.

    With noise of variance ``n`` on the outputs, the errors of `blend_errors` add up to
    ``2 - (a + b) / (a + b + n)``. The sum is least if all the weight is on one place.

    Parameters
    ----------
    noise : array_like
        Standard deviation of the noise of each output.

    Returns
    -------
    ndarray
        1 without noise, and nearly 2 with very large noise.
    """
    return 2 - 1 / (1 + np.asarray(noise, dtype=np.float64) ** 2)


def tuned_leak(noise: float, *, draws: int, rng: np.random.Generator) -> float:
    """Measure the sum of errors of the best head of `leak_errors`.

    Parameters
    ----------
    noise : float
        Standard deviation of the noise of each output.
    draws : int
        Number of random pairs of places to choose the head, and of new pairs to
        measure it.
    rng : numpy.random.Generator
        Source of parts and noise.

    Returns
    -------
    float
        Sum of both errors for the best of `A_TRIED` and `B_TRIED`.
    """

    def errors(pair: tuple[float, float], places: Places) -> float:
        return sum(leak_errors(*pair, places, noise=noise))

    places = draw_places(draws, rng)
    best = min(product(A_TRIED, B_TRIED), key=lambda pair: errors(pair, places))
    return errors(best, draw_places(draws, rng))


def lookup_model(
    places: int, heads: int, sharpness: float = 40.0
) -> MultiHeadAttention:
    """Return hand-made attention that looks up two parts at two places.

    A place's row is ``[who, how, place (one-hot), zeros]``; a question's row is
    ``[0, 0, where to find who (one-hot), where to find how (one-hot)]``.
    See `lookup_rows`.

    Parameters
    ----------
    places : int
        Number of places.
    heads : {1, 2}
        With two heads, the first returns "who" and the second "how". One head attends
        to both places and returns both parts.
    sharpness : float
        Logit of a match; the logit of a mismatch is 0.

    Returns
    -------
    MultiHeadAttention
        Its output holds the two answers in columns 0 and 1.

    Raises
    ------
    ValueError
        If ``heads`` is neither 1 nor 2.
    """
    if heads not in (1, 2):
        raise ValueError(f"heads must be 1 or 2, got {heads}")
    identity = np.eye(2 + 2 * places)
    who, how = identity[:, [0]], identity[:, [1]]
    place, first, second = identity[:, 2 : 2 + places], *_requests(identity, places)
    if heads == 2:
        queries, values = np.stack([first, second]), np.stack([who, how])
    else:
        queries, values = (first + second)[None], np.hstack([who, how])[None]
    keys = np.broadcast_to(place, queries.shape)
    return MultiHeadAttention(
        queries * sharpness * np.sqrt(places), keys, values, identity[:2]
    )


def _requests(identity: Array, places: int) -> tuple[Array, Array]:
    """Return the projections of a question's row onto its two one-hot requests."""
    return identity[:, 2 : 2 + places], identity[:, 2 + places :]


def lookup_rows(parts: ArrayLike) -> tuple[Array, Array, Array]:
    """Return questions for "who" of each place and "how" of each place.

    Parameters
    ----------
    parts : array_like, shape (places, 2)
        "who" and "how" of each place.

    Returns
    -------
    questions : ndarray, shape (places ** 2, 2 + 2 * places)
        One row for each pair of places.
    context : ndarray, shape (places, 2 + 2 * places)
        One row for each place.
    wanted : ndarray, shape (places ** 2, 2)
        The right answers.
    """
    parts = np.asarray(parts, dtype=np.float64)
    m = len(parts)
    first, second = (index.ravel() for index in np.indices((m, m)))
    blank = np.zeros((m, m))
    one_hot = np.eye(m)
    context = np.hstack([parts, one_hot, blank])
    questions = np.hstack([np.zeros((m * m, 2)), one_hot[first], one_hot[second]])
    wanted = np.column_stack([parts[first, 0], parts[second, 1]])
    return questions, context, wanted


def split_as_projection(blocks: ArrayLike) -> Array:
    """Return weights of heads for slices of X as weights for the whole of X.

    Parameters
    ----------
    blocks : array_like, shape (h, w, d_k)
        Weights of each head for its own ``w`` columns of X.

    Returns
    -------
    ndarray, shape (h, h * w, d_k)
        The same weights, with zeros for the columns that the head does not read.
    """
    blocks = np.asarray(blocks, dtype=np.float64)
    h, w, d_k = blocks.shape
    full = np.zeros((h, h * w, d_k))
    for i, block in enumerate(blocks):
        full[i, i * w : (i + 1) * w] = block
    return full


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

    Parameters
    ----------
    n, d_model, h : int
        Tokens, width of the model, heads.

    Returns
    -------
    Cost
        Multiplications in the matrix products (scaling and softmax left out),
        parameters, and entries of all attention matrices.

    Raises
    ------
    ValueError
        If ``h`` does not divide ``d_model``.
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
