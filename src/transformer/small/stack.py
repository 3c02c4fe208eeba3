"""A stack of layers alone: words in, at every place a score for each word out.

No decoder beside an encoder, but the encoder's layers (`transformer.encoder`) between
one table of words at both ends. With a causal mask it is a decoder as in GPT.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention import MultiHeadAttention
from transformer.embeddings import embed, score_words
from transformer.encoder import encode, encoder_layer
from transformer.parameters import Config, Tree, as_dtype, stack
from transformer.trace import NOTHING, Keeper


def initial(words: int, config: Config, seed: int, *, tied: bool = True) -> Tree:
    """Return fresh weights.

    Parameters
    ----------
    words : int
        How many there are, the filling (0) counted.
    config : Config
    seed : int
    tied : bool, default True
        Whether one table serves at both ends.

    Returns
    -------
    dict
        In single precision: ``words``, shape (words, d_model), and ``encoder``, the
        layers; where two tables are wanted ``exit`` too, of the shape of ``words``.
    """
    rng = np.random.default_rng(seed)

    def table() -> NDArray:
        return rng.normal(0, config.d_model**-0.5, (words, config.d_model))

    tree = {"words": table(), "encoder": stack(config, rng, "self_attention")}
    return as_dtype(tree if tied else tree | {"exit": table()}, np.float32)


def forward(
    tokens: NDArray,
    weights: Tree,
    config: Config,
    mask: NDArray,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], Tree]]:
    """Run the stack.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., n)
    weights : dict
        As `initial` gives them.
    config : Config
    mask : ndarray of bool
        Broadcast to (..., h, n, n); True takes part.
    trace : Keeper, optional
        Keeps what the translator's encoder keeps, under ``encoder``, and ``logits``.

    Returns
    -------
    logits : ndarray, shape (..., n, words)
    backward : callable
        From the gradient by the logits to that by the weights.
    """
    here = trace.under("encoder")
    x, embed_back = embed(tokens, weights["words"], None, config, here)
    y, encode_back = encode(x, weights["encoder"], mask, config, here)
    logits, score_back = score_words(y, weights.get("exit", weights["words"]))
    trace.keep(logits=logits)

    def backward(d_logits: NDArray) -> Tree:
        d_y, d_exit = score_back(d_logits)
        d_x, d_layers = encode_back(d_y)
        d_entrance, _ = embed_back(d_x)
        if "exit" in weights:
            return {"words": d_entrance, "encoder": d_layers, "exit": d_exit}
        return {"words": d_entrance + d_exit, "encoder": d_layers}

    return logits, backward


class Pass(NamedTuple):
    """What comes out of a pass whose loss may ask where the model looks.

    Attributes
    ----------
    logits : ndarray, shape (..., n, words)
    looks : ndarray, shape (..., n, n)
        The weights of the last layer's attention, the mean over its heads.
    backward : callable
        From the gradients of the loss by `logits` and by `looks` to that by the model's
        weights.
    """

    logits: NDArray
    looks: NDArray
    backward: Callable[[NDArray, NDArray], Tree]


def forward_with_looks(
    tokens: NDArray, weights: Tree, config: Config, mask: NDArray
) -> Pass:
    """Run the stack and give out where its last layer looks.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., n)
        No more of them than ``d_model``: `Pass.looks` is computed by an attention.
    weights : dict
        With one table at both ends.
    config : Config
        Post-norm.
    mask : ndarray of bool

    Returns
    -------
    Pass
    """
    last = str(config.num_layers - 1)
    below = replace(config, num_layers=config.num_layers - 1)
    layer = weights["encoder"][last]
    x, embed_back = embed(tokens, weights["words"], None, config)
    x, below_back = encode(x, weights["encoder"], mask, below)
    y, layer_back = encoder_layer(x, layer, mask, config)
    looks, looks_back = weights_as_output(x, layer["self_attention"], mask)
    logits, score_back = score_words(y, weights["words"])

    def backward(d_logits: NDArray, d_looks: NDArray) -> Tree:
        d_y, d_exit = score_back(d_logits)
        d_x, d_layer = layer_back(d_y)
        d_more, d_heads = looks_back(d_looks)
        for name, gradient in d_heads.items():
            d_layer["self_attention"][name] += gradient
        d_x, d_below = below_back(d_x + d_more)
        d_entrance, _ = embed_back(d_x)
        return {"words": d_entrance + d_exit, "encoder": d_below | {last: d_layer}}

    return Pass(logits, looks, backward)


def weights_as_output(
    x: NDArray, weights: Tree, mask: NDArray
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, Tree]]]:
    """Return where the heads look, the mean over them, and the way back.

    An attention whose values are the identity returns its weights: token ``j`` brings a
    1 in column ``j``. So a loss can ask for weights with the gradients of attention.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    weights : dict
        ``W_Q`` and ``W_K``, shape (h, d_model, d_k).
    mask : ndarray of bool
        Broadcast to (..., h, n, n).

    Returns
    -------
    looks : ndarray, shape (..., n, n)
    backward : callable
        Returns the gradients by `x` and by ``W_Q`` and ``W_K``.
    """
    (h, d_model, _), n = weights["W_Q"].shape, x.shape[-2]
    places = np.eye(n, dtype=x.dtype)
    mean = np.tile(np.eye(n, d_model, dtype=x.dtype) / h, (h, 1))  # (h * n, d_model)
    heads = MultiHeadAttention(
        weights["W_Q"], weights["W_K"], np.broadcast_to(places, (h, n, n)), mean
    )
    values = np.broadcast_to(places, (*x.shape[:-1], n))

    def backward(d_looks: NDArray) -> tuple[NDArray, Tree]:
        wide = np.zeros((*d_looks.shape[:-1], d_model), x.dtype)
        wide[..., :n] = d_looks
        d = heads.gradients(wide, x, attn_mask=mask, values=values)
        return d.x, {"W_Q": d.W_Q, "W_K": d.W_K}

    return heads(x, attn_mask=mask, values=values)[..., :n], backward


def heads_of(config: Config) -> list[str]:
    """Name every head, layer by layer, as `transformer.laboratory.cut` knows them."""
    return [
        f"encoder.{layer}.self_attention.head.{head}"
        for layer in range(config.num_layers)
        for head in range(config.num_heads)
    ]
