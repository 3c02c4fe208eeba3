"""The decoder: French words attend to earlier words and to the encoder's output."""

from collections.abc import Callable
from functools import partial

from numpy.typing import NDArray

from transformer.layers import (
    cross_attention,
    feed_forward,
    layer_norm,
    residual,
    self_attention,
)
from transformer.parameters import Config, Tree
from transformer.trace import NOTHING, Keeper

Masks = tuple[NDArray, NDArray]
"""For self-attention, (..., n, n) and causal; for cross-attention, (..., 1, 1, m)."""

Backward = Callable[[NDArray], tuple[NDArray, NDArray, Tree]]
"""Returns the gradients with respect to decoder input, memory and weights."""


def decoder_layer(
    x: NDArray,
    memory: NDArray,
    weights: Tree,
    masks: Masks,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Backward]:
    """Return one decoder layer: self-attention, cross-attention, feed-forward.

    `x` has shape (..., n, d_model), and `memory`, the encoder's output, (..., m,
    d_model). The weights are ``self_attention``, ``cross_attention``, ``feed_forward``
    and a norm for each.
    """
    causal_mask, memory_mask = masks
    attend = partial(self_attention, mask=causal_mask)
    cross = partial(cross_attention, memory=memory, mask=memory_mask, config=config)
    x, attend_back = residual(x, "self_attention", attend, weights, config, trace)
    x, cross_back = residual(x, "cross_attention", cross, weights, config, trace)
    x, ff_back = residual(x, "feed_forward", feed_forward, weights, config, trace)

    def backward(d_y: NDArray) -> tuple[NDArray, NDArray, Tree]:
        d_x, d_ff = ff_back(d_y)
        d_x, d_memory, d_cross = cross_back(d_x)
        d_x, d_attend = attend_back(d_x)
        return d_x, d_memory, d_attend | d_cross | d_ff

    return x, backward


def decode(
    x: NDArray,
    memory: NDArray,
    weights: Tree,
    masks: Masks,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Backward]:
    """Return the output of the stack of decoder layers.

    `x` has embeddings of the words written so far, with position encodings. `weights`
    has a layer's weights under "0", "1", ...; with pre-norm a last ``norm``. The trace
    also keeps the stack's ``output``.
    """
    back: list[tuple[str, Backward]] = []
    for name in map(str, range(config.num_layers)):
        x, layer_back = decoder_layer(
            x, memory, weights[name], masks, config, trace.under(name)
        )
        back.append((name, layer_back))
    norm_back = None
    if config.norm == "pre":
        x, norm_back = layer_norm(x, weights["norm"])
    trace.keep(output=x)

    def backward(d_y: NDArray) -> tuple[NDArray, NDArray, Tree]:
        gradients: Tree = {}
        d_memory = 0
        if norm_back:
            d_y, gradients["norm"] = norm_back(d_y)
        for name, layer_back in reversed(back):
            d_y, d_layer_memory, gradients[name] = layer_back(d_y)
            d_memory = d_memory + d_layer_memory  # all layers attend to the same memory
        return d_y, d_memory, gradients

    return x, backward
