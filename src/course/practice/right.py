"""The right attention, and six ways to write it.

A good test accepts all six. A test that rejects one of them tests how the code is
written, not what it returns.
"""

import math

import numpy as np

from attention import scaled_dot_product_attention
from course.practice.gallery.attention import scaled, seen
from course.practice.gallery.weights import softmax


def attention(Q, K, V, causal=False, d_model=8):
    """Attention of one head, with the arguments of the gallery's functions.

    With a causal mask, query ``i`` sees the keys 0 to ``i`` only. A wrong attention
    divides by the root of `d_model`, which is not used here.
    """
    return softmax(seen(scaled(Q, K), causal)) @ V


def loops(Q, K, V, causal=False, d_model=8):
    """Number by number, as on paper."""
    rows = []
    for i, query in enumerate(Q):
        keys = range(min(i + 1, len(K)) if causal else len(K))
        root = math.sqrt(len(query))
        logits = [
            sum(float(q * k) for q, k in zip(query, K[j], strict=True)) / root
            for j in keys
        ]
        powers = [math.exp(x - max(logits)) for x in logits]
        weights = [power / sum(powers) for power in powers]
        rows.append([sum(weights[j] * v[j] for j in keys) for v in np.transpose(V)])
    return np.array(rows)


def einsum(Q, K, V, causal=False, d_model=8):
    """With `np.einsum`, and a mask that is added."""
    s = np.einsum("ik,jk->ij", Q, K) * K.shape[-1] ** -0.5
    if causal:
        s = s + np.triu(np.full(s.shape, -np.inf), k=1)
    powers = np.exp(s - np.amax(s, axis=-1)[:, None])
    return np.einsum("ij,jv->iv", powers / np.einsum("ij->i", powers)[:, None], V)


def float32(Q, K, V, causal=False, d_model=8):
    """With half as many digits."""
    Q, K, V = (np.asarray(array, np.float32) for array in (Q, K, V))
    return softmax(seen(Q @ K.T / np.float32(K.shape[1]) ** 0.5, causal)) @ V


def blocked(Q, K, V, causal=False, d_model=8, block=2):
    """With a few keys at a time, so that the weights never exist all at once."""
    places = np.arange(len(Q))[:, None]
    largest = np.full((len(Q), 1), -np.inf)
    total, output = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block):
        key, value = K[start : start + block], V[start : start + block]
        s = scaled(Q, key)
        if causal:
            s = np.where(places < start + np.arange(len(key)), -np.inf, s)
        new = np.maximum(largest, s.max(axis=1, keepdims=True))
        powers, shrunk = np.exp(s - new), np.exp(largest - new)
        total = total * shrunk + powers.sum(axis=1, keepdims=True)
        output = output * shrunk + powers @ value
        largest = new
    return output / total


def batched(Q, K, V, causal=False, d_model=8):
    """For any leading axes, with a large negative number for each hidden logit."""
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if causal:
        later = np.arange(s.shape[-1]) > np.arange(s.shape[-2])[:, None]
        s = np.where(later, -1e30, s)
    s = s - s.max(axis=-1, keepdims=True)
    return np.exp(s - np.log(np.exp(s).sum(axis=-1, keepdims=True))) @ V


def library(Q, K, V, causal=False, d_model=8):
    """With the course's library."""
    return scaled_dot_product_attention(Q, K, V, is_causal=bool(causal))


WAYS = (loops, einsum, float32, blocked, batched, library)
