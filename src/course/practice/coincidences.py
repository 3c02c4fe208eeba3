"""Sizes and inputs at which wrong attentions agree with the right one, or each other.

Each row of `OF_ATTENTION` and `OF_HEADS` names functions that agree at certain sizes.
On normal random inputs no other two functions agree, except that rounding decides
whether "total in float16" agrees. The tests check both claims at many sizes.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

RIGHT = "the right one"


class Sizes(NamedTuple):
    """Sizes of the input of one head, and whether the causal mask is on."""

    n: int = 5
    m: int = 5
    d_k: int = 3
    d_v: int = 3
    d_model: int = 8
    causal: bool = True


class HeadSizes(NamedTuple):
    """Sizes of the input of several heads."""

    n: int = 5
    d_model: int = 6
    h: int = 2
    d_k: int = 3
    d_v: int = 3


class Coincidence(NamedTuple):
    """Functions that return the same numbers at all sizes that meet a condition."""

    when: str  # the condition in words
    why: str  # the reason
    holds: Callable[[Any], bool]  # the condition as a function of the sizes
    alike: tuple[str, ...]  # names of functions that agree; `RIGHT` is the right one


_SCALES = (
    "not divided",
    "divided by d_k",
    "divided by sqrt(d_model)",
    "divided by sqrt(m)",
)
_MASKS = (
    "mask after the softmax",
    "0 in place of -inf",
    "mask off by one",
    "mask ignored",
)

OF_ATTENTION = (
    Coincidence(
        "the logits are of ordinary size",
        "every logit is far below 709, where exp overflows, and less than 700 below "
        "the largest of all",
        lambda size: True,
        (RIGHT, "no maximum subtracted", "the matrix's maximum subtracted"),
    ),
    Coincidence(
        "no mask",
        "no mask can be wrong",
        lambda size: not size.causal,
        (RIGHT, *_MASKS, "mask inverted"),
    ),
    Coincidence(
        "d_k = 1",
        "dividing by 1 or by its root changes nothing",
        lambda size: size.d_k == 1,
        (RIGHT, "not divided", "divided by d_k", "divided after the softmax"),
    ),
    Coincidence(
        "d_model = d_k",
        "the head is as wide as the model",
        lambda size: size.d_model == size.d_k,
        (RIGHT, "divided by sqrt(d_model)"),
    ),
    Coincidence(
        "d_model = d_k * d_k",
        "the root of d_model is d_k: 4 and 2, as in the cat sat",
        lambda size: size.d_model == size.d_k**2,
        ("divided by sqrt(d_model)", "divided by d_k"),
    ),
    Coincidence(
        "d_model = 1",
        "its root is 1",
        lambda size: size.d_model == 1,
        ("divided by sqrt(d_model)", "not divided"),
    ),
    Coincidence(
        "m = d_k",
        "the number of keys equals the width of a key",
        lambda size: size.m == size.d_k,
        (RIGHT, "divided by sqrt(m)"),
    ),
    Coincidence(
        "m = d_k * d_k",
        "the root of m is d_k",
        lambda size: size.m == size.d_k**2,
        ("divided by sqrt(m)", "divided by d_k"),
    ),
    Coincidence(
        "m = d_model",
        "both divide by the same root",
        lambda size: size.m == size.d_model,
        ("divided by sqrt(m)", "divided by sqrt(d_model)"),
    ),
    Coincidence(
        "n = 1",
        "the matrix has one row only",
        lambda size: size.n == 1,
        (RIGHT, "softmax over all entries"),
    ),
    Coincidence(
        "m = 1",
        "a single key has the weight 1, whatever its score",
        lambda size: size.m == 1,
        (RIGHT, *_SCALES, "logits divided by their sum", "softmax twice"),
    ),
    Coincidence(
        "m = 1",
        "the matrix has one column only",
        lambda size: size.m == 1,
        ("softmax over the queries", "softmax over all entries"),
    ),
    Coincidence(
        "m = d_k = 1",
        "a single number is its own transpose",
        lambda size: size.m == size.d_k == 1,
        (RIGHT, "keys not transposed"),
    ),
    Coincidence(
        "n = m = 1",
        "a single weight is its own transpose, and no key comes later",
        lambda size: size.n == size.m == 1,
        (RIGHT, "softmax over the queries", "weights transposed", *_MASKS),
    ),
    Coincidence(
        "n = 2, causal",
        "with two keys a mask that is off by one hides nothing",
        lambda size: size.n == 2 and size.causal,
        ("mask off by one", "mask ignored"),
    ),
)

OF_HEADS = (
    Coincidence(
        "h = 1",
        "there is only one head to split, to merge and to order",
        lambda size: size.h == 1,
        (
            RIGHT,
            "heads split by reshape",
            "heads merged by reshape",
            "heads in reverse order",
            "every h-th column to a head",
            "one head's projections in all",
            "one big head",
            "every head through the first rows of W_O",
        ),
    ),
    Coincidence(
        "n = 1",
        "a single word has the weight 1 in each head",
        lambda size: size.n == 1,
        (RIGHT, "heads split by reshape", "heads merged by reshape", "one big head"),
    ),
    Coincidence(
        "d_k = d_v = 1",
        "a head of one column has no columns to mix up",
        lambda size: size.d_k == size.d_v == 1,
        (RIGHT, "every h-th column to a head"),
    ),
    Coincidence(
        "n = d_v = 1",
        "with one word only the values count, and each head has one value",
        lambda size: size.n == size.d_v == 1,
        (RIGHT, "every h-th column to a head"),
    ),
)


class SpecialInput(NamedTuple):
    """Inputs on which some wrong attentions agree with the right one, causal or not."""

    when: str  # what is special about the inputs
    why: str  # why the attentions agree
    draw: Callable[[np.random.Generator, Sizes], tuple[NDArray[Any], ...]]
    alike: tuple[str, ...]  # names of wrong attentions that agree on every such input


def normal(rng: np.random.Generator, sizes: Sizes) -> tuple[NDArray[Any], ...]:
    """Draw normal queries, keys and values."""
    n, m, d_k, d_v = sizes[:4]
    return tuple(rng.normal(size=shape) for shape in ((n, d_k), (m, d_k), (m, d_v)))


def _equal_values(rng: np.random.Generator, sizes: Sizes) -> tuple[NDArray[Any], ...]:
    Q, K, V = normal(rng, sizes)
    return Q, K, np.tile(V[:1], (sizes.m, 1))


def _zero_queries(rng: np.random.Generator, sizes: Sizes) -> tuple[NDArray[Any], ...]:
    Q, K, V = normal(rng, sizes)
    return 0 * Q, K, V


def _past_a_thousand(
    rng: np.random.Generator, sizes: Sizes
) -> tuple[NDArray[Any], ...]:
    """Draw inputs whose logits lie at least 1,000 apart in each row."""
    *_, V = normal(rng, sizes)
    unit = np.eye(sizes.d_k)[rng.integers(sizes.d_k)]
    signs = rng.choice([-1, 1], size=sizes.n)
    ranks = 1 + rng.permutation(sizes.m)
    return np.outer(1000 * sizes.d_k * signs, unit), np.outer(ranks, unit), V


OF_INPUTS = (
    SpecialInput(
        "equal rows of V",
        "any weights that add up to 1 give the same mean",
        _equal_values,
        (
            *_SCALES,
            "logits divided by their sum",
            "softmax twice",
            "0 in place of -inf",
            "mask off by one",
            "mask ignored",
            "no maximum subtracted",
            "the matrix's maximum subtracted",
        ),
    ),
    SpecialInput(
        "Q = 0, up to 2,048 keys",
        "all logits are 0, whatever the divisor",
        _zero_queries,
        (
            *_SCALES,
            "no maximum subtracted",
            "the matrix's maximum subtracted",
            "total in float16",
        ),
    ),
    SpecialInput(
        "logits 1,000 or more apart",
        "the largest logit gets all of the weight, whatever the divisor",
        _past_a_thousand,
        (*_SCALES, "total in float16"),
    ),
)


def classes(
    sizes: Sizes | HeadSizes, table: Iterable[Coincidence]
) -> list[frozenset[str]]:
    """Return disjoint groups of names: the functions that agree at given sizes.

    The table is `OF_ATTENTION` or `OF_HEADS`. Two names are in one group if they agree
    directly or through other names.
    """
    found: list[frozenset[str]] = []
    for alike in (frozenset(row.alike) for row in table if row.holds(sizes)):
        overlapping = [group for group in found if group & alike]
        found = [group for group in found if not group & alike]
        found.append(alike.union(*overlapping))
    return found
