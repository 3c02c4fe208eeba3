"""Every figure of chapter 1 can be drawn, holds its labels and our colours."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Ellipse

from attention import trace_attention
from course.chapters.self_attention import figures
from course.kit import look
from course.notes import FOOTBALL as F

WORDS = "The cat sat on the mat because it was tired".split()  # noqa: SIM905
T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)

FIGURES = {
    "one_after_another": lambda: figures.one_after_another(WORDS),
    "project": lambda: figures.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
    "directions": lambda: figures.directions(T, TRACE.query, TRACE.key),
    "facsimile": lambda: figures.facsimile(F.printed["percent"], T),
    "normalisers": lambda: figures.normalisers(
        T, {"softmax": TRACE.weights[1]} | {"argmax": np.eye(3)[1]}
    ),
}
LABELS = {
    "one_after_another": ["because", "recurrent: one state after the other"],
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


OTHER = np.arange(9.0).reshape(3, 3) / 10
SUMS = [TRACE.weights.sum(axis=1)[:, None], OTHER.sum(axis=1)[:, None]]
MIXED = ["football", "I", "play"]
MATRICES = {
    "project": (
        lambda: figures.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
        ("$X$", F.X, T),
        ("$W^Q$", F.W_Q),
        ("$Q$", TRACE.query),
        ("$X$", F.X, T),
        ("$W^K$", F.W_K),
        ("$K$", TRACE.key),
        ("$X$", F.X, T),
        ("$W^V$", F.W_V),
        ("$V$", TRACE.value),
    ),
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_stand_under_their_names(name, shows):
    draw, *expected = MATRICES[name]
    shows(draw(), *expected)


def places(axes):
    """What is written in a panel, and the point that each word belongs to."""
    return {t.get_text(): getattr(t, "xy", t.get_position()) for t in axes.texts}


def test_directions_name_each_arrow_in_the_panel_of_its_kind():
    left, right = figures.directions(T, TRACE.query, TRACE.key).axes
    for axes, title, vectors in (
        (left, "queries", TRACE.query),
        (right, "keys", TRACE.key),
    ):
        assert axes.get_title() == title
        named = {word: at for word, at in places(axes).items() if word}
        assert list(named) == list(T)
        np.testing.assert_array_equal(list(named.values()), vectors)
        arrows = [t for t in axes.texts if getattr(t, "arrow_patch", None)]
        np.testing.assert_array_equal([arrow.xy for arrow in arrows], vectors)
        assert {arrow.xyann for arrow in arrows} == {(0, 0)}


def test_the_facsimile_has_the_printed_figures_and_circles_the_one_that_is_wrong():
    axes = figures.facsimile(F.printed["percent"], T).axes[0]
    written = [(t.get_text(), *t.get_position()) for t in axes.texts]
    lines = {text: y for text, _, y in written if text.startswith("For ")}
    for (line, height), row in zip(lines.items(), F.printed["percent"], strict=True):
        shown = [text for text, _, y in written if y == height and "%" in text]
        assert shown == [f"{x:.1f}% {t}" for x, t in zip(row, T, strict=True)], line
    [ring] = [p for p in axes.patches if isinstance(p, Ellipse)]
    wrong = np.argwhere(np.abs(F.printed["percent"] - 100 * TRACE.weights) > 0.051)
    assert wrong.tolist() == [[1, 2]]
    [start] = [x for text, x, y in written if y == ring.center[1] and "28.9" in text]
    assert ring.center[1] == lines["For play :"]
    assert 0 < ring.center[0] - start < ring.width


def test_normalisers_name_their_bars():
    rows = {"softmax": [0.2, 0.5, 0.3], "argmax": [0.0, 1.0, 0.0]}
    axes = figures.normalisers(T, rows).axes
    for panel, (name, weights) in zip(axes, rows.items(), strict=True):
        assert panel.get_title() == name
        assert [bar.get_height() for bar in panel.patches] == weights
        middles = [bar.get_x() + bar.get_width() / 2 for bar in panel.patches]
        np.testing.assert_allclose(panel.get_xticks(), middles, atol=1e-12)
        assert [label.get_text() for label in panel.get_xticklabels()] == list(T)
