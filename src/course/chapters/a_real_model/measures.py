"""Measures of maps: where heads attend to."""

from collections.abc import Sequence

import numpy as np

from course.chapters.a_real_model.texts import REPEATED
from course.kit.arrays import Array
from course.kit.measures import entropy

BACK, FROM = 20, 40
"""Tokens back that count as far, and the row from which far is measured."""


def measures(weights: Array, tokens: Sequence[int]) -> dict[str, Array]:
    """Measure where heads attend to.

    Parameters
    ----------
    weights : ndarray, shape (layers, heads, n, n)
    tokens : sequence of int, length n

    Returns
    -------
    dict of str to ndarray, shape (layers, heads)
        Means over rows of: ``first``, the weight on the first token; ``previous``, on
        the token before; ``same``, on earlier tokens that are the same, in rows that
        have one; ``induction``, on the token after such a one, one run of random words
        before; ``words``, exp of the entropy, the number of words in use; ``far``, the
        weight more than 20 tokens back, the first token left out, in rows from 40 on.
    """
    tokens, n = np.asarray(tokens), len(tokens)
    query, key = np.indices((n, n))
    rows = np.arange(2, n)
    same = (tokens[:, None] == tokens) & (key < query) & (key > 0)
    repeats = same.any(axis=1)
    far = (query - key > BACK) & (key > 0)
    found = {
        "first": weights[:, :, rows, 0].mean(axis=-1),
        "previous": weights[:, :, rows, rows - 1].mean(axis=-1),
        "same": (weights * same).sum(axis=-1)[:, :, repeats].mean(axis=-1),
        "words": np.exp(entropy(weights[:, :, rows])).mean(axis=-1),
    }
    if n > 2 * FROM:
        found["far"] = (weights * far).sum(axis=-1)[:, :, FROM:].mean(axis=-1)
    if n == 2 * REPEATED:
        rows = np.arange(REPEATED, n)
        found["induction"] = weights[:, :, rows, rows - REPEATED + 1].mean(axis=-1)
    return found
