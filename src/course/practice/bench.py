"""Tests of attention, and which wrong attentions each test catches.

A test takes an attention, ``attention(Q, K, V, causal=False, d_model=8)``. It rejects
the attention by raising an error, as ``assert`` does, or by returning False.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice import right
from course.practice.gallery import ATTENTIONS, WrongFunction
from course.practice.grader import lines_of, wrapped, written
from course.practice.outcomes import outcome, quiet, same

Array = NDArray[Any]
Attention = Callable[..., Array]
Test = Callable[[Attention], Any]

TESTS: dict[str, Test] = {}


def named(name: str) -> Callable[[Test], Test]:
    """Return a decorator that adds a test to `TESTS` under this name."""

    def add(test: Test) -> Test:
        TESTS[name] = test
        return test

    return add


def close(one: Array, other: Any) -> bool:
    """Return whether two arrays agree to 1e-5; float32 has about seven digits."""
    return np.shape(one) == np.shape(other) and np.allclose(one, other, 0, 1e-5)


def some(*shapes: tuple[int, int]) -> list[Array]:
    """Draw matrices of normal random numbers, the same at every call."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


# --- The bench ------------------------------------------------------------------------


@named("the shape")
def has_the_shape(attention: Attention) -> bool:
    """The output has one row for each query, as wide as a value."""
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    return attention(Q, K, V).shape == (4, 4)


@named("values all equal")
def averages(attention: Attention) -> bool:
    """The mean of equal values is their common value."""
    Q, K, _ = some((4, 4), (4, 4), (4, 4))
    V = np.tile([1.0, -2.0, 3.0], (4, 1))
    return close(attention(Q, K, V), V)


@named("between the values")
def stays_between(attention: Attention) -> bool:
    """A mean lies between the smallest and the largest value."""
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    Z = attention(Q, K, V, causal=True)
    return bool((V.min(axis=0) - 1e-6 <= Z).all() and (V.max(axis=0) + 1e-6 >= Z).all())


@named("the identity as values")
def shows_the_weights(attention: Attention) -> bool:
    """With V = I the output is the weights: none is below 0, each row adds up to 1."""
    Q, K = some((4, 4), (4, 4))
    A = attention(Q, K, np.eye(4), causal=True)
    return bool((A >= 0).all()) and close(A.sum(axis=1), np.ones(4))


@named("queries of zeros")
def averages_for_zero_queries(attention: Attention) -> bool:
    """A query of zeros gets the mean of the values that it may see."""
    K, V = some((4, 4), (4, 4))
    means = np.cumsum(V, axis=0) / np.arange(1, 5)[:, None]
    return close(attention(np.zeros((4, 4)), K, V, causal=True), means)


@named("keys in another order")
def ignores_the_order(attention: Attention) -> bool:
    """Reordering the keys and the values together changes nothing."""
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    return close(attention(Q, K[::-1], V[::-1]), attention(Q, K, V))


@named("a later word changed")
def does_not_look_ahead(attention: Attention) -> bool:
    """Under a causal mask, a change of the last word changes no earlier output."""
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    before = attention(Q, K, V, causal=True)
    K[3], V[3] = 9, 9
    after = attention(Q, K, V, causal=True)
    return close(after[:3], before[:3]) and not close(after[3], before[3])


@named("two keys by hand")
def two_keys(attention: Attention) -> bool:
    """Logits of 0 and ln 3 make weights of 1/4 and 3/4; d_k is 4, so its root is 2."""
    Q = np.array([[2 * np.log(3), 0, 0, 0]])
    K, V = np.array([[0.0, 1, 0, 0], [1.0, 0, 0, 0]]), np.array([[4.0], [8.0]])
    return close(attention(Q, K, V), [[7.0]])


@named("three words, against loops")
def as_in_the_notes(attention: Attention) -> bool:
    """Compare with loops: three words, d_k = 2, d_model = 4, as in "the cat sat"."""
    Q, K, V = some((3, 2), (3, 2), (3, 2))
    return close(attention(Q, K, V, d_model=4), right.loops(Q, K, V))


@named("all sizes equal, against loops")
def square(attention: Attention) -> bool:
    """Compare with loops: four words, d_k = 4, d_model = 4, a causal mask."""
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    found = attention(Q, K, V, causal=True, d_model=4)
    return close(found, right.loops(Q, K, V, causal=True))


@named("all sizes different, against loops")
def oblong(attention: Attention) -> bool:
    """Compare with loops: two queries, five keys, d_k = 3, d_v = 4, d_model = 8."""
    Q, K, V = some((2, 3), (5, 3), (5, 4))
    return close(attention(Q, K, V), right.loops(Q, K, V))


@named("causal, against loops")
def causal(attention: Attention) -> bool:
    """Compare with loops: five words, d_k = 3, d_model = 8, a causal mask."""
    Q, K, V = some((5, 3), (5, 3), (5, 3))
    return close(attention(Q, K, V, causal=True), right.loops(Q, K, V, causal=True))


@named("logits past 1,000")
def survives_large_logits(attention: Attention) -> bool:
    """Softmax depends only on differences of logits, also if the logits are large."""
    Q, K, V = np.full((2, 1), 1000.0), np.array([[1.0], [1.0]]), np.eye(2)
    return close(attention(Q, K, V), np.full((2, 2), 0.5))


@named("one row far below")
def survives_a_low_row(attention: Attention) -> bool:
    """The output of a query does not depend on the logits of other queries."""
    Q, K, V = np.array([[500.0], [-500.0]]), np.array([[1.0], [1.0]]), np.eye(2)
    return close(attention(Q, K, V), np.full((2, 2), 0.5))


@named("4,096 equal keys")
def survives_many_keys(attention: Attention) -> bool:
    """The mean of 4,096 values of 1 is 1."""
    many = np.ones((4096, 1))
    return close(attention(many[:1], many, many), [[1.0]])


# --- Running tests --------------------------------------------------------------------


def rejection(test: Test, attention: Attention) -> str:
    """Return why a test rejects an attention, or an empty text if the attention passes.

    Raise a TypeError if the test returns anything but True, False or None.
    """
    with quiet():
        try:
            returned = test(attention)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # pytest.fail raises no Exception
            return f"{type(error).__name__}: {error}".strip(": \n")
    if returned is None:
        return ""
    if isinstance(returned, bool | np.bool_):
        return "" if returned else "it returned False"
    raise TypeError(
        "a test should assert something or return True or False, not "
        f"{type(returned).__name__}"
    )


def table(
    tests: Mapping[str, Test] = TESTS,
    gallery: Mapping[str, WrongFunction] = ATTENTIONS,
) -> dict[str, dict[str, bool]]:
    """Return whether a test rejects a wrong attention: ``table()[attention][test]``."""
    return {
        name: {
            test: bool(rejection(run, wrong.function)) for test, run in tests.items()
        }
        for name, wrong in gallery.items()
    }


@dataclass(frozen=True)
class Grade:
    """The grade of a test. It displays as its text, and is true if the test passed."""

    passed: bool  # accepts each right attention and catches each wrong one
    text: str
    # Names of wrong attentions; empty if the test rejects a right attention.
    caught: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()  # names of right attentions

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return self.text


def grade(test: Test) -> Grade:
    """Grade a test that the reader wrote.

    The test takes ``attention(Q, K, V, causal=False, d_model=8)``, with Q (n, d_k),
    K (m, d_k) and V (m, d_v). It must accept six right attentions. Then `grade` counts
    the wrong attentions that the test catches. All attentions have the same name and
    come in a random order, so that a test can only judge them by their results.
    """
    if not callable(test):
        given = type(test).__name__
        return Grade(False, f"Not yet: grade takes the test itself, and got {given}.")
    every = {way.__name__: way for way in right.WAYS}
    every |= {wrong.name: wrong.function for wrong in ATTENTIONS.values()}
    order = list(every)
    np.random.default_rng().shuffle(order)
    try:
        reasons = {name: rejection(test, _anonymous(every[name])) for name in order}
    except TypeError as error:
        return Grade(False, wrapped([f"Not yet: {error}."]))
    rejected = [way for way in right.WAYS if reasons[way.__name__]]
    if rejected:
        names = tuple(way.__name__ for way in rejected)
        text = wrapped(_lines_on_rejected(rejected, reasons))
        return Grade(False, text, rejected=names)
    caught = tuple(name for name in ATTENTIONS if reasons[name])
    missed = tuple(name for name in ATTENTIONS if not reasons[name])
    text = wrapped(_lines_on_wrong(caught, missed))
    return Grade(not missed, text, caught, missed)


def _anonymous(function: Attention) -> Attention:
    """Return a function that computes the same, but is called ``attention``.

    The new function also takes lists, and raises an error if an argument is no matrix.
    """

    def attention(
        Q: Array, K: Array, V: Array, causal: bool = False, d_model: int = 8
    ) -> Array:
        matrices = {"Q": np.asarray(Q), "K": np.asarray(K), "V": np.asarray(V)}
        for name, array in matrices.items():
            if array.ndim != 2:
                raise ValueError(f"{name} should be a matrix, got shape {array.shape}")
        return function(*matrices.values(), causal, d_model)

    attention.__qualname__ = "attention"  # the name in Python's error messages
    return attention


def _lines_on_rejected(
    rejected: list[Attention], reasons: Mapping[str, str]
) -> list[str]:
    """Return lines on the right attentions that a test rejects, and why."""
    distinct = {reasons[way.__name__] for way in right.WAYS}
    if len(distinct) == 1:
        return ["Not yet: the test rejects all six right attentions:", *distinct]
    lines = ["Not yet: the test rejects attentions that are right."]
    for way in rejected:
        lines.append(f"  - {way.__name__}: {way.__doc__}")
        lines += [f"      {line}" for line in reasons[way.__name__].splitlines()[:6]]
    return [*lines, "They compute attention, to six digits at least."]


def _lines_on_wrong(caught: tuple[str, ...], missed: tuple[str, ...]) -> list[str]:
    """Return lines on the wrong attentions that a test catches and misses."""
    lines = [
        "All six right attentions pass. Of the wrong attentions the test catches "
        f"{len(caught)} of {len(caught) + len(missed)}."
    ]
    if not missed:
        return [*lines, "It misses none."]
    if caught:
        lines += ["It misses:", *(f"  - {name}" for name in missed)]
    return [*lines, "", *_example(ATTENTIONS[missed[0]])]


def _example(wrong: WrongFunction) -> list[str]:
    """Return lines that show a wrong output and the right output, on one input."""
    for inputs in SHOWN_INPUTS:
        Q, K, V, causal, d_model = inputs
        with quiet():
            got, due = (outcome(f, inputs) for f in (wrong.function, right.attention))
        if got.array is not None and not same(got, due):
            return [
                f"One of the missed attentions ({wrong.name}) returns, for",
                *written({"Q": Q, "K": K, "V": V}),
                f"causal = {causal}, d_model = {d_model}",
                *lines_of("the output", got.array),
                *lines_of("the right output", due.array),
            ]
    raise AssertionError(f"{wrong.name} is right on every input of SHOWN_INPUTS")


# Inputs that `grade` shows: each wrong attention is wrong on at least one of them.
SHOWN_INPUTS = (
    (
        np.array([[1.0, 0.0], [0.5, 1.0], [2.0, -1.0]]),
        np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]]),
        np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]),
        True,
        8,
    ),
    (
        np.array([[1.0, 2.0], [0.0, 1.0]]),
        np.array([[1.0, 0.0], [-1.0, 1.0]]),
        np.array([[1.0, 3.0], [2.0, -1.0]]),
        True,
        8,
    ),
    (
        np.array([[1000.0], [-1000.0]]),
        np.array([[1.0], [1.0]]),
        np.array([[1.0, 0.0], [0.0, 1.0]]),
        False,
        8,
    ),
    (np.ones((1, 1)), np.ones((4096, 1)), np.ones((4096, 1)), False, 8),
)
