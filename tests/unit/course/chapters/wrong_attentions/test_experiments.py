"""Experiments of *Wrong attentions*, and the counts that the page states."""

import numpy as np
from numpy.testing import assert_allclose

from course.chapters.wrong_attentions import experiments
from course.practice import right
from course.practice.bench import TESTS
from course.practice.coincidences import OF_ATTENTION, RIGHT, Sizes, classes
from course.practice.exercises import EXERCISES
from course.practice.gallery import ATTENTIONS, HEADS


def test_the_page_counts_wrong_attentions_or_tests_wrongly():
    assert (len(ATTENTIONS), len(HEADS), len(TESTS), len(EXERCISES)) == (21, 8, 15, 10)


def test_the_line_up_differs_from_weights_by_hand():
    lower = np.tril(experiments.POWERS)
    expected = lower / lower.sum(axis=1, keepdims=True)
    assert_allclose(experiments.weights_of(right.attention), expected, atol=1e-12)
    columns = experiments.weights_of(ATTENTIONS["softmax over the queries"].function)
    assert_allclose(columns, lower / lower.sum(axis=0), atol=1e-12)


def test_agreeing_attentions_differ_from_the_table():
    for sizes in (Sizes(), Sizes(d_k=1), Sizes(m=4, d_k=2, d_model=4, causal=False)):
        groups = classes(sizes, OF_ATTENTION)
        stated = {name for group in groups if RIGHT in group for name in group}
        found = {*experiments.alike(sizes), RIGHT}
        assert found - {"total in float16"} == stated
