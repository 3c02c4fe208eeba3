"""Experiments of chapter 4: what the output projection does, and the loss without it.

Paper section 3.2.2. The attention weights of the heads are fixed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax
from course.kit.arrays import Array

D_V = 2  # width of a head


class Routing(NamedTuple):
    """A task for h heads with fixed attention weights: inputs and wanted updates."""

    mixed: Array  # (h, rows, d_model): the inputs, mixed by the weights of each head
    wanted: Array  # (rows, d_model): wanted update of each token
    maps: Array  # (h, d_model, d_model): wanted is the sum of mixed @ maps


def routing_task(
    rng: np.random.Generator,
    h: int = 2,
    *,
    sentences: int = 100,
    n: int = 8,
    aligned: bool = False,
) -> Routing:
    """Draw a task for h heads of width 2 in a model of width 2 h.

    The wanted update is a sum over heads: each head applies a map of rank 2 to its
    mixed inputs. If `aligned`, the map of each head writes only into the two
    coordinates of that head in the concatenation. The task has a row for each of the
    `n` tokens of each sentence.
    """
    d_model = h * D_V
    x = rng.standard_normal((sentences, 1, n, d_model))
    weights = softmax(4 * rng.standard_normal((sentences, h, n, n)))
    gathered = (weights @ x).swapaxes(0, 1)  # (h, sentences, n, d_model)
    mixed = gathered.reshape(h, -1, d_model)
    maps = rng.standard_normal((h, d_model, D_V)) @ rng.standard_normal(
        (h, D_V, d_model)
    )
    if aligned:
        maps *= np.repeat(np.eye(h), D_V, axis=1)[:, None]
    return Routing(mixed, (mixed @ maps).sum(axis=0), maps)


def unexplained(estimate: ArrayLike, wanted: ArrayLike) -> float:
    """Return the squared error of an estimate over the squared size of `wanted`."""
    wanted = np.asarray(wanted, dtype=np.float64)
    return float(np.sum((np.asarray(estimate) - wanted) ** 2) / np.sum(wanted**2))


def missed_with_projection(task: Routing) -> float:
    """Return the share of the update that heads of width 2 with a full W_O miss."""
    u, s, vt = np.linalg.svd(task.maps)  # maps of rank D_V: W_V[i] @ W_O[i] == maps[i]
    W_V, W_O = u[..., :D_V] * s[..., None, :D_V], vt[..., :D_V, :]
    heads = task.mixed @ W_V
    return unexplained(np.hstack(list(heads)) @ np.vstack(list(W_O)), task.wanted)


def missed_without_projection(task: Routing) -> float:
    """Return the share of the update that the best heads of width 2 miss without W_O.

    Each head writes two coordinates. A least-squares fit to these two coordinates
    gives its value projection.
    """
    slots = task.wanted.reshape(len(task.wanted), -1, D_V).swapaxes(0, 1)
    gathered, across = task.mixed, task.mixed.swapaxes(-1, -2)
    W_V = np.linalg.solve(across @ gathered, across @ slots)
    return unexplained(np.hstack(list(gathered @ W_V)), task.wanted)


def missed_by_next_layer(
    x: ArrayLike, concat: ArrayLike, W_O: ArrayLike, W_next: ArrayLike, residual: bool
) -> float:
    """Return the share of the result that is missed if W_next must replace W_O.

    It is the share of ``(x + concat W_O) W_next`` that no matrix can compute from
    ``x + concat``. Without a residual both expressions are without ``x``. The input
    `x` of the sublayer and the concatenated heads have shape (rows, d_model). `W_next`
    is the next layer's projection, shape (d_model, d).
    """
    x, concat, W_O = np.asarray(x), np.asarray(concat), np.asarray(W_O)
    kept = x if residual else np.zeros_like(x)
    wanted = (kept + concat @ W_O) @ np.asarray(W_next)
    stream = kept + concat
    best, *_ = np.linalg.lstsq(stream, wanted, rcond=None)
    return unexplained(stream @ best, wanted)


def draw_out_of_reach(
    rng: np.random.Generator,
    *,
    width: int = 4,
    read: int = 3,
    mix: float = 1.0,
    rows: int = 1_000,
) -> float:
    """Return `missed_by_next_layer` for a random sublayer with a residual connection.

    ``W_O`` is ``(1 - mix)`` times the identity plus ``mix`` times a random matrix. All
    random numbers are standard normal. The stream has `rows` tokens of width `width`,
    and the next projection has `read` columns.
    """
    W_next = rng.standard_normal((width, read))
    x, concat = rng.standard_normal((2, rows, width))
    W_O = (1 - mix) * np.eye(width) + mix * rng.standard_normal((width, width))
    return missed_by_next_layer(x, concat, W_O, W_next, residual=True)


def expected_out_of_reach(W_O: ArrayLike, W_next: ArrayLike) -> float:
    """Return the limit of `missed_by_next_layer` for many rows, with a residual.

    Inputs and concatenations are independent, with mean 0 and variance 1. The limit is
    one half minus a quotient: the inner product of ``W_next`` and ``W_O W_next``,
    divided by the sum of their squared sizes.
    """
    own, mixed = np.asarray(W_next), np.asarray(W_O) @ np.asarray(W_next)
    return float(0.5 - np.sum(own * mixed) / (np.sum(own**2) + np.sum(mixed**2)))
