"""The stored model, and the check of gradients by finite differences."""

import numpy as np
import pytest

from transformer.parameters import named, nested
from transformer.storage import load


@pytest.fixture(scope="session")
def stored():
    return load()


def jittered(weights, seed=3):
    """Return weights in float64 in which no gain is 1 and no bias 0."""
    rng = np.random.default_rng(seed)
    leaves = named(weights).items()
    return nested({k: a + rng.normal(0, 0.3, a.shape) for k, a in leaves})


def check_gradients(gradients, loss, weights):
    """Compare the gradient of each array with a difference in a random direction."""
    leaves, gradients = named(weights), named(gradients)
    assert gradients.keys() == leaves.keys()
    rng, step = np.random.default_rng(0), 1e-5
    for name, array in leaves.items():
        direction = rng.normal(size=array.shape)
        above, below = (
            loss(nested(leaves | {name: array + sign * step * direction}))
            for sign in (1, -1)
        )
        found = (gradients[name] * direction).sum()
        expected = (above - below) / (2 * step)
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-8), name


@pytest.fixture
def jitter():
    return jittered


@pytest.fixture
def agree_with_differences():
    return check_gradients
