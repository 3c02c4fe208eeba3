"""Experiments on recurrent networks, and on one vector for a whole sentence.

A recurrent network reads one word in each step, ``h_t = f(h_{t-1}, x_t)``. This module
has a simple network (tanh), a gated network (LSTM), one head of attention, and a sum
that stores a sentence in one vector. All weights are random and nothing is trained: the
experiments measure the effect of distant words before training.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache

import numpy as np

from attention import (
    scaled_dot_product_attention,
    scaled_dot_product_attention_gradients,
)
from course.kit.arrays import Array
from course.kit.threads import one_thread


def _uniform(rng: np.random.Generator, d: int, columns: int) -> Array:
    """Draw weights between plus and minus ``1 / sqrt(d)``, as PyTorch does for RNNs."""
    return rng.uniform(-1, 1, (d, columns)) / np.sqrt(d)


def orthogonal(rng: np.random.Generator, d: int) -> Array:
    """Draw an orthogonal matrix, which keeps the length of every vector."""
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    return q * np.sign(np.diag(r))


class Simple:
    """A simple recurrent network of width d, ``h_t = tanh(h_{t-1} W + x_t U)``.

    With `keeps_lengths`, ``W`` is orthogonal instead of uniform.
    """

    def __init__(
        self, d: int, rng: np.random.Generator, keeps_lengths: bool = False
    ) -> None:
        self.U = _uniform(rng, d, d)
        self.W = orthogonal(rng, d) if keeps_lengths else _uniform(rng, d, d)

    def states(self, x: Array) -> Array:
        """Read the words ``x``, shape (n, d), and return the state after each."""
        h, states = np.zeros(len(self.W)), []
        for word in x @ self.U:
            h = np.tanh(h @ self.W + word)
            states.append(h)
        return np.array(states)

    def gradients(self, x: Array, d_last: Array) -> Array:
        """Return the gradient of ``d_last . h_n`` for each word."""
        d_sums, d_h = np.empty_like(x), d_last
        for t, h in reversed(list(enumerate(self.states(x)))):
            d_sums[t] = d_h * (1 - h**2)
            d_h = d_sums[t] @ self.W.T
        return d_sums @ self.U.T


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


class Gated:
    """A gated recurrent network, the LSTM of Hochreiter and Schmidhuber (1997).

    The cell is ``c_t = f_t c_{t-1} + i_t g_t``. The forget gate ``f`` of Gers et al.
    (2000) is the share of the cell that stays. If its bias is 0, about half of the cell
    stays. Words, states and cells have width d.
    """

    def __init__(
        self, d: int, rng: np.random.Generator, forget_bias: float = 0.0
    ) -> None:
        self.U, self.W = _uniform(rng, d, 4 * d), _uniform(rng, d, 4 * d)
        self.b = np.repeat([0.0, forget_bias, 0.0, 0.0], d)

    def _steps(self, x: Array) -> list[tuple[Array, ...]]:
        d = len(self.W)
        h, c, steps = np.zeros(d), np.zeros(d), []
        for word in x @ self.U + self.b:
            sums = (word + h @ self.W).reshape(4, d)
            i, f, o = _sigmoid(sums[:3])
            g, before = np.tanh(sums[3]), c
            c = f * c + i * g
            h = o * np.tanh(c)
            steps.append((i, f, o, g, before, c, h))
        return steps

    def states(self, x: Array) -> Array:
        """Read the words ``x``, shape (n, d), and return the state after each."""
        return np.array([step[-1] for step in self._steps(x)])

    def gradients(self, x: Array, d_last: Array) -> Array:
        """Return the gradient of ``d_last . h_n`` for each word."""
        d_sums, d_h, d_c = np.empty((len(x), 4 * len(d_last))), d_last, 0.0
        for t, step in reversed(list(enumerate(self._steps(x)))):
            i, f, o, g, before, c, _ = step
            d_c = d_c + d_h * o * (1 - np.tanh(c) ** 2)
            d_gates = (
                d_c * g * i * (1 - i),
                d_c * before * f * (1 - f),
                d_h * np.tanh(c) * o * (1 - o),
                d_c * i * (1 - g**2),
            )
            d_sums[t] = np.concatenate(d_gates)
            d_h, d_c = d_sums[t] @ self.W.T, d_c * f
        return d_sums @ self.U.T


class Attention:
    """One head of self-attention over the same words, without recurrence."""

    def __init__(self, d: int, rng: np.random.Generator) -> None:
        self.matrices = rng.standard_normal((3, d, d)) / np.sqrt(d)  # W_Q, W_K, W_V

    def states(self, x: Array) -> Array:
        """Return the output of every word, shape (n, d)."""
        return scaled_dot_product_attention(*(x @ W for W in self.matrices))

    def gradients(self, x: Array, d_last: Array) -> Array:
        """Return the gradient of ``d_last . z_n`` for each word."""
        d_output = np.zeros_like(x)
        d_output[-1] = d_last
        projected = (x @ W for W in self.matrices)
        d = scaled_dot_product_attention_gradients(d_output, *projected)
        pairs = zip((d.query, d.key, d.value), self.matrices, strict=True)
        return sum(gradient @ W.T for gradient, W in pairs)


Network = Simple | Gated | Attention
KINDS: dict[str, Callable[[int, np.random.Generator], Network]] = {
    "simple": Simple,
    "simple, orthogonal": lambda d, rng: Simple(d, rng, keeps_lengths=True),
    "gated": Gated,
    "gated, forget bias 3": lambda d, rng: Gated(d, rng, forget_bias=3.0),
    "attention": Attention,
}


def reach_once(kind: str, d: int, seed: int, n: int = 101) -> Array:
    """Return `reach` for one seed, without the axis of seeds."""
    rng = np.random.default_rng(seed)
    network = KINDS[kind](d, rng)
    x, d_last = rng.standard_normal((n, d)), rng.standard_normal(d)
    size = np.linalg.norm(network.gradients(x, d_last), axis=1)
    return size[-2::-1] / size[-2]


@one_thread()
def reach(kind: str, d: int, n: int = 101, seeds: int = 5) -> Array:
    """Return the size of the last state's gradient for each word, without training.

    Shape (seeds, n - 1): the word is 1 to ``n - 1`` places back, and the sizes are
    relative to the first. Seed ``s`` draws a network of width d, one of `KINDS`, and
    ``n`` random words with variance 1.
    """
    return np.array([reach_once(kind, d, seed, n) for seed in range(seeds)])


@one_thread()
def recalled(d: int, length: int, vocabulary: int = 100, seeds: int = 5) -> Array:
    """Return the share of a sentence that can be read back from a single vector.

    The vector is ``h_t = R h_{t-1} + e(w_t)``. ``R`` is orthogonal, so no word fades,
    and ``e`` is a random vector of length 1 for each word. The word read at
    distance ``k`` is the word whose vector has the largest product with ``R^-k h``.
    Seed ``s`` draws the vectors, of width d, and 20 sentences; there is one share for
    each seed.
    """
    return np.array([recalled_once(d, length, s, vocabulary) for s in range(seeds)])


@lru_cache(maxsize=8)  # sentence lengths share the draws of a seed
def _memory(
    d: int, seed: int, vocabulary: int
) -> tuple[Array, Array, np.random.Generator]:
    """Return a random ``R``, random word vectors ``E`` and the generator."""
    rng = np.random.default_rng(seed)
    R, E = orthogonal(rng, d), rng.standard_normal((vocabulary, d))
    return R, E / np.linalg.norm(E, axis=1, keepdims=True), rng


def recalled_once(d: int, length: int, seed: int, vocabulary: int = 100) -> float:
    """Return `recalled` for one seed."""
    R, E, rng = _memory(d, seed, vocabulary)
    words = deepcopy(rng).integers(vocabulary, size=(20, length))
    h = np.zeros((20, d))
    for t in range(length):
        h = h @ R.T + E[words[:, t]]
    right = 0
    for t in reversed(range(length)):
        right += (np.argmax(h @ E.T, axis=1) == words[:, t]).sum()
        h = h @ R
    return right / words.size
