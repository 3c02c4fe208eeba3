"""Attention itself: in five lines, with a causal mask, and a step with a cache."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice import right
from course.practice.coincidences import (
    OF_ATTENTION,
    RIGHT,
    Coincidence,
    Sizes,
    classes,
)
from course.practice.gallery import ATTENTIONS, Gallery, WrongFunction
from course.practice.gallery.attention import scaled, seen
from course.practice.gallery.weights import softmax
from course.practice.grader import FunctionTask, Inputs
from course.practice.outcomes import NOTHING, NoNumbersError

Array = NDArray[Any]


def causal(attention: Callable[..., Array]) -> Callable[..., Array]:
    """Switch a function's mask on."""

    def masked(Q: Array, K: Array, V: Array) -> Array:
        return attention(Q, K, V, causal=True)

    return masked


def _of(*groups: str) -> tuple[WrongFunction, ...]:
    """Mistakes of some groups that need nothing but Q, K and V."""
    every = ATTENTIONS.values()
    found = [wrong for group in groups for wrong in every if wrong.group == group]
    return tuple(wrong for wrong in found if "d_model" not in wrong.formula)


def _no_two_alike(wrong: tuple[WrongFunction, ...]) -> Callable[[Sizes], bool]:
    names = {RIGHT, *(each.name for each in wrong)}
    table = (*OF_ATTENTION, *OF_OWN)
    return lambda sizes: all(len(names & a) < 2 for a in classes(sizes, table))


def draw(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    """Draw queries, keys and values, three times."""
    n, m, d_k, d_v = sizes[:4]
    shapes = (n, d_k), (m, d_k), (m, d_v)
    return [tuple(rng.normal(size=shape) for shape in shapes) for _ in range(3)]


def _sizes(rng: np.random.Generator) -> Sizes:
    n, m, d_k, d_v = (int(size) for size in rng.integers(1, 8, size=4))
    return Sizes(n, m, d_k, d_v, causal=False)


def _square_sizes(rng: np.random.Generator) -> Sizes:
    sizes = _sizes(rng)
    return sizes._replace(m=sizes.n, causal=True)


OWN = Gallery()


def _half_of_the_quotient(Q: Array, K: Array, V: Array) -> Array:
    return softmax(Q @ K.T / K.shape[1] ** 1 / 2) @ V


@OWN.holds(
    "scale", "a root that is a half", "softmax(S / d_k ** 1/2) V", _half_of_the_quotient
)
def half_of_d_k(Q: Array, K: Array, V: Array) -> Array:
    """`d_k ** 1/2` is `(d_k ** 1) / 2`, half of d_k; the root is `d_k ** 0.5`."""
    return softmax(Q @ K.T / (K.shape[1] ** 1 / 2)) @ V


@OWN.holds("scale", "multiplied, not divided", "softmax(S sqrt(d_k)) V")
def multiplied(Q: Array, K: Array, V: Array) -> Array:
    """`/ d_k ** -0.5` divides by one over the root, and so multiplies by the root."""
    return softmax(Q @ K.T * np.sqrt(K.shape[1])) @ V


@OWN.holds("scale", "divided by sqrt(n)", "softmax(S / sqrt(n)) V")
def divided_by_root_of_n(Q: Array, K: Array, V: Array) -> Array:
    """`len(Q)` is how many queries there are, and not how wide they are."""
    return softmax(Q @ K.T / np.sqrt(len(Q))) @ V


@OWN.holds("scale", "divided by sqrt(d_v)", "softmax(S / sqrt(d_v)) V")
def divided_by_root_of_d_v(Q: Array, K: Array, V: Array) -> Array:
    """Often values are as wide as keys, but a score is a product of key and query."""
    return softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V


@OWN.holds("softmax", "row sums laid along the columns", "powers / powers.sum(axis=1)")
def without_keepdims(Q: Array, K: Array, V: Array, causal: bool = False) -> Array:
    """Without `keepdims=True` the sums are a row, which divides column by column."""
    powers = np.exp(seen(scaled(Q, K), causal))
    return powers / powers.sum(axis=1) @ V


@OWN.holds("softmax", "no softmax", "s V")
def no_softmax(Q: Array, K: Array, V: Array) -> Array:
    """Logits are no shares: they can be negative, and add up to anything."""
    return scaled(Q, K) @ V


@OWN.holds("operands", "the weights returned", "softmax(s)")
def weights_returned(Q: Array, K: Array, V: Array) -> Array:
    """Weights say how much of each value to take; the values are still to be mixed."""
    return softmax(scaled(Q, K))


_SQUARES: dict[str, Callable[[Sizes], float]] = {
    RIGHT: lambda size: size.d_k,
    "not divided": lambda size: 1,
    "divided by d_k": lambda size: size.d_k**2,
    "divided by sqrt(m)": lambda size: size.m,
    "divided by sqrt(n)": lambda size: size.n,
    "divided by sqrt(d_v)": lambda size: size.d_v,
    "a root that is a half": lambda size: size.d_k**2 / 4,
    "multiplied, not divided": lambda size: 1 / size.d_k,
}
"""The square of what each divides by."""


def _alike(one: str, other: str) -> Coincidence:
    return Coincidence(
        f"{one} or {other}",
        "two divisors are one number",
        lambda size: _SQUARES[one](size) == _SQUARES[other](size),
        (one, other),
    )


OF_OWN = (
    *itertools.starmap(_alike, itertools.combinations(_SQUARES, 2)),
    Coincidence(
        "m = 1",
        "a single key has the weight 1 whatever its score",
        lambda size: size.m == 1,
        tuple(_SQUARES),
    ),
    Coincidence(
        "n = 1",
        "a single sum divides its row, whichever way it lies",
        lambda size: size.n == 1,
        (RIGHT, "row sums laid along the columns"),
    ),
)

_OF_ONE_HEAD = _of("scale", "softmax", "operands")
_WITHOUT_MASK = (*_OF_ONE_HEAD, *OWN.values())

ATTENTION = FunctionTask(
    arguments=("Q", "K", "V"),
    right=right.attention,
    wrong=_WITHOUT_MASK,
    printed=(
        (
            np.array([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]]),
            np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0] * 3]),
            np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [-1.0, 3.0]]),
        ),
        (
            np.array([[1.0, 2.0], [0.0, 1.0]]),
            np.array([[1.0, 0.0], [-1.0, 1.0]]),
            np.array([[1.0, 3.0, 0.0], [2.0, -1.0, 1.0]]),
        ),
    ),
    sizes=_sizes,
    draw=draw,
    tells=_no_two_alike(_WITHOUT_MASK),
    always=tuple(
        Sizes(*sizes, causal=False)
        for sizes in (
            (1, 1, 1, 1),
            (1, 4, 3, 2),
            (4, 1, 3, 2),
            (4, 5, 1, 3),
            (4, 5, 3, 1),
            (40, 70, 9, 5),
        )
    ),
)

OWN_MASKS = Gallery()


def _before_by_a_large_number(Q: Array, K: Array, V: Array) -> Array:
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=-1), s, -1e9)) @ V


def _before_by_adding(Q: Array, K: Array, V: Array) -> Array:
    s = scaled(Q, K)
    return softmax(s + np.triu(np.full(s.shape, -1e9))) @ V


@OWN_MASKS.holds(
    "mask",
    "only what came before",
    "softmax(s where tril(k=-1)) V",
    _before_by_a_large_number,
    _before_by_adding,
)
def sees_only_what_came_before(Q: Array, K: Array, V: Array) -> Array:
    """With `k=-1` a word does not see itself, and the first one has nothing to see."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=-1), s, -np.inf)) @ V


_WITH_MASK = (
    *(wrong.within(causal) for wrong in _of("mask")),
    *OWN_MASKS.values(),
    *(wrong.within(causal) for wrong in _OF_ONE_HEAD),
    OWN["row sums laid along the columns"].within(causal),
)

CAUSAL = FunctionTask(
    arguments=("Q", "K", "V"),
    right=causal(right.attention),
    wrong=_WITH_MASK,
    printed=(
        (
            np.array([[1.0, 0.0], [0.5, 1.0], [2.0, -1.0]]),
            np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]]),
            np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0], [2.0, 2.0, -1.0]]),
        ),
        (
            np.array([[1.0, 2.0], [0.0, 1.0]]),
            np.array([[1.0, 0.0], [-1.0, 1.0]]),
            np.array([[1.0, 3.0], [2.0, -1.0]]),
        ),
    ),
    sizes=_square_sizes,
    draw=draw,
    tells=_no_two_alike(_WITH_MASK),
    always=tuple(
        Sizes(*sizes)
        for sizes in (
            (1, 1, 1, 1),
            (1, 1, 3, 2),
            (4, 4, 1, 3),
            (4, 4, 3, 1),
            (70, 70, 9, 5),
        )
    ),
)


# --- A decoding step with a cache -----------------------------------------------------

STEP_MISTAKES = Gallery()

Step = tuple[Array, Array, Array]


def step(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """Attention of one new token to all so far, itself among them."""
    keys = np.vstack([keys, x @ W_K])
    values = np.vstack([values, x @ W_V])
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    return (weights @ values)[0], keys, values


def _asks_first_without_maximum(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    powers = np.exp(keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))  # none at the first
    z = powers / powers.sum() @ values
    return z, np.vstack([keys, x @ W_K]), np.vstack([values, x @ W_V])


@STEP_MISTAKES.holds(
    "cache",
    "the new token left out",
    "asks before it appends",
    _asks_first_without_maximum,
)
def asks_before_it_appends(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """The cache is asked before the new key is in it: a token no longer sees itself."""
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    z = (weights @ values)[0]
    return z, np.vstack([keys, x @ W_K]), np.vstack([values, x @ W_V])


@STEP_MISTAKES.holds("cache", "what came before is forgotten", "keys = x W_K")
def forgets(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """The new key takes the place of the cache: it is the only one, of weight 1."""
    return x @ W_V, (x @ W_K)[None], (x @ W_V)[None]


@STEP_MISTAKES.holds("cache", "the cache does not grow", "return z, keys, values")
def does_not_grow(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """What was appended is not what is returned: the next token does not find it."""
    z, _, _ = step(x, keys, values, W_Q, W_K, W_V)
    return z, keys, values


@STEP_MISTAKES.holds(
    "cache", "keys at one end, values at the other", "[k, keys] and [values, v]"
)
def at_different_ends(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """A key in front and its value behind: the two no longer belong together."""
    keys = np.vstack([x @ W_K, keys])
    values = np.vstack([values, x @ W_V])
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    return (weights @ values)[0], keys, values


@STEP_MISTAKES.holds("cache", "not divided", "softmax(S) V")
def step_not_divided(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """Nothing fails without the root, and at small widths little changes."""
    return step(x, keys, values, W_Q * np.sqrt(W_Q.shape[1]), W_K, W_V)


@STEP_MISTAKES.holds("cache", "divided by sqrt(m)", "softmax(S / sqrt(m)) V")
def step_divided_by_root_of_m(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """`len(keys)` is how many keys there are, and not how wide they are."""
    shorter = W_Q * np.sqrt(W_Q.shape[1] / (len(keys) + 1))
    return step(x, keys, values, shorter, W_K, W_V)


@STEP_MISTAKES.holds(
    "cache", "divided by sqrt(d_model)", "softmax(S / sqrt(d_model)) V"
)
def step_divided_by_root_of_d_model(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """`len(x)` is the width of the model; the one that counts is a key's."""
    shorter = W_Q * np.sqrt(W_Q.shape[1] / len(x))
    return step(x, keys, values, shorter, W_K, W_V)


@STEP_MISTAKES.holds("cache", "keys as values", "A K")
def step_keys_as_values(
    x: Array, keys: Array, values: Array, W_Q: Array, W_K: Array, W_V: Array
) -> Step:
    """With one cache for both, what words are found by is handed over as well."""
    z, keys, _ = step(x, keys, keys, W_Q, W_K, W_K)
    return z, keys, np.vstack([values, x @ W_V])


def decode(
    function: Callable[..., Any],
    X: Array,
    W_Q: Array,
    W_K: Array,
    W_V: Array,
    known: int,
) -> Array:
    """Feed tokens to a step one by one; the first `known` are in the cache already."""
    keys, values = X[:known] @ W_K, X[:known] @ W_V
    outputs = []
    for x in X[known:]:
        returned = function(x.copy(), keys, values, W_Q, W_K, W_V)
        if returned is None:
            raise NoNumbersError(NOTHING)
        if not isinstance(returned, tuple | list) or len(returned) != 3:
            raise NoNumbersError("it should return three things: z, keys, values")
        z, keys, values = returned
        outputs.append(z)
    return np.array(outputs)


def _step_sizes(rng: np.random.Generator) -> Sizes:
    n, d_k, d_v, d_model = (int(size) for size in rng.integers(1, 6, size=4))
    known = int(rng.integers(0, 4))
    return Sizes(n + known, known, d_k, d_v, d_model)


def _tokens(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    n, known, d_k, d_v, d_model = sizes[:5]
    return [
        (
            rng.normal(size=(n, d_model)),
            *(rng.normal(size=(d_model, d)) / d_model**0.5 for d in (d_k, d_k, d_v)),
            known,
        )
        for _ in range(2)
    ]


def _step_tells(sizes: Sizes) -> bool:
    has_steps = sizes.m > 0 and sizes.n > sizes.m + 1
    return has_steps and sizes.d_k > 1 and sizes.d_model not in (1, sizes.d_k)


STEP = FunctionTask(
    arguments=("X", "W_Q", "W_K", "W_V", "known"),
    right=step,
    wrong=tuple(STEP_MISTAKES.values()),
    printed=(
        (
            np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [2.0, 0, 1]]),
            np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]),
            np.array([[0.5, 1.0], [1.0, 0.0], [0.0, 2.0]]),
            np.array([[1.0, 0.0], [0.0, 3.0], [2.0, 1.0]]),
            2,
        ),
        (
            np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 1.0], [1.0, 1.0, 0.0]]),
            np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]),
            np.array([[0.5, 1.0], [1.0, 0.0], [0.0, 2.0]]),
            np.array([[1.0, 0.0], [0.0, 3.0], [2.0, 1.0]]),
            0,
        ),
    ),
    sizes=_step_sizes,
    draw=_tokens,
    tells=_step_tells,
    always=tuple(
        Sizes(*sizes)
        for sizes in (
            (1, 0, 1, 1, 1),
            (2, 0, 3, 2, 4),
            (3, 1, 2, 1, 4),
            (20, 5, 9, 5, 11),
        )
    ),
    call=decode,
    returns=", for one token after the other",
)
