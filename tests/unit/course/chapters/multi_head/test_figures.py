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


def test_the_budget_of_a_blend_is_drawn_by_formula_and_as_measured():
    share, who, how = [0.0, 0.5, 1.0], [1.0, 0.25, 0.0], [0.0, 0.25, 1.0]
    axes = figures.blend_budget(share, (who, how), [(0.5, 0.2, 0.3)]).axes[0]
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert drawn == [who, how, [1.0, 0.5, 1.0], [0, 0]]
    dots = [dot.get_offsets().tolist() for dot in axes.collections]
    assert dots == [[[0.5, 0.2]], [[0.5, 0.3]], [[0.5, 0.5]]]


T = CAT.tokens
FIRST, SECOND = TRACE.heads
SPLIT = np.arange(16.0).reshape(2, 4, 2) / 10
FEATURES = [f"feature {j}" for j in (1, 2, 3, 4)]
MATRICES = {
    "queries_keys_values": (
        lambda: figures.queries_keys_values(TRACE, T),
        ("$Q_1$", FIRST.query, T),
        ("$K_1$", FIRST.key),
        ("$V_1$", FIRST.value),
        ("$Q_2$", SECOND.query, T),
        ("$K_2$", SECOND.key),
        ("$V_2$", SECOND.value),
    ),
    "inputs": (
        lambda: figures.inputs(CAT),
        ("$X$", CAT.X, T),
        ("$W^Q_1$", CAT.W_Q[0]),
        ("$W^K_1$", CAT.W_K[0]),
        ("$W^V_1$", CAT.W_V[0]),
        ("$W^Q_2$", CAT.W_Q[1]),
        ("$W^K_2$", CAT.W_K[1]),
        ("$W^V_2$", CAT.W_V[1]),
    ),
    "scores_to_weights": (
        lambda: figures.scores_to_weights(TRACE, T),
        ("scaled scores, head 1", FIRST.scaled, T, T),
        ("weights $A_1$", FIRST.weights, (), T),
        ("scaled scores, head 2", SECOND.scaled, T, T),
        ("weights $A_2$", SECOND.weights, (), T),
    ),
    "heads_and_concat": (
        lambda: figures.heads_and_concat(TRACE, T),
        ("head 1", FIRST.output, T),
        ("head 2", SECOND.output),
        ("head 1 | head 2", TRACE.concat, T),
    ),
    "last_step": (
        lambda: figures.last_step(TRACE, CAT.W_O, T),
        ("concatenation", TRACE.concat, T),
        ("$W^O$", CAT.W_O),
        ("output", TRACE.output, T),
    ),
    "projecting_and_splitting": (
        lambda: figures.projecting_and_splitting(CAT.W_Q, SPLIT),
        ("$W^Q_1$", CAT.W_Q[0], FEATURES),
        ("$W^Q_2$", CAT.W_Q[1]),
        ("$W^Q_1$", SPLIT[0], FEATURES),
        ("$W^Q_2$", SPLIT[1]),
    ),
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_stand_under_their_names(name, shows):
    draw, *expected = MATRICES[name]
    shows(draw(), *expected)


def nearest(points, place):
    """Which of the points is nearest to a place."""
    return int(np.abs(np.subtract(points, place)).sum(axis=1).argmin())


def test_one_head_or_two_names_columns_and_rows():
    words = ["a", "b", "c"]
    one, two = [0.5, 0.4, 0.1], ([0.9, 0.06, 0.04], [0.2, 0.7, 0.11])
    axes = figures.one_head_or_two(words, one, two, "c").axes[0]
    at = {t.get_text(): t.get_position() for t in axes.texts}
    columns = {
        ("one head", "both"): one,
        ("head 1", "who"): two[0],
        ("head 2", "how"): two[1],
    }
    assert at["a"][1] > at["b"][1] > at["c"][1]
    starts = [at[title][0] for title, _ in columns]
    for (title, caption), weights in columns.items():
        assert at[title][0] == at[caption][0]
        assert at[title][1] > at["a"][1] > at["c"][1] > at[caption][1]
        for word, weight in zip(words, weights, strict=True):
            x, y = at[f"{weight:.2f}"]
            assert y == pytest.approx(at[word][1])
            assert max(s for s in starts if s < x) == at[title][0]
    bold = [t.get_text() for t in axes.texts if t.get_fontweight() == "bold"]
    assert bold == ["c"]


def test_reachable_names_its_places_and_the_point_that_is_wanted():
    values = {"a": (1.0, -1.0), "b": (-1.0, 0.0), "c": (0.0, 1.0)}
    axes = figures.reachable(values, "a and c").axes[0]
    points = {t.get_text(): t.xy for t in axes.texts if hasattr(t, "xy")}
    assert points == {**values, "a and c": (1.0, 1.0)}
    assert axes.get_xlabel() == "first part (who)"
    assert axes.get_ylabel() == "second part (how)"
    star = axes.lines[-1]
    assert star.get_marker() == "*"
    assert star.get_xydata().tolist() == [[1.0, 1.0]]


def test_the_budget_of_a_blend_names_its_curves(named):
    share, who, how = [0.0, 0.5, 1.0], [1.0, 0.25, 0.0], [0.0, 0.25, 1.0]
    axes = figures.blend_budget(share, (who, how), [(0.5, 0.2, 0.3)]).axes[0]
    names = named(axes)
    assert names["one head: both together"] == [1.0, 0.5, 1.0]
    assert names["two heads: none"] == [0, 0]
    ends = np.array([[0.0, 1.0], [1.0, 1.0]])  # who is dear at 0, how at 1
    at = {t.get_text(): t.get_position() for t in axes.texts}
    assert [nearest(ends, at[name]) for name in ("who", "how")] == [0, 1]
