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
NORMS = {
    "encoder": ("self_attention", "feed_forward"),
    "decoder": ("self_attention", "cross_attention", "feed_forward"),
}
CONFIGS = [
    Config(norm=norm, num_heads=heads, d_model=12, d_ff=7)
    for norm in ("post", "pre")
    for heads in (1, 3)
]


def packed(W):
    """Return a matrix (h, d_model, d) in PyTorch's layout (h * d, d_model)."""
    return W.swapaxes(1, 2).reshape(-1, W.shape[1])


def put(parameter, array):
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(np.ascontiguousarray(array)))


def fill_attention(module, weights):
    names = ("W_Q", "W_K", "W_V")
    put(module.in_proj_weight, np.concatenate([packed(weights[n]) for n in names]))
    put(module.out_proj.weight, weights["W_O"].T)
    nn.init.zeros_(module.in_proj_bias)
    nn.init.zeros_(module.out_proj.bias)


def counterpart(kind, weights, config):
    """Return PyTorch's layer of a kind with our weights."""
    layer = {
        "encoder": nn.TransformerEncoderLayer,
        "decoder": nn.TransformerDecoderLayer,
    }[kind](
        config.d_model,
        config.num_heads,
        config.d_ff,
        dropout=0.0,
        batch_first=True,
        norm_first=config.norm == "pre",
        dtype=torch.float64,
    )
    fill_attention(layer.self_attn, weights["self_attention"])
    if kind == "decoder":
        fill_attention(layer.multihead_attn, weights["cross_attention"])
    put(layer.linear1.weight, weights["feed_forward"]["W_1"].T)
    put(layer.linear1.bias, weights["feed_forward"]["b_1"])
    put(layer.linear2.weight, weights["feed_forward"]["W_2"].T)
    put(layer.linear2.bias, weights["feed_forward"]["b_2"])
    for i, name in enumerate(NORMS[kind], start=1):
        put(getattr(layer, f"norm{i}").weight, weights[f"{name}_norm"]["gain"])
        put(getattr(layer, f"norm{i}").bias, weights[f"{name}_norm"]["bias"])
    return layer


def gradients_of(kind, layer, config):
    """Return the gradients of PyTorch's layer under our names and in our shapes."""
    h, d_model = config.num_heads, config.d_model
    found = {}
    attentions = {"self_attention": layer.self_attn}
    if kind == "decoder":
        attentions["cross_attention"] = layer.multihead_attn
    for name, module in attentions.items():
        parts = module.in_proj_weight.grad.numpy().reshape(3, h, -1, d_model)
        for matrix, part in zip(("W_Q", "W_K", "W_V"), parts, strict=True):
            found[f"{name}.{matrix}"] = part.swapaxes(1, 2)
        found[f"{name}.W_O"] = module.out_proj.weight.grad.numpy().T
    for i in (1, 2):
        linear = getattr(layer, f"linear{i}")
        found[f"feed_forward.W_{i}"] = linear.weight.grad.numpy().T
        found[f"feed_forward.b_{i}"] = linear.bias.grad.numpy()
    for i, name in enumerate(NORMS[kind], start=1):
        norm = getattr(layer, f"norm{i}")
        found[f"{name}_norm.gain"] = norm.weight.grad.numpy()
        found[f"{name}_norm.bias"] = norm.bias.grad.numpy()
    return found


def random_layer(kind, config):
    """Return weights without any 0 or 1, because these could hide a fault."""
    rng = np.random.default_rng(2)
    weights = initial(config, 1, np.float64)[kind]["1"]
    for array in named(weights).values():
        array += rng.normal(0, 0.2, array.shape)
    return weights


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_encoder_layer(config):
    weights = random_layer("encoder", config)
    layer = counterpart("encoder", weights, config)
    rng = np.random.default_rng(3)
    x, d_output = rng.normal(size=(2, *SOURCE.shape, config.d_model))

    output, backward = encoder_layer(x, weights, masks.padding(SOURCE), config)
    d_x, d_weights = backward(d_output)

    theirs = torch.from_numpy(x).requires_grad_()
    expected = layer(theirs, src_key_padding_mask=torch.from_numpy(SOURCE == 0))
    same(output, expected.detach().numpy())
    (expected * torch.from_numpy(d_output)).sum().backward()
    same(d_x, theirs.grad.numpy())
    expected_gradients = gradients_of("encoder", layer, config)
    assert expected_gradients.keys() == named(d_weights).keys()
    for name, gradient in named(d_weights).items():
        same(gradient, expected_gradients[name])


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_decoder_layer(config):
    weights = random_layer("decoder", config)
    layer = counterpart("decoder", weights, config)
    rng = np.random.default_rng(4)
    n = 4
    x, d_output = rng.normal(size=(2, len(SOURCE), n, config.d_model))
    memory = rng.normal(size=(*SOURCE.shape, config.d_model))

    both = masks.causal(n), masks.padding(SOURCE)
    output, backward = decoder_layer(x, memory, weights, both, config)
    d_x, d_memory, d_weights = backward(d_output)

    theirs = torch.from_numpy(x).requires_grad_()
    their_memory = torch.from_numpy(memory).requires_grad_()
    expected = layer(
        theirs,
        their_memory,
        tgt_mask=torch.from_numpy(~masks.causal(n)),
        memory_key_padding_mask=torch.from_numpy(SOURCE == 0),
    )
    same(output, expected.detach().numpy())
    (expected * torch.from_numpy(d_output)).sum().backward()
    same(d_x, theirs.grad.numpy())
    same(d_memory, their_memory.grad.numpy())
    expected_gradients = gradients_of("decoder", layer, config)
    assert expected_gradients.keys() == named(d_weights).keys()
    for name, gradient in named(d_weights).items():
        same(gradient, expected_gradients[name])
