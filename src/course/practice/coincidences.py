"""Where wrong attentions give what the right one gives, or what another one gives.

Each line of the two tables is a theorem about sizes, and on normal draws there is
nothing beside them: the tests demand both, at every size that they try.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

RIGHT = "the right one"


class Sizes(NamedTuple):
    """Sizes of one head's input; `causal` says whether the mask is on."""

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
    """Functions that give the same numbers wherever a condition holds.

    Attributes
    ----------
    when : str
        The condition in words.
    why : str
        The reason.
    holds : callable
        The condition, of sizes.
    alike : tuple of str
        Names of the functions, `RIGHT` among them where the right one is alike.
    """

    when: str
    why: str
    holds: Callable[[Any], bool]
    alike: tuple[str, ...]


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
        "nothing is past 709, where exp overflows, or 746 below the largest of all",
        lambda size: True,
        (RIGHT, "no maximum subtracted", "the matrix's maximum subtracted"),
    ),
    Coincidence(
        "no mask",
        "there is nothing to get wrong",
        lambda size: not size.causal,
        (RIGHT, *_MASKS, "mask inverted"),
    ),
    Coincidence(
        "d_k = 1",
        "1, its root and no division at all are one",
        lambda size: size.d_k == 1,
        (RIGHT, "not divided", "divided by d_k", "divided after the softmax"),
    ),
    Coincidence(
        "d_model = d_k",
        "one head as wide as the model",
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
        "as many keys as they are wide",
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
        "one root for two widths",
        lambda size: size.m == size.d_model,
        ("divided by sqrt(m)", "divided by sqrt(d_model)"),
    ),
    Coincidence(
        "n = 1",
        "a matrix of one row is that row",
        lambda size: size.n == 1,
        (RIGHT, "softmax over all entries"),
    ),
    Coincidence(
        "m = 1",
        "a single key has the weight 1 whatever its score",
        lambda size: size.m == 1,
        (RIGHT, *_SCALES, "logits divided by their sum", "softmax twice"),
    ),
    Coincidence(
        "m = 1",
        "a matrix of one column is that column",
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
        "of two keys a mask off by one hides none",
        lambda size: size.n == 2 and size.causal,
        ("mask off by one", "mask ignored"),
    ),
)

OF_HEADS = (
    Coincidence(
        "h = 1",
        "there is one head to split off, to merge, to put in order",
        lambda size: size.h == 1,
        (
            RIGHT,
            "heads split by reshape",
            "heads merged by reshape",
            "heads in reverse order",
            "columns dealt out in turn",
            "one head's projections in all",
            "one big head",
            "every head through the first rows of W_O",
        ),
    ),
    Coincidence(
        "n = 1",
        "one word has all of its own weight in each head",
        lambda size: size.n == 1,
        (RIGHT, "heads split by reshape", "heads merged by reshape", "one big head"),
    ),
    Coincidence(
        "d_k = d_v = 1",
        "a head of one column has nothing to mix up",
        lambda size: size.d_k == size.d_v == 1,
        (RIGHT, "columns dealt out in turn"),
    ),
    Coincidence(
        "n = d_v = 1",
        "with one word only values count, and each head has one",
        lambda size: size.n == size.d_v == 1,
        (RIGHT, "columns dealt out in turn"),
    ),
)


class SpecialInput(NamedTuple):
    """Inputs on which wrong attentions give what the right one gives, causal ones too.

    Attributes
    ----------
    when, why : str
        What is special, and the reason.
    draw : callable
        Draws Q, K and V with a generator, of some sizes.
    alike : tuple of str
        Those that give what is right on every such input.
    """

    when: str
    why: str
    draw: Callable[[np.random.Generator, Sizes], tuple[NDArray[Any], ...]]
    alike: tuple[str, ...]


def normal(rng: np.random.Generator, sizes: Sizes) -> tuple[NDArray[Any], ...]:
    """Draw queries, keys and values, all of them normal."""
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
    """Draw logits of which no two in a row lie less than 1,000 apart."""
    *_, V = normal(rng, sizes)
    one = np.eye(sizes.d_k)[rng.integers(sizes.d_k)]
    sides = rng.choice([-1, 1], size=sizes.n)
    places = 1 + rng.permutation(sizes.m)
    return np.outer(1000 * sizes.d_k * sides, one), np.outer(places, one), V


OF_INPUTS = (
    SpecialInput(
        "equal rows of V",
        "whatever adds up to 1 gives the same mean",
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
        "Q = 0",
        "all logits are 0, whatever they are divided by",
        _zero_queries,
        (
            *_SCALES,
            "no maximum subtracted",
            "the matrix's maximum subtracted",
            "total in float16",
        ),
    ),
    SpecialInput(
        "logits past 1,000",
        "the largest takes all, whatever it is divided by",
        _past_a_thousand,
        (*_SCALES, "total in float16"),
    ),
)


def classes(
    sizes: Sizes | HeadSizes, table: Iterable[Coincidence]
) -> list[frozenset[str]]:
    """Tell which functions must give the same numbers at some sizes.

    Parameters
    ----------
    sizes : Sizes or HeadSizes
    table : iterable of Coincidence
        `OF_ATTENTION` or `OF_HEADS`.

    Returns
    -------
    list of frozenset of str
        Names that are alike, directly or by way of a third; no name stands twice.
    """
    found: list[frozenset[str]] = []
    for alike in (frozenset(row.alike) for row in table if row.holds(sizes)):
        touched = [each for each in found if each & alike]
        found = [each for each in found if not each & alike]
        found.append(alike.union(*touched))
    return found


def alike(a: str, b: str, sizes: Sizes | HeadSizes, table: Any) -> bool:
    """Whether two functions must give the same numbers at some sizes."""
    return any({a, b} <= each for each in classes(sizes, table))
