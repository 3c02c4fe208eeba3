"""From words to vectors at the input, and from vectors to logits at the output."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from transformer.layers import outer_sum
from transformer.parameters import Config
from transformer.positions import sinusoidal
from transformer.trace import NOTHING, Keeper


def embed(
    tokens: NDArray,
    table: NDArray,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], NDArray]]:
    """Return the scaled embedding of each word plus the encoding of its position.

    The `tokens`, shape (..., n), are row numbers of `table`, shape (vocabulary,
    d_model). ``backward`` returns the gradient with respect to `table`. The trace keeps
    ``embedded`` (scaled), ``positions``, and their sum ``input``. Source: Vaswani et
    al. (2017), Attention Is All You Need, sections 3.4 and 3.5.
    """
    n, d_model = tokens.shape[-1], config.d_model
    scale = table.dtype.type(np.sqrt(d_model))
    embedded = table[tokens] * scale  # (..., n, d_model)
    if config.positions == "sinusoidal":
        positions = sinusoidal(n, d_model).astype(table.dtype)
    else:
        positions = np.zeros((n, d_model), table.dtype)
    x = embedded + positions
    trace.keep(embedded=embedded, positions=positions, input=x)

    def backward(d_x: NDArray) -> NDArray:
        d_table = np.zeros_like(table)
        np.add.at(d_table, tokens.ravel(), scale * d_x.reshape(-1, d_model))
        return d_table

    return x, backward


def score_words(
    x: NDArray, table: NDArray
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, NDArray]]]:
    """Return the logits: the dot product of each vector with every word's vector.

    From `x`, shape (..., n, d_model), and `table`, shape (vocabulary, d_model), the
    logits have shape (..., n, vocabulary). ``backward`` returns the gradients with
    respect to `x` and `table`. The decoder uses one table for its embedding and its
    logits (tied weights, as in the paper).
    """

    def backward(d_logits: NDArray) -> tuple[NDArray, NDArray]:
        return d_logits @ table, outer_sum(d_logits, x)

    return x @ table.T, backward
