"""Experiments on the walkthrough "I bought apple to eat".

Every score of a query is a projection, ``q . k_j = x_j . a``, with one direction
``a = W_K q`` for all words. So the word with the highest weight depends on the
direction and on the five embeddings. The functions below find this word for the
page's weights, for random weights, and for weights trained to make the page's story
true.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import MultiHeadAttention, softmax
from course.kit.arrays import Array
from course.kit.stand_ins import MEAN_OF_HEADS
from course.notes import APPLE

Law = Callable[[np.random.Generator, tuple[int, ...]], Array]

FOCUS = APPLE.tokens.index("apple")
SCALE = 1 / np.sqrt(APPLE.W_K.shape[-1])

LAWS: dict[str, Law] = {
    "uniform, 0 to 1": lambda rng, shape: rng.random(shape),
    "normal, both signs": lambda rng, shape: rng.normal(size=shape),
}
"""Distributions of random weights, without and with negative weights."""


def walkthrough() -> MultiHeadAttention:
    """Return the three heads; the page states no W_O, so the output is their mean."""
    return MultiHeadAttention(APPLE.W_Q, APPLE.W_K, APPLE.W_V, MEAN_OF_HEADS)


def focus_weights(W_Q: ArrayLike, W_K: ArrayLike) -> Array:
    """Return the attention weights of "apple", shape (..., 5), in one or more heads.

    `W_Q` and `W_K` have shape (..., 4, 4).
    """
    return softmax(direction(W_Q, W_K) @ APPLE.X.T * SCALE)


def direction(W_Q: ArrayLike, W_K: ArrayLike, word: int = FOCUS) -> Array:
    """Return the direction ``a = W_K q`` onto which a word's query projects embeddings.

    Its score of word j is ``x_j . a``. `W_Q` and `W_K` have shape (..., 4, 4),
    ``a`` has shape (..., 4). `word` is an index; the default is apple.
    """
    query = APPLE.X[word] @ np.asarray(W_Q, float)
    return (np.asarray(W_K, float) @ query[..., None])[..., 0]


def angle(a: ArrayLike) -> Array:
    """Return the angles between vectors and the diagonal (1, 1, ..., 1), in degrees."""
    a = np.asarray(a, float)
    cosine = a.sum(axis=-1) / (np.sqrt(a.shape[-1]) * np.linalg.norm(a, axis=-1))
    return np.degrees(np.arccos(cosine))


def angles_of_rows() -> Array:
    """Return `angle` of `direction` for every head and word, shape (3, 5)."""
    words = range(len(APPLE.tokens))
    return angle([direction(APPLE.W_Q, APPLE.W_K, word) for word in words]).T


def limit_angle(first: str, second: str) -> float:
    """Return the angle to the diagonal up to which one word stays before another.

    The word `first` has the higher score for every ``a`` at a smaller angle.
    """
    at = [APPLE.tokens.index(word) for word in (first, second)]
    return float(90 - angle(APPLE.X[at[0]] - APPLE.X[at[1]]))


def win_shares(law: Law, trials: int = 20_000, seed: int = 0) -> Array:
    """Return how often each word gets apple's highest weight, in random heads.

    The five shares have the order of the words. `law` draws an array of a given shape
    from a generator; see `LAWS`.
    """
    rng = np.random.default_rng(seed)
    a = direction(law(rng, (trials, 4, 4)), law(rng, (trials, 4, 4)))
    winners = np.argmax(a @ APPLE.X.T, axis=-1)
    return np.bincount(winners, minlength=len(APPLE.tokens)) / trials


def smallest_cosine(rows: ArrayLike) -> Array:
    """Return the smallest cosine between two rows of an array of shape (..., n, d).

    No row is zero. The cosine is 1 if all rows point in the same direction.
    """
    rows = np.asarray(rows, float)
    unit = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.min(unit @ unit.swapaxes(-1, -2), axis=(-2, -1))


def cosines_after(heads: ArrayLike, X: ArrayLike) -> Array:
    """Return the smallest cosine between two words' outputs, which are means of heads.

    `heads` has shape (3, ..., h, d, d): query, key and value weights of sets of h
    heads. The embeddings `X`, shape (n, d), have the width of the heads. The result
    has one number for each set.
    """
    X = np.asarray(X, float)
    Q, K, V = (X @ W for W in np.asarray(heads, float))
    rows = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1]))
    return smallest_cosine((rows @ V).mean(axis=-3))


def nearest_keys(W_Q: ArrayLike, W_K: ArrayLike, weights: ArrayLike) -> Array:
    """Return the nearest W_K that gives apple the wanted weights.

    Five embeddings in general position in four dimensions allow any five positive
    weights: ``X a = log(weights) / scale + c`` has one solution ``(a, c)``. The
    smallest change of ``W_K`` (in the Frobenius norm) with ``W_K q = a`` has rank one.

    The matrices of the head have shape (4, 4). The function divides the weights by
    their sum, and raises a ValueError if a weight is not positive.
    """
    share = np.asarray(weights, float)
    if not (share > 0).all():
        raise ValueError("softmax gives positive weights only")
    logits = np.log(share / share.sum()) / SCALE
    system = np.column_stack([APPLE.X, -np.ones(len(APPLE.X))])
    wanted = np.linalg.solve(system, logits)[:-1]
    W_K = np.asarray(W_K, float)
    query = APPLE.X[FOCUS] @ np.asarray(W_Q, float)
    return W_K + np.outer(wanted - W_K @ query, query) / (query @ query)


def cost_of_the_list(head: int) -> float:
    """Return the size of the change of W_K that gives the weights of the page's list.

    The size is relative to the ``W_K`` of the head, which is 0, 1 or 2; see
    `nearest_keys`.
    """
    old = APPLE.W_K[head]
    new = nearest_keys(APPLE.W_Q[head], old, APPLE.printed["apple_weights"][head])
    return float(np.linalg.norm(new - old) / np.linalg.norm(old))


class TrainedHead(NamedTuple):
    """One trained head: query and key weights, apple's row of weights, and losses."""

    W_Q: Array
    W_K: Array
    weights: Array
    losses: Array


def target(word: str, share: float = 0.6) -> Array:
    """Return weights with `share` on one word and the rest on the others."""
    row = np.full(len(APPLE.tokens), (1 - share) / (len(APPLE.tokens) - 1))
    row[APPLE.tokens.index(word)] = share
    return row


def gradient(W_Q: Array, W_K: Array, goal: Array) -> tuple[float, Array, Array]:
    """Return the cross-entropy of apple's weights with a goal, and the gradients.

    `goal` has the five wanted weights, which add up to 1. The gradients are for
    ``W_Q`` and ``W_K``, the weights of one head, shape (4, 4).
    """
    x, X = APPLE.X[FOCUS], APPLE.X
    query, keys = x @ W_Q, X @ W_K
    row = softmax(keys @ query * SCALE)
    error = (row - goal) * SCALE
    loss = float(-(goal @ np.log(row)))
    return loss, np.outer(x, error @ keys), X.T @ np.outer(error, query)


def find_head(
    head: int,
    goal: ArrayLike,
    *,
    nonnegative: bool = False,
    steps: int = 1500,
    rate: float = 0.5,
) -> TrainedHead:
    """Train the query and key weights of one head (0, 1 or 2), from the page's weights.

    Training is gradient descent on the cross-entropy of apple's row; nothing is random.
    `goal` has the five wanted weights, which add up to 1. With `nonnegative`, each step
    sets negative entries to 0.
    """
    W_Q, W_K = APPLE.W_Q[head].copy(), APPLE.W_K[head].copy()
    goal, losses = np.asarray(goal, float), np.empty(steps)
    for step in range(steps):
        losses[step], grad_q, grad_k = gradient(W_Q, W_K, goal)
        W_Q -= rate * grad_q
        W_K -= rate * grad_k
        if nonnegative:
            np.maximum(W_Q, 0, out=W_Q)
            np.maximum(W_K, 0, out=W_K)
    return TrainedHead(W_Q, W_K, focus_weights(W_Q, W_K), losses)


def largest_difference(rows: ArrayLike) -> float:
    """Return the largest difference between the attention of two heads, from 0 to 1.

    The difference is the total variation distance. `rows` has shape (h, 5).
    """
    rows = np.asarray(rows, float)
    return float(np.abs(rows[:, None] - rows[None]).sum(axis=-1).max() / 2)
