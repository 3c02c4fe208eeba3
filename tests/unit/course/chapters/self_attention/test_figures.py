"""Every figure of chapter 1 can be drawn, holds its labels and our colours."""

import numpy as np
import pytest

from attention import trace_attention
from course.chapters.self_attention import experiments, figures
from course.notes import FOOTBALL as F

T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)

FIGURES = {
    "bank": lambda: figures.bank(
        experiments.toy_sentence("the bank near the river"),
        experiments.toy_sentence("the bank approved the loan"),
    ),
    "links": lambda: figures.links(T, 1, TRACE.weights[1]),
    "projections": lambda: figures.projections(("I", "am", "good"), 512, 64),
    "steps": figures.steps,
    "project": lambda: figures.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
    "scores": lambda: figures.scores(T, TRACE.query, TRACE.key, (1, 2)),
    "directions": lambda: figures.directions(T, TRACE.query, TRACE.key),
    "softmax_step": lambda: figures.softmax_step(T, TRACE.logits, TRACE.weights),
    "mix": lambda: figures.mix(T, TRACE.weights, TRACE.value),
    "triangle": lambda: figures.triangle(T, TRACE.value, TRACE.output, (1.3, 0.2)),
    "shuffled": lambda: figures.shuffled(T, [2, 0, 1], TRACE.output, TRACE.output),
    "normalisers": lambda: figures.normalisers(
        T, {"softmax": TRACE.weights[1]} | {"argmax": np.eye(3)[1]}
    ),
    "sharpness": lambda: figures.sharpness(T, TRACE.logits[1]),
    "transformer": lambda: figures.transformer("I am good", "Je vais bien"),
    "backwards": lambda: figures.backwards(T, TRACE.weights, TRACE.logits),
    "mixture": lambda: figures.mixture(T, TRACE.weights[0], 0),
    "two_places": lambda: figures.two_places(T, TRACE.weights, TRACE.weights / 2),
}
LABELS = {
    "bank": ["river", "loan", "about money →"],
    "links": ["football", "39%"],
    "projections": ["3 × 512", "512 × 64", "3 × 64"],
    "steps": ["softmax", "row by row"],
    "softmax_step": ["0.2121", "0.3941"],
    "mix": ["1.0137"],
    "normalisers": ["0.39", "0.00"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_drawn_in_our_colours_with_its_labels(name, svg):
    text = svg(FIGURES[name]())
    for label in LABELS.get(name, []):
        assert label in text


def test_line_to_a_word_is_as_thick_as_its_weight():
    fig = figures.links(T, 1, [0.25, 0.5, 0.25])
    thickness = [line.get_linewidth() for line in fig.axes[0].lines]
    assert thickness == [4, 8, 4]


def test_sharpness_starts_even_and_ends_at_the_largest():
    fig = figures.sharpness(T, [0.0, 1.0, 0.5], largest=40)
    curves = [line.get_ydata() for line in fig.axes[0].lines[:3]]
    np.testing.assert_allclose([c[0] for c in curves], 1 / 3)
    np.testing.assert_allclose([c[-1] for c in curves], [0, 1, 0], atol=1e-8)
