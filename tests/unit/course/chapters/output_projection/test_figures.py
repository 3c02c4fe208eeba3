"""Figures of chapter 4 show their data under the right names."""

import numpy as np
import pytest

from attention import MultiHeadAttention
from course.chapters.output_projection import figures
from course.notes import CAT

T = CAT.tokens
TRACE = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O).trace(CAT.X)
BLOCKS = CAT.W_O.reshape(2, 2, 4)
ADDED = [head.output @ block for head, block in zip(TRACE.heads, BLOCKS, strict=True)]
REACH = np.linalg.norm(BLOCKS, axis=1)
HEADS, COORDINATES = ["head 1", "head 2"], [f"$c_{j}$" for j in (1, 2, 3, 4)]
MATRICES = {
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
def test_a_matrix_stands_under_the_wrong_name(name, shows):
    draw, *expected = MATRICES[name]
    shows(draw(), *expected)


def test_a_missed_share_is_drawn_beside_another_case():
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


def test_a_spectrum_is_drawn_under_another_name_or_rank():
    spectra = {"A": [2.0, 1.0, 2e-15], "B": [1.0, 0.5, 0.25]}
    expected = {"A\nrank 2": [[1, 0.5], [1e-15]], "B\nrank 3": [[1, 0.5, 0.25], []]}
    for axes in figures.singular_values(spectra).axes:
        dots = [[*line.get_ydata()] for line in axes.lines]
        assert dots == expected.pop(axes.get_title())
        assert [line.get_mfc() == "none" for line in axes.lines] == [False, True]


def test_a_stretched_circle_has_other_half_axes_than_the_singular_values():
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


def test_the_two_readers_differ_in_more_than_the_output_projection(texts):
    shown = texts(figures.two_readers())
    counts = {t: shown.count(t) for t in ("input $X$", "heads", "+", "$W^O$")}
    assert counts == {"input $X$": 2, "heads": 2, "+": 2, "$W^O$": 1}
