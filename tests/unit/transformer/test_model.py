"""The translator: its formulas, gradients, traces and starting weights."""

import numpy as np
import pytest

from attention import MultiHeadAttention, softmax
from transformer.model import cross_entropy, forward
from transformer.parameters import Config, initial
from transformer.positions import sinusoidal
from transformer.trace import Trace

SIZES = {"num_layers": 2, "num_heads": 3, "d_model": 6, "d_ff": 11}
CONFIGS = [
    Config(**SIZES),
    Config(**SIZES, norm="pre"),
    Config(**SIZES, positions="none"),
    Config(**SIZES, residuals=False),
    Config(**SIZES, norm="pre", residuals=False),
    Config(**SIZES, cross="mean"),
]
SOURCE = np.array([[5, 17, 30, 61, 8, 2, 9], [9, 44, 12, 0, 0, 0, 0]])
TARGET = np.array([[1, 20, 7, 90, 33], [1, 12, 51, 0, 0]])
LABELS = np.array([[20, 7, 90, 33, 2], [12, 51, 2, 0, 0]])


def layer_norm(x, at):
    """Layer norm, written out token by token."""
    rows = [(r - r.mean()) / np.sqrt(((r - r.mean()) ** 2).mean() + 1e-5) for r in x]
    return np.array(rows) * at["gain"] + at["bias"]


def heads(x, memory, at, seen):
    return MultiHeadAttention(**at)(x, memory, attn_mask=seen)


def sublayer(x, function, norm, config):
    carried = x if config.residuals else 0
    if config.norm == "post":
        return layer_norm(carried + function(x), norm)
    return carried + function(layer_norm(x, norm))


def network(x, at):
    return np.maximum(x @ at["W_1"] + at["b_1"], 0) @ at["W_2"] + at["b_2"]


def stack(x, weights, config, memory=None, causal=False):
    seen = np.tri(len(x), dtype=bool) if causal else np.ones((len(x), len(x)), bool)
    for i in range(config.num_layers):
        layer = weights[str(i)]

        def wrapped(x, name, function, layer=layer):
            norm = layer[f"{name}_norm"]
            return sublayer(x, lambda x: function(x, layer[name]), norm, config)

        x = wrapped(x, "self_attention", lambda x, at: heads(x, x, at, seen))
        if memory is not None:
            x = wrapped(x, "cross_attention", lambda x, w: cross(x, memory, w, config))
        x = wrapped(x, "feed_forward", network)
    return layer_norm(x, weights["norm"]) if config.norm == "pre" else x


def cross(x, memory, at, config):
    at = at | {"W_Q": 0 * at["W_Q"]} if config.cross == "mean" else at
    return heads(x, memory, at, np.ones((len(x), len(memory)), bool))


def reference(source, target, weights, config):
    """Return the logits of one sentence without padding, by the paper's formulas."""

    def embedded(tokens, table):
        x = table[tokens] * np.sqrt(config.d_model)
        if config.positions == "none":
            return x
        for place, row in enumerate(x):
            for column in range(config.d_model):
                angle = place / 10000 ** (column // 2 * 2 / config.d_model)
                row[column] += np.cos(angle) if column % 2 else np.sin(angle)
        return x

    memory = stack(embedded(source, weights["english"]), weights["encoder"], config)
    x = embedded(target, weights["french"])
    y = stack(x, weights["decoder"], config, memory, causal=True)
    return y @ weights["french"].T


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_logits_differ_from_the_formulas_of_the_paper(config, jitter):
    """Sentence 1 has padding in the batch; the reference gets it without padding."""
    weights = jitter(initial(config, 0, np.float64))
    logits, _ = forward(SOURCE, TARGET, weights, config)
    for i, (m, n) in enumerate(((7, 5), (3, 3))):
        expected = reference(SOURCE[i, :m], TARGET[i, :n], weights, config)
        np.testing.assert_allclose(logits[i, :n], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.more
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_gradient_differs_from_finite_differences(
    config, jitter, agree_with_differences
):
    weights = jitter(initial(config, 0, np.float64))

    def loss(weights):
        return cross_entropy(forward(SOURCE, TARGET, weights, config)[0], LABELS)[0]

    logits, backward = forward(SOURCE, TARGET, weights, config)
    gradients = backward(cross_entropy(logits, LABELS)[1])
    agree_with_differences(gradients, loss, weights)


def test_an_array_of_a_pass_does_not_keep_single_precision():
    config, trace = Config(**SIZES), Trace()
    weights = initial(config, 0, np.float32)
    forward(SOURCE, TARGET, weights, config, trace)
    assert {array.dtype for array in trace.arrays.values()} == {np.dtype(np.float32)}


def test_a_trace_changes_the_output_or_can_be_written_to():
    config, trace = Config(**SIZES), Trace()
    weights = initial(config, 0, np.float64)
    kept, _ = forward(SOURCE, TARGET, weights, config, trace)
    np.testing.assert_allclose(kept, forward(SOURCE, TARGET, weights, config)[0])
    np.testing.assert_allclose(trace["next"], softmax(kept))
    with pytest.raises(ValueError, match="read-only"):
        trace["logits"][:] = 0


def test_positions_of_an_odd_width_are_accepted():
    with pytest.raises(ValueError, match="d_model must be even"):
        sinusoidal(3, 5)


def test_cross_entropy_counts_padding_or_divides_wrongly():
    """10 equally probable words have the loss log 10; padding does not count."""
    labels = np.array([[3, 5, 0], [7, 0, 0]])
    logits = np.zeros((2, 3, 10))
    logits[0, 2, 4] = logits[1, 1, 8] = 9  # at padding
    loss, d_logits = cross_entropy(logits, labels)
    assert loss == pytest.approx(np.log(10))
    expected = np.full((3, 10), 0.1 / 3)
    expected[[0, 1, 2], [3, 5, 7]] -= 1 / 3
    np.testing.assert_allclose(d_logits[[0, 0, 1], [0, 1, 0]], expected)
    np.testing.assert_array_equal(d_logits[labels == 0], 0)
