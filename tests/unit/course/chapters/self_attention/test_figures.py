"""Figures of chapter 1 show their data under the right names."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.patches import Ellipse

from attention import trace_attention
from course.chapters.self_attention import figures
from course.kit import look
from course.notes import FOOTBALL as F

WORDS = ("The", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired")
T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)


def test_the_path_from_cat_to_it_has_other_steps(texts):
    figure = figures.one_after_another(WORDS)
    [axes], output = figure.axes, look.colour("output")
    arrows = [t.arrow_patch for t in axes.texts if getattr(t, "arrow_patch", None)]
    strong = [a for a in arrows if to_hex(a.get_edgecolor()) == output]
    lines = [line for line in axes.lines if line.get_color() == output]
    assert len(strong) == WORDS.index("it") - WORDS.index("cat") == 6
    assert len(axes.lines) == len(WORDS)
    assert len(lines) == 1
    assert "recurrent: one state after the other" in texts(figure)


def test_a_projection_stands_under_the_wrong_name(shows):
    shows(
        figures.project(T, F.X, {"Q": F.W_Q, "K": F.W_K, "V": F.W_V}),
        ("$X$", F.X, T),
        ("$W^Q$", F.W_Q),
        ("$Q$", TRACE.query),
        ("$X$", F.X, T),
        ("$W^K$", F.W_K),
        ("$K$", TRACE.key),
        ("$X$", F.X, T),
        ("$W^V$", F.W_V),
        ("$V$", TRACE.value),
    )


def test_an_arrow_has_another_word_or_panel():
    left, right = figures.directions(T, TRACE.query, TRACE.key).axes
    for axes, title, vectors in (
        (left, "queries", TRACE.query),
        (right, "keys", TRACE.key),
    ):
        assert axes.get_title() == title
        words = {t.get_text(): t.xy for t in axes.texts if t.get_text()}
        assert list(words) == list(T)
        np.testing.assert_array_equal(list(words.values()), vectors)
        arrows = [t for t in axes.texts if getattr(t, "arrow_patch", None)]
        np.testing.assert_array_equal([arrow.xy for arrow in arrows], vectors)
        assert {arrow.xyann for arrow in arrows} == {(0, 0)}


def test_the_facsimile_circles_a_right_figure_or_shows_others():
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


def test_a_bar_of_a_normaliser_has_another_word_or_height(texts):
    rows = {"softmax": [0.2, 0.5, 0.3], "argmax": [0.0, 1.0, 0.0]}
    figure = figures.normalisers(T, rows)
    assert texts(figure) == ["0.20", "0.50", "0.30", "0.00", "1.00", "0.00"]
    for panel, (name, weights) in zip(figure.axes, rows.items(), strict=True):
        assert panel.get_title() == name
        assert [bar.get_height() for bar in panel.patches] == weights
        middles = [bar.get_x() + bar.get_width() / 2 for bar in panel.patches]
        np.testing.assert_allclose(panel.get_xticks(), middles, atol=1e-12)
        assert [label.get_text() for label in panel.get_xticklabels()] == list(T)
