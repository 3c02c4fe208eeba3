"""Figures of chapter 3 show the numbers they are given."""

import numpy as np
import pytest

from attention import MultiHeadAttention
from course.chapters.multi_head import experiments, figures
from course.notes import CAT

TRACE = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O).trace(CAT.X)
BLOCKS = CAT.W_O.reshape(2, 2, 4)
ADDED = [head.output @ block for head, block in zip(TRACE.heads, BLOCKS, strict=True)]


def texts(figure):
    return [t.get_text() for ax in figure.axes for t in ax.texts if t.get_text()]


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (lambda: figures.queries_keys_values(TRACE, CAT.tokens), "1.4"),
        (lambda: figures.inputs(CAT), "0.8"),
        (lambda: figures.scores_to_weights(TRACE, CAT.tokens), "0.59"),
        (lambda: figures.heads_and_concat(TRACE, CAT.tokens), "1.29"),
        (lambda: figures.last_step(TRACE, CAT.W_O, CAT.tokens), "4.14"),
        (lambda: figures.switched(ADDED, TRACE.output, CAT.tokens), "2.84"),
        (lambda: figures.projecting_and_splitting(CAT.W_Q, CAT.W_Q), "0.9"),
        (lambda: figures.quality_by_heads(experiments.BLEU_BY_HEADS), "24.9"),
    ],
)
def test_figure_shows_a_number_of_its_data(figure, shown, svg):
    drawn = figure()
    assert shown in texts(drawn)
    svg(drawn)


def test_one_head_or_two_draws_each_weight_as_long_as_it_is():
    rows = [0.5, 0.5, 0.0], ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    figure = figures.one_head_or_two(["a", "b", "c"], *rows, "c")
    widths = [patch.get_width() for patch in figure.axes[0].patches]
    unit = max(widths)
    np.testing.assert_allclose(np.divide(widths, unit), [0.5, 0.5, 0, 1, 0, 0, 0, 1, 0])


def test_reachable_draws_the_box_of_the_corners():
    values = {"a": (1.0, -1.0), "b": (-2.0, 0.0), "c": (0.0, 3.0)}
    box, hull = figures.reachable(values, "a and c").axes[0].patches
    assert box.get_bbox().bounds == (-2.0, -1.0, 3.0, 4.0)
    np.testing.assert_allclose(hull.get_xy()[:3], list(values.values()))


@pytest.mark.parametrize(("n", "d_model", "h", "d_k"), [(3, 4, 2, 2), (2, 6, 3, 1)])
def test_the_pipeline_has_a_cell_for_every_number(n, d_model, h, d_k, svg):
    figure = figures.pipeline(n, d_model, h, d_k)
    in_a_head = n * (4 * d_k + n)  # queries, keys, values, output; weights
    cells = len(figure.axes[0].patches)
    assert cells == n * d_model + h * in_a_head + n * h * d_k + n * d_model
    shown = texts(figure)
    assert [f"head {i + 1}" in shown for i in range(h)] == [True] * h
    svg(figure)


def test_leaks_draws_each_head_and_the_least_that_weights_alone_can_leave(svg):
    noise, best = [0.001, 0.01, 0.1], [0.1, 0.2, 0.7]
    sums = {"(1, 2)": [0.2, 0.6, 1.0], "(3, 4)": [0.6, 0.7, 1.1]}
    ignoring = [1.0, 1.1, 1.4]
    figure = figures.leaks(noise, sums, best, ignoring)
    lines = [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert lines == [ignoring, *sums.values(), best]
    assert {"(1, 2)", "(3, 4)"} < set(texts(figure))
    svg(figure)


def test_the_budget_of_a_blend_is_drawn_by_formula_and_as_measured():
    share, who, how = [0.0, 0.5, 1.0], [1.0, 0.25, 0.0], [0.0, 0.25, 1.0]
    axes = figures.blend_budget(share, (who, how), [(0.5, 0.2, 0.3)]).axes[0]
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert drawn == [who, how, [1.0, 0.5, 1.0], [0, 0]]
    dots = [dot.get_offsets().tolist() for dot in axes.collections]
    assert dots == [[[0.5, 0.2]], [[0.5, 0.3]], [[0.5, 0.5]]]


def test_the_cost_of_heads_is_drawn_beside_their_weights():
    axes = figures.heads_and_cost([1, 2, 4], [1, 1, 1.5], [1, 2, 4]).axes[0]
    weights, cost = (line.get_xydata().tolist() for line in axes.lines)
    assert weights == [[1, 1], [2, 2], [4, 4]]
    assert cost == [[1, 1], [2, 1], [4, 1.5]]
