"""Wrong attentions agree with right ones only where the tables say so."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from repeats import first_and_weekly

from attention import MultiHeadAttention
from course.practice import right
from course.practice.coincidences import (
    OF_ATTENTION,
    OF_HEADS,
    OF_INPUTS,
    RIGHT,
    HeadSizes,
    Sizes,
    classes,
    normal,
)
from course.practice.exercises import EXERCISES
from course.practice.gallery import ATTENTIONS, DECODERS, HEADS
from course.practice.gallery.heads import multi_head
from course.practice.outcomes import outcome, quiet, same

ATTENTION_BY_NAME = {RIGHT: right.attention} | {
    name: wrong.function
    for name, wrong in ATTENTIONS.items()
    if name != "total in float16"  # whether it agrees depends on rounding
}
HEADS_BY_NAME = {RIGHT: multi_head} | {n: w.function for n, w in HEADS.items()}


def test_multi_head_attention_differs_from_the_library():
    rng = np.random.default_rng(1)
    n, d_model, h, d_k, d_v = 5, 7, 3, 2, 11
    X = rng.normal(size=(n, d_model))
    W_Q, W_K, W_V = (rng.normal(size=(h, d_model, d)) for d in (d_k, d_k, d_v))
    W_O = rng.normal(size=(h * d_v, d_model))
    side_by_side = (np.hstack(list(W)) for W in (W_Q, W_K, W_V))
    expected = MultiHeadAttention(W_Q, W_K, W_V, W_O)(X)
    assert_allclose(multi_head(X, *side_by_side, W_O, h), expected, atol=1e-12)


def inputs_of(rng, sizes):
    """Draw two inputs, because one small output can be equal to another by chance."""
    if isinstance(sizes, Sizes):
        two = (normal(rng, sizes) for _ in range(2))
        return [(*each, sizes.causal, sizes.d_model) for each in two]
    n, d_model, h, d_k, d_v = sizes
    shapes = [(n, d_model), *((d_model, h * d) for d in (d_k, d_k, d_v))]
    shapes.append((h * d_v, d_model))
    return [(*(rng.normal(size=s) for s in shapes), h) for _ in range(2)]


def agreeing(functions, tried):
    """Return the groups of names that agree, and all names that return an array."""
    got = {}
    with quiet():
        for name, function in functions.items():
            outcomes = [outcome(function, inputs) for inputs in tried]
            if outcomes[0].array is not None:
                got[name] = outcomes
    groups = []
    for name, outcomes in got.items():
        agree = (g for g in groups if all(map(same, got[g[0]], outcomes)))
        if group := next(agree, None):
            group.append(name)
        else:
            groups.append([name])
    return {frozenset(group) for group in groups if len(group) > 1}, set(got)


def random_sizes(seed, count):
    rng = np.random.default_rng(seed)
    for causal in itertools.islice(itertools.cycle([True, False]), count):
        n, m, d_k, d_v, d_model = (int(i) for i in rng.integers(1, 8, size=5))
        yield Sizes(n, n if causal else m, d_k, d_v, d_model, causal)


def random_head_sizes(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield HeadSizes(*(int(i) for i in rng.integers(1, 5, size=5)))


def test_a_mistake_has_no_reason_is_too_long_or_shares_its_name_formula_or_reason():
    galleries = [gallery.values() for gallery in (ATTENTIONS, HEADS, DECODERS)]
    of_tasks = [task.wrong for each in EXERCISES.values() for task in each.tasks]
    for mistakes in (*galleries, *of_tasks):
        for wrong in mistakes:
            assert wrong.formula, wrong.name
            assert wrong.why.endswith("."), wrong.name
            lines = wrong.source.split('"""')[-1].strip().splitlines()
            assert 1 <= len(lines) <= 12, wrong.name
    for mistakes, field in itertools.product(of_tasks, ("name", "formula", "why")):
        texts = [getattr(wrong, field) for wrong in mistakes]
        assert len(set(texts)) == len(texts) >= 3, texts
    for name, exercise in EXERCISES.items():
        assert len({wrong.name for wrong in exercise.usual_mistakes}) == 3, name


@pytest.mark.more
@pytest.mark.parametrize("count", first_and_weekly([200, 1000]))
@pytest.mark.parametrize(
    ("functions", "table", "draw"),
    [
        (ATTENTION_BY_NAME, OF_ATTENTION, random_sizes),
        (HEADS_BY_NAME, OF_HEADS, random_head_sizes),
    ],
    ids=["attention", "heads"],
)
def test_functions_agree_where_the_table_has_no_row(functions, table, draw, count):
    rng = np.random.default_rng(0)
    for sizes in draw(seed=1, count=count):
        found, names = agreeing(functions, inputs_of(rng, sizes))
        stated = (group & names for group in classes(sizes, table))
        assert found == {frozenset(group) for group in stated if len(group) > 1}, sizes


@pytest.mark.more
@pytest.mark.parametrize("special", OF_INPUTS, ids=lambda special: special.when)
def test_special_inputs_hide_other_mistakes_than_the_table_says(special):
    rng = np.random.default_rng(3)
    hidden = set(ATTENTIONS)
    for sizes in random_sizes(seed=4, count=200):
        sizes = sizes._replace(n=sizes.n + 1, m=sizes.n + 1, causal=True)
        groups = classes(sizes, OF_ATTENTION)
        if any(RIGHT in group and len(group) > 3 for group in groups):
            continue
        inputs = (*special.draw(rng, sizes), True, sizes.d_model)
        with quiet():
            expected = outcome(right.attention, inputs)
            pairs = [(n, outcome(w.function, inputs)) for n, w in ATTENTIONS.items()]
        agree = {name for name, found in pairs if same(found, expected)}
        assert set(special.alike) <= agree, sizes
        hidden &= agree
    assert hidden == set(special.alike)
