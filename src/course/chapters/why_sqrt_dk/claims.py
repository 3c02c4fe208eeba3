"""Measured claims of chapter 2: functions from a seed and sizes to a number."""

import numpy as np

from course.chapters.why_sqrt_dk import experiments, training


def starved(seed: int, *, m: int, d_k: int) -> float:
    """Return `experiments.starved` of the gradients without the division by √d_k."""
    return experiments.starved(experiments.query_gradients(d_k, m, 10, seed).undivided)


def starved_divided(seed: int, *, m: int, d_k: int) -> float:
    """Return `experiments.starved` of the gradients with the division by √d_k."""
    return experiments.starved(experiments.query_gradients(d_k, m, 10, seed).divided)


def start(seed: int, *, d_model: int, d_k: int) -> float:
    """Return measured divided by predicted logit spread, for the worst of `STARTS`."""
    found = experiments.starting_spreads(d_model, d_k, seed=seed).values()
    predicted = (1, 1 / 2, 1 / 3, d_model * 0.02**2)  # d_model times entry variance
    ratios = (f / p for f, p in zip(found, predicted, strict=True))
    return max(ratios, key=lambda ratio: abs(np.log(ratio)))


def worth(seed: int, *, d_k: int) -> float:
    """Return log10 of the ratio of the losses without and with the division."""
    late = [
        training.train(make(d_k, _best_rate(make.__name__, d_k)), seed=seed)[-20:]
        for make in (training.unscaled, training.scaled)
    ]
    return float(np.log10(late[0].mean() / late[1].mean()))


def _best_rate(way: str, d_k: int) -> float:
    """Return the learning rate with the lowest loss in the stored sweep."""
    runs = [r for r in training.stored_sweep() if (r["way"], r["d_k"]) == (way, d_k)]
    return float(min(runs, key=lambda r: r["loss"])["rate"])
