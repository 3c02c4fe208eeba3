"""The widgets' Python side: answers, questions, stills, numbers and drawings."""

import re

import found
import numpy as np
import pytest
from traitlets import TraitError

from attention import MultiHeadAttention
from course.widgets import (
    BankPlane,
    LedgerTable,
    Machine,
    QueryDial,
    ScoreWalk,
    ShapeExplorer,
    SoftmaxSharpness,
    Translator,
    TwoHeads,
    ask,
)
from course.widgets.card import still
from course.widgets.drawn import KEYS
from course.widgets.score_walk import QUERIES

FIGURES = [figure for figure in found.figures() if figure().question]


# --- The card --------------------------------------------------------------------


def test_an_answer_that_is_no_choice_is_accepted():
    figure = ScoreWalk()
    with pytest.raises(TraitError, match="answer must be empty"):
        figure.answer = "It becomes nine times as large"
    assert figure.answer == ""
    figure.answer = figure.question["choices"][1]["text"]


def texts(question):
    return [choice["text"] for choice in question["choices"]]


def test_choices_are_not_ordered_by_size_or_by_a_hash():
    numbers = ("0.27", "1/8", "\u22121,024", "about 12", "100 %")
    written = [(text, text == "0.27", "so") for text in numbers]
    ordered = ["\u22121,024", "1/8", "0.27", "about 12", "100 %"]
    assert texts(ask("How many?", *written)) == ordered
    words = [("it grows", True, "so"), ("it falls", False, "so"), ("no", False, "so")]
    first = texts(ask("What?", *words))
    assert first == texts(ask("What?", *reversed(words)))
    orders = {tuple(texts(ask(f"What of {i}?", *words))) for i in range(40)}
    assert len(orders) == 6


# --- Stills: the pictures that a page shows without scripts -----------------------


@pytest.mark.parametrize(
    "figure",
    [*FIGURES, BankPlane, QueryDial, TwoHeads, Translator, Machine, LedgerTable],
)
def test_a_still_does_not_show_the_state_of_its_figure(figure):
    widget = figure()
    assert widget.still == ""
    widget._repr_mimebundle_()
    assert widget.still.startswith('<figure class="still"')
    assert f"<figcaption>{widget.reading()}</figcaption>" in widget.still
    assert "<svg" in widget.still
    assert not re.findall(r"nan|inf\b|#[0-9a-f]{3,6}\b", widget.still)
    bars = re.findall(r'width="([\d.]+)" height="16"', widget.still)
    assert all(float(width) <= 180 for width in bars)


def test_a_still_has_other_numbers_than_its_state():
    figure = SoftmaxSharpness(row=1, beta=0.5)
    svg = figure.pictures()[0]
    shown = [f"{weight:.3f}" for weight in figure.numbers()["weights"]]
    assert re.findall(r">(\d\.\d{3})</text>", svg) == shown
    widths = [float(w) for w in re.findall(r'width="([\d.]+)" height="16"', svg)]
    np.testing.assert_allclose(widths, 180 * np.array(shown, float), atol=0.18)
    figure.beta = 2.0
    assert f"is {figure.facts()['largest']:.2f}," in figure.drawn_still()


def test_draws_do_not_have_mean_0_or_variance_1():
    sent = ScoreWalk().draws
    both = np.frombuffer(sent["query"] + sent["key"], np.int8) / sent["per_unit"]
    assert both.size == (QUERIES + KEYS) * sent["widest"]
    assert abs(both.mean()) < 0.02
    assert abs(both.var() - 1) < 0.02


def test_counts_differ_from_those_of_real_arrays():
    n, d_model, h, d_k, d_v = 3, 5, 2, 7, 11
    rng = np.random.default_rng(0)
    W_Q, W_K = rng.normal(size=(2, h, d_model, d_k))
    W_V, W_O = rng.normal(size=(h, d_model, d_v)), rng.normal(size=(h * d_v, d_model))
    trace = MultiHeadAttention(W_Q, W_K, W_V, W_O).trace(rng.normal(size=(n, d_model)))
    steps = ShapeExplorer(n=n, d_model=d_model, h=h, d_k=d_k, d_v=d_v).steps()
    parameters = sum(step.costs()["parameters"] for step in steps.values())
    assert parameters == W_Q.size + W_K.size + W_V.size + W_O.size
    assert steps["scores"].left == trace.heads[0].query.shape
    assert steps["mix"].left == trace.heads[0].weights.shape
    assert steps["output"].left == trace.concat.shape
    assert steps["scores"].costs()["multiplications"] == h * n * n * d_k
    assert steps["output"].costs()["multiplications"] == n * h * d_v * d_model


# --- Drawings and readings --------------------------------------------------------


def test_a_drawn_line_joins_another_row_or_column():
    svg = still.lines(["I", "am"], ["a", "b", "c"], [[0, 0.5, 0], [0.25, 0, 1]])
    heights = {word: int(y) for y, word in re.findall(r'y="(\d+)"[^>]*>(\w+)<', svg)}
    drawn = re.findall(r'y1="(\d+)".*?y2="(\d+)".*?stroke-width="([\d.]+)"', svg)
    offset = heights["I"] - int(drawn[0][0])
    found = [(int(a) + offset, int(b) + offset, float(width)) for a, b, width in drawn]
    assert found == [
        (heights["I"], heights["b"], 6),
        (heights["am"], heights["a"], 3),
        (heights["am"], heights["c"], 12),
    ]


def test_a_still_colours_a_number_by_another_size_or_sign():
    svg = still.matrix("A", [[-4, 1], [0, -2]])
    found = re.findall(r"--abh-(\w+)\) (\d+)%\)", svg)
    assert found[::3] == [("negative", "100"), ("negative", "50")]
    assert found[1] == ("positive", "25")
    assert found[2][1] == "0"


def test_an_axis_of_a_plane_does_not_grow_to_the_right_or_upwards():
    places = {"asks": (0.5, 0.5), "right": (1.0, 0.5), "up": (0.5, 1.5)}
    shares = {"asks": 0.5, "right": 0.1, "up": 0.4}
    svg = still.plane(places, shares, "asks", (0.6, 0.9), 2.0, ("x", "y"))
    rings = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', svg)
    at = [(float(x), float(y)) for x, y, radius in rings if radius == "4"]
    (x, y), (right, level), (above, up) = at
    assert (right - x, y - up) == pytest.approx((55, 110))  # 110 pixels a unit
    assert (above, level) == (x, y)
    widths = re.findall(r'x2="[\d.]+" y2="[\d.]+" \S+ stroke-width="(.*?)"', svg)
    assert {"1.6", "6.4"} <= {*widths}  # 16 times the shares


def test_the_reading_does_not_add_the_weights_of_a_repeated_word():
    figure = BankPlane(the=[1.2, 0.85])
    row = figure.numbers()["row"]
    assert f"{row['1'][3] + row['4'][3]:.2f} “the”" in figure.reading()
