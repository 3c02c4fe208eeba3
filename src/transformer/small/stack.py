"""A stack of layers: it reads words and gives each position a logit for each word.

The stack has the layers of `transformer.encoder` between an embedding and an exit, the
table that gives the logits. With a causal mask the stack is a decoder as in GPT.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from attention import MultiHeadAttention
from transformer import laboratory
from transformer.embeddings import embed, score_words
from transformer.encoder import encode, encoder_layer
from transformer.parameters import Config, Tree, as_dtype, stack
from transformer.trace import NOTHING, Keeper, Trace


def initial(words: int, config: Config, seed: int, *, tied: bool = True) -> Tree:
    """Return fresh weights in single precision; word 0 is the padding token.

    The tree has ``words``, shape (words, d_model), and ``encoder``, the layers. If
    embedding and exit are not one table (`tied`), there is also ``exit`` with the shape
    of ``words``.
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
    """Return the logits of the stack, shape (..., n, words), and its gradient function.

    `tokens` has shape (..., n), and `weights` is a tree as `initial` returns it. `mask`
    broadcasts to (..., h, n, n); True takes part. The trace keeps ``logits`` and, under
    ``encoder``, the arrays that the translator's encoder keeps.
    """
    here = trace.under("encoder")
    x, embed_back = embed(tokens, weights["words"], config, here)
    y, encode_back = encode(x, weights["encoder"], mask, config, here)
    logits, score_back = score_words(y, weights.get("exit", weights["words"]))
    trace.keep(logits=logits)

    def backward(d_logits: NDArray) -> Tree:
        d_y, d_exit = score_back(d_logits)
        d_x, d_layers = encode_back(d_y)
        d_entrance = embed_back(d_x)
        if "exit" in weights:
            return {"words": d_entrance, "encoder": d_layers, "exit": d_exit}
        return {"words": d_entrance + d_exit, "encoder": d_layers}

    return logits, backward


def head_weights(
    tokens: NDArray, weights: Tree, config: Config, mask: NDArray
) -> tuple[NDArray, NDArray]:
    """Return the logits and the attention weights of every head.

    Their shapes are (..., n, words) and (..., layers, heads, n, n).
    """
    trace = Trace()
    logits, _ = forward(tokens, weights, config, mask, trace)
    found = np.stack([trace[f"{head}.weights"] for head in heads_of(config)], axis=-3)
    layers = config.num_layers, config.num_heads
    return logits, found.reshape(*tokens.shape[:-1], *layers, *found.shape[-2:])


def forward_with_attention(
    tokens: NDArray, weights: Tree, config: Config, mask: NDArray
) -> tuple[NDArray, NDArray, Callable[[NDArray, NDArray], Tree]]:
    """Return the logits, and the attention weights of the last layer.

    The attention weights are the mean over the heads, shape (..., n, n). A loss may
    depend on them: the gradient function takes the gradients with respect to the logits
    and the attention, and returns the gradient with respect to `weights`.

    The model is post-norm with tied weights. The sentence has at most ``d_model``
    tokens, because `weights_as_output` needs this.
    """
    last = str(config.num_layers - 1)
    config_below = replace(config, num_layers=config.num_layers - 1)
    layer = weights["encoder"][last]
    x, embed_back = embed(tokens, weights["words"], config)
    x, below_back = encode(x, weights["encoder"], mask, config_below)
    y, layer_back = encoder_layer(x, layer, mask, config)
    attention, attention_back = weights_as_output(x, layer["self_attention"], mask)
    logits, score_back = score_words(y, weights["words"])

    def backward(d_logits: NDArray, d_attention: NDArray) -> Tree:
        d_y, d_exit = score_back(d_logits)
        d_x, d_layer = layer_back(d_y)
        d_attended, d_heads = attention_back(d_attention)
        for name, gradient in d_heads.items():
            d_layer["self_attention"][name] += gradient
        d_x, d_below = below_back(d_x + d_attended)
        d_words = embed_back(d_x) + d_exit
        return {"words": d_words, "encoder": d_below | {last: d_layer}}

    return logits, attention, backward


def weights_as_output(
    x: NDArray, weights: Tree, mask: NDArray
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, Tree]]]:
    """Return the mean attention weights over the heads, and their gradient function.

    An attention whose values are the identity matrix returns its weights, because the
    value of token ``j`` is 1 in column ``j`` and 0 elsewhere. So the gradients of
    attention are the gradients of the weights.

    From `x`, shape (..., n, d_model), the weights have shape (..., n, n). `mask`
    broadcasts to (..., h, n, n). ``backward`` returns the gradients with respect to
    `x`, ``W_Q`` and ``W_K``, shape (h, d_model, d_k). The other weights are not used.
    """
    (h, d_model, _), n = weights["W_Q"].shape, x.shape[-2]
    identity = np.eye(n, dtype=x.dtype)
    mean = np.tile(np.eye(n, d_model, dtype=x.dtype) / h, (h, 1))  # (h * n, d_model)
    heads = MultiHeadAttention(
        weights["W_Q"], weights["W_K"], np.broadcast_to(identity, (h, n, n)), mean
    )
    values = np.broadcast_to(identity, (*x.shape[:-1], n))

    def backward(d_attention: NDArray) -> tuple[NDArray, Tree]:
        wide = np.zeros((*d_attention.shape[:-1], d_model), x.dtype)
        wide[..., :n] = d_attention
        d = heads.gradients(wide, x, attn_mask=mask, values=values)
        return d.x, {"W_Q": d.W_Q, "W_K": d.W_K}

    return heads(x, attn_mask=mask, values=values)[..., :n], backward


def heads_of(config: Config) -> list[str]:
    """Return the names of all heads, layer by layer, as `laboratory.cut` takes them."""
    return [name for name in laboratory.heads_of(config) if name.startswith("encoder")]
