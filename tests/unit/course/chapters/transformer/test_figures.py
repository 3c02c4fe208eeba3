"""Figures of chapter 6 show the numbers they are given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from course.chapters.transformer import figures
from course.chapters.transformer.experiments import TOLD, WORDS
from course.kit import sketch

SCORES = 8 * np.log(TOLD)


def texts(figure):
    return [t.get_text() for ax in figure.axes for t in ax.texts if t.get_text()]


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (lambda: figures.machine(WORDS, ("je",), "vais", 3), "vais"),
        (lambda: figures.encoder_stack("I am good", 3), "encoder layer 3"),
        (lambda: figures.inside_encoder(2), "encoder layer 2"),
        (lambda: figures.input_matrix(np.full((3, 9), 0.631), WORDS), "0.631"),
        (lambda: figures.project(WORDS, 512, 64), "512 × 64"),
        (lambda: figures.query_times_key(3, 64), "64 × 3"),
        (lambda: figures.score_symbols(WORDS), "$q_3$"),
        (lambda: figures.score_row(SCORES, WORDS, 0), "−21.3"),
        (lambda: figures.scaled(SCORES, 64, WORDS), "−2.66"),
        (lambda: figures.softmaxed(np.log(TOLD), TOLD, WORDS), "0.950"),
        (lambda: figures.weights_times_values(TOLD, WORDS, 64, True), "0.025"),
        (lambda: figures.four_steps(), "softmax of each row"),
        (lambda: figures.weights_by_ending({"hot": [0.25, 0.75]}, ["it"]), "0.75"),
        (lambda: figures.readings({"z": (WORDS, np.full((3, 2), 0.27))}), "0.27"),
        (lambda: figures.masks({"causal": (np.tri(3), WORDS)}), "causal"),
        (lambda: sketch.links(WORDS, 0, TOLD[0]), "90%"),
        (lambda: sketch.mixture("$z_1$", WORDS, TOLD[0]), "0.07 v₂"),
    ],
)
def test_figure_shows_what_it_is_given(figure, shown):
    assert shown in texts(figure())


def test_links_are_as_thick_as_their_weights():
    lines = sketch.links(WORDS, 0, TOLD[0]).axes[0].lines
    np.testing.assert_allclose(lines[0].get_linewidth() / 16, 0.9)
    assert lines[0].get_linewidth() > lines[1].get_linewidth() > 0


def test_links_without_weights_are_alike():
    lines = sketch.links(WORDS, 0).axes[0].lines
    assert len(lines) == 3
    assert len({line.get_linewidth() for line in lines}) == 1


def test_a_mixture_draws_each_value_as_wide_as_its_weight():
    bars = sketch.mixture("$z_3$", WORDS, TOLD[2]).axes[0].patches
    widths = np.array([bar.get_width() for bar in bars])
    np.testing.assert_allclose(widths / widths.sum(), TOLD[2])


def test_influences_mark_leaks_and_nothing_else():
    leaking = np.tri(3)
    leaking[0, 2] = 0.1
    first, second = figures.influences({"a": np.tri(3), "b": leaking}, "xyz").axes
    assert len(first.lines[0].get_xdata()) == 0
    assert second.lines[0].get_xydata().tolist() == [[2.5, 0.5]]


def dots_and_lines(axes):
    """Data of everything that is plotted, in order."""
    return [line.get_xydata().tolist() for line in axes.lines]


def test_reach_is_the_median_over_the_seeds_as_far_as_it_can_be_told():
    seeds = np.outer([1, 3, 2], np.geomspace(1, 1e-19, 70))
    figure = figures.reach_by_distance({"simple": figures.Reach(seeds, seeds[:1])})
    for axes, middle in zip(figure.axes, (seeds[2], seeds[0]), strict=True):
        [line] = axes.lines
        assert line.get_xdata().tolist() == list(range(1, 71))
        drawn = ~np.isnan(line.get_ydata())
        np.testing.assert_array_equal(drawn, middle > 1e-15)
        np.testing.assert_array_equal(line.get_ydata()[drawn], middle[drawn])


def test_recall_draws_the_mean_between_the_lowest_and_the_highest_seed():
    shares = {8: [[0.85, 0.85, 1.0], [0.2, 0.4, 0.6]]}
    axes = figures.recall_by_length([2, 4], shares).axes[0]
    mean, whole = dots_and_lines(axes)
    np.testing.assert_allclose(mean, [[2, 0.9], [4, 0.4]])
    assert whole == [[2, 1], [4, 1]]
    corners = axes.collections[0].get_paths()[0].vertices
    assert {tuple(c) for c in corners} == {(2, 0.85), (2, 1), (4, 0.2), (4, 0.6)}


def test_sinusoids_are_drawn_with_the_products_of_their_places():
    encodings = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]])
    figure = figures.sinusoids(encodings)
    left, right = (ax.collections[0].get_array() for ax in figure.axes)
    np.testing.assert_array_equal(left, encodings)
    np.testing.assert_allclose(right, [[1, 0, 0.8], [0, 1, 0.6], [0.8, 0.6, 1]])


def test_cost_draws_a_line_for_each_part():
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    figure = figures.cost_by_length([2, 4], parts)
    drawn = [[y for _, y in line] for line in dots_and_lines(figure.axes[0])]
    assert drawn == list(parts.values())
    assert texts(figure) == list(parts)


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


def test_through_layers_names_its_curves_and_panels(named):
    measured = {
        "residual": {"difference": [[1, 0.5]] * 2 + [[0.1, 0.1]], "size": [[1, 3]]},
        "attention alone": {"difference": [[1, 0.1]], "size": [[1, 0.2]]},
    }  # of three networks the middle one counts
    apart, size = figures.through_layers(measured).axes
    assert apart.get_title() == "how far apart the words are"
    assert size.get_title() == "how large their entries are"
    for axes, key in ((apart, "difference"), (size, "size")):
        assert named(axes) == {kind: m[key][0] for kind, m in measured.items()}


def test_a_training_log_names_its_curves(named):
    log = {"step": [0, 1], "loss": [5, 4], "held_out": [0.1, 0.3], "pairs": [0.2, 0.5]}
    below = figures.training_log(log).axes[1]
    assert named(below) == {"new sentences": [0.1, 0.3], "new pairs": [0.2, 0.5]}


def test_reach_names_its_curves(named):
    kinds = ("simple", "gated", "simple, orthogonal")
    drawn = {
        kind: figures.Reach(np.full((1, 99), 0.1 * k), np.full((1, 99), 0.01 * k))
        for k, kind in enumerate(kinds, start=1)
    }
    forward = figures.reach_by_distance(drawn).axes[0]
    assert named(forward) == {kind: [*drawn[kind][0][0]] for kind in kinds}


LOGITS = np.log(TOLD)
MATRICES = {
    "score_row": (
        lambda: figures.score_row(SCORES, WORDS, 1),
        ("row 2 of the scores", SCORES[1], WORDS[1:2], WORDS),
    ),
    "scaled": (
        lambda: figures.scaled(SCORES, 64, WORDS),
        ("scores", SCORES, WORDS, WORDS),
        ("logits", SCORES / 8, (), WORDS),
    ),
    "softmaxed": (
        lambda: figures.softmaxed(LOGITS, TOLD, WORDS),
        ("logits", LOGITS, WORDS, WORDS),
        ("weights A", TOLD, WORDS, WORDS),
    ),
    "readings": (
        lambda: figures.readings({"a": (WORDS, TOLD), "b": (WORDS[::-1], LOGITS)}),
        ("a", TOLD, WORDS),
        ("b", LOGITS, WORDS[::-1]),
    ),
    "masks": (
        lambda: figures.masks(
            {"none": (np.ones((3, 3)), WORDS), "c": (np.tri(3), WORDS)}
        ),
        ("none", np.ones((3, 3)), WORDS, WORDS),
        ("c", np.tri(3), WORDS, WORDS),
    ),
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_stand_under_their_names(name, shows):
    draw, *expected = MATRICES[name]
    shows(draw(), *expected)


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
            1: {1000: [0.5, 0.7], 2000: [0.9, 0.8]},
            4: {1000: [0.9, 1.0], 2000: [0.9, 1.0]},
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


def test_recall_names_each_width_on_its_line():
    shares = {8: [[0.8, 1.0, 1.0], [0.2, 0.6, 0.5]], 32: [[1, 1, 1], [0.5, 0.7, 0.7]]}
    axes = figures.recall_by_length([2, 4], shares).axes[0]
    at = {t.get_text(): t.xy for t in axes.texts if hasattr(t, "xy")}
    for width, measured in shares.items():
        x, y = at[str(width)]
        assert y == pytest.approx(np.mean(measured[[2, 4].index(x)]))


def test_queries_and_keys_are_named_beside_their_colours():
    queries, keys = np.arange(6.0).reshape(3, 2), -np.arange(6.0).reshape(3, 2)
    axes = figures.queries_and_keys(queries, keys, WORDS).axes
    for ax, name, values in zip(axes, "QK", (queries, keys), strict=True):
        assert ax.get_ylabel() == name
        assert [label.get_text() for label in ax.get_yticklabels()] == [*WORDS[::-1]]
        np.testing.assert_array_equal(ax.collections[0].get_array()[::-1], values)


def test_influences_name_panels_words_and_axes():
    words = ["x", "y", "z"]
    panels = {"a": np.tri(3), "b": np.diag([4.0, 2.0, 1.0])}
    axes = figures.influences(panels, words).axes
    for ax, (name, moved) in zip(axes, panels.items(), strict=True):
        assert ax.get_title() == name
        np.testing.assert_array_equal(
            ax.collections[0].get_array(), moved / moved.max()
        )
        assert [label.get_text() for label in ax.get_xticklabels()] == words
    names = [label.get_text() for label in axes[0].get_yticklabels()]
    assert names == words
    assert axes[0].get_ylabel() == "output of"
    assert "when this word changes" in [ax.get_xlabel() for ax in axes]
    assert axes[0].yaxis_inverted()
