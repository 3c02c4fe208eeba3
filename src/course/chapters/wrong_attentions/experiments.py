"""Experiments of *Wrong attentions*: causal weights, and where attentions agree."""

import numpy as np

from course.kit.arrays import Array
from course.practice import right
from course.practice.bench import Attention
from course.practice.coincidences import Sizes, normal
from course.practice.gallery import ATTENTIONS
from course.practice.outcomes import outcome, quiet, same

POWERS = np.array([[1.0, 2.0, 1.0], [1.0, 3.0, 4.0], [3.0, 1.0, 2.0]])
"""Exponentials of the logits of the first figure: whole numbers for mental maths."""

WIDTH = 4  # d_k of the first figure: its square root is 2


def weights_of(attention: Attention) -> Array:
    """Return the causal weights of an attention for the logits ``log(POWERS)``.

    The keys are unit vectors, so each score is one entry of a query. The values are the
    identity, so the output equals the weights.
    """
    n, m = POWERS.shape
    query = np.zeros((n, WIDTH))
    query[:, :m] = np.log(POWERS) * np.sqrt(WIDTH)
    return attention(query, np.eye(m, WIDTH), np.eye(m), causal=True)


def alike(sizes: Sizes, draws: int = 3) -> list[str]:
    """Return the names of the wrong attentions that agree with the right one.

    They are compared on Q, K and V of these sizes, drawn with the seeds 0, 1, ...
    """
    drawn = [normal(np.random.default_rng(seed), sizes) for seed in range(draws)]
    inputs = [(*each, sizes.causal, sizes.d_model) for each in drawn]
    with quiet():
        due = [outcome(right.attention, each) for each in inputs]
        return [
            name
            for name, wrong in ATTENTIONS.items()
            if all(
                same(outcome(wrong.function, each), d)
                for each, d in zip(inputs, due, strict=True)
            )
        ]
