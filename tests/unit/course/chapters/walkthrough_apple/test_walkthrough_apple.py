"""The walkthrough: experiments, exercises and figures."""

import numpy as np
import pytest
from drawn import check_matrices
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose

from attention import trace_attention
from course.chapters.walkthrough_apple import claims, exercises, figures, tables
from course.chapters.walkthrough_apple import experiments as apple
from course.chapters.walkthrough_apple.experiments import FOCUS, TrainedHead
from course.chapters.walkthrough_apple.tables import trace
from course.kit import look
from course.notes import APPLE
from course.widgets import Exercise

WORDS = APPLE.tokens


def query_and_key_weights(head):
    return APPLE.W_Q[head], APPLE.W_K[head]


@pytest.mark.parametrize("head", range(3))
def test_apple_s_weights_are_not_those_of_the_library(head):
    W_Q, W_K = query_and_key_weights(head)
    trace = trace_attention(APPLE.X @ W_Q, APPLE.X @ W_K, APPLE.X @ APPLE.W_V[head])
    assert_allclose(apple.focus_weights(W_Q, W_K), trace.weights[apple.FOCUS])
    direction = apple.direction(W_Q, W_K)
    assert_allclose(APPLE.X @ direction, trace.scores[apple.FOCUS])


def test_the_smallest_cosine_misses_the_pair_with_the_largest_angle():
    rows = [[1, 0], [3, 0], [1, 1]]
    assert_allclose(apple.smallest_cosine(rows), np.sqrt(0.5))
    assert apple.smallest_cosine(np.ones((2, 7, 3, 4))).shape == (2, 7)


def test_cosines_of_outputs_differ_from_the_library():
    rng = np.random.default_rng(3)
    heads, X = rng.standard_normal((3, 2, 3, 4, 4)), rng.standard_normal((5, 4))
    traces = [trace_attention(*(X @ W for W in each)) for each in heads.swapaxes(0, 1)]
    means = [trace.output.mean(axis=0) for trace in traces]
    assert_allclose(apple.cosines_after(heads, X), apple.smallest_cosine(means))


@pytest.mark.parametrize("head", range(3))
def test_nearest_keys_do_not_give_the_wanted_weights(head):
    wanted = APPLE.printed["apple_weights"][head]
    W_Q, W_K = query_and_key_weights(head)
    changed = apple.nearest_keys(W_Q, W_K, wanted)
    assert_allclose(apple.focus_weights(W_Q, changed), wanted / wanted.sum())
    assert np.linalg.matrix_rank(changed - W_K, tol=1e-9) == 1


def test_a_weight_of_zero_raises_no_error():
    with pytest.raises(ValueError, match="positive"):
        apple.nearest_keys(*query_and_key_weights(0), [0, 1, 1, 1, 1])


def test_the_gradient_differs_from_finite_differences():
    W_Q, W_K = query_and_key_weights(0)
    goal = apple.target("eat")
    _, grad_q, grad_k = apple.gradient(W_Q, W_K, goal)
    step = np.zeros((4, 4))
    step[1, 2] = 1e-6

    def slope(dq, dk):
        ahead = apple.gradient(W_Q + dq, W_K + dk, goal)[0]
        behind = apple.gradient(W_Q - dq, W_K - dk, goal)[0]
        return (ahead - behind) / 2e-6

    assert_allclose(slope(step, 0), grad_q[1, 2], rtol=1e-6)
    assert_allclose(slope(0, step), grad_k[1, 2], rtol=1e-6)


def test_a_direction_within_the_limit_angle_puts_another_word_first():
    limit = apple.limit_angle("bought", "eat")
    along = np.ones(4) / 2
    away = APPLE.X[WORDS.index("eat")] - APPLE.X[WORDS.index("bought")]
    away -= (away @ along) * along  # towards eat, at a right angle to the diagonal
    away /= np.linalg.norm(away)
    for angle, first in ((limit - 0.1, "bought"), (limit + 0.1, "eat")):
        a = np.cos(np.radians(angle)) * along + np.sin(np.radians(angle)) * away
        assert_allclose(apple.angle(a), angle)
        assert WORDS[np.argmax(APPLE.X @ a)] == first


def test_the_claim_on_cosines_is_not_a_median(monkeypatch):
    monkeypatch.setattr(claims, "cosines_after", lambda *_: np.array([0.9, 0.2, 0.1]))
    assert claims.smallest_cosine_after(seed=0, n=2, d=3) == 0.2


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


# --- exercises: truths, slips, operands -----------------------------------------------


TRACES = tables.trace().heads
EXERCISES = {
    "Q1-0": (exercises.projection(0, "Q"), TRACES[0].query[2, 0]),
    "K1-0": (exercises.projection(0, "K"), TRACES[0].key[2, 0]),
    "score1-bought": (exercises.score(0, "bought"), TRACES[0].scores[2, 1]),
    "softmax1-eat": (exercises.practice_softmax(0, "eat"), TRACES[0].weights[2, 4]),
    "output1-0": (exercises.head_output(0), TRACES[0].output[2, 0]),
    "final-0": (exercises.final_output(), np.mean([h.output[2, 0] for h in TRACES])),
}


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_has_a_wrong_truth(name):
    exercise, truth = EXERCISES[name]
    assert isinstance(exercise, Exercise)
    assert exercise.name == name
    assert_allclose(exercise.truth, truth, atol=1e-9)


@pytest.mark.parametrize("head", range(3))
def test_a_misprint_is_not_among_the_slips_or_its_reason_is_false(head):
    values = [slip["value"] for slip in exercises.projection(head, "Q").slips]
    printed = APPLE.printed["Q"][head, 2, 0]
    truth = exercises.projection(head, "Q").truth
    assert printed in values or abs(printed - truth) < 0.005
    # the reason says: smaller than each of the five values
    assert APPLE.printed["output"][head][0] < tables.matrix(head, "V")[:, 0].min()


def line_of(grid, line):
    kind, at = line.split()
    values = np.array(grid["values"])
    return values[int(at)] if kind == "row" else values[:, int(at)]


def worked_out(operands, lines):
    if operands["kind"] == "product":
        return lines[0] @ lines[1]
    i, j = operands["entry"]
    return np.exp(operands["grids"][0]["values"][i][j]) / np.exp(lines[0]).sum()


@pytest.mark.parametrize("name", [name for name in EXERCISES if name != "final-0"])
def test_the_wanted_lines_do_not_give_the_truth(name):
    exercise, truth = EXERCISES[name]
    grids = exercise.operands["grids"]
    for grid in grids:
        every = {f"row {i}" for i in range(len(grid["rows"]))}
        every |= {f"column {j}" for j in range(len(grid["columns"]))}
        assert set(grid["reasons"]) == every - {grid["wanted"]}
    assert (exercise.marks, exercise.expression) == ([], "")  # would show the answer
    picked = [line_of(grid, grid["wanted"]) for grid in grids]
    assert_allclose(worked_out(exercise.operands, picked), truth, atol=2e-3)
