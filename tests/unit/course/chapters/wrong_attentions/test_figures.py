"""The figures of wrong attentions show what they are given, under its name."""

import numpy as np

from course.chapters.wrong_attentions import figures


def test_the_line_up_shows_each_under_its_letter(shows):
    suspects = {letter: np.full((2, 2), i / 8) for i, letter in enumerate("ABCDEF")}
    drawn = figures.line_up(suspects)
    shows(drawn, *suspects.items())


def test_columns_and_what_each_way_makes_of_them(shows):
    wide = np.arange(6).reshape(2, 3)
    heads = {"one": wide[:, :1], "other": wide[:, 1:]}
    words = ["I", "play"]
    shows(
        figures.cut_up(wide, heads, words),
        ("all columns", wide, words),
        *heads.items(),
    )


def test_a_square_stands_where_a_test_catches():
    caught = np.array([[True, False, False], [True, True, False]])
    figure = figures.bench(caught, ["first", "second"], ["a", "b", "c"])
    [axes] = figure.axes
    squares, dots = (each.get_offsets().tolist() for each in axes.collections)
    assert sorted(squares) == [[0, 0], [0, 1], [1, 1]]
    assert sorted(dots) == [[1, 0], [2, 0], [2, 1]]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["first", "second"]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["a", "b", "c"]
    assert axes.yaxis_inverted()  # the first row stands at the top


def test_each_sum_is_drawn_by_its_name(named):
    figure = figures.stalled({"exact": [1, 2, 3], "short": [1, 2, 2]})
    assert named(figure.axes[0]) == {"exact": [1, 2, 3], "short": [1, 2, 2]}
