"""*Wrong attentions*: experiments, stated counts, figures against their data."""

import numpy as np
from drawn import check_matrices
from numpy.testing import assert_allclose

from course.chapters.wrong_attentions import experiments, figures
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


def test_a_matrix_stands_under_the_wrong_name():
    suspects = {letter: np.full((2, 3), i / 8) for i, letter in enumerate("ABCDEF")}
    check_matrices(figures.line_up(suspects), *suspects.items())
    wide = np.arange(6).reshape(2, 3)
    heads = {"one": wide[:, :1], "other": wide[:, 1:]}
    figure = figures.cut_up(wide, heads, ["I", "play"])
    check_matrices(figure, ("all columns", wide, ["I", "play"]), *heads.items())


def test_a_square_stands_where_a_test_catches_nothing():
    caught = np.array([[True, False, False], [True, True, False]])
    [axes] = figures.bench(caught, ["first", "second"], ["a", "b", "c"]).axes
    squares, dots = (each.get_offsets().tolist() for each in axes.collections)
    assert sorted(squares) == [[0, 0], [0, 1], [1, 1]]
    assert sorted(dots) == [[1, 0], [2, 0], [2, 1]]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["first", "second"]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["a", "b", "c"]
    assert axes.yaxis_inverted()  # the first row stands at the top
