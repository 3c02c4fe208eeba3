"""Training of a head that finds a token, with and without the division by sqrt(d_k).

The task has eight random tokens and a query that is a rotated copy of one of them. The
head must return the value of that token, so it has to learn the rotation. Training
changes only W_Q and W_K, by the gradients below.

``python -m course.chapters.why_sqrt_dk.training`` repeats the sweep of learning rates
and stores its results in ``training.csv``.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from attention import softmax
from course.kit.arrays import Array
from transformer.stored_files import NumberRow, read_numbers, write_table

TOKENS, WIDTH, D_V = 8, 32, 8
RATES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
STORED = Path(__file__).with_name("training.csv")


@dataclass(frozen=True)
class Setting:
    """Settings of a head and of its training by plain gradient descent."""

    d_k: int  # width of queries and keys
    scale: float  # factor on the scores: 1/sqrt(d_k) or 1
    rate: float  # learning rate
    start: float = 1.0  # factor on the random starting weights


def scaled(d_k: int, rate: float) -> Setting:
    """Return the setting that divides scores by the square root of d_k."""
    return Setting(d_k, d_k**-0.5, rate)


def unscaled(d_k: int, rate: float) -> Setting:
    """Return the setting that does not divide scores."""
    return Setting(d_k, 1.0, rate)


def folded(d_k: int, rate: float) -> Setting:
    """Return a setting whose smaller start and rate replace the division."""
    return Setting(d_k, 1.0, rate * d_k**-0.5, start=d_k**-0.25)


def _batch(rng: np.random.Generator, rotation: Array, size: int) -> tuple[Array, ...]:
    """Draw the queries' inputs, the tokens, their values and the wanted values."""
    tokens = rng.standard_normal((size, TOKENS, WIDTH))
    values = rng.standard_normal((size, TOKENS, D_V))
    wanted = rng.integers(TOKENS, size=size)
    rows = np.arange(size)
    return tokens[rows, wanted] @ rotation, tokens, values, values[rows, wanted]


def _step(
    W_Q: Array, W_K: Array, scale: float, batch: tuple
) -> tuple[float, Array, Array]:
    """Return the loss of a batch and its gradients with respect to W_Q and W_K."""
    asked, tokens, values, target = batch
    q, k = asked @ W_Q, tokens @ W_K
    p = softmax(scale * np.einsum("bd,bmd->bm", q, k))
    error = np.einsum("bm,bmv->bv", p, values) - target
    at_weights = np.einsum("bv,bmv->bm", error, values) * (2 / error.size)
    inner = (p * at_weights).sum(axis=-1, keepdims=True)
    at_scores = scale * p * (at_weights - inner)  # the Jacobian times scale
    at_q = np.einsum("bm,bmd->bd", at_scores, k)
    at_k = at_scores[..., None] * q[:, None]
    grad_k = np.einsum("bmc,bmd->cd", tokens, at_k, optimize=True)
    return float((error**2).mean()), asked.T @ at_q, grad_k


def train(setting: Setting, steps: int = 100, batch: int = 32, seed: int = 0) -> Array:
    """Train one head and return its losses, shape (steps,).

    A loss is the mean squared error before a step: about 1 for an answer of zeros,
    about 2 for the value of a wrong token. The seed determines the rotation, the
    starting weights and every example; each step has `batch` new examples.
    """
    rng = np.random.default_rng(seed)
    rotation = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0]
    weights = rng.standard_normal((2, WIDTH, setting.d_k))
    W_Q, W_K = setting.start * weights / np.sqrt(WIDTH)
    losses = np.empty(steps)
    for i in range(steps):
        example = _batch(rng, rotation, batch)
        losses[i], grad_q, grad_k = _step(W_Q, W_K, setting.scale, example)
        W_Q, W_K = W_Q - setting.rate * grad_q, W_K - setting.rate * grad_k
    return losses


def late_loss(setting: Setting, seeds: int = 3) -> float:
    """Return the mean loss over the last 20 of 100 steps and over the seeds."""
    return float(np.mean([train(setting, seed=s)[-20:].mean() for s in range(seeds)]))


def sweep() -> list[NumberRow]:
    """Return the late loss for every learning rate, with and without division.

    The sweep takes a minute on one core.
    """
    return [
        {
            "d_k": d_k,
            "way": make.__name__,
            "rate": rate,
            "loss": late_loss(make(d_k, rate)),
        }
        for d_k in (16, 64, 128, 256, 512)
        for make in (scaled, unscaled)
        for rate in RATES
    ]


def stored_sweep() -> list[NumberRow]:
    """Return the stored results of `sweep`."""
    return read_numbers(STORED)


def main() -> None:
    """Repeat the sweep and store it beside this file."""
    rows = [row | {"loss": f"{row['loss']:.4f}"} for row in sweep()]
    write_table(STORED, rows)


if __name__ == "__main__":
    main()
