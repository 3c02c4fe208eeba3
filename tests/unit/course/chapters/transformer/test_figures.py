"""Figures of chapter 6 show the numbers they are given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course.chapters.transformer import figures
from course.chapters.transformer.experiments import TOLD, WORDS
from course.kit import sketch

SCORES = 8 * np.log(TOLD)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


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
