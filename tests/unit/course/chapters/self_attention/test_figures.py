"""Figures of chapter 1 show their data under the right names."""

import numpy as np

from attention import trace_attention
from course.chapters.self_attention import figures
from course.notes import FOOTBALL as F

T = F.tokens
TRACE = trace_attention(F.X @ F.W_Q, F.X @ F.W_K, F.X @ F.W_V)


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
