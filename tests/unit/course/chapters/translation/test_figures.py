"""Figures of chapter 7 draw the numbers that they get, under their names."""

import numpy as np
from matplotlib.colors import to_hex

from course.chapters.translation import figures


def dots(axes):
    """Return the points of each row by its name and by the name of their colour."""
    colours = {to_hex(text.get_color()): text.get_text() for text in axes.texts}
    rows = [label.get_text() for label in axes.get_yticklabels()]
    return {
        (rows[round(y[0])], colours[to_hex(line.get_color())]): x.tolist()
        for line in axes.lines
        if line.get_marker() == "o"
        for x, y in [line.get_data()]
    }


def test_a_part_has_the_cost_of_another_part(named):
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    axes = figures.cost_by_length([2, 4], parts).axes[0]
    assert named(axes) == parts
    assert {tuple(line.get_xdata()) for line in axes.lines} == {(2, 4)}


def test_a_training_log_draws_steps_that_measured_nothing(named):
    log = {"step": [0, 10, 20], "loss": [3.0, 2.0, 1.0]}
    log |= {"held_out": [0.1, np.nan, 0.9], "pairs": [np.nan, 0.2, 0.4]}
    above, below = figures.training_log(log).axes
    [line] = above.lines
    assert line.get_xydata().tolist() == [[0, 3], [10, 2], [20, 1]]
    assert named(below) == {"new sentences": [0.1, 0.9], "new pairs": [0.2, 0.4]}
    steps = [line.get_xdata().tolist() for line in below.lines]
    assert steps == [[0, 20], [10, 20]]


def test_a_running_curve_draws_another_point():
    curve = figures.LearningCurve(steps=30)
    for step, held_out in ((1, None), (10, 0.2), (11, None), (20, 0.7)):
        curve.add(step, 40 / step, held_out, held_out and held_out / 2)
    right = [line.get_xydata().tolist() for line in curve.right.lines]
    assert right == [[[10, 0.2], [20, 0.7]], [[10, 0.1], [20, 0.35]]]
    assert curve.loss.lines[0].get_xdata().tolist() == [1, 10, 11, 20]
    assert curve.bar.get_title() == "step 20 of 30"


def test_a_variant_has_the_dots_of_another_variant_or_set():
    found = {
        "full": {"held-out sentences": [0.9, 1.0, 0.8], "held-out pairs": [0.8, 0.7]},
        "no mask": {"held-out sentences": [0.1, 0.2], "held-out pairs": [0.0, 0.3]},
    }
    axes = figures.accuracy_by_variant(found).axes[0]
    expected = {
        (v, s): values for v, sets in found.items() for s, values in sets.items()
    }
    assert dots(axes) == expected


def test_a_number_of_heads_has_the_dots_or_the_line_of_another():
    found = {
        "trained": {
            1: {1000: [0.5, 0.7, 0.75], 2000: [0.9, 0.8, 0.8]},
            4: {1000: [0.9, 1.0, 1.0], 2000: [0.9, 1.0, 1.0]},
        },
        "fetched": {
            2: {1: [1.0, 1.0], 8: [0.3, 0.4]},
            8: {1: [1.0, 1.0], 8: [0.9, 1.0]},
        },
    }
    figure = figures.right_by_heads(found, ["steps", "places"])
    assert [ax.get_xlabel() for ax in figure.axes] == ["steps", "places"]
    for ax, end, (title, lines) in zip(
        figure.axes, (1000, 8), found.items(), strict=True
    ):
        assert ax.get_title() == title
        names = {to_hex(text.get_color()): text.get_text() for text in ax.texts}
        points, means = {}, {}
        for line in ax.lines:
            name = names[to_hex(line.get_color())]
            x, y = line.get_data()
            if line.get_marker() == "o":
                points.setdefault(name, {})[x[0]] = y.tolist()
            else:
                means[name] = list(y)
        expected = {f"{n} head{'s' * (n > 1)}": each for n, each in lines.items()}
        assert points == expected
        assert means == {
            name: [np.mean(values) for values in each.values()]
            for name, each in expected.items()
        }
        # The names stand where the lines are farthest apart.
        assert {text.xy[0] for text in ax.texts} == {end}


def test_heads_are_not_drawn_best_first_or_a_level_is_named_wrong():
    heads = [[0.2, 0.5, 0.9, 0.1], [0.6, 0.3, 0.8, 0.7]]
    axes = figures.alignment_by_head(heads, 2, chance=0.25, diagonal=0.4).axes[0]
    blind, place, *rows = axes.lines
    assert [blind.get_ydata()[0], place.get_ydata()[0]] == [0.25, 0.4]
    assert [row.get_ydata().tolist() for row in rows] == [
        [0.5, 0.2],
        [0.6, 0.3],
        [0.9, 0.1],
        [0.8, 0.7],
    ]
    heights = {t.get_text(): t.get_position()[1] for t in axes.texts}
    assert 0 < heights["random head"] - 0.25 < 0.03
    assert 0 < heights["same place"] - 0.4 < 0.03
    ranks = [label.get_text() for label in axes.get_xticklabels()]
    assert ranks == ["1st", "2nd"] * 2


def test_a_head_attends_to_the_other_noun_in_the_colour_of_the_noun_meant():
    rows = {"a": (0.7, 0.2), "b": (0.4, 0.5), "c": (0.9, 0.0)}
    expected = {}
    for name, (meant, other) in rows.items():
        expected |= {
            (name, "on the noun meant"): [meant],
            (name, "on the other"): [other],
        }
    assert dots(figures.looks_at(rows).axes[0]) == expected


def test_weights_stand_under_other_words(shows):
    rows = {"hot": [0.25, 0.1, 0.65], "cold": [0.5, 0.3, 0.2]}
    drawn = figures.weights_by_ending(rows, ["it", "was"])
    words = ["… hot", "… cold"], ["it", "was", "…"]
    shows(drawn, ("", np.array([*rows.values()]), *words))
