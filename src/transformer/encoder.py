"""The encoder: in every layer each word attends to all words of the sentence."""

from functools import partial

from numpy.typing import NDArray

from transformer.layers import (
    Backward,
    Part,
    feed_forward,
    layer_norm,
    residual,
    self_attention,
)
from transformer.parameters import Config, Tree
from transformer.trace import NOTHING, Keeper


def encoder_layer(
    x: NDArray, weights: Tree, mask: NDArray, config: Config, trace: Keeper = NOTHING
) -> Part:
    """Return one encoder layer: self-attention, then a feed-forward network.

    `x` has shape (..., m, d_model). The mask, shape (..., 1, 1, m), hides padding. The
    weights are ``self_attention``, ``feed_forward`` and a norm for each.
    """
    attend = partial(self_attention, mask=mask)
    x, attend_back = residual(x, "self_attention", attend, weights, config, trace)
    x, forward_back = residual(x, "feed_forward", feed_forward, weights, config, trace)

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_x, d_forward = forward_back(d_y)
        d_x, d_attend = attend_back(d_x)
        return d_x, d_attend | d_forward

    return x, backward


def encode(
    x: NDArray, weights: Tree, mask: NDArray, config: Config, trace: Keeper = NOTHING
) -> Part:
    """Return the output of the stack of encoder layers, the memory.

    `x` has embeddings with position encodings. `weights` has a layer's weights under
    "0", "1", ...; with pre-norm a last ``norm``. The trace also keeps the stack's
    ``output``.
    """
    back: list[tuple[str, Backward]] = []
    for name in map(str, range(config.num_layers)):
        x, layer_back = encoder_layer(x, weights[name], mask, config, trace.under(name))
        back.append((name, layer_back))
    if config.norm == "pre":
        x, norm_back = layer_norm(x, weights["norm"])
        back.append(("norm", norm_back))
    trace.keep(output=x)

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        gradients: Tree = {}
        for name, layer_back in reversed(back):
            d_y, gradients[name] = layer_back(d_y)
        return d_y, gradients

    return x, backward
