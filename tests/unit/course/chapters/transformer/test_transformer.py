"""Chapter 6: stacks of layers, norm, influence of words, and the figures."""

import numpy as np
import pytest
from drawn import check_matrices, named_lines, texts

from course.chapters.transformer import experiments, figures
from course.chapters.transformer.experiments import TOLD, WORDS
from course.kit import look, sketch
from transformer.vocabulary import START

RNG = np.random.default_rng(7)


def test_the_difference_or_size_of_words_is_wrong():
    found = experiments.through_stacks(5, seeds=[3], layers=0, n=4)["residual"]
    x = np.random.default_rng(3).standard_normal((4, 5))
    assert found["size"] ** 2 == pytest.approx(np.vdot(x, x) / x.size)
    others = [x[i] - (x[0] + x[1] + x[2] + x[3]) / 4 for i in range(4)]
    apart = np.vdot(others, others) / np.vdot(x, x)
    assert found["difference"] ** 2 == pytest.approx(apart)


def test_layer_norm_leaves_a_wrong_mean_or_mean_square():
    y = experiments.layer_norm(RNG.normal(3, 5, (7, 4)))
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose((y**2).mean(axis=-1), 1, rtol=1e-4)


def test_influence_is_assigned_to_a_wrong_word():
    x = RNG.standard_normal((5, 6))
    previous = experiments.influence(lambda x: np.roll(x, 1, axis=0), x)
    np.testing.assert_array_equal(previous > 0, np.roll(np.eye(5), 1, axis=0) > 0)


def test_the_three_heads_are_masked_wrongly_or_read_the_wrong_words():
    heads = experiments.three_heads(["I", "am", "good"], [START, "je"])
    own, masked, cross = heads.values()
    assert (own.shape, masked.shape, cross.shape) == ((3, 3), (2, 2), (2, 3))
    assert masked[0, 1] == 0 < masked[1, 0]
    assert (own[0, 1:] > 0).all()


RAMP = look.SIGNED(np.arange(look.SIGNED.N))
LEAKING = np.array([[4, 0, 0.1], [1, 2, 0], [1, 1, 0.5]])


def test_the_first_row_of_the_machine_is_not_on_top():
    assert figures.machine(WORDS, ("je",), "vais").axes[0].yaxis_inverted()


def test_the_width_of_a_line_or_a_bar_is_not_its_weight():
    lines = sketch.links(WORDS, 2, TOLD[2]).axes[0].lines
    widths = [line.get_linewidth() for line in lines]
    np.testing.assert_allclose(widths, np.maximum(16 * TOLD[2], 0.6))
    rows = {}
    for bar in sketch.mixtures(["z_1", "z_2", "z_3"], WORDS, TOLD).axes[0].patches:
        rows.setdefault(bar.get_y(), []).append(bar.get_width())
    widths = np.array([rows[y] for y in sorted(rows, reverse=True)])
    np.testing.assert_allclose(widths / widths.sum(axis=1, keepdims=True), TOLD)


FIRST = ("1", "2 …")


def test_the_chain_shows_a_wrong_matrix_or_a_wrong_divisor():
    wide = np.random.default_rng(0).normal(size=(4, 3, 49))
    chain = dict(zip("QKVZ", wide, strict=True))
    chain |= {"scores": 7 * np.log(TOLD), "logits": np.log(TOLD), "weights": TOLD}
    figure = figures.chain(WORDS, chain)
    check_matrices(
        figure,
        ("Q", chain["Q"][:, :2], WORDS, FIRST),
        ("Kᵀ", chain["K"][:, :2].T, FIRST, WORDS),
        ("scores", chain["scores"], (), WORDS),
        ("logits", chain["logits"], WORDS, WORDS),
        ("weights A", TOLD, (), WORDS),
        ("A", TOLD, WORDS, WORDS),
        ("V", chain["V"][:, :2], WORDS, FIRST),
        ("Z", chain["Z"][:, :2], (), FIRST),
    )
    assert "÷ 7  →" in texts(figure)
    frames = [p for p in figure.axes[0].patches if p.get_linewidth() == 1.6]
    assert len(frames) == 3, "one frame round the largest score of each row"


def test_a_leak_is_not_marked_or_a_cell_is_wrong():
    words = ["x", "y", "z"]
    panels = {"a": 4 * np.tri(3), "b": LEAKING}
    axes = figures.influences(panels, words).axes
    for ax, (name, moved) in zip(axes, panels.items(), strict=True):
        assert ax.get_title() == name
        found = ax.collections[0].get_array()
        np.testing.assert_array_equal(found, moved / moved.max())
        assert [label.get_text() for label in ax.get_xticklabels()] == words
    marks = [ax.lines[0].get_xydata().tolist() for ax in axes]
    assert marks == [[], [[2.5, 0.5]]]
    assert [label.get_text() for label in axes[0].get_yticklabels()] == words
    assert axes[0].yaxis_inverted()


def test_an_encoding_or_a_dot_product_has_a_wrong_colour():
    encodings = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.6, -0.8]])
    figure = figures.sinusoids(encodings)
    matrices = (encodings, encodings @ encodings.T)
    for ax, matrix in zip(figure.axes, matrices, strict=True):
        [cells] = ax.collections
        # Read the matrix back: a path joins rectangles of cells that share a colour.
        seen = np.full(matrix.shape, np.nan)
        for path, colour in zip(cells.get_paths(), cells.get_facecolor(), strict=True):
            corners = path.vertices.reshape(-1, 5, 2).astype(int)
            ends = zip(corners.min(axis=1), corners.max(axis=1), strict=True)
            for (left, top), (right, bottom) in ends:
                assert np.isnan(seen[top:bottom, left:right]).all()
                level = np.abs(RAMP - colour).sum(axis=1).argmin()
                seen[top:bottom, left:right] = 2 * level / (look.SIGNED.N - 1) - 1
        np.testing.assert_allclose(seen, matrix, atol=2 / look.SIGNED.N)
        assert ax.get_ylim() == (len(matrix), 0), "the first row on top"


def test_a_curve_is_not_the_median_or_has_a_wrong_name():
    measured = {
        "residual": {"difference": [[1, 0.5]] * 2 + [[0.1, 0.1]], "size": [[1, 3]]},
        "attention alone": {"difference": [[1, 0.1]], "size": [[1, 0.2]]},
    }
    apart, size = figures.through_layers(measured).axes
    assert apart.get_title() == "how far apart the words are"
    assert size.get_title() == "how large their entries are"
    for axes, key in ((apart, "difference"), (size, "size")):
        assert named_lines(axes) == {kind: m[key][0] for kind, m in measured.items()}


def test_a_matrix_of_weights_has_the_words_of_another_sublayer():
    source, read = ("I", "am", "good"), ("(start)", "je")
    heads = {"own": np.eye(3), "masked": np.eye(2), "cross": np.ones((2, 3)) / 3}
    [axes] = figures.three_heads(heads, source, read).axes
    said = [text.get_text() for text in axes.texts]
    words = [text for text in said if text in {*source, *read}]
    assert words == [*source, *source, *read, *read, *read, *source]
