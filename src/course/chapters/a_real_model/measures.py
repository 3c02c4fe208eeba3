"""Measures of attention maps: to which tokens the heads attend."""

from collections.abc import Sequence

import numpy as np

from course.chapters.a_real_model.texts import REPEATED
from course.kit.arrays import Array
from course.kit.measures import entropy

BACK, FROM = 20, 40
"""The measure ``far`` is the weight more than BACK tokens back, from row FROM on."""


def measures(weights: Array, tokens: Sequence[int]) -> dict[str, Array]:
    """Return measures, (layers, heads), of the tokens to which heads attend.

    The maps have shape (layers, heads, n, n). Each measure is a mean over rows.
    ``first``: weight on the first token. ``previous``: weight on the previous token.
    ``same``: weight on earlier copies of the token, in rows with a copy. ``induction``:
    weight on the token after the copy, for repeated words only. ``words``: exp of the
    entropy, the number of words in use. ``far``: weight over 20 tokens back, not on the
    first, from row 40, in long texts only.
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
