"""Nine wrong decoders: the right one with one change.

A decoder reads the first ``prompt`` words in one run. These words fill the cache, and
the other words come one by one. ``Q`` is (h, n, d), ``K`` and ``V`` are (g, n, d), and
g divides h. A word sees itself and the ``width - 1`` words before it. ``start`` is the
position of the first word. Each group below holds the wrong versions of one step of a
decoder.
"""

from functools import partial

import numpy as np

from course.practice.gallery.wrong_function import Gallery

STEPS, DECODERS = Gallery(), Gallery()

# --- Right ----------------------------------------------------------------------------


def held(stop, prompt):
    """Return the indices of the cached words; the newest word has index stop - 1."""
    return np.arange(stop)


def turn(x, places):
    """Rotate columns i, i + d/2 of each word by an angle that grows with its place."""
    a, b = np.split(x, 2, axis=2)
    angle = np.outer(places, 100.0 ** (-np.arange(a.shape[2]) / a.shape[2]))
    c, s = np.cos(angle), np.sin(angle)
    return np.concatenate([c * a - s * b, s * a + c * b], axis=2)


def rotated(Q, K, V, places):
    """Rotate the queries and the keys. The values stay."""
    return turn(Q, places), turn(K, places), V


def repeated(x, h):
    """Let consecutive query heads share a head: (g, n, d) -> (h, n, d)."""
    return np.repeat(x, h // len(x), axis=0)


def visible(query, key, width):
    """Return whether a query sees a key, both given by their positions."""
    return (key <= query) & (query - key < width)


def merged(tops, totals, outputs):
    """Return the output from the results of `half` for both halves of the keys."""
    shrink = np.exp(tops - tops.max(axis=0))
    return (shrink * outputs).sum(axis=0) / (shrink * totals).sum(axis=0)


def half(Q, K, V, seen):
    """Return the maximum, the sum of exponentials, and exponentials times values."""
    s = np.where(seen, Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[2]), -np.inf)
    top = s.max(axis=2, keepdims=True, initial=-1e30)
    powers = np.exp(s - top)
    return top, powers.sum(axis=2, keepdims=True), powers @ V


def decoder(
    Q,
    K,
    V,
    prompt=3,
    width=4,
    start=0,
    cache=held,
    positions=rotated,
    heads=repeated,
    window=visible,
    merge=merged,
):
    """Causal attention with a cache, rotary positions, shared keys and a window."""
    Q, K, V = positions(Q, K, V, start + np.arange(Q.shape[1]))
    K, V = heads(K, len(Q)), heads(V, len(Q))
    outputs = []
    for stop in range(prompt, Q.shape[1] + 1):
        rows = np.arange(prompt) if stop == prompt else np.array([stop - 1])
        kept = cache(stop, prompt)
        parts = [
            half(Q[:, rows], K[:, keys], V[:, keys], window(rows[:, None], keys, width))
            for keys in np.array_split(kept, 2)
        ]
        outputs.append(merge(*map(np.array, zip(*parts, strict=True))))
    return np.concatenate(outputs, axis=1)


# --- Wrong ----------------------------------------------------------------------------


@STEPS.add("cache", "a word cached twice", "[k_1 ... k_p, k_p, k_(p+1) ...]")
def last_word_twice(stop, prompt):
    """Decoding starts with the last word of the prompt, which the cache has already."""
    return np.r_[:prompt, prompt - (stop > prompt) : stop]


@STEPS.add("positions", "other pairs for the keys", "columns 2i and 2i + 1 of K")
def other_pairs_for_keys(Q, K, V, places):
    """Two conventions exist for the pairs. Queries and keys need the same one."""
    return turn(Q, places), turn_neighbours(K, places), V


@STEPS.add("positions", "other pairs for both", "columns 2i and 2i + 1 of Q and K")
def other_pairs_for_both(Q, K, V, places):
    """Right only with weights that were trained with these pairs."""
    return turn_neighbours(Q, places), turn_neighbours(K, places), V


def turn_neighbours(x, places):
    """Rotate columns 2i and 2i + 1 as a pair."""
    order = np.r_[0 : x.shape[2] : 2, 1 : x.shape[2] : 2]
    found = np.empty_like(x)
    found[:, :, order] = turn(x[:, :, order], places)
    return found


@STEPS.add("positions", "values rotated too", "R_p v")
def values_turned(Q, K, V, places):
    """Places may enter only the scores. Rotated values depend on absolute places."""
    return turn(Q, places), turn(K, places), turn(V, places)


@STEPS.add("positions", "only the queries rotated", "(R_p q) . k")
def queries_turned(Q, K, V, places):
    """If the keys stay, the angle depends on the place of the query alone."""
    return turn(Q, places), K, V


@STEPS.add("heads", "groups interleaved", "np.tile, not np.repeat")
def interleaved(x, h):
    """The shapes fit, but query heads 0 and 1 get different heads of keys."""
    return np.tile(x, (h // len(x), 1, 1))


@STEPS.add("window", "window off by one", "query - key <= width")
def one_too_many(query, key, width):
    """The width includes the word itself. This version counts only the words before."""
    return (key <= query) & (query - key <= width)


@STEPS.add("merge", "merged without rescaling", "no exp(old - new)")
def not_rescaled(tops, totals, outputs):
    """Each half subtracts its own maximum, so their sums have different scales."""
    return outputs.sum(axis=0) / totals.sum(axis=0)


@STEPS.add("merge", "mean of the two halves", "(Z_1 + Z_2) / 2")
def mean_of_halves(tops, totals, outputs):
    """A half with small powers counts as much as a half with large ones."""
    return (outputs / np.where(totals, totals, 1)).mean(axis=0)


DECODERS |= {
    wrong.name: wrong.within(
        lambda step, name=wrong.group: partial(decoder, **{name: step})
    )
    for wrong in STEPS.values()
}
