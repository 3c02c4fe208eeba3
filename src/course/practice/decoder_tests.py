"""Tests of a decoder, and a right decoder in loops.

A test takes a decoder, ``decoder(Q, K, V, prompt=3, width=4, start=0)``, and returns
whether the decoder passes.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.bench import close

Decoder = Callable[..., NDArray[Any]]

SIZES = 4, 2, 9, 6  # query heads, heads of keys, words, columns of a head
LN_3 = math.log(3)


def drawn() -> list[NDArray[Any]]:
    """Draw Q, K and V."""
    h, g, n, d = SIZES
    rng = np.random.default_rng(0)
    return [2 * rng.normal(size=(heads, n, d)) for heads in (h, g, g)]


def the_shape(decoder: Decoder) -> bool:
    """The output has the shape of the queries."""
    Q, K, V = drawn()
    return decoder(Q, K, V).shape == Q.shape


def values_all_equal(decoder: Decoder) -> bool:
    """The mean of equal values is their common value."""
    Q, K, V = drawn()
    V[:] = [1, -2, 3, 4, -5, 6]
    return close(decoder(Q, K, V), np.broadcast_to(V[0, 0], Q.shape))


def text_moved(decoder: Decoder) -> bool:
    """If all words move by 1,000 places, no output changes."""
    Q, K, V = drawn()
    return close(decoder(Q, K, V, start=1000), decoder(Q, K, V))


def read_at_once(decoder: Decoder) -> bool:
    """Reading all words at once or one by one gives the same outputs."""
    Q, K, V = drawn()
    return close(decoder(Q, K, V, prompt=1), decoder(Q, K, V, prompt=Q.shape[1]))


def left_the_window(decoder: Decoder) -> bool:
    """A word that left the window has no effect on the last word."""
    Q, K, V = drawn()
    before = decoder(Q, K, V, width=4)
    K[:, -5], V[:, -5] = 9, 9
    return close(decoder(Q, K, V, width=4)[:, -1], before[:, -1])


def heads_alone(decoder: Decoder) -> bool:
    """A head of keys gives the same outputs without the other heads of keys."""
    Q, K, V = drawn()
    alone = [decoder(q, K[[i]], V[[i]]) for i, q in enumerate(np.split(Q, len(K)))]
    return close(decoder(Q, K, V), np.concatenate(alone))


def two_words(decoder: Decoder) -> bool:
    """Scores of ln 3 and 0 make weights of 3/4 and 1/4, so values 4 and 8 make 5."""
    Q, K, V = (
        np.ones((1, 2, 2)),
        np.zeros((1, 2, 2)),
        np.array([[[4.0] * 2, [8.0] * 2]]),
    )
    K[0, 0] = LN_3 * np.sqrt(2) * np.array([np.cos(1), np.sin(1)])
    Q[0, 1] = 1, 0  # rotated by 1 radian, it has the direction of the first key
    return close(decoder(Q, K, V, prompt=2)[0, 1], [5.0, 5.0])


def against_loops(decoder: Decoder) -> bool:
    """All outputs equal the outputs of `loops`."""
    return close(decoder(*drawn()), loops(*drawn()))


TESTS: dict[str, Callable[[Decoder], bool]] = {
    "the shape": the_shape,
    "values all equal": values_all_equal,
    "text moved by 1,000 places": text_moved,
    "read at once or one by one": read_at_once,
    "a word left the window": left_the_window,
    "each head of keys alone": heads_alone,
    "two words by hand": two_words,
    "against loops": against_loops,
}


def loops(
    Q: NDArray[Any], K: NDArray[Any], V: NDArray[Any], width: int = 4
) -> NDArray[Any]:
    """Return the outputs number by number, as on paper."""
    h, n, d = Q.shape
    found = np.zeros((h, n, V.shape[2]))
    for head, t in np.ndindex(h, n):
        key, value = (x[head * len(x) // h] for x in (K, V))
        seen = range(max(0, t - width + 1), t + 1)
        powers = [
            math.exp(_product(Q[head, t], key[j], t - j) / math.sqrt(d)) for j in seen
        ]
        for power, j in zip(powers, seen, strict=True):
            found[head, t] += power / sum(powers) * value[j]
    return found


def _product(q: NDArray[Any], k: NDArray[Any], distance: int) -> float:
    """Return the product of a rotated query and key, by complex numbers."""
    half = len(q) // 2
    pairs = (q[:half] + 1j * q[half:]) * (k[:half] - 1j * k[half:])
    angles = distance * 100.0 ** (-np.arange(half) / half)
    return float((pairs * np.exp(1j * angles)).sum().real)
