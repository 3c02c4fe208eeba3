"""Compare the translator's layers with PyTorch's layers, with the same weights.

`make conformance` installs PyTorch and runs this file; the usual run leaves it out.
"""

import numpy as np
import pytest
import torch
from torch import nn

from transformer import masks
from transformer.decoder import decoder_layer
from transformer.encoder import encoder_layer
from transformer.parameters import Config, initial, named

SOURCE = np.array([[5, 7, 2, 9, 1], [4, 4, 8, 0, 0], [6, 0, 0, 0, 0]])
CONFIGS = [
    Config(norm=norm, num_heads=heads, d_model=12, d_ff=7)
    for norm in ("post", "pre")
    for heads in (1, 3)
]


def values(parameter):
    return parameter.detach().numpy()


def gradient(parameter):
    return parameter.grad.numpy()


def arrays(layer, config, of):
    """Return the arrays of PyTorch's layer under our names, as views in our shapes.

    `of` returns the array of a parameter: its values or its gradient.
    """
    found, attentions = {}, {"self_attention": layer.self_attn}
    if hasattr(layer, "multihead_attn"):
        attentions["cross_attention"] = layer.multihead_attn
    for name, module in attentions.items():
        packed = of(module.in_proj_weight)  # (3 * h * d, d_model)
        parts = packed.reshape(3, config.num_heads, -1, config.d_model)
        for matrix, part in zip(("W_Q", "W_K", "W_V"), parts, strict=True):
            found[f"{name}.{matrix}"] = part.swapaxes(1, 2)
        found[f"{name}.W_O"] = of(module.out_proj.weight).T
    for i in (1, 2):
        linear = getattr(layer, f"linear{i}")
        found[f"feed_forward.W_{i}"] = of(linear.weight).T
        found[f"feed_forward.b_{i}"] = of(linear.bias)
    for i, name in enumerate([*attentions, "feed_forward"], start=1):
        norm = getattr(layer, f"norm{i}")
        found[f"{name}_norm.gain"] = of(norm.weight)
        found[f"{name}_norm.bias"] = of(norm.bias)
    return found


def counterpart(kind, weights, config):
    """Return PyTorch's layer with our weights. Its attention has zero biases."""
    layer = kind(
        config.d_model,
        config.num_heads,
        config.d_ff,
        dropout=0.0,
        batch_first=True,
        norm_first=config.norm == "pre",
        dtype=torch.float64,
    )
    for name, array in arrays(layer, config, values).items():
        array[...] = named(weights)[name]
    return layer


def random_layer(kind, config):
    """Return weights without any 0 or 1, because these could hide a fault."""
    rng = np.random.default_rng(2)
    weights = initial(config, 1, np.float64)[kind]["1"]
    for array in named(weights).values():
        array += rng.normal(0, 0.2, array.shape)
    return weights


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


def compare(layer, config, inputs, masks_of_torch, output, backward):
    """Compare our output, and all gradients, with those of PyTorch's layer."""
    d_output = np.random.default_rng(4).normal(size=output.shape)
    *d_inputs, d_weights = backward(d_output)
    tensors = [torch.from_numpy(array).requires_grad_() for array in inputs]
    hidden = {name: torch.from_numpy(mask) for name, mask in masks_of_torch.items()}
    expected = layer(*tensors, **hidden)
    same(output, values(expected))
    expected.backward(torch.from_numpy(d_output))
    for found, tensor in zip(d_inputs, tensors, strict=True):
        same(found, gradient(tensor))
    gradients = arrays(layer, config, gradient)
    assert gradients.keys() == named(d_weights).keys()
    for name, found in named(d_weights).items():
        same(found, gradients[name])


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_encoder_layer_differs_from_torch(config):
    weights = random_layer("encoder", config)
    layer = counterpart(nn.TransformerEncoderLayer, weights, config)
    x = np.random.default_rng(3).normal(size=(*SOURCE.shape, config.d_model))
    ours = encoder_layer(x, weights, masks.padding(SOURCE), config)
    compare(layer, config, [x], {"src_key_padding_mask": SOURCE == 0}, *ours)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_decoder_layer_differs_from_torch(config):
    weights = random_layer("decoder", config)
    layer = counterpart(nn.TransformerDecoderLayer, weights, config)
    rng, (batch, m) = np.random.default_rng(3), SOURCE.shape
    x, memory = (rng.normal(size=(batch, n, config.d_model)) for n in (4, m))
    seen = masks.causal(4), masks.padding(SOURCE)
    hidden = {"tgt_mask": ~masks.causal(4), "memory_key_padding_mask": SOURCE == 0}
    ours = decoder_layer(x, memory, weights, seen, config)
    compare(layer, config, [x, memory], hidden, *ours)
