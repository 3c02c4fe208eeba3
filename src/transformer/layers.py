"""The parts of a layer, each with its gradient.

A part is a function of its input and its weights. It returns its output and a function
``backward(d_output) -> (d_input, d_weights)``. The argument is the gradient of the loss
with respect to the output; ``backward`` returns the gradients with respect to the input
and the weights. The output of a layer and of a sublayer has the shape of its input.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attention import MultiHeadAttention
from transformer.parameters import Config, Tree
from transformer.trace import NOTHING, Keeper

Backward = Callable[[NDArray], tuple[NDArray, Tree]]
Part = tuple[NDArray, Backward]

EPSILON = 1e-5


def linear(x: NDArray, W: NDArray, b: NDArray) -> Part:
    """Return ``x @ W + b`` for each token: from (..., n, d_in) to (..., n, d_out)."""

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_b = d_y.reshape(-1, d_y.shape[-1]).sum(axis=0)
        return d_y @ W.T, {"W": outer_sum(x, d_y), "b": d_b}

    return x @ W + b, backward


def outer_sum(x: NDArray, y: NDArray) -> NDArray:
    """Return the outer product of a token's vectors in x and y, summed over all tokens.

    The vectors, (..., n, a) and (..., n, b), give a matrix (a, b). The products are one
    matrix product for each sentence. A single large product would use several threads,
    which is slower on a busy machine.
    """
    each = np.swapaxes(x, -1, -2) @ y  # (..., a, n) @ (..., n, b)
    return each.reshape(-1, *each.shape[-2:]).sum(axis=0)


def layer_norm(x: NDArray, weights: Tree) -> Part:
    """Normalise every token (mean 0, variance 1), then scale and shift each column.

    The weights ``gain`` and ``bias`` have shape (d_model,). Source: Ba, Kiros and
    Hinton (2016), Layer Normalization.
    """
    gain, bias = weights["gain"], weights["bias"]
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    deviation = np.sqrt(variance + x.dtype.type(EPSILON))
    normal = centred / deviation

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_normal = d_y * gain
        # The output does not depend on a token's mean or standard deviation, so the
        # gradient has no component in these two directions.
        along_mean = d_normal.mean(axis=-1, keepdims=True)
        along_deviation = normal * (d_normal * normal).mean(axis=-1, keepdims=True)
        tokens = tuple(range(d_y.ndim - 1))
        return (d_normal - along_mean - along_deviation) / deviation, {
            "gain": (d_y * normal).sum(axis=tokens),
            "bias": d_y.sum(axis=tokens),
        }

    return normal * gain + bias, backward


def feed_forward(x: NDArray, weights: Tree, trace: Keeper = NOTHING) -> Part:
    """Return ``relu(x @ W_1 + b_1) @ W_2 + b_2`` for each token.

    ``W_1`` has shape (d_model, d_ff), ``W_2`` (d_ff, d_model). The trace keeps
    ``hidden``, shape (..., n, d_ff), and ``output``. Source: Vaswani et al. (2017),
    Attention Is All You Need, section 3.3, equation 2.
    """
    before, first = linear(x, weights["W_1"], weights["b_1"])
    hidden = np.maximum(before, 0)
    output, second = linear(hidden, weights["W_2"], weights["b_2"])
    trace.keep(hidden=hidden, output=output)

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_hidden, d_2 = second(d_y)
        d_x, d_1 = first(d_hidden * (before > 0))
        return d_x, {"W_1": d_1["W"], "b_1": d_1["b"], "W_2": d_2["W"], "b_2": d_2["b"]}

    return output, backward


def self_attention(
    x: NDArray, weights: Tree, mask: NDArray, trace: Keeper = NOTHING
) -> Part:
    """Return self-attention: every token attends to the tokens of its sequence.

    The weights are ``W_Q``, ``W_K``, ``W_V``, ``W_O`` of
    `attention.MultiHeadAttention`. `mask` broadcasts to (..., h, n, n); True takes
    part. The trace keeps the arrays that `keep_heads` lists.
    """
    heads = MultiHeadAttention(**weights)
    keep_heads(heads, x, None, mask, trace)

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d = heads.gradients(d_y, x, attn_mask=mask)
        return d.x, {name: getattr(d, name) for name in weights}

    return heads(x, attn_mask=mask), backward


def cross_attention(
    x: NDArray,
    memory: NDArray,
    weights: Tree,
    mask: NDArray,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, NDArray, Tree]]]:
    """Return cross-attention: the decoder's tokens attend to the encoder's output.

    The queries are made from the decoder's tokens `x`, shape (..., n, d_model); keys
    and values from `memory`, the encoder's output, shape (..., m, d_model). `mask`
    broadcasts to (..., h, n, m); `weights` and `trace` are as in `self_attention`.
    ``backward`` returns the gradients with respect to `x`, `memory` and the weights.

    With ``config.cross == "mean"`` all queries and scores are 0, so every token gets
    the mean of the sentence's values.
    """
    factor = 1 if config.cross == "attention" else 0
    heads = MultiHeadAttention(**weights | {"W_Q": factor * weights["W_Q"]})
    keep_heads(heads, x, memory, mask, trace)

    def backward(d_y: NDArray) -> tuple[NDArray, NDArray, Tree]:
        d = heads.gradients(d_y, x, memory, attn_mask=mask)
        d_weights = {name: getattr(d, name) for name in weights}
        return d.x, d.context, d_weights | {"W_Q": factor * d.W_Q}

    return heads(x, memory, attn_mask=mask), backward


def keep_heads(
    heads: MultiHeadAttention,
    x: NDArray,
    memory: NDArray | None,
    mask: NDArray,
    trace: Keeper,
) -> None:
    """Keep every step of every head, and the contribution of each head.

    The names are ``head.i.query``, ``key``, ``value``, ``scores``, ``scaled``,
    ``logits``, ``weights``, ``output`` and ``added``: the head's output times its rows
    of W^O. The sum of ``added`` over the heads (and ``b_O``, if there is one) is the
    sublayer's ``output``. The trace also keeps ``concat``.
    """
    if trace is NOTHING:
        return
    steps = heads.trace(x, memory, attn_mask=mask)
    for i, head in enumerate(steps.heads):
        rows = heads.W_O[i * heads.d_v : (i + 1) * heads.d_v]
        arrays = {name: array for name, array in vars(head).items() if name != "scale"}
        trace.under("head", str(i)).keep(**arrays, added=head.output @ rows)
    trace.keep(concat=steps.concat, output=steps.output)


def residual(
    x: NDArray,
    name: str,
    sublayer: Callable[..., tuple[NDArray, Callable]],
    layer: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable]:
    """Return a sublayer with its residual connection and its layer norm.

    Post-norm, as in the paper: ``layer_norm(x + sublayer(x))``. Pre-norm:
    ``x + sublayer(layer_norm(x))``. Without residuals the ``x +`` is missing.

    The sublayer's weights are ``layer[name]``; its layer norm has the weights
    ``layer[f"{name}_norm"]``. The trace keeps, under `name`, ``residual`` (the sum) and
    ``norm`` (the output of the layer norm). ``backward`` returns the gradient with
    respect to `x`, in cross-attention the gradient of the memory, and the gradients
    with respect to both trees of weights, under their names in `layer`.
    """
    norm_name, here = f"{name}_norm", trace.under(name)
    weights, norm = layer[name], layer[norm_name]
    carried = 1 if config.residuals else 0
    if config.norm == "post":
        added, sublayer_back = sublayer(x, weights=weights, trace=here)
        total = carried * x + added
        output, norm_back = layer_norm(total, norm)
        here.keep(residual=total, norm=output)

        def backward(d_y: NDArray) -> tuple:
            d_total, d_norm = norm_back(d_y)
            d_x, *d_others, d_weights = sublayer_back(d_total)
            gradients = {name: d_weights, norm_name: d_norm}
            return carried * d_total + d_x, *d_others, gradients

        return output, backward

    normal, norm_back = layer_norm(x, norm)
    added, sublayer_back = sublayer(normal, weights=weights, trace=here)
    output = carried * x + added
    here.keep(residual=output, norm=normal)

    def backward(d_y: NDArray) -> tuple:
        d_normal, *d_others, d_weights = sublayer_back(d_y)
        d_x, d_norm = norm_back(d_normal)
        return carried * d_y + d_x, *d_others, {name: d_weights, norm_name: d_norm}

    return output, backward
