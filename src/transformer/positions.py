"""Sinusoidal position encodings, which are added to the embeddings.

Two other schemes are in `attention`: `attention.rotary_embedding` rotates queries and
keys, and `attention.alibi` lowers the scores of distant pairs.
"""

import numpy as np
from numpy.typing import NDArray


def sinusoidal(length: int, d_model: int) -> NDArray:
    """Return the paper's encodings: sines and cosines of increasing wavelengths.

    Column ``2i`` holds ``sin(position / 10000 ** (2i / d_model))`` and column
    ``2i + 1`` the cosine. The encodings of two positions have a dot product that
    depends on their distance alone. The shape is (length, d_model); an odd `d_model` is
    a ValueError.

    Source: Vaswani et al. (2017), Attention Is All You Need, section 3.5.

    >>> sinusoidal(2, 2).round(2).tolist()
    [[0.0, 1.0], [0.84, 0.54]]
    """
    if d_model % 2:
        raise ValueError(
            f"d_model must be even, a sine and a cosine each, got {d_model}"
        )
    frequencies = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] * frequencies  # (length, d_model / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, d_model)
