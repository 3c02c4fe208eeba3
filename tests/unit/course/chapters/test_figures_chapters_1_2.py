"""Every figure of chapters 1 and 2 can be drawn, holds its labels and our colours."""

import io
import re

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from attention import softmax, trace_attention
from course.chapters.self_attention import experiments
from course.chapters.self_attention import figures as first
from course.chapters.why_sqrt_dk import experiments as widths
from course.chapters.why_sqrt_dk import figures as second
from course.chapters.why_sqrt_dk import training as scaled_training
from course.kit import look
from course.kit.measures import jacobian
from course.notes import FOOTBALL as F

mpl.use("svg")
T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)
D = [1, 4, 16, 64]
RAW = widths.saturation(D, 8, 10)
SPREADS = np.linspace(0.1, 5, 5)

FIGURES = {
    "bank": lambda: first.bank(
        experiments.toy_sentence("the bank near the river"),
        experiments.toy_sentence("the bank approved the loan"),
    ),
    "links": lambda: first.links(T, 1, TRACE.weights[1]),
    "projections": lambda: first.projections(("I", "am", "good"), 512, 64),
    "steps": first.steps,
    "project": lambda: first.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
    "scores": lambda: first.scores(T, TRACE.query, TRACE.key, (1, 2)),
    "directions": lambda: first.directions(T, TRACE.query, TRACE.key),
    "softmax_step": lambda: first.softmax_step(T, TRACE.logits, TRACE.weights),
    "mix": lambda: first.mix(T, TRACE.weights, TRACE.value),
    "triangle": lambda: first.triangle(T, TRACE.value, TRACE.output, (1.3, 0.2)),
    "shuffled": lambda: first.shuffled(T, [2, 0, 1], TRACE.output, TRACE.output),
    "normalisers": lambda: first.normalisers(
        T, {"softmax": TRACE.weights[1]} | {"argmax": np.eye(3)[1]}
    ),
    "sharpness": lambda: first.sharpness(T, TRACE.logits[1]),
    "transformer": lambda: first.transformer("I am good", "Je vais bien"),
    "backwards": lambda: first.backwards(T, TRACE.weights, TRACE.logits),
    "mixture": lambda: first.mixture(T, TRACE.weights[0], 0),
    "two_places": lambda: first.two_places(T, TRACE.weights, TRACE.weights / 2),
    "rows_of_weights": lambda: second.rows_of_weights(D, widths.one_row(D)),
    "spread": lambda: second.spread(D, np.sqrt(D)),
    "divisors": lambda: second.divisors(
        D, dict.fromkeys(widths.DIVISORS, RAW["largest"]), 8
    ),
    "saturation": lambda: second.saturation(D, RAW, RAW),
    "two_keys": second.two_keys,
    "jacobians": lambda: second.jacobians(
        {"even": (np.full(3, 1 / 3), jacobian(np.full(3, 1 / 3)))}
    ),
    "norm_by_spread": lambda: second.norm_by_spread(
        SPREADS, {8: SPREADS / 20, 64: SPREADS / 30}
    ),
    "query_gradients": lambda: second.query_gradients(
        D, *np.exp(np.random.default_rng(0).normal(size=(2, 4, 20)))
    ),
    "losses": lambda: second.losses({"divided": np.exp(-np.arange(50.0))}),
    "learning_rates": lambda: second.learning_rates(
        scaled_training.stored_sweep(), 256
    ),
}
LABELS = {
    "bank": ["river", "loan", "about money →"],
    "links": ["football", "39%"],
    "projections": ["3 × 512", "512 × 64", "3 × 64"],
    "steps": ["softmax", "row by row"],
    "softmax_step": ["0.2121", "0.3941"],
    "mix": ["1.0137"],
    "rows_of_weights": ["dₖ = 64"],
    "normalisers": ["0.39", "0.00"],
}


@pytest.fixture(autouse=True)
def _our_style():
    with mpl.rc_context():
        look.use()
        yield
    plt.close("all")


def written(fig) -> str:
    file = io.StringIO()
    fig.savefig(file, format="svg")
    return file.getvalue()


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_drawn_in_the_colours_of_the_course(name):
    text = written(FIGURES[name]())
    ramps = {
        mpl.colors.to_hex(c) for m in (look.WEIGHTS, look.SIGNED) for c in m.colors
    }
    ours = {c.light for c in look.ROLES.values()} | ramps
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) <= ours
    for label in LABELS.get(name, []):
        assert label in text


@pytest.mark.parametrize("name", FIGURES)
def test_figure_fits_the_text_column(name):
    assert FIGURES[name]().get_figwidth() <= 7.2


def test_line_to_a_word_is_as_thick_as_its_weight():
    fig = first.links(T, 1, [0.25, 0.5, 0.25])
    thickness = [line.get_linewidth() for line in fig.axes[0].lines]
    assert thickness == [4, 8, 4]


def test_sharpness_starts_even_and_ends_at_the_largest():
    fig = first.sharpness(T, [0.0, 1.0, 0.5], largest=40)
    curves = [line.get_ydata() for line in fig.axes[0].lines[:3]]
    np.testing.assert_allclose([c[0] for c in curves], 1 / 3)
    np.testing.assert_allclose([c[-1] for c in curves], [0, 1, 0], atol=1e-8)


def test_rows_of_weights_holds_both_softmaxes():
    scores = widths.one_row(D)
    text = written(second.rows_of_weights(D, scores))
    for row in (softmax(scores[-1]), softmax(scores[-1] / 8)):
        assert f"{row.max():.2f}" in text
