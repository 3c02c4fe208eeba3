"""Figures of chapter 4 show their data under the right names."""

import numpy as np

from course.chapters.output_projection import figures


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
