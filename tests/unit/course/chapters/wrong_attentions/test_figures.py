"""Figures of *Wrong attentions* show their data under the right names."""

import numpy as np
from drawn import check_matrices

from course.chapters.wrong_attentions import figures


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
