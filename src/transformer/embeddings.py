"""From words to vectors at the entrance, and from vectors to words at the exit."""

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
    places: NDArray | None,
    config: Config,
    trace: Keeper = NOTHING,
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, NDArray | None]]]:
    """Look each word up in the table and add where it stands.

    Parameters
    ----------
    tokens : ndarray of int, shape (..., n)
    table : ndarray, shape (vocabulary, d_model)
    places : ndarray, shape (length, d_model), or None
        Learned positions, where `config` asks for them.
    config : Config
    trace : Keeper, optional
        Keeps ``embedded`` (scaled), ``positions`` and ``input``, their sum.

    Returns
    -------
    x : ndarray, shape (..., n, d_model)
    backward : callable
        Returns the gradients by `table` and by `places` (None where that is None).

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, sections 3.4 and 3.5.
    """
    n, d_model = tokens.shape[-1], config.d_model
    scale = table.dtype.type(np.sqrt(d_model))
    embedded = table[tokens] * scale  # (..., n, d_model)
    if config.positions == "learned":
        positions = places[:n]
    elif config.positions == "sinusoidal":
        positions = sinusoidal(n, d_model).astype(table.dtype)
    else:
        positions = np.zeros((n, d_model), table.dtype)
    x = embedded + positions
    trace.keep(embedded=embedded, positions=positions, input=x)

    def backward(d_x: NDArray) -> tuple[NDArray, NDArray | None]:
        d_table = np.zeros_like(table)
        np.add.at(d_table, tokens.ravel(), scale * d_x.reshape(-1, d_model))
        if places is None:
            return d_table, None
        d_places = np.zeros_like(places)
        d_places[:n] = d_x.reshape(-1, n, d_model).sum(axis=0)
        return d_table, d_places

    return x, backward


def score_words(
    x: NDArray, table: NDArray
) -> tuple[NDArray, Callable[[NDArray], tuple[NDArray, NDArray]]]:
    """Compare each vector with every word of the table: one logit a word.

    The table is the one that embeds the decoder's words (tied weights, as in the
    paper), so that a word is read out by the vector that writes it.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
    table : ndarray, shape (vocabulary, d_model)

    Returns
    -------
    logits : ndarray, shape (..., n, vocabulary)
    backward : callable
        Returns the gradients by `x` and by `table`.
    """

    def backward(d_logits: NDArray) -> tuple[NDArray, NDArray]:
        return d_logits @ table, outer_sum(d_logits, x)

    return x @ table.T, backward
