"""Figures of chapter 6 show the numbers they are given."""

import numpy as np
import pytest

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


def test_sinusoids_are_drawn_with_the_products_of_their_places():
    encodings = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]])
    figure = figures.sinusoids(encodings)
    left, right = (ax.collections[0].get_array() for ax in figure.axes)
    np.testing.assert_array_equal(left, encodings)
    np.testing.assert_allclose(right, [[1, 0, 0.8], [0, 1, 0.6], [0.8, 0.6, 1]])


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
