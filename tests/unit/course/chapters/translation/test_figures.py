"""Figures of chapter 7 show the numbers they are given."""

import numpy as np
from matplotlib.colors import to_hex

from course.chapters.translation import figures


def dots_and_lines(axes):
    """Data of everything that is plotted, in order."""
    return [line.get_xydata().tolist() for line in axes.lines]


def test_cost_draws_a_line_for_each_part():
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    figure = figures.cost_by_length([2, 4], parts)
    drawn = [[y for _, y in line] for line in dots_and_lines(figure.axes[0])]
    assert drawn == list(parts.values())
    assert [t.get_text() for t in figure.axes[0].texts] == list(parts)


def test_a_training_log_skips_the_steps_that_measured_nothing():
    log = {"step": [0, 10, 20], "loss": [3.0, 2.0, 1.0]}
    log |= {"held_out": [0.1, np.nan, 0.9], "pairs": [np.nan, 0.2, 0.4]}
    above, below = figures.training_log(log).axes
    assert dots_and_lines(above) == [[[0, 3], [10, 2], [20, 1]]]
    assert dots_and_lines(below) == [[[0, 0.1], [20, 0.9]], [[10, 0.2], [20, 0.4]]]


def test_each_variant_has_a_dot_for_each_seed_in_its_own_line():
    found = {
        "full": {"held-out sentences": [0.9, 1.0], "held-out pairs": [0.8, 0.7]},
        "no mask": {"held-out sentences": [0.1, 0.2], "held-out pairs": [0.0, 0.3]},
    }
    axes = figures.accuracy_by_variant(found).axes[0]
    drawn = {line.get_ydata()[0]: list(line.get_xdata()) for line in axes.lines}
    names = [label.get_text() for label in axes.get_yticklabels()]
    for place, values in drawn.items():
        which = "held-out sentences" if place > round(place) else "held-out pairs"
        assert values == found[names[round(place)]][which]
    assert len(drawn) == 4


def test_heads_are_drawn_best_first_layer_by_layer():
    heads = [[0.2, 0.5, 0.9, 0.1]]
    figure = figures.alignment_by_head(heads, 2, chance=0.25, diagonal=0.4)
    blind, place, *layers = dots_and_lines(figure.axes[0])
    assert [blind[0][1], place[0][1]] == [0.25, 0.4]
    assert layers == [[[0, 0.5], [1, 0.2]], [[2, 0.9], [3, 0.1]]]


def test_a_head_looks_at_the_meant_noun_with_the_larger_dot():
    axes = figures.looks_at({"a": (0.7, 0.2), "b": (0.4, 0.5)}).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    seen = {}
    for dot in sorted(dots, key=lambda dot: -dot.get_markersize()):
        [[x, y]] = dot.get_xydata()
        seen.setdefault(names[round(y)], []).append(x)
    assert seen == {"a": [0.7, 0.2], "b": [0.4, 0.5]}


def test_a_training_log_names_its_curves(named):
    log = {"step": [0, 1], "loss": [5, 4], "held_out": [0.1, 0.3], "pairs": [0.2, 0.5]}
    below = figures.training_log(log).axes[1]
    assert named(below) == {"new sentences": [0.1, 0.3], "new pairs": [0.2, 0.5]}


def test_cost_names_each_line(named):
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    assert named(figures.cost_by_length([2, 4], parts).axes[0]) == parts


def colour_of(text):
    return to_hex(text.get_color())


def test_variants_are_named_in_the_colours_of_their_dots():
    found = {
        "full": {"held-out sentences": [0.9, 1.0], "held-out pairs": [0.8, 0.7]},
        "no mask": {"held-out sentences": [0.1, 0.2], "held-out pairs": [0.0, 0.3]},
    }
    axes = figures.accuracy_by_variant(found).axes[0]
    legend = {colour_of(text): text.get_text() for text in axes.texts}
    ticks = [label.get_text() for label in axes.get_yticklabels()]
    drawn = {
        (ticks[round(line.get_ydata()[0])], legend[colour_of(line)]): [
            *line.get_xdata()
        ]
        for line in axes.lines
    }
    assert drawn == {
        (variant, name): values
        for variant, sets in found.items()
        for name, values in sets.items()
    }


def test_few_and_many_heads_are_named_in_the_colours_of_their_dots():
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
    for ax, (title, lines) in zip(figure.axes, found.items(), strict=True):
        assert ax.get_title() == title
        names = {colour_of(text): text.get_text() for text in ax.texts}
        dots = [line for line in ax.lines if line.get_marker() == "o"]
        drawn = {}
        for line in dots:
            points = drawn.setdefault(names[colour_of(line)], {})
            points[line.get_xdata()[0]] = [*line.get_ydata()]
        heads = {f"{n} head{'s' * (n > 1)}": points for n, points in lines.items()}
        assert drawn == heads
        means = [line for line in ax.lines if line.get_marker() == "None"]
        for line in means:
            points = heads[names[colour_of(line)]]
            assert [*line.get_ydata()] == [np.mean(p) for p in points.values()]
        # Lines are named at the end at which they are farthest apart.
        apart = {x: np.ptp([np.mean(p[x]) for p in lines.values()]) for x in points}
        assert {text.xy[0] for text in ax.texts} == {max(apart, key=apart.get)}


def test_levels_that_heads_are_compared_with_are_named():
    axes = figures.alignment_by_head([[0.2, 0.5]], 1, chance=0.25, diagonal=0.4).axes[0]
    heights = {t.get_text(): t.get_position()[1] for t in axes.texts}
    assert 0 < heights["blind"] - 0.25 < 0.03
    assert 0 < heights["same place"] - 0.4 < 0.03
    ranks = [label.get_text() for label in axes.get_xticklabels()]
    assert ranks == ["1st", "2nd"]


def test_what_a_head_looks_at_is_named_in_the_colours_of_its_dots():
    axes = figures.looks_at({"a": (0.7, 0.2)}).axes[0]
    legend = {colour_of(text): text.get_text() for text in axes.texts}
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    drawn = {legend[colour_of(dot)]: dot.get_xdata()[0] for dot in dots}
    assert drawn == {"on the noun meant": 0.7, "on the other": 0.2}


def test_weights_by_ending_stand_under_the_words_that_the_sentences_share(shows):
    rows = {"hot": [0.25, 0.75], "cold": [0.5, 0.5]}
    drawn = figures.weights_by_ending(rows, ["it"])
    shows(drawn, ("", np.array([*rows.values()]), ["… hot", "… cold"], ["it", "…"]))
