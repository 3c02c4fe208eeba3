"""The parts that every layer is made of, each with its way back beside it.

A part is a function of its input and its weights. It returns its output and a function
that takes the gradient of the loss by that output back to the input and the weights:
``backward(d_output) -> (d_input, d_weights)``.
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
    """Return ``x @ W + b``, the same for every token.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_in)
    W : ndarray, shape (d_in, d_out)
    b : ndarray, shape (d_out,)

    Returns
    -------
    output : ndarray, shape (..., n, d_out)
    backward : callable
    """

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_b = d_y.reshape(-1, d_y.shape[-1]).sum(axis=0)
        return d_y @ W.T, {"W": outer_sum(x, d_y), "b": d_b}

    return x @ W + b, backward


def outer_sum(x: NDArray, y: NDArray) -> NDArray:
    """Add up the outer products of the tokens of `x` with those of `y`.

    One small product a sentence: a single large one would be handed to several
    threads, which on a busy machine wait for each other longer than they compute.

    Parameters
    ----------
    x : ndarray, shape (..., n, a)
    y : ndarray, shape (..., n, b)

    Returns
    -------
    ndarray, shape (a, b)
    """
    each = np.swapaxes(x, -1, -2) @ y  # (..., a, n) @ (..., n, b)
    return each.reshape(-1, *each.shape[-2:]).sum(axis=0)


def layer_norm(x: NDArray, weights: Tree) -> Part:
    """Bring every token to mean 0 and variance 1, then scale and shift each column.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    weights : dict
        ``gain`` and ``bias``, shape (d_model,).

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
    backward : callable

    References
    ----------
    Ba, Kiros and Hinton (2016), Layer Normalization.
    """
    gain, bias = weights["gain"], weights["bias"]
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    size = np.sqrt(variance + x.dtype.type(EPSILON))
    normal = centred / size

    def backward(d_y: NDArray) -> tuple[NDArray, Tree]:
        d_normal = d_y * gain
        # A change of the token's mean or of its size leaves no trace in the output,
        # so the gradient has no part along either.
        along_mean = d_normal.mean(axis=-1, keepdims=True)
        along_size = normal * (d_normal * normal).mean(axis=-1, keepdims=True)
        tokens = tuple(range(d_y.ndim - 1))
        return (d_normal - along_mean - along_size) / size, {
            "gain": (d_y * normal).sum(axis=tokens),
            "bias": d_y.sum(axis=tokens),
        }

    return normal * gain + bias, backward


def feed_forward(x: NDArray, weights: Tree, trace: Keeper = NOTHING) -> Part:
    """Return ``relu(x @ W_1 + b_1) @ W_2 + b_2``: each token on its own.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    weights : dict
        ``W_1`` (d_model, d_ff), ``b_1``, ``W_2`` (d_ff, d_model) and ``b_2``.
    trace : Keeper, optional
        Keeps ``hidden``, shape (..., n, d_ff), and ``output``.

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
    backward : callable

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.3, equation 2.
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
    """Let every token gather from the tokens of its own sequence.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    weights : dict
        ``W_Q``, ``W_K``, ``W_V``, ``W_O`` of `attention.MultiHeadAttention`.
    mask : ndarray of bool
        Broadcast to (..., h, n, n); True takes part.
    trace : Keeper, optional
        Keeps what `keep_heads` says.

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
    backward : callable
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
    """Let every token of the decoder gather from the encoder's output.

    With ``config.cross == "mean"`` all queries are 0, all scores too, and every token
    gets the same: the mean over the sentence.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
        The decoder's tokens: the queries come from here.
    memory : ndarray, shape (..., m, d_model)
        The encoder's output: keys and values come from here.
    weights, trace
        As in `self_attention`.
    mask : ndarray of bool
        Broadcast to (..., h, n, m).
    config : Config

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
    backward : callable
        Returns the gradients by `x`, by `memory` and by the weights.
    """
    asks = 1 if config.cross == "attention" else 0
    heads = MultiHeadAttention(**weights | {"W_Q": asks * weights["W_Q"]})
    keep_heads(heads, x, memory, mask, trace)

    def backward(d_y: NDArray) -> tuple[NDArray, NDArray, Tree]:
        d = heads.gradients(d_y, x, memory, attn_mask=mask)
        d_weights = {name: getattr(d, name) for name in weights}
        return d.x, d.context, d_weights | {"W_Q": asks * d.W_Q}

    return heads(x, memory, attn_mask=mask), backward


def keep_heads(
    heads: MultiHeadAttention,
    x: NDArray,
    memory: NDArray | None,
    mask: NDArray,
    trace: Keeper,
) -> None:
    """Keep every step of every head, and what each head adds through W^O.

    ``head.i.query``, ``key``, ``value``, ``scores``, ``scaled``, ``logits``,
    ``weights``, ``output`` and ``added`` (its output times its rows of W^O: these add
    up to the sublayer's output), then ``concat`` and ``output``.
    """
    if trace is NOTHING:
        return
    steps = heads.trace(x, memory, attn_mask=mask)
    for i, head in enumerate(steps.heads):
        rows = heads.W_O[i * heads.d_v : (i + 1) * heads.d_v]
        trace.under("head", str(i)).keep(
            query=head.query,
            key=head.key,
            value=head.value,
            scores=head.scores,
            scaled=head.scaled,
            logits=head.logits,
            weights=head.weights,
            output=head.output,
            added=head.output @ rows,
        )
    trace.keep(concat=steps.concat, output=steps.output)


def residual(
    x: NDArray,
    sublayer: Callable[[NDArray], tuple[NDArray, Callable]],
    norm: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable]:
    """Wrap a sublayer: what it finds is added to what was there, and normalised.

    Post-norm, as in the paper: ``layer_norm(x + sublayer(x))``. Pre-norm:
    ``x + sublayer(layer_norm(x))``. Without residuals the ``x +`` is missing.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    sublayer : callable
        From (..., n, d_model) to such an output and its way back.
    norm : dict
        The weights of the layer norm.
    config : Config
    trace : Keeper, optional
        Keeps ``residual`` (the sum) and ``norm`` (what the layer norm returns).

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
    backward : callable
        Returns the gradient by `x`, what else the sublayer's way back returns, and the
        gradient by `norm`.
    """
    carried = 1 if config.residuals else 0
    if config.norm == "post":
        found, sublayer_back = sublayer(x)
        total = carried * x + found
        output, norm_back = layer_norm(total, norm)
        trace.keep(residual=total, norm=output)

        def backward(d_y: NDArray) -> tuple:
            d_total, d_norm = norm_back(d_y)
            d_x, *d_others = sublayer_back(d_total)
            return carried * d_total + d_x, *d_others, d_norm

        return output, backward

    normal, norm_back = layer_norm(x, norm)
    found, sublayer_back = sublayer(normal)
    output = carried * x + found
    trace.keep(residual=output, norm=normal)

    def backward(d_y: NDArray) -> tuple:
        d_normal, *d_others = sublayer_back(d_y)
        d_x, d_norm = norm_back(d_normal)
        return carried * d_y + d_x, *d_others, d_norm

    return output, backward
