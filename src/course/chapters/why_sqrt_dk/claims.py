"""Measured claims of chapter 2: a number for a seed and sizes."""

import numpy as np

from course.chapters.why_sqrt_dk import experiments, training
from course.kit.measures import jacobian_norm


def starved(seed: int, *, m: int, d_k: int) -> float:
    """Return the share of queries below 1% of the mean gradient, not divided."""
    return experiments.starved(experiments.query_gradients(d_k, m, 10, seed).undivided)


def starved_divided(seed: int, *, m: int, d_k: int) -> float:
    """Return the share of queries below 1% of the mean gradient, divided."""
    return experiments.starved(experiments.query_gradients(d_k, m, 10, seed).divided)


def starved_for_one_key(seed: int, *, m: int, d_k: int) -> float:
    """Return the share of `starved` if the gradient from above asks for one key."""
    found = experiments.query_gradients(d_k, m, 10, seed, one_key=True)
    return experiments.starved(found.undivided)


def peak(seed: int, *, m: int) -> float:
    """Return the spread of the logits at which the mean norm of 200 rows peaks."""
    spreads = np.arange(0, 6, 0.25)
    rows = experiments.weights_by_spread(spreads, m, rows=200, seed=seed)
    return float(spreads[jacobian_norm(rows).mean(axis=1).argmax()])


def half(seed: int, *, m: int) -> float:
    """Return the spread at which the mean largest weight of 200 rows exceeds 1/2."""
    spreads = np.arange(0, 6, 0.1)
    rows = experiments.weights_by_spread(spreads, m, rows=200, seed=seed)
    return float(spreads[(rows.max(axis=-1).mean(axis=1) > 0.5).argmax()])


def middle_gap(seed: int, *, d_k: int) -> float:
    """Return the median of 5,000 gaps between two scores, over sqrt(2 d_k)."""
    gaps = experiments.score_gaps(d_k, pairs=5_000, seed=seed)
    return float(np.median(gaps) / np.sqrt(2 * d_k))


def start(seed: int, *, d_model: int, d_k: int) -> float:
    """Return the spread of the logits over its prediction, for the worst of STARTS."""
    found = experiments.starting_spreads(d_model, d_k, seed=seed).values()
    predicted = (1, 1 / 2, 1 / 3, d_model * 0.02**2)
    return max((f / p for f, p in zip(found, predicted, strict=True)), key=_off)


def _off(ratio: float) -> float:
    return abs(np.log(ratio))


def worth(seed: int, *, d_k: int) -> float:
    """Return log10 of the loss without the division over the loss with it."""
    late = [
        training.train(make(d_k, _best_rate(make.__name__, d_k)), seed=seed)[-20:]
        for make in (training.unscaled, training.scaled)
    ]
    return float(np.log10(late[0].mean() / late[1].mean()))


def _best_rate(way: str, d_k: int) -> float:
    """Return the learning rate with the lowest loss in the stored sweep."""
    runs = [r for r in training.stored_sweep() if (r["way"], r["d_k"]) == (way, d_k)]
    return float(min(runs, key=lambda r: r["loss"])["rate"])
