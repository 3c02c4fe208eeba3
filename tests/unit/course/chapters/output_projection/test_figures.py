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
