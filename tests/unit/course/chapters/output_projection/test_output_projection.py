"""Chapter 4: experiments against formulas, figures against their data."""

import numpy as np
import pytest

from course.chapters.output_projection import experiments, figures


@pytest.fixture
def task():
    return experiments.routing_task(np.random.default_rng(3), sentences=11, n=5)


def test_the_wanted_update_is_not_the_sum_of_the_maps(task):
    assert task.mixed.shape == (2, 55, 4)
    wanted = task.mixed[0] @ task.maps[0] + task.mixed[1] @ task.maps[1]
    np.testing.assert_allclose(task.wanted, wanted, rtol=1e-12)
    assert [np.linalg.matrix_rank(m) for m in task.maps] == [2, 2]


def test_mixed_inputs_are_not_weighted_means_of_words():
    """Three words of width 4 are independent, so the shares can be recovered."""
    task = experiments.routing_task(np.random.default_rng(1), sentences=6, n=3)
    words = np.random.default_rng(1).standard_normal((6, 1, 3, 4))
    mixed = task.mixed.reshape(2, 6, 3, 4).swapaxes(0, 1)
    shares = mixed @ np.linalg.pinv(words)
    np.testing.assert_allclose(shares @ words, mixed, atol=1e-12)
    np.testing.assert_allclose(shares.sum(axis=-1), 1)
    assert 0 <= shares.min() <= shares.max() <= 1


def test_other_value_projections_miss_less(task):
    best = experiments.missed_without_projection(task)
    assert 0 < best < 1
    rng = np.random.default_rng(0)
    for _ in range(20):
        W_V = rng.standard_normal((2, 4, 2))
        heads = np.hstack(list(task.mixed @ W_V))
        assert experiments.unexplained(heads, task.wanted) >= best
    same = np.stack([task.mixed[0]] * 2)  # both heads have the same mixed inputs
    alike = task._replace(mixed=same, wanted=same[0] @ task.maps.sum(axis=0))
    assert experiments.missed_without_projection(alike) < 1e-20


def test_the_unexplained_share_does_not_run_from_0_to_1():
    wanted = np.array([[3.0, -4.0]])
    shares = [experiments.unexplained(share * wanted, wanted) for share in (0, 0.5, 1)]
    assert shares == [1, 0.25, 0]


def test_the_next_layer_replaces_w_o_despite_the_residual():
    rng = np.random.default_rng(2)
    x, concat = rng.standard_normal((2, 300, 4))
    W_O, W_next = rng.standard_normal((2, 4, 4))
    missed = experiments.missed_by_next_layer
    assert missed(x, concat, W_O, W_next, residual=False) < 1e-20
    assert missed(x, concat, W_O, W_next, residual=True) > 0.01
    assert missed(x, concat, np.eye(4), W_next, residual=True) < 1e-20


def test_the_expected_error_is_wrong_for_plus_or_minus_the_identity():
    W_next = np.random.default_rng(1).standard_normal((5, 2))
    missed = experiments.expected_out_of_reach
    np.testing.assert_allclose(missed(np.eye(5), W_next), 0, atol=1e-15)
    np.testing.assert_allclose(missed(-np.eye(5), W_next), 1)


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
