"""Figures of the walkthrough show their data under the right names."""

import numpy as np
import pytest
from drawn import check_matrices
from matplotlib.colors import to_hex

from course.chapters.walkthrough_apple import figures
from course.chapters.walkthrough_apple.experiments import FOCUS, TrainedHead
from course.chapters.walkthrough_apple.tables import trace
from course.kit import look
from course.notes import APPLE

T = APPLE.tokens
HEADS = ["head 1", "head 2", "head 3"]
ROWS = np.array([head.weights[FOCUS] for head in trace().heads])
GRIDS = np.arange(32.0).reshape(2, 4, 4) / 100
FOUND = [
    TrainedHead(GRIDS[0], GRIDS[1], ROWS[0], ROWS[0]),
    TrainedHead(GRIDS[1], GRIDS[0], ROWS[1], ROWS[1]),
]
OUTPUTS = [head.output[FOCUS] for head in trace().heads]
MATRICES = {
    "concatenation": (figures.concatenation, *zip(HEADS, OUTPUTS, strict=True)),
    "apples_rows": (figures.apples_rows, ("", ROWS, HEADS, T)),
    "winners": (
        lambda: figures.winners({"a": ROWS[0], "b": ROWS[2]}),
        ("", ROWS[[0, 2]], ["a", "b"], T),
    ),
    "before_and_after": (
        lambda: figures.before_and_after(ROWS, ROWS[::-1], ("old", "new")),
        ("old", ROWS, HEADS, T),
        ("new", ROWS[::-1], (), T),
    ),
}


@pytest.mark.more
@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_stands_under_the_wrong_name(name):
    draw, *expected = MATRICES[name]
    check_matrices(draw(), *expected)


def test_row_maxima_are_not_the_largest_entries():
    assert figures.row_maxima([[1, 3], [5, 4]]) == [(0, 1), (1, 0)]


def by_colour(panel):
    """Return the places of a panel's marks, from top to bottom, by their colour."""
    return {
        to_hex(marks.get_facecolor()[0]): marks.get_offsets().tolist()
        for marks in panel.collections
        if len(marks.get_offsets()) == len(T)
    }


def test_printed_and_computed_weights_are_exchanged():
    figure = figures.apples_weights()
    for head, panel in enumerate(figure.axes):
        assert panel.get_title() == HEADS[head]
        for role, weights in (
            ("paper", APPLE.printed["apple_weights"][head]),  # hollow
            ("output", ROWS[head]),
        ):
            places = [[weight, row] for row, weight in enumerate(weights)]
            assert by_colour(panel)[look.colour(role)] == places
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == list(T)
    assert figure.axes[0].get_yticks().tolist() == [0, 1, 2, 3, 4]
    assert figure.axes[0].yaxis_inverted()


def test_the_key_names_the_wrong_marks():
    figure, said = figures.apples_weights(), {}
    words = [(text.get_position()[0], text.get_text()) for text in figure.texts]
    for mark in figure.get_children():
        if hasattr(mark, "get_markerfacecolor"):
            beside = min(each for each in words if each[0] > mark.get_xdata()[0])
            said[to_hex(mark.get_markerfacecolor())] = beside[1]
    assert said[look.colour("paper")] == "as the web page lists it"
    assert said[look.colour("output")] == "from its inputs"


def test_words_in_and_out_are_exchanged():
    before, after = figures.words_in_and_out().axes
    titles = [panel.get_title(loc="left") for panel in (before, after)]
    assert titles == ["embeddings", "outputs"]
    for panel, rows in ((before, APPLE.X), (after, trace().output)):
        np.testing.assert_array_equal([line.get_ydata() for line in panel.lines], rows)
    heights = {t.get_text(): t.get_position()[1] for t in before.texts}
    assert heights == dict(zip(T, APPLE.X[:, 0], strict=True))


def test_a_line_of_features_has_the_name_of_another_word():
    axes = figures.features().axes[0]
    starts = {t.get_text(): t.get_position()[1] for t in axes.texts}
    assert starts == dict(zip(T, APPLE.X[:, 0], strict=True))
    np.testing.assert_array_equal([line.get_ydata() for line in axes.lines], APPLE.X)
    colours = np.array([to_hex(line.get_color()) for line in axes.lines])
    strong = np.array(T)[colours == look.colour("ink")]
    assert strong.tolist() == ["bought", "to"]
