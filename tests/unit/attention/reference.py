"""Attention again, for comparison: loops over Python floats, no NumPy algebra.

The reference shares no code with the library and works differently: it skips masked
keys instead of setting scores to minus infinity, and broadcasts axes by index.
"""

import math

import numpy as np


def pick(array, index):
    """Return ``array[index]`` as if `array` were broadcast to ``len(index)`` axes."""
    pairs = zip(index[len(index) - array.ndim :], array.shape, strict=True)
    return array[tuple(0 if n == 1 else i for i, n in pairs)]


def softmax(logits, beta=1.0):
    """Return the softmax of a list of floats in which None takes no part."""
    present = [x for x in logits if x is not None]
    if not present:
        return [0.0] * len(logits)
    top = max(present)
    powers = [0.0 if x is None else math.exp(beta * (x - top)) for x in logits]
    total = math.fsum(powers)
    return [power / total for power in powers]


def logit(query_row, key_row, mask_entry, scale, softcap=None):
    """Return the logit of one query and one key, or None if the mask hides it."""
    if mask_entry is False or mask_entry == -math.inf:
        return None
    pairs = zip(query_row.tolist(), key_row.tolist(), strict=True)
    added = 0.0 if mask_entry is None or mask_entry is True else mask_entry
    scaled = math.fsum(a * b for a, b in pairs) * scale
    capped = scaled if softcap is None else softcap * math.tanh(scaled / softcap)
    return capped + added


def seen(
    n,
    m,
    causal=False,
    alignment="top-left",
    length=None,
    window=None,
    query_length=None,
):
    """Return which keys each query sees under all conditions, booleans (n, m)."""
    length = m if length is None else length
    query_length = n if query_length is None else query_length
    left, right = (math.inf, math.inf) if window is None else window
    found = np.zeros((n, m), bool)
    for i, j in np.ndindex(n, m):
        place = i if alignment == "top-left" else length - (query_length - i)
        near = place - left <= j <= place + right
        real = i < query_length and j < length
        found[i, j] = real and near and not (causal and j > place)
    return found


def attention(query, key, value, mask=None, softcap=None):
    """Return weights and output in float64."""
    query, key, value = (np.asarray(a, dtype=np.float64) for a in (query, key, value))
    n, d_k = query.shape[-2:]
    m, d_v = value.shape[-2:]
    scale = 1 / math.sqrt(d_k)
    batch = np.broadcast_shapes(*(a.shape[:-2] for a in (query, key, value)))
    weights, output = np.zeros((*batch, n, m)), np.zeros((*batch, n, d_v))
    for at in np.ndindex(*batch):
        for i in range(n):
            logits = []
            for j in range(m):
                entry = None if mask is None else pick(mask, (*at, i, j)).item()
                q = np.array([pick(query, (*at, i, c)) for c in range(d_k)])
                k = np.array([pick(key, (*at, j, c)) for c in range(d_k)])
                logits.append(logit(q, k, entry, scale, softcap))
            weights[(*at, i)] = softmax(logits)
            for c in range(d_v):
                output[(*at, i, c)] = math.fsum(
                    weights[(*at, i, j)] * pick(value, (*at, j, c)) for j in range(m)
                )
    return weights, output


def product(a, b):
    """Return the product of two matrices, by loops."""
    found = np.zeros((len(a), b.shape[1]))
    for i, j in np.ndindex(*found.shape):
        found[i, j] = math.fsum(x * y for x, y in zip(a[i], b[:, j], strict=True))
    return found


def multi_head(x, context, W_Q, W_K, W_V, W_O, mask=None):
    """Return multi-head attention of one sequence; `mask` is (h, n, m) or None.

    Each head is multiplied by its block of W_O, and the products are added, without
    concatenation.
    """
    h, _, d_v = W_V.shape
    output = np.zeros((len(x), W_O.shape[1]))
    for i in range(h):
        _, head = attention(
            product(x, W_Q[i]),
            product(context, W_K[i]),
            product(context, W_V[i]),
            None if mask is None else mask[i],
        )
        output += product(head, W_O[i * d_v : (i + 1) * d_v])
    return output
