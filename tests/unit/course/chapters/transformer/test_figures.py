"""Figures of chapter 6 show the numbers they are given."""

import itertools

import numpy as np
import pytest

from course.chapters.transformer import figures
from course.chapters.transformer.experiments import TOLD, WORDS
from course.kit import look, sketch

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
        (lambda: figures.masks({"causal": (np.tri(3), WORDS)}), "causal"),
        (lambda: sketch.links(WORDS, 0, TOLD[0]), "90%"),
        (lambda: sketch.mixture("z_1", WORDS, TOLD[0]), "0.07 v₂"),
        (lambda: sketch.mixtures(["z_1", "z_2"], WORDS, TOLD[:2]), "0.95 v₂"),
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
    bars = sketch.mixture("z_3", WORDS, TOLD[2]).axes[0].patches
    widths = np.array([bar.get_width() for bar in bars])
    np.testing.assert_allclose(widths / widths.sum(), TOLD[2])


def test_sums_below_each_other_are_as_wide_as_each_row_of_weights():
    axes = sketch.mixtures(["z_1", "z_2", "z_3"], WORDS, TOLD).axes[0]
    rows = {}
    for bar in axes.patches:
        rows.setdefault(bar.get_y(), []).append(bar.get_width())
    widths = np.array([rows[y] for y in sorted(rows, reverse=True)])
    np.testing.assert_allclose(widths / widths.sum(axis=1, keepdims=True), TOLD)


def test_the_chain_divides_by_the_root_of_the_width_and_frames_each_rows_largest():
    figure = figures.chain(WORDS, CHAIN)
    assert "÷ 8  →" in texts(figure)
    frames = [p for p in figure.axes[0].patches if p.get_linewidth() == 1.6]
    assert len(frames) == 3


def test_stacks_are_read_downwards():
    for figure in (figures.machine(WORDS, ("je",), "vais"), figures.encoder_stack("x")):
        assert figure.axes[0].yaxis_inverted()


def test_influences_mark_leaks_and_nothing_else():
    leaking = np.tri(3)
    leaking[0, 2] = 0.1
    first, second = figures.influences({"a": np.tri(3), "b": leaking}, "xyz").axes
    assert len(first.lines[0].get_xdata()) == 0
    assert second.lines[0].get_xydata().tolist() == [[2.5, 0.5]]


def covered(path):
    """Rows and columns of the cells that a path fills."""
    corners = path.vertices.reshape(-1, 5, 2).astype(int)
    return [
        place
        for (left, top), (right, bottom) in zip(
            corners.min(axis=1), corners.max(axis=1), strict=True
        )
        for place in itertools.product(range(top, bottom), range(left, right))
    ]


def test_cells_of_one_colour_below_each_other_are_drawn_as_one():
    encodings = np.array([[0.0, 1.0], [0.0, 0.5], [0.0, 1.0]])
    [cells] = figures.sinusoids(encodings).axes[0].collections
    heights = [np.ptp(path.vertices[:, 1]) for path in cells.get_paths()]
    assert heights == [3, 1, 3]  # of 1.0 the first and the last row


def test_sinusoids_are_drawn_with_the_products_of_their_places():
    encodings = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]])
    figure = figures.sinusoids(encodings)
    products = [[1, 0, 0.8], [0, 1, 0.6], [0.8, 0.6, 1]]
    for ax, matrix in zip(figure.axes, (encodings, products), strict=True):
        [cells] = ax.collections
        drawn = {
            place: tuple(colour)
            for path, colour in zip(
                cells.get_paths(), cells.get_facecolor(), strict=True
            )
            for place in covered(path)
        }
        step = 2 / (look.SIGNED.N - 1)
        assert sum(len(covered(path)) for path in cells.get_paths()) == len(drawn)
        assert len(drawn) == np.size(matrix)
        for place, value in np.ndenumerate(matrix):
            near = [look.SIGNED((v + 1) / 2) for v in value + np.linspace(-step, step)]
            assert drawn[place] in near
            assert ax.get_ylim() == (len(matrix), 0), "the first row on top"


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
FIRST = ("1", "2 …")
WIDE = np.random.default_rng(0).normal(size=(4, 3, 64))  # 8 is the root of 64
CHAIN = dict(zip("QKVZ", WIDE, strict=True))
CHAIN |= {"scores": SCORES, "logits": LOGITS, "weights": TOLD}
MATRICES = {
    "chain": (
        lambda: figures.chain(WORDS, CHAIN),
        ("Q", CHAIN["Q"][:, :2], WORDS, FIRST),
        ("Kᵀ", CHAIN["K"][:, :2].T, FIRST, WORDS),
        ("scores", SCORES, (), WORDS),
        ("logits", LOGITS, WORDS, WORDS),
        ("weights A", TOLD, (), WORDS),
        ("A", TOLD, WORDS, WORDS),
        ("V", CHAIN["V"][:, :2], WORDS, FIRST),
        ("Z", CHAIN["Z"][:, :2], (), FIRST),
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
