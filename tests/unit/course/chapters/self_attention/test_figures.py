"""Every figure of chapter 1 can be drawn, holds its labels and our colours."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attention import trace_attention
from course.chapters.self_attention import experiments, figures
from course.kit import look
from course.notes import FOOTBALL as F

WORDS = "The cat sat on the mat because it was tired".split()  # noqa: SIM905
T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)

FIGURES = {
    "bank": lambda: figures.bank(
        experiments.toy_sentence("the bank near the river"),
        experiments.toy_sentence("the bank approved the loan"),
    ),
    "one_after_another": lambda: figures.one_after_another(WORDS),
    "steps": figures.steps,
    "project": lambda: figures.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
    "scores": lambda: figures.scores(T, TRACE.query, TRACE.key, (1, 2)),
    "directions": lambda: figures.directions(T, TRACE.query, TRACE.key),
    "triangle": lambda: figures.triangle(T, TRACE.value, TRACE.output, (1.3, 0.2)),
    "shuffled": lambda: figures.shuffled(T, [2, 0, 1], TRACE.output, TRACE.output),
    "normalisers": lambda: figures.normalisers(
        T, {"softmax": TRACE.weights[1]} | {"argmax": np.eye(3)[1]}
    ),
    "sharpness": lambda: figures.sharpness(T, TRACE.logits[1]),
    "backwards": lambda: figures.backwards(T, TRACE.weights, TRACE.logits),
    "two_places": lambda: figures.two_places(T, TRACE.weights, TRACE.weights / 2),
}
LABELS = {
    "bank": ["river", "loan", "about money →"],
    "one_after_another": ["because", "recurrent: one state after the other"],
    "steps": ["softmax", "row by row"],
    "scores": ["0.275", "0.770"],
    "normalisers": ["0.39", "0.00"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_drawn_in_our_colours_with_its_labels(name, svg):
    text = svg(FIGURES[name]())
    for label in LABELS.get(name, []):
        assert label in text


def test_six_steps_lead_from_cat_to_it_above_and_one_line_below():
    axes = figures.one_after_another(WORDS).axes[0]
    output = look.colour("output")
    arrows = [t.arrow_patch for t in axes.texts if getattr(t, "arrow_patch", None)]
    strong = [a for a in arrows if to_hex(a.get_edgecolor()) == output]
    lines = [line for line in axes.lines if line.get_color() == output]
    assert len(strong) == WORDS.index("it") - WORDS.index("cat") == 6
    assert len(axes.lines) == len(WORDS)
    assert len(lines) == 1


def test_sharpness_starts_even_and_ends_at_the_largest():
    fig = figures.sharpness(T, [0.0, 1.0, 0.5], largest=40)
    curves = [line.get_ydata() for line in fig.axes[0].lines[:3]]
    np.testing.assert_allclose([c[0] for c in curves], 1 / 3)
    np.testing.assert_allclose([c[-1] for c in curves], [0, 1, 0], atol=1e-8)
