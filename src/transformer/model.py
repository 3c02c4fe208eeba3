"""The whole machine: English in, a logit for every French word out, and back."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attention import softmax
from transformer import masks
from transformer.decoder import decode
from transformer.embeddings import embed, score_words
from transformer.encoder import encode
from transformer.layers import Part
from transformer.parameters import Config, Tree
from transformer.trace import NOTHING, Keeper


def read(
    source: NDArray, weights: Tree, config: Config, trace: Keeper = NOTHING
) -> Part:
    """Embed and encode the English sentences.

    Parameters
    ----------
    source : ndarray of int, shape (..., m)
        Numbers of English words; 0 is padding.
    weights : dict
    config : Config
    trace : Keeper, optional

    Returns
    -------
    memory : ndarray, shape (..., m, d_model)
    backward : callable
    """
    here = trace.under("encoder")
    x, embed_back = embed(
        source, weights["english"], weights.get("positions"), config, here
    )
    mask = self_mask(masks.padding(source), x, config)
    memory, encode_back = encode(x, weights["encoder"], mask, config, here)

    def backward(d_memory: NDArray) -> tuple[NDArray, Tree]:
        d_x, d_encoder = encode_back(d_memory)
        d_table, d_places = embed_back(d_x)
        return d_x, {"english": d_table, "positions": d_places, "encoder": d_encoder}

    return memory, backward


def self_mask(mask: NDArray, x: NDArray, config: Config) -> NDArray:
    """Return the mask of a self-attention, with ALiBi where `config` asks for it."""
    if config.positions == "alibi":
        return masks.by_distance(mask, config.num_heads, x.shape[-2], x.dtype)
    return mask


def write(
    target: NDArray,
    memory: NDArray,
    source: NDArray,
    weights: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, Tree]]]:
    """Say, after each French word written so far, how likely each word comes next.

    Parameters
    ----------
    target : ndarray of int, shape (..., n)
        What is written so far, from the mark of the start on.
    memory : ndarray, shape (..., m, d_model)
        What `read` returned for `source`.
    source : ndarray of int, shape (..., m)
        Only its padding counts here.
    weights : dict
    config : Config
    trace : Keeper, optional
        Keeps ``logits`` and ``next`` too: the distribution over the next word.

    Returns
    -------
    logits : ndarray, shape (..., n, vocabulary)
    backward : callable
        Returns the gradients by `memory` and by the weights.
    """
    here = trace.under("decoder")
    x, embed_back = embed(
        target, weights["french"], weights.get("positions"), config, here
    )
    seen = self_mask(masks.causal(target.shape[-1]), x, config)
    both = seen, masks.padding(source)
    y, decode_back = decode(x, memory, weights["decoder"], both, config, here)
    logits, score_back = score_words(y, weights["french"])
    trace.keep(logits=logits, next=softmax(logits))

    def backward(d_logits: NDArray) -> tuple[NDArray, Tree]:
        d_y, d_exit = score_back(d_logits)
        d_x, d_memory, d_decoder = decode_back(d_y)
        d_entrance, d_places = embed_back(d_x)
        return d_memory, {
            "french": d_entrance + d_exit,  # one table at both ends
            "positions": d_places,
            "decoder": d_decoder,
        }

    return logits, backward


def forward(
    source: NDArray,
    target: NDArray,
    weights: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], Tree]]:
    """Read and write in one go, every next word at once (teacher forcing).

    Parameters
    ----------
    source : ndarray of int, shape (..., m)
    target : ndarray of int, shape (..., n)
        The right words, shifted: before each position stand those that come before.
    weights : dict
    config : Config
    trace : Keeper, optional

    Returns
    -------
    logits : ndarray, shape (..., n, vocabulary)
    backward : callable
        From the gradient by the logits to the gradients by the weights.
    """
    memory, read_back = read(source, weights, config, trace)
    logits, write_back = write(target, memory, source, weights, config, trace)

    def backward(d_logits: NDArray) -> Tree:
        d_memory, d_write = write_back(d_logits)
        _, d_read = read_back(d_memory)
        gradients = {name: (d_read | d_write)[name] for name in weights}
        if "positions" in weights:  # one table for both languages
            gradients["positions"] = d_read["positions"] + d_write["positions"]
        return gradients

    return logits, backward


def cross_entropy(logits: NDArray, labels: NDArray) -> tuple[float, NDArray]:
    """Return the mean surprise at the right next words, and its gradient.

    Parameters
    ----------
    logits : ndarray, shape (..., n, vocabulary)
    labels : ndarray of int, shape (..., n)
        The right next word at each place; 0 is padding and does not count.

    Returns
    -------
    loss : float
        In nats a word.
    d_logits : ndarray, shape (..., n, vocabulary)
    """
    probability = softmax(logits)
    counts = labels != 0
    number = logits.dtype.type(counts.sum())
    right = np.take_along_axis(probability, labels[..., None], axis=-1)[..., 0]
    tiny = np.finfo(logits.dtype).tiny
    loss = -np.log(np.maximum(right[counts], tiny)).sum() / number
    d_logits = probability.copy()
    at = np.take_along_axis(d_logits, labels[..., None], axis=-1) - 1
    np.put_along_axis(d_logits, labels[..., None], at, axis=-1)
    return float(loss), d_logits * (counts / number)[..., None].astype(logits.dtype)
