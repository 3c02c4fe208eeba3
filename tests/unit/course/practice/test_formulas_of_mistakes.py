"""The formula of a mistake, evaluated, gives what its wrong function returns."""

import re
from functools import partial

import numpy as np
import pytest

from course.practice.exercises import EXERCISES
from course.practice.outcomes import quiet

SIZES = [(4, 3, 2), (4, 4, 4)]  # n = m, d_k, d_v
NOT_COMPUTED = {"a running sum that stops at 2,048", "softmax(clip(s, -700, 700))"}
IN_PYTHON = [
    (r"s where not mask", "where(~mask, s, -inf)"),
    (r"s where tril\(k=(-?1)\)", r"where(tri(n, k=\1) > 0, s, -inf)"),
    (r"^(.*) / \.\.\.$", r"\1 / sum(\1)"),
    (r"\^T", ".T"),
    (r"(?<=[\w)]) (?=[VK]\b)", " @ "),
    (r"(?<=[\w)]) (?=[\w(])", " * "),
]
ROWS = {
    name: partial(getattr(np, name), axis=1, keepdims=True)
    for name in ("sum", "max", "mean")
}


def softmax(x, axis=1):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


NAMES = {"softmax": softmax} | {
    name: getattr(np, name) for name in ("exp", "sqrt", "where", "tri", "inf")
}


def inputs_of(exercise, n, d_k, d_v):
    """Return arguments of the exercise's function, and the arrays in its formulas."""
    rng = np.random.default_rng(5)
    if exercise.endswith("softmax"):
        s = rng.normal(size=(n, n))
        return [s], {"s": s}
    if exercise == "softmax-backward":
        p, g = softmax(rng.normal(size=(n, n))), rng.normal(size=(n, n))
        return [p, g], {"p": p, "g": g}
    Q, K, V = (rng.normal(size=(n, width)) for width in (d_k, d_k, d_v))
    S = Q @ K.T
    named = {"Q": Q, "K": K, "V": V, "S": S, "s": S / np.sqrt(d_k)}
    return [Q, K, V], named


def evaluated(formula, names):
    """Yield each array that a formula may mean: its value, the output, or weights."""
    for written, code in IN_PYTHON:
        formula = re.sub(written, code, formula)
    value = eval(formula, names)
    yield value
    if "V" in names and value.shape[1] == len(names["V"]):
        yield value @ names["V"]
    if "max(axis" in formula:
        yield softmax(value)


CASES = [
    (exercise, wrong)
    for exercise in ("softmax", "stable-softmax", "softmax-backward", "attention")
    for task in EXERCISES[exercise].tasks
    for wrong in task.wrong
    if wrong.formula not in NOT_COMPUTED
] + [
    ("causal-mask", wrong)
    for wrong in EXERCISES["causal-mask"].tasks[0].wrong
    if re.search("mask|where", wrong.formula + wrong.name)
]


@pytest.mark.parametrize(
    ("exercise", "wrong"), CASES, ids=lambda each: getattr(each, "formula", each)
)
def test_the_formula_of_a_mistake_computes_something_else(exercise, wrong):
    compared = 0
    for n, d_k, d_v in SIZES:
        arguments, named = inputs_of(exercise, n, d_k, d_v)
        sizes = {"n": n, "m": n, "d_k": d_k, "d_v": d_v, "mask": np.tri(n, dtype=bool)}
        names = NAMES | ROWS | sizes | named
        if "s" in names:
            names |= {"powers": np.exp(names["s"]), "A": softmax(names["s"])}
        try:
            with quiet():
                expected = [way(*arguments) for way in wrong.versions]
                found = [*evaluated(wrong.formula, names)]
        except ValueError:  # this mistake needs other sizes
            continue
        compared += 1
        pairs = [(a, b) for a in expected for b in found if a.shape == b.shape]
        assert any(np.allclose(a, b, equal_nan=True) for a, b in pairs), n
    assert compared
