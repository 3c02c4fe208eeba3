"""Twenty-one wrong attentions of one head: the right one with one thing changed.

``n`` queries, ``m`` keys; S = Q K^T, s = S / sqrt(d_k). In a causal attention query
``i`` may see the keys 0 to ``i``. `d_model`, the width of the model around the head, is
an argument because one of them divides by its root.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery.weights import WEIGHTS, softmax
from course.practice.gallery.wrong import Computes, Gallery

Array = NDArray[Any]

ATTENTIONS = Gallery()


def scaled(Q: Array, K: Array) -> Array:
    """Scores over the root of the width of a key."""
    return Q @ K.T / np.sqrt(K.shape[1])


def seen(logits: Array, causal: bool, otherwise: float = -np.inf) -> Array:
    """Logits, with something else in the place of what a causal mask hides."""
    return np.where(np.tri(*logits.shape), logits, otherwise) if causal else logits


# --- Scale ----------------------------------------------------------------------------


@ATTENTIONS.holds("scale", "not divided", "softmax(S) V")
def not_divided(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """Nothing fails without the root, and at small widths little changes."""
    return softmax(seen(Q @ K.T, causal)) @ V


@ATTENTIONS.holds("scale", "divided by d_k", "softmax(S / d_k) V")
def divided_by_d_k(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """The division is remembered and its root is not: rows come out too even."""
    return softmax(seen(Q @ K.T / K.shape[1], causal)) @ V


@ATTENTIONS.holds("scale", "divided by sqrt(d_model)", "softmax(S / sqrt(d_model)) V")
def divided_by_root_of_d_model(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """The width at hand is that of the input; the one that counts is a key's."""
    return softmax(seen(Q @ K.T / np.sqrt(d_model), causal)) @ V


@ATTENTIONS.holds("scale", "divided by sqrt(m)", "softmax(S / sqrt(m)) V")
def divided_by_root_of_m(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """`len(K)` is how many keys there are, and not how wide they are."""
    return softmax(seen(Q @ K.T / np.sqrt(len(K)), causal)) @ V


@ATTENTIONS.holds("scale", "divided after the softmax", "softmax(S) V / sqrt(d_k)")
def divided_after_the_softmax(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """The bracket closes too early, as in one of the notes: outputs are too short."""
    return softmax(seen(Q @ K.T, causal)) @ V / np.sqrt(K.shape[1])


# --- Softmax --------------------------------------------------------------------------


def attention_by(weights: Computes) -> Computes:
    """Make an attention of a wrong way from logits to weights."""

    def attention(
        Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
    ) -> Array:
        return weights(seen(scaled(Q, K), causal)) @ V

    return attention


ATTENTIONS |= {
    wrong.name: wrong.within(attention_by)
    for wrong in WEIGHTS.values()
    if wrong.group == "softmax"
}


# --- Operands -------------------------------------------------------------------------


@ATTENTIONS.holds("operands", "keys not transposed", "softmax(Q K / sqrt(d_k)) V")
def keys_not_transposed(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """Without `.T` NumPy objects, unless there are as many keys as they are wide."""
    return softmax(seen(Q @ K / np.sqrt(K.shape[1]), causal)) @ V


@ATTENTIONS.holds("operands", "weights transposed", "A^T V")
def weights_transposed(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """Rows and columns have changed places; with as many keys as queries it fits."""
    return softmax(seen(scaled(Q, K), causal)).T @ V


@ATTENTIONS.holds("operands", "keys as values", "A K")
def keys_as_values(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """What words are found by is mixed, and not what they hand over."""
    return softmax(seen(scaled(Q, K), causal)) @ K


# --- Mask -----------------------------------------------------------------------------


@ATTENTIONS.holds("mask", "mask after the softmax", "(softmax(s) * mask) V")
def mask_after_the_softmax(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """Hidden weights are set to 0 once they are there: rows no longer add up to 1."""
    return seen(softmax(scaled(Q, K)), causal, otherwise=0) @ V


@ATTENTIONS.holds("mask", "0 in place of -inf", "softmax(s * mask) V")
def zero_in_place_of_minus_infinity(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """A logit of 0 hides nothing: exp(0) is 1, and the hidden key gets a share."""
    return softmax(seen(scaled(Q, K), causal, otherwise=0)) @ V


def _hides_by_a_large_number(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape), -1e9, s) if causal else s) @ V


def _sees_itself_and_what_comes(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    s = scaled(Q, K)
    later = np.triu(np.ones(s.shape))
    return softmax(np.where(later, s, -np.inf) if causal else s) @ V


@ATTENTIONS.holds(
    "mask",
    "mask inverted",
    "softmax(s where not mask) V",
    _hides_by_a_large_number,
    _sees_itself_and_what_comes,
)
def mask_inverted(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """True may mean "hide" or "show", and libraries differ: words see what comes."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape), -np.inf, s) if causal else s) @ V


@ATTENTIONS.holds("mask", "mask off by one", "softmax(s where tril(k=1)) V")
def mask_off_by_one(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """The `k=1` belongs to `triu`, which hides; in `tril` it shows one key more."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=1), s, -np.inf) if causal else s) @ V


@ATTENTIONS.holds("mask", "mask ignored", "softmax(s) V")
def mask_ignored(
    Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
) -> Array:
    """A mask is there, and nothing uses it: words see what comes after them."""
    return softmax(scaled(Q, K)) @ V


# --- Numbers --------------------------------------------------------------------------

ATTENTIONS |= {
    wrong.name: wrong.within(attention_by)
    for wrong in WEIGHTS.values()
    if wrong.group == "numbers"
}
