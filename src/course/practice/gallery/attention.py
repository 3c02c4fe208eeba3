"""Twenty-one wrong attentions of one head: the right one with one change.

``Q`` is (n, d_k), ``K`` (m, d_k), ``V`` (m, d_v); S = Q K^T, s = S / sqrt(d_k). In a
causal attention query ``i`` sees the keys 0 to ``i``. One wrong attention divides by
the root of ``d_model``, the width of the model around the head.
"""

import numpy as np

from course.practice.gallery.weights import WEIGHTS, softmax
from course.practice.gallery.wrong_function import Gallery

ATTENTIONS = Gallery()


def scaled(Q, K):
    """Scores divided by the root of the width of a key."""
    return Q @ K.T / np.sqrt(K.shape[1])


def seen(logits, causal, otherwise=-np.inf):
    """Logits, with `otherwise` wherever a causal mask hides the key."""
    return np.where(np.tri(*logits.shape), logits, otherwise) if causal else logits


# --- Scale ----------------------------------------------------------------------------


@ATTENTIONS.add("scale", "not divided", "softmax(S) V")
def not_divided(Q, K, V, causal=False, d_model=8):
    """Without the division NumPy raises no error. For narrow keys little changes."""
    return softmax(seen(Q @ K.T, causal)) @ V


@ATTENTIONS.add("scale", "divided by d_k", "softmax(S / d_k) V")
def divided_by_d_k(Q, K, V, causal=False, d_model=8):
    """The division is there, but its root is missing: the weights are too even."""
    return softmax(seen(Q @ K.T / K.shape[1], causal)) @ V


@ATTENTIONS.add("scale", "divided by sqrt(d_model)", "softmax(S / sqrt(d_model)) V")
def divided_by_root_of_d_model(Q, K, V, causal=False, d_model=8):
    """The code divides by the root of the input width.

    The formula uses the width of a key.
    """
    return softmax(seen(Q @ K.T / np.sqrt(d_model), causal)) @ V


@ATTENTIONS.add("scale", "divided by sqrt(m)", "softmax(S / sqrt(m)) V")
def divided_by_root_of_m(Q, K, V, causal=False, d_model=8):
    """`len(K)` is the number of keys, not their width."""
    return softmax(seen(Q @ K.T / np.sqrt(len(K)), causal)) @ V


@ATTENTIONS.add("scale", "divided after the softmax", "softmax(S) V / sqrt(d_k)")
def divided_after_the_softmax(Q, K, V, causal=False, d_model=8):
    """The bracket closes too early, as in the lecture notes.

    Each row of weights adds up to 1/sqrt(d_k).
    """
    return softmax(seen(Q @ K.T, causal)) @ V / np.sqrt(K.shape[1])


# --- Softmax --------------------------------------------------------------------------


def attention_by(weights):
    """Return an attention that makes its weights by a wrong function."""

    def attention(Q, K, V, causal=False, d_model=8):
        return weights(seen(scaled(Q, K), causal)) @ V

    return attention


ATTENTIONS |= {w.name: w.within(attention_by) for w in WEIGHTS.of("softmax")}


# --- Operands -------------------------------------------------------------------------


@ATTENTIONS.add("operands", "keys not transposed", "softmax(Q K / sqrt(d_k)) V")
def keys_not_transposed(Q, K, V, causal=False, d_model=8):
    """Without `.T` NumPy raises an error, unless m = d_k."""
    return softmax(seen(Q @ K / np.sqrt(K.shape[1]), causal)) @ V


@ATTENTIONS.add("operands", "weights transposed", "A^T V")
def weights_transposed(Q, K, V, causal=False, d_model=8):
    """Rows and columns are exchanged. With as many keys as queries the shapes fit."""
    return softmax(seen(scaled(Q, K), causal)).T @ V


@ATTENTIONS.add("operands", "keys as values", "A K")
def keys_as_values(Q, K, V, causal=False, d_model=8):
    """The weights mix the keys. They should mix the values."""
    return softmax(seen(scaled(Q, K), causal)) @ K


# --- Mask -----------------------------------------------------------------------------


@ATTENTIONS.add("mask", "mask after the softmax", "(softmax(s) * mask) V")
def mask_after_the_softmax(Q, K, V, causal=False, d_model=8):
    """The hidden weights become 0 after the softmax: rows no longer add up to 1."""
    return seen(softmax(scaled(Q, K)), causal, otherwise=0) @ V


@ATTENTIONS.add("mask", "0 in place of -inf", "softmax(s * mask) V")
def zero_in_place_of_minus_infinity(Q, K, V, causal=False, d_model=8):
    """A logit of 0 hides nothing: exp(0) is 1, so the hidden key gets some weight."""
    return softmax(seen(scaled(Q, K), causal, otherwise=0)) @ V


def _hides_by_a_large_number(Q, K, V, causal=False, d_model=8):
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape), -1e9, s) if causal else s) @ V


def _sees_itself_and_later_keys(Q, K, V, causal=False, d_model=8):
    s = scaled(Q, K)
    later = np.triu(np.ones(s.shape))
    return softmax(np.where(later, s, -np.inf) if causal else s) @ V


@ATTENTIONS.add(
    "mask",
    "mask inverted",
    "softmax(s where not mask) V",
    _hides_by_a_large_number,
    _sees_itself_and_later_keys,
)
def mask_inverted(Q, K, V, causal=False, d_model=8):
    """True may mean "hide" or "show"; libraries differ. Here words see later words."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape), -np.inf, s) if causal else s) @ V


@ATTENTIONS.add("mask", "mask off by one", "softmax(s where tril(k=1)) V")
def mask_off_by_one(Q, K, V, causal=False, d_model=8):
    """`np.tri` and `np.tril` with `k=1` keep one later key too. Use `k=0`."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=1), s, -np.inf) if causal else s) @ V


@ATTENTIONS.add("mask", "mask ignored", "softmax(s) V")
def mask_ignored(Q, K, V, causal=False, d_model=8):
    """The mask exists, but nothing uses it: words see later words."""
    return softmax(scaled(Q, K)) @ V


# --- Numbers --------------------------------------------------------------------------

ATTENTIONS |= {w.name: w.within(attention_by) for w in WEIGHTS.of("numbers")}
