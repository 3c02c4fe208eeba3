"""The transformer: logits of the next French word, and all gradients."""

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


def encode_source(
    source: NDArray, weights: Tree, config: Config, trace: Keeper = NOTHING
) -> Part:
    """Return the memory, the encoder's output for English sentences.

    `source` has the numbers of English words, shape (..., m); 0 is padding. The memory
    has shape (..., m, d_model).
    """
    here = trace.under("encoder")
    x, embed_back = embed(source, weights["english"], config, here)
    memory, encode_back = encode(
        x, weights["encoder"], masks.padding(source), config, here
    )

    def backward(d_memory: NDArray) -> tuple[NDArray, Tree]:
        d_x, d_encoder = encode_back(d_memory)
        return d_x, {"english": embed_back(d_x), "encoder": d_encoder}

    return memory, backward


def decode_logits(
    target: NDArray,
    memory: NDArray,
    source: NDArray,
    weights: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, Tree]]]:
    """Return the logits of the next word after each French word written so far.

    `target`, shape (..., n), has the start mark and these words. `memory` is the output
    of `encode_source` for `source`. The decoder uses only the padding of `source`. The
    logits have shape (..., n, vocabulary); ``backward`` returns the gradients with
    respect to `memory` and the weights. The trace also keeps ``logits`` and ``next``,
    the distribution over the next word.
    """
    here = trace.under("decoder")
    x, embed_back = embed(target, weights["french"], config, here)
    both_masks = masks.causal(target.shape[-1]), masks.padding(source)
    y, decode_back = decode(x, memory, weights["decoder"], both_masks, config, here)
    logits, score_back = score_words(y, weights["french"])
    trace.keep(logits=logits, next=softmax(logits))

    def backward(d_logits: NDArray) -> tuple[NDArray, Tree]:
        d_y, d_table = score_back(d_logits)
        d_x, d_memory, d_decoder = decode_back(d_y)
        d_french = embed_back(d_x) + d_table  # embedding and logits have the same table
        return d_memory, {"french": d_french, "decoder": d_decoder}

    return logits, backward


def forward(
    source: NDArray,
    target: NDArray,
    weights: Tree,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], Tree]]:
    """Return the logits of every next word in one pass (teacher forcing).

    `target`, shape (..., n), has the start mark and the right French words. The logits
    have shape (..., n, vocabulary). ``backward`` returns the weights' gradients.
    """
    memory, encoder_back = encode_source(source, weights, config, trace)
    logits, decoder_back = decode_logits(target, memory, source, weights, config, trace)

    def backward(d_logits: NDArray) -> Tree:
        d_memory, d_decoder = decoder_back(d_logits)
        _, d_encoder = encoder_back(d_memory)
        gradients = d_encoder | d_decoder
        return {name: gradients[name] for name in weights}

    return logits, backward


def cross_entropy(logits: NDArray, labels: NDArray) -> tuple[float, NDArray]:
    """Return the mean of -log(probability of the right word), and its gradient.

    The mean is in nats per word. The logits and their gradient have shape (..., n,
    vocabulary). `labels`, shape (..., n), has the right next word at each position; 0
    is padding and does not count.
    """
    probability = softmax(logits)
    counted = labels != 0
    number = logits.dtype.type(counted.sum())
    right = np.take_along_axis(probability, labels[..., None], axis=-1)[..., 0]
    tiny = np.finfo(logits.dtype).tiny
    loss = -np.log(np.maximum(right[counted], tiny)).sum() / number
    d_logits = probability.copy()
    np.put_along_axis(d_logits, labels[..., None], right[..., None] - 1, axis=-1)
    return float(loss), d_logits * (counted / number)[..., None].astype(logits.dtype)
