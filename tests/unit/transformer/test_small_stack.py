"""Small stacks of layers: the pass, its gradients, the loss that asks for weights."""

import numpy as np
import pytest

from transformer.masks import causal
from transformer.parameters import Config, as_dtype, named, nested
from transformer.small import stack
from transformer.trace import Trace

EVERYONE = np.ones((1, 1), bool)
POST = Config(2, 3, 12, 10)
TOKENS = np.array([[1, 4, 2, 5, 3], [2, 2, 6, 1, 4]])


def fresh(config, tied=True):
    weights = as_dtype(stack.initial(7, config, 3, tied=tied), np.float64)
    rng = np.random.default_rng(0)  # norms and biases that do something
    return nested(
        {k: a + 0.1 * rng.normal(size=a.shape) for k, a in named(weights).items()}
    )


def numeric(function, weights, name, at, step=1e-6):
    values = []
    for sign in (1, -1):
        leaves = {key: array.copy() for key, array in named(weights).items()}
        leaves[name][at] += sign * step
        values.append(function(nested(leaves)))
    return (values[0] - values[1]) / (2 * step)


def assert_differences(gradients, loss, weights):
    """Every gradient is that of differences, at its first and its last place."""
    assert gradients.keys() == named(weights).keys()
    for name, gradient in gradients.items():
        for at in (
            np.unravel_index(0, gradient.shape),
            tuple(n - 1 for n in gradient.shape),
        ):
            expected = numeric(loss, weights, name, at)
            assert gradient[at] == pytest.approx(expected, abs=1e-6), name


@pytest.mark.more
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_gradients_of_every_weight_are_those_of_differences(norm, tied):
    config = Config(2, 3, 12, 10, norm)
    weights, mask = fresh(config, tied), causal(5)
    d_logits = np.random.default_rng(1).normal(size=(2, 5, 7))

    def loss(weights):
        return (stack.forward(TOKENS, weights, config, mask)[0] * d_logits).sum()

    gradients = named(stack.forward(TOKENS, weights, config, mask)[1](d_logits))
    assert_differences(gradients, loss, weights)


def test_gradients_of_a_loss_that_asks_where_the_model_looks():
    weights, rng = fresh(POST), np.random.default_rng(2)
    d_logits, d_looks = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 5, 5))

    def loss(weights):
        passed = stack.forward_with_looks(TOKENS, weights, POST, EVERYONE)
        return (passed.logits * d_logits).sum() + (passed.looks * d_looks).sum()

    passed = stack.forward_with_looks(TOKENS, weights, POST, EVERYONE)
    gradients = named(passed.backward(d_logits, d_looks))
    assert_differences(gradients, loss, weights)


def test_an_attention_whose_values_are_the_identity_returns_its_weights():
    weights, trace = fresh(POST), Trace()
    logits, _ = stack.forward(TOKENS, weights, POST, EVERYONE, trace)
    passed = stack.forward_with_looks(TOKENS, weights, POST, EVERYONE)
    heads = [trace[f"{head}.weights"] for head in stack.heads_of(POST)[-3:]]
    np.testing.assert_allclose(passed.looks, np.mean(heads, axis=0), atol=1e-14)
    np.testing.assert_allclose(passed.looks.sum(axis=-1), 1, atol=1e-14)
    np.testing.assert_allclose(passed.logits, logits, atol=1e-14)
