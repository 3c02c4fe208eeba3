"""The gallery: each wrong one is wrong, where it may be right is known, and no more."""

import itertools

import numpy as np
import pytest
from repeats import first_and_weekly

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
from course.practice.gallery import ATTENTIONS, HEADS
from course.practice.outcomes import outcome, quiet, same

DRAWS = 2  # a small output can agree with another one by chance, once
ATTENTION_BY_NAME = {RIGHT: right.attention} | {
    name: wrong.function
    for name, wrong in ATTENTIONS.items()
    if name != "total in float16"  # agrees or not by how it happens to round
}
HEADS_BY_NAME = {RIGHT: right.multi_head} | {
    name: wrong.function for name, wrong in HEADS.items()
}


def attention_inputs(rng, sizes):
    return [(*normal(rng, sizes), sizes.causal, sizes.d_model) for _ in range(DRAWS)]


def head_inputs(rng, sizes):
    n, d_model, h, d_k, d_v = sizes
    shapes = [(n, d_model), *((d_model, h * d) for d in (d_k, d_k, d_v))]
    shapes.append((h * d_v, d_model))
    return [(*(rng.normal(size=s) for s in shapes), h) for _ in range(DRAWS)]


def found_classes(functions, tried):
    """Those that give the same on every input, and all that give numbers, by name."""
    with quiet():
        got = {
            name: [outcome(function, inputs) for inputs in tried]
            for name, function in functions.items()
        }
    got = {name: all_ for name, all_ in got.items() if all_[0].array is not None}
    groups = []
    for name, outcomes in got.items():
        for group in groups:
            if all(map(same, got[group[0]], outcomes)):
                group.append(name)
                break
        else:
            groups.append([name])
    return {frozenset(group) for group in groups if len(group) > 1}, set(got)


def stated_classes(sizes, table, names):
    stated = (group & names for group in classes(sizes, table))
    return {frozenset(group) for group in stated if len(group) > 1}


def random_sizes(seed, count):
    rng = np.random.default_rng(seed)
    for causal in itertools.islice(itertools.cycle([True, False]), count):
        n, m, d_k, d_v, d_model = (int(i) for i in rng.integers(1, 8, size=5))
        yield Sizes(n, n if causal else m, d_k, d_v, d_model, causal)


def test_the_gallery_is_whole():
    groups = [wrong.group for wrong in ATTENTIONS.values()]
    counts = {group: groups.count(group) for group in groups}
    assert counts == {"scale": 5, "softmax": 5, "operands": 3, "mask": 5, "numbers": 3}
    assert len(HEADS) == 8


@pytest.mark.parametrize("wrong", [*ATTENTIONS.values(), *HEADS.values()])
def test_each_is_a_few_lines_with_a_name_and_a_reason(wrong):
    assert wrong.formula
    assert len(wrong.why.split()) >= 6
    lines = wrong.source.split('"""')[-1].strip().splitlines()
    assert 1 <= len(lines) <= 6


def test_each_returns_the_right_shape():
    sizes = Sizes(n=4, m=4, d_k=4, d_v=4)
    rng = np.random.default_rng(0)
    for wrong in ATTENTIONS.values():
        for way in wrong.ways:
            for inputs in attention_inputs(rng, sizes):
                with quiet():
                    assert outcome(way, inputs).array.shape == (4, 4), wrong.name
    for wrong in HEADS.values():
        for inputs in head_inputs(rng, HeadSizes()):
            assert outcome(wrong.function, inputs).array.shape == (5, 6), wrong.name


@pytest.mark.parametrize("seed", range(5))
def test_on_normal_draws_nothing_is_alike(seed):
    rng = np.random.default_rng(seed)
    found, names = found_classes(ATTENTION_BY_NAME, attention_inputs(rng, Sizes()))
    assert found == {
        frozenset({RIGHT, "no maximum subtracted", "the matrix's maximum subtracted"})
    }
    assert set(ATTENTION_BY_NAME) - names == {"keys not transposed"}  # 5 keys, 3 wide
    found, names = found_classes(HEADS_BY_NAME, head_inputs(rng, HeadSizes()))
    assert found == set()
    assert names == set(HEADS_BY_NAME)


@pytest.mark.more
@pytest.mark.parametrize("count", first_and_weekly([200, 1000]))
def test_what_is_alike_is_what_the_table_says(count):
    rng = np.random.default_rng(0)
    for sizes in random_sizes(seed=1, count=count):
        inputs = attention_inputs(rng, sizes)
        found, names = found_classes(ATTENTION_BY_NAME, inputs)
        assert found == stated_classes(sizes, OF_ATTENTION, names), sizes


@pytest.mark.more
@pytest.mark.parametrize("count", first_and_weekly([200, 1000]))
def test_what_is_alike_among_heads_is_what_the_table_says(count):
    rng = np.random.default_rng(0)
    for _ in range(count):
        sizes = HeadSizes(*(int(i) for i in rng.integers(1, 5, size=5)))
        found, names = found_classes(HEADS_BY_NAME, head_inputs(rng, sizes))
        assert found == stated_classes(sizes, OF_HEADS, names), sizes


@pytest.mark.parametrize("row", [*OF_ATTENTION, *OF_HEADS], ids=lambda row: row.when)
def test_each_line_of_the_tables_is_needed(row):
    """Without it some sizes would have something alike that no line states."""
    table, make = (
        (OF_ATTENTION, random_sizes(2, 1000))
        if row in OF_ATTENTION
        else (
            OF_HEADS,
            itertools.starmap(HeadSizes, itertools.product((1, 2), repeat=5)),
        )
    )
    rest = [other for other in table if other is not row]
    assert any(
        {*classes(sizes, rest)} != {*classes(sizes, table)}
        for sizes in make
        if row.holds(sizes)
    )


@pytest.mark.more
@pytest.mark.parametrize("special", OF_INPUTS, ids=lambda special: special.when)
def test_special_inputs_hide_what_the_table_says_and_nothing_else(special):
    rng = np.random.default_rng(3)
    hidden = set(ATTENTIONS)
    for sizes in random_sizes(seed=4, count=200):
        sizes = sizes._replace(n=sizes.n + 1, m=sizes.n + 1, causal=True)
        if any(
            RIGHT in group and len(group) > 3 for group in classes(sizes, OF_ATTENTION)
        ):
            continue
        inputs = (*special.draw(rng, sizes), True, sizes.d_model)
        due = outcome(right.attention, inputs)
        with quiet():
            alike = {
                name
                for name, wrong in ATTENTIONS.items()
                if same(outcome(wrong.function, inputs), due)
            }
        assert set(special.alike) <= alike, sizes
        hidden &= alike
    assert hidden == set(special.alike)
