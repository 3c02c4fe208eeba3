"""Figures of chapter 1 show their data under the right names."""

import numpy as np
from drawn import texts

from course.chapters.self_attention import figures
from course.notes import FOOTBALL

T = FOOTBALL.tokens


def test_a_bar_of_a_normaliser_has_a_wrong_word_or_height():
    rows = {"softmax": [0.2, 0.5, 0.3], "argmax": [0.0, 1.0, 0.0]}
    figure = figures.normalisers(T, rows)
    assert texts(figure) == ["0.20", "0.50", "0.30", "0.00", "1.00", "0.00"]
    for panel, (name, weights) in zip(figure.axes, rows.items(), strict=True):
        assert panel.get_title() == name
        assert [bar.get_height() for bar in panel.patches] == weights
        middles = [bar.get_x() + bar.get_width() / 2 for bar in panel.patches]
        np.testing.assert_allclose(panel.get_xticks(), middles, atol=1e-12)
        assert [label.get_text() for label in panel.get_xticklabels()] == list(T)
