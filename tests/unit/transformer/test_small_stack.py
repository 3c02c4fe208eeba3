"""Small stacks of layers: gradients, and attention weights as an output."""

import numpy as np
import pytest

from transformer.masks import causal
from transformer.parameters import Config, as_dtype
from transformer.small import stack

EVERYONE = np.ones((1, 1), bool)
POST = Config(2, 3, 12, 11)
TOKENS = np.array([[1, 4, 2, 5, 3], [2, 2, 6, 1, 4]])


def fresh(config, jitter, tied=True):
    return jitter(as_dtype(stack.initial(7, config, 3, tied=tied), np.float64))


@pytest.mark.more
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_gradient_differs_from_finite_differences(
    norm, tied, jitter, agree_with_differences
):
    config, mask = Config(2, 3, 12, 11, norm), causal(5)
    weights = fresh(config, jitter, tied)
    d_logits = np.random.default_rng(1).normal(size=(2, 5, 7))

    def loss(weights):
        return (stack.forward(TOKENS, weights, config, mask)[0] * d_logits).sum()

    gradients = stack.forward(TOKENS, weights, config, mask)[1](d_logits)
    agree_with_differences(gradients, loss, weights)


def test_a_gradient_of_a_loss_of_attention_weights_is_wrong(
    jitter, agree_with_differences
):
    weights, rng = fresh(POST, jitter), np.random.default_rng(2)
    d_logits, d_attention = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 5, 5))

    def loss(weights):
        logits, found, _ = stack.forward_with_attention(TOKENS, weights, POST, EVERYONE)
        return (logits * d_logits).sum() + (found * d_attention).sum()

    *_, backward = stack.forward_with_attention(TOKENS, weights, POST, EVERYONE)
    agree_with_differences(backward(d_logits, d_attention), loss, weights)


def test_the_attention_output_is_not_the_mean_of_the_last_layers_heads(jitter):
    weights = fresh(POST, jitter)
    logits, every = stack.head_weights(TOKENS, weights, POST, EVERYONE)
    assert every.shape == (2, 2, 3, 5, 5)
    again, found, _ = stack.forward_with_attention(TOKENS, weights, POST, EVERYONE)
    np.testing.assert_allclose(found, every[:, -1].mean(axis=1), atol=1e-13)
    np.testing.assert_allclose(again, logits, atol=1e-12)
