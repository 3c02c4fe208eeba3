"""Figures of chapters 3 and 4 show the numbers they are given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attention import MultiHeadAttention
from course.chapters.multi_head import experiments
from course.chapters.multi_head import figures as multi_head
from course.chapters.output_projection import figures as output_projection
from course.notes import CAT

TRACE = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O).trace(CAT.X)
BLOCKS = CAT.W_O.reshape(2, 2, 4)
ADDED = [head.output @ block for head, block in zip(TRACE.heads, BLOCKS, strict=True)]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts(figure):
    return [t.get_text() for ax in figure.axes for t in ax.texts if t.get_text()]


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (lambda: multi_head.queries_keys_values(TRACE, CAT.tokens), "1.4"),
        (lambda: multi_head.inputs(CAT), "0.8"),
        (lambda: multi_head.scores_to_weights(TRACE, CAT.tokens), "0.59"),
        (lambda: multi_head.heads_and_concat(TRACE, CAT.tokens), "1.29"),
        (lambda: multi_head.last_step(TRACE, CAT.W_O, CAT.tokens), "4.14"),
        (lambda: multi_head.switched(ADDED, TRACE.output, CAT.tokens), "2.84"),
        (lambda: multi_head.projecting_and_splitting(CAT.W_Q, CAT.W_Q), "0.9"),
        (lambda: multi_head.quality_by_heads(experiments.BLEU_BY_HEADS), "24.9"),
        (
            lambda: output_projection.summed_over_heads(TRACE.concat[1], CAT.W_O, 2),
            "4.04",
        ),
        (
            lambda: output_projection.contributions(ADDED, TRACE.output, CAT.tokens),
            "4.14",
        ),
        (lambda: output_projection.missed({"without": [0.25, 0.75]}), "50%"),
    ],
)
def test_figure_shows_a_number_of_its_data(figure, shown):
    assert shown in texts(figure())


def test_one_head_or_two_draws_each_weight_as_long_as_it_is():
    rows = [0.5, 0.5, 0.0], ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    figure = multi_head.one_head_or_two(["a", "b", "c"], *rows, "c")
    widths = [patch.get_width() for patch in figure.axes[0].patches]
    unit = max(widths)
    np.testing.assert_allclose(np.divide(widths, unit), [0.5, 0.5, 0, 1, 0, 0, 0, 1, 0])


def test_reachable_draws_the_box_of_the_corners():
    values = {"a": (1.0, -1.0), "b": (-2.0, 0.0), "c": (0.0, 3.0)}
    box, hull = multi_head.reachable(values, "a and c").axes[0].patches
    assert box.get_bbox().bounds == (-2.0, -1.0, 3.0, 4.0)
    np.testing.assert_allclose(hull.get_xy()[:3], list(values.values()))


def test_singular_values_count_the_rank():
    spectra = {"A": [2.0, 1.0, 1e-15], "B": [1.0, 0.5, 0.25]}
    axes = output_projection.singular_values(spectra).axes
    assert [ax.get_title() for ax in axes] == ["A\nrank 2", "B\nrank 3"]


def test_without_a_projection_each_head_reaches_its_own_coordinates():
    blocks = np.eye(4).reshape(2, 2, 4)
    shown = texts(output_projection.who_writes_where({"identity": blocks}))
    assert [s for s in shown if s in ("0.0", "1.0")] == ["1.0"] * 2 + ["0.0"] * 4 + [
        "1.0"
    ] * 2
