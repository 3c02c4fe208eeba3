"""Every gradient of the machine against finite differences, in float64."""

import numpy as np
import pytest
from repeats import first_and_weekly

from transformer.model import cross_entropy, forward
from transformer.parameters import Config, initial, named

SIZES = {"num_layers": 2, "num_heads": 2, "d_model": 6, "d_ff": 5}
CONFIGS = [
    Config(**SIZES),
    Config(**SIZES, norm="pre"),
    Config(**SIZES, positions="learned"),
    Config(**SIZES, positions="alibi"),
    Config(**SIZES, positions="none"),
    Config(**SIZES, residuals=False),
    Config(**SIZES, cross="mean"),
]
SOURCE = np.array([[5, 17, 30, 61], [9, 44, 0, 0]])
TARGET = np.array([[1, 20, 7, 90, 3], [1, 12, 51, 0, 0]])
LABELS = np.array([[20, 7, 90, 3, 2], [12, 51, 2, 0, 0]])


def random_weights(config):
    """Every weight away from 0 and 1, so that no factor hides a fault."""
    rng = np.random.default_rng(3)
    weights = initial(config, 0, np.float64)
    for array in named(weights).values():
        array += rng.normal(0, 0.3, array.shape)
    return weights


def loss_of(weights, config):
    logits, _ = forward(SOURCE, TARGET, weights, config)
    return cross_entropy(logits, LABELS)[0]


@pytest.mark.more
@pytest.mark.parametrize("config", first_and_weekly(CONFIGS, first=2), ids=str)
def test_every_tensor_agrees_with_finite_differences(config):
    weights = random_weights(config)
    logits, backward = forward(SOURCE, TARGET, weights, config)
    gradients = named(backward(cross_entropy(logits, LABELS)[1]))
    rng = np.random.default_rng(0)
    assert gradients.keys() == named(weights).keys()
    for name, array in named(weights).items():
        # Along a random direction all entries of the tensor count at once.
        direction = rng.normal(size=array.shape)
        step = 1e-5
        array += step * direction
        above = loss_of(weights, config)
        array -= 2 * step * direction
        below = loss_of(weights, config)
        array += step * direction
        expected = (above - below) / (2 * step)
        found = (gradients[name] * direction).sum()
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-8), name
