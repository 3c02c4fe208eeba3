"""Figures of chapter 7 draw the numbers that they get, under their names."""

import numpy as np
import pytest
from drawn import check_matrices, named_lines
from matplotlib.colors import to_hex

from course.chapters.translation import figures


def dots(axes):
    """Return the points by the name of their row and the name of their colour."""
    colours = {to_hex(text.get_color()): text.get_text() for text in axes.texts}
    rows = [label.get_text() for label in axes.get_yticklabels()]
    return {
        (rows[round(y[0])], colours[to_hex(line.get_color())]): x.tolist()
        for line in axes.lines
        if line.get_marker() == "o"
        for x, y in [line.get_data()]
    }


def test_a_part_has_the_cost_of_another_part():
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    axes = figures.cost_by_length([2, 4], parts).axes[0]
    assert named_lines(axes) == parts
    assert {tuple(line.get_xdata()) for line in axes.lines} == {(2, 4)}


@pytest.mark.more
def test_a_learning_curve_draws_wrong_points():
    curve = figures.LearningCurve(steps=30)
    for step, held_out in ((1, None), (10, 0.2), (11, None), (20, 0.7)):
        curve.add(step, 40 / step, held_out, held_out and held_out / 2)
    accuracy = [line.get_xydata().tolist() for line in curve.right.lines]
    assert accuracy == [[[10, 0.2], [20, 0.7]], [[10, 0.1], [20, 0.35]]]
    assert curve.loss.lines[0].get_xdata().tolist() == [1, 10, 11, 20]
    assert curve.bar.get_title() == "step 20 of 30"


def test_a_variant_has_the_dots_of_another_variant_or_set():
    found = {
        "full": {"held-out sentences": [0.9, 1.0, 0.8], "held-out pairs": [0.8, 0.7]},
        "no mask": {"held-out sentences": [0.1, 0.2], "held-out pairs": [0.0, 0.3]},
    }
    axes = figures.accuracy_by_variant(found).axes[0]
    expected = {(v, s): row for v, sets in found.items() for s, row in sets.items()}
    assert dots(axes) == expected


def test_heads_are_not_drawn_best_first_or_a_baseline_is_named_wrong():
    heads = [[0.2, 0.5, 0.9, 0.1], [0.6, 0.3, 0.8, 0.7]]
    axes = figures.alignment_by_head(heads, 2, chance=0.25, diagonal=0.4).axes[0]
    random_head, same_place, *rows = axes.lines
    assert [random_head.get_ydata()[0], same_place.get_ydata()[0]] == [0.25, 0.4]
    drawn = [row.get_ydata().tolist() for row in rows]
    assert drawn == [[0.5, 0.2], [0.6, 0.3], [0.9, 0.1], [0.8, 0.7]]
    heights = {t.get_text(): t.get_position()[1] for t in axes.texts}
    assert 0 < heights["random head, 25%"] - 0.25 < 0.03
    assert 0 < heights["same place, 40%"] - 0.4 < 0.03
    ranks = [label.get_text() for label in axes.get_xticklabels()]
    assert ranks == ["1st", "2nd"] * 2


def test_weights_stand_under_wrong_words():
    rows = {"hot": [0.25, 0.1, 0.65], "cold": [0.5, 0.3, 0.2]}
    drawn = figures.weights_by_ending(rows, ["it", "was"])
    words = ["it", "was", "…"], ["… hot", "… cold"]
    check_matrices(drawn, ("", np.array([*rows.values()]).T, *words))


def test_a_head_has_the_dots_of_another_head_or_the_wrong_mark():
    rows = {
        "encoder.0.self_attention.head.0": (0.4, 0.5),
        "encoder.0.self_attention.head.1": (0.7, 0.2),
        "decoder.1.cross_attention.head.0": (0.9, 0.0),
    }
    figure = figures.weights_on_nouns(rows, "encoder.0.self_attention.head.1")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["encoder layer 1", "decoder layer 2, cross-attention"]
    # three lines a row: a connection, the other word, the meant word
    drawn = [
        [other.get_xdata()[0], meant.get_xdata()[0]]
        for axes in figure.axes
        for other, meant in zip(axes.lines[1::3], axes.lines[2::3], strict=True)
    ]
    assert drawn == [[0.5, 0.4], [0.2, 0.7], [0.0, 0.9]]
    labels = [y.get_text() for axes in figure.axes for y in axes.get_yticklabels()]
    assert labels == ["head 1", "head 2, chapter 7", "head 1"]
