"""Figures of chapter 4 show the numbers they are given."""

import numpy as np
import pytest

from attention import MultiHeadAttention
from course.chapters.output_projection import figures
from course.notes import CAT

TRACE = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O).trace(CAT.X)
BLOCKS = CAT.W_O.reshape(2, 2, 4)
ADDED = [head.output @ block for head, block in zip(TRACE.heads, BLOCKS, strict=True)]


def texts(figure):
    return [t.get_text() for ax in figure.axes for t in ax.texts if t.get_text()]


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (
            lambda: figures.summed_over_heads(TRACE.concat[1], CAT.W_O, 2),
            "4.04",
        ),
        (
            lambda: figures.contributions(ADDED, TRACE.output, CAT.tokens),
            "4.14",
        ),
        (lambda: figures.missed({"without": [0.25, 0.75]}), "50%"),
    ],
)
def test_figure_shows_a_number_of_its_data(figure, shown, svg):
    drawn = figure()
    assert shown in texts(drawn)
    svg(drawn)


def test_singular_values_count_the_rank():
    spectra = {"A": [2.0, 1.0, 1e-15], "B": [1.0, 0.5, 0.25]}
    axes = figures.singular_values(spectra).axes
    assert [ax.get_title() for ax in axes] == ["A\nrank 2", "B\nrank 3"]


def test_without_a_projection_each_head_reaches_its_own_coordinates():
    blocks = np.eye(4).reshape(2, 2, 4)
    shown = texts(figures.who_writes_where({"identity": blocks}))
    assert [s for s in shown if s in ("0.0", "1.0")] == ["1.0"] * 2 + ["0.0"] * 4 + [
        "1.0"
    ] * 2


def test_stretched_draws_the_image_and_half_axes_as_long_as_the_singular_values(svg):
    matrices = {"one": [[2.0, 0.0], [0.0, 0.5]], "flat": [[1.0, 1.0], [0.5, 0.5]]}
    figure = figures.stretched(matrices)
    for ax, matrix in zip(figure.axes, matrices.values(), strict=True):
        circle, image, *axes = (np.array(line.get_data()).T for line in ax.lines)
        np.testing.assert_allclose(np.linalg.norm(circle, axis=1), 1)
        np.testing.assert_allclose(image, circle @ matrix)
        lengths = [np.linalg.norm(half[1]) for half in axes]
        values = np.linalg.svd(matrix, compute_uv=False)
        np.testing.assert_allclose(lengths, values, atol=1e-12)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["one\n2.00 and 0.50", "flat\n1.58 and 0.00"]
    svg(figure)


def test_the_two_readers_differ_in_the_output_projection_alone(svg):
    figure = figures.two_readers()
    shown = texts(figure)
    assert [shown.count(t) for t in ("input $X$", "heads", "+", "$W^O$")] == [
        2,
        2,
        2,
        1,
    ]
    svg(figure)


T = CAT.tokens
ROW = TRACE.concat[1]
REACH = np.linalg.norm(BLOCKS, axis=1)
HEADS, COORDINATES = ["head 1", "head 2"], [f"$c_{j}$" for j in (1, 2, 3, 4)]
MATRICES = {
    "summed_over_heads": (
        lambda: figures.summed_over_heads(ROW, CAT.W_O, 2),
        ("head 1", ROW[:2]),
        ("$W^O_1$", CAT.W_O[:2]),
        ("head 2", ROW[2:]),
        ("$W^O_2$", CAT.W_O[2:]),
        ("output", TRACE.output[1]),
    ),
    "who_writes_where": (
        lambda: figures.who_writes_where({"one": BLOCKS, "two": BLOCKS[::-1]}),
        ("one", REACH, HEADS, COORDINATES),
        ("two", REACH[::-1], HEADS, COORDINATES),
    ),
    "contributions": (
        lambda: figures.contributions(ADDED, TRACE.output, T),
        ("head 1 × $W^O_1$", ADDED[0], T),
        ("head 2 × $W^O_2$", ADDED[1], T),
        ("output", TRACE.output, T),
    ),
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_stand_under_their_names(name, shows):
    draw, *expected = MATRICES[name]
    shows(draw(), *expected)


def test_missed_names_each_case_beside_its_dots_and_mean():
    shares = {"without": [0.2, 0.3, 1], "with": [0.0] * 3, "narrow": [0.8, 0.9, 1]}
    axes = figures.missed(shares).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    lines = dict(zip(names, axes.get_yticks(), strict=True))
    dots = [c.get_offsets() for c in axes.collections if len(c.get_offsets()) == 3]
    found = {round(rows[0][1]): sorted(rows[:, 0]) for rows in dots}
    means = {round(t.get_position()[1]): t.get_text() for t in axes.texts}
    for name, mean in (("without", "50%"), ("with", "0%"), ("narrow", "90%")):
        assert found[lines[name]] == shares[name]
        assert means[lines[name]] == mean


def test_singular_values_are_drawn_under_their_names_and_zeros_hollow():
    spectra = {"A": [2.0, 1.0, 2e-15], "B": [1.0, 0.5, 0.25]}
    expected = {"A": [[1, 0.5], [1e-15]], "B": [[1, 0.5, 0.25], []]}
    for axes in figures.singular_values(spectra).axes:
        name = axes.get_title().split("\n")[0]
        assert [[*line.get_ydata()] for line in axes.lines] == expected[name]
        assert [line.get_mfc() == "none" for line in axes.lines] == [False, True]
