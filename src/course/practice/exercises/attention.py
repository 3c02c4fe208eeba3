"""Exercises on attention: in five lines, with a causal mask, and with a cache."""

import numpy as np

from course.practice import right
from course.practice.coincidences import normal
from course.practice.gallery import ATTENTIONS, Gallery
from course.practice.gallery.attention import scaled, seen
from course.practice.gallery.weights import softmax
from course.practice.grader import FunctionTask, sizes_to
from course.practice.outcomes import NOTHING, NoNumbersError, numbers


def causal(attention):
    """Return the same attention with its causal mask switched on."""

    def masked(Q, K, V):
        return attention(Q, K, V, causal=True)

    return masked


def _draw_inputs(rng, sizes):
    """Draw queries, keys and values, three times."""
    return [normal(rng, sizes) for _ in range(3)]


_draw_sizes = sizes_to(7, count=4)


# --- Attention in five lines ----------------------------------------------------------

MISTAKES = Gallery()


def _half_of_the_quotient(Q, K, V):
    return softmax(Q @ K.T / K.shape[1] ** 1 / 2) @ V


@MISTAKES.add(
    "scale", "a root that is a half", "softmax(S / d_k ** 1/2) V", _half_of_the_quotient
)
def half_of_d_k(Q, K, V):
    """`d_k ** 1/2` is `(d_k ** 1) / 2`, half of d_k. The root is `d_k ** 0.5`."""
    return softmax(Q @ K.T / (K.shape[1] ** 1 / 2)) @ V


@MISTAKES.add("scale", "multiplied, not divided", "softmax(S sqrt(d_k)) V")
def multiplied(Q, K, V):
    """`/ d_k ** -0.5` divides by one over the root, so it multiplies by the root."""
    return softmax(Q @ K.T * np.sqrt(K.shape[1])) @ V


@MISTAKES.add("scale", "divided by sqrt(n)", "softmax(S / sqrt(n)) V")
def divided_by_root_of_n(Q, K, V):
    """`len(Q)` is the number of queries, not their width."""
    return softmax(Q @ K.T / np.sqrt(len(Q))) @ V


@MISTAKES.add("scale", "divided by sqrt(d_v)", "softmax(S / sqrt(d_v)) V")
def divided_by_root_of_d_v(Q, K, V):
    """A score is a product of a key and a query: the width of a value plays no part."""
    return softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V


@MISTAKES.add("softmax", "row sums used for the columns", "powers / powers.sum(axis=1)")
def without_keepdims(Q, K, V, causal=False):
    """Without `keepdims=True`, column j is divided by the sum of row j, if n = m."""
    powers = np.exp(seen(scaled(Q, K), causal))
    return powers / powers.sum(axis=1) @ V


@MISTAKES.add("softmax", "no softmax", "s V")
def no_softmax(Q, K, V):
    """Logits can be negative, and they do not add up to 1."""
    return scaled(Q, K) @ V


@MISTAKES.add("operands", "the weights returned", "softmax(s)")
def weights_returned(Q, K, V):
    """The weights say how much of each value to take. The values are not mixed yet."""
    return softmax(scaled(Q, K))


def _of_three_arguments(*groups):
    """Return the wrong attentions of some groups, except those that use d_model.

    The exercise's functions take Q, K and V only.
    """
    return [w for w in ATTENTIONS.of(*groups) if "d_model" not in w.formula]


def _exposes_mistakes(sizes):
    """Return whether all divisors differ, and no softmax runs over a single entry."""
    n, m, d_k, d_v = sizes
    # right, none, d_k, sqrt(m), sqrt(n), sqrt(d_v), d_k / 2, 1 / sqrt(d_k)
    squared_divisors = d_k, 1, d_k**2, m, n, d_v, d_k**2 / 4, 1 / d_k
    all_differ = len(set(squared_divisors)) == len(squared_divisors)
    return min(n, m) > 1 and all_differ


_OF_ONE_HEAD = _of_three_arguments("scale", "softmax", "operands")

ATTENTION = FunctionTask(
    arguments=("Q", "K", "V"),
    right=right.attention,
    wrong=(*_OF_ONE_HEAD, *MISTAKES.values()),
    examples=(
        (
            np.array([[1.0, 0, 2], [0.5, 1, -1]]),
            np.array([[1.0, 1, 0], [0, 2, 1], [2, 0, 1], [1, 1, 1]]),
            np.array([[1.0, 0], [0, 1], [2, 2], [-1, 3]]),
        ),
        (
            np.array([[1.0, 2], [0, 1]]),
            np.array([[1.0, 0], [-1, 1]]),
            np.array([[1.0, 3, 0], [2, -1, 1]]),
        ),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_inputs,
    exposes_mistakes=_exposes_mistakes,
    edge_sizes=(
        (1, 1, 1, 1),
        (1, 4, 3, 2),
        (4, 1, 3, 2),
        (4, 5, 1, 3),
        (4, 5, 3, 1),
        (40, 70, 9, 5),
    ),
)


# --- The causal mask ------------------------------------------------------------------

MASK_MISTAKES = Gallery()


def _before_by_a_large_number(Q, K, V):
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=-1), s, -1e9)) @ V


def _before_by_adding(Q, K, V):
    s = scaled(Q, K)
    return softmax(s + np.triu(np.full(s.shape, -1e9))) @ V


@MASK_MISTAKES.add(
    "mask",
    "only what came before",
    "softmax(s where tril(k=-1)) V",
    _before_by_a_large_number,
    _before_by_adding,
)
def sees_only_what_came_before(Q, K, V):
    """With `k=-1` a word does not see itself, and the first word sees nothing."""
    s = scaled(Q, K)
    return softmax(np.where(np.tri(*s.shape, k=-1), s, -np.inf)) @ V


def _draw_square_sizes(rng):
    n, _, d_k, d_v = _draw_sizes(rng)
    return n, n, d_k, d_v


def _exposes_mistakes_masks(sizes):
    """Return whether divisors differ and n > 2: if n = 2, tril(k=1) hides nothing."""
    n, m, d_k, _ = sizes
    return n > 2 and len({1, d_k, d_k**2, m}) == 4


CAUSAL = FunctionTask(
    arguments=("Q", "K", "V"),
    right=causal(right.attention),
    wrong=(
        *(wrong.within(causal) for wrong in _of_three_arguments("mask")),
        *MASK_MISTAKES.values(),
        *(wrong.within(causal) for wrong in _OF_ONE_HEAD),
        MISTAKES["row sums used for the columns"].within(causal),
    ),
    examples=(
        (
            np.array([[1.0, 0], [0.5, 1], [2, -1]]),
            np.array([[1.0, 1], [0, 2], [2, 0]]),
            np.array([[1.0, 0, 1], [0, 1, 2], [2, 2, -1]]),
        ),
        (
            np.array([[1.0, 2], [0, 1]]),
            np.array([[1.0, 0], [-1, 1]]),
            np.array([[1.0, 3], [2, -1]]),
        ),
    ),
    draw_sizes=_draw_square_sizes,
    draw_inputs=_draw_inputs,
    exposes_mistakes=_exposes_mistakes_masks,
    edge_sizes=((1, 1, 1, 1), (1, 1, 3, 2), (4, 4, 1, 3), (4, 4, 3, 1), (70, 70, 9, 5)),
)


# --- A decoding step with a cache -----------------------------------------------------

STEP_MISTAKES = Gallery()


def step(x, keys, values, W_Q, W_K, W_V):
    """Return the output of a new word, and both caches with the word added."""
    keys = np.vstack([keys, x @ W_K])
    values = np.vstack([values, x @ W_V])
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    return (weights @ values)[0], keys, values


def _attends_first_without_maximum(x, keys, values, W_Q, W_K, W_V):
    powers = np.exp(keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))  # [] if no keys
    z = powers / powers.sum() @ values
    return z, np.vstack([keys, x @ W_K]), np.vstack([values, x @ W_V])


@STEP_MISTAKES.add(
    "cache",
    "the new word left out",
    "attends before it appends",
    _attends_first_without_maximum,
)
def attends_before_it_appends(x, keys, values, W_Q, W_K, W_V):
    """The new key is appended after the attention: the new word does not see itself."""
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    z = (weights @ values)[0]
    return z, np.vstack([keys, x @ W_K]), np.vstack([values, x @ W_V])


@STEP_MISTAKES.add("cache", "what came before is forgotten", "keys = x W_K")
def forgets(x, keys, values, W_Q, W_K, W_V):
    """The new key replaces the cache, so it is the only key and has the weight 1."""
    return x @ W_V, (x @ W_K)[None], (x @ W_V)[None]


@STEP_MISTAKES.add("cache", "the cache does not grow", "return z, keys, values")
def does_not_grow(x, keys, values, W_Q, W_K, W_V):
    """The old cache is returned, so the next word does not see this word."""
    z, _, _ = step(x, keys, values, W_Q, W_K, W_V)
    return z, keys, values


@STEP_MISTAKES.add(
    "cache", "keys prepended, values appended", "[k, keys] and [values, v]"
)
def at_different_ends(x, keys, values, W_Q, W_K, W_V):
    """The new key comes first, the new value last: keys and values do not match."""
    keys = np.vstack([x @ W_K, keys])
    values = np.vstack([values, x @ W_V])
    weights = softmax((keys @ (x @ W_Q) / np.sqrt(keys.shape[1]))[None])
    return (weights @ values)[0], keys, values


@STEP_MISTAKES.add("cache", "not divided", "softmax(S) V")
def step_not_divided(x, keys, values, W_Q, W_K, W_V):
    """Without the division NumPy raises no error. For narrow keys little changes."""
    return step(x, keys, values, W_Q * np.sqrt(W_Q.shape[1]), W_K, W_V)


@STEP_MISTAKES.add("cache", "divided by sqrt(m)", "softmax(S / sqrt(m)) V")
def step_divided_by_root_of_m(x, keys, values, W_Q, W_K, W_V):
    """`len(keys)` is the number of keys, not their width."""
    # with this W_Q, `step` divides by sqrt(m)
    rescaled = W_Q * np.sqrt(W_Q.shape[1] / (len(keys) + 1))
    return step(x, keys, values, rescaled, W_K, W_V)


@STEP_MISTAKES.add("cache", "divided by sqrt(d_model)", "softmax(S / sqrt(d_model)) V")
def step_divided_by_root_of_d_model(x, keys, values, W_Q, W_K, W_V):
    """`len(x)` is the width of the model. The formula takes the width of a key."""
    # with this W_Q, `step` divides by sqrt(d_model)
    rescaled = W_Q * np.sqrt(W_Q.shape[1] / len(x))
    return step(x, keys, values, rescaled, W_K, W_V)


@STEP_MISTAKES.add("cache", "keys as values", "A K")
def step_keys_as_values(x, keys, values, W_Q, W_K, W_V):
    """One cache serves for both: the weights mix the keys, not the values."""
    z, keys, _ = step(x, keys, keys, W_Q, W_K, W_K)
    return z, keys, np.vstack([values, x @ W_V])


def decode(function, X, W_Q, W_K, W_V, known):
    """Return the outputs of a step for each token of X after the first `known`."""
    keys, values = X[:known] @ W_K, X[:known] @ W_V
    outputs = []
    for x in X[known:]:
        returned = function(x.copy(), keys, values, W_Q, W_K, W_V)
        if returned is None:
            raise NoNumbersError(NOTHING)
        if not isinstance(returned, tuple | list) or len(returned) != 3:
            raise NoNumbersError("it should return three things: z, keys, values")
        z, keys, values = returned
        shape, due = numbers(z).shape, W_V.shape[1:]
        if len(shape) != 1 or (outputs and shape != np.shape(outputs[0])):
            raise NoNumbersError(f"z has the shape {shape} and should have {due}")
        outputs.append(z)
    return outputs


def _draw_step_sizes(rng):
    n, d_k, d_v, d_model = (int(size) for size in rng.integers(1, 6, size=4))
    known = int(rng.integers(0, 4))
    return n + known, known, d_k, d_v, d_model


def _draw_tokens(rng, sizes):
    n, known, d_k, d_v, d_model = sizes
    return [
        (
            rng.normal(size=(n, d_model)),
            *(rng.normal(size=(d_model, d)) / d_model**0.5 for d in (d_k, d_k, d_v)),
            known,
        )
        for _ in range(2)
    ]


def _exposes_mistakes_steps(sizes):
    """Return whether a filled cache is used twice or more, and all divisors differ."""
    n, known, d_k, _, d_model = sizes
    return known > 0 and n > known + 1 and d_k > 1 and d_model not in (1, d_k)


_TOKENS = np.array([[1.0, 0, 1], [0, 2, 1], [1, 1, 0], [2, 0, 1]])
_PROJECTIONS = (
    np.array([[1.0, 0], [0, 1], [1, -1]]),
    np.array([[0.5, 1], [1, 0], [0, 2]]),
    np.array([[1.0, 0], [0, 3], [2, 1]]),
)

STEP = FunctionTask(
    arguments=("X", "W_Q", "W_K", "W_V", "known"),
    right=step,
    wrong=tuple(STEP_MISTAKES.values()),
    examples=((_TOKENS, *_PROJECTIONS, 2), (_TOKENS[:3], *_PROJECTIONS, 0)),
    draw_sizes=_draw_step_sizes,
    draw_inputs=_draw_tokens,
    exposes_mistakes=_exposes_mistakes_steps,
    edge_sizes=((1, 0, 1, 1, 1), (2, 0, 3, 2, 4), (3, 1, 2, 1, 4), (20, 5, 9, 5, 11)),
    call=decode,
    returns=", for one token after the other",
)
