"""What a reader answers: quizzes, exercises, chosen operands, the goal of a machine."""

import numpy as np
import pytest
from traitlets import TraitError

from course.chapters.self_attention.questions import PLAY_TO_FOOTBALL
from course.widgets import Exercise, Machine, Quiz, Slip, ask
from course.widgets.exercise import decimal, dot_steps
from course.widgets.machine.goal import verdict
from course.widgets.operands import Grid, entry_of_product, softmax_of_row

CHOICES = ("2", True, "It is."), ("3", False, "Too many.")
ASKED = [ask(f"Two, {i}?", *CHOICES) for i in range(3)]


def test_the_score_is_not_the_number_of_right_picks():
    quiz = Quiz(ASKED)
    assert quiz.score == 0
    quiz.picked = {"Two, 0?": "2", "Two, 1?": "3"}
    assert quiz.score == 1
    quiz.picked = {"Two, 0?": "2", "Two, 2?": "2"}
    assert quiz.score == 2


def test_a_quiz_without_questions_or_with_equal_ones_is_accepted():
    with pytest.raises(ValueError, match="needs a question"):
        Quiz([])
    with pytest.raises(ValueError, match="the same prompt"):
        Quiz([ASKED[0], ASKED[0]])


def test_a_question_with_two_right_choices_is_accepted():
    with pytest.raises(TraitError, match="got 2 with 2 right"):
        Quiz([ASKED[0], ask("q?", ("a", True, "why"), ("b", True, "why"))])


@pytest.mark.parametrize(
    ("truth", "digits", "values", "kept"),
    [(1.18, 2, [1.181, 0.5, 0.502, 0.7], [0.5, 0.7]), (5, 0, [6, 7, 7.4], [6, 7])],
)
def test_a_slip_equal_to_the_truth_or_another_slip_is_kept(truth, digits, values, kept):
    slips = [Slip(value, f"why {value}") for value in values]
    exercise = Exercise("q", "q?", truth=truth, digits=digits, slips=slips)
    assert [slip["value"] for slip in exercise.slips] == kept


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"truth": np.nan}, "finite"),
        ({"slips": [Slip(np.inf, "why")]}, "finite"),
        ({"digits": 9}, r"0\.\.8, got 9"),
    ],
)
def test_a_number_that_no_reader_can_enter_is_accepted(wrong, message):
    with pytest.raises(ValueError, match=message):
        Exercise("q", "q?", **{"truth": 1.0} | wrong)


def test_a_shown_sum_does_not_add_the_rounded_products():
    assert dot_steps([0.4, 0.4, 0.4], [0.4, 0.4, 0.4], digits=1)[-1] == (
        "0.2 + 0.2 + 0.2 = 0.6"  # 0.48 unrounded
    )


def test_decimal_keeps_zeros():
    assert [decimal(value, 2) for value in (1.0, -0.001, 10.0)] == ["1", "0", "10"]


RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 7))


@pytest.mark.parametrize("entry", [(0, 0), (4, 6), (2, 5)])
def test_the_truth_is_not_the_entry_of_the_product(entry):
    found = entry_of_product(Grid("A", A), Grid("B", B), entry)
    assert found.truth == pytest.approx((A @ B)[entry])
    wanted = [grid["wanted"] for grid in found.view_data["grids"]]
    assert wanted == [f"row {entry[0]}", f"column {entry[1]}"]


def test_a_wrong_line_has_no_reason_or_a_wrong_one():
    words = Grid("X", A, rows=("I", "saw", "a", "red", "kite"))
    left, right = entry_of_product(words, Grid("W", B), (4, 1)).view_data["grids"]
    assert left["reasons"]["row 1"] == "You took the row of “saw” of X, not kite."
    reason = "You took column 2 of X. The left factor gives a row: here kite."
    assert left["reasons"]["column 1"] == reason
    assert right["reasons"]["row 1"].endswith("gives a column: here column 2.")
    assert len(left["reasons"]) == 5 + 3 - 1
    assert len(right["reasons"]) == 3 + 7 - 1


def test_softmax_is_not_taken_along_the_row():
    values = np.abs(A)
    found = softmax_of_row(Grid("e", values), (3, 2))
    assert found.truth == pytest.approx(np.exp(values[3, 2]) / np.exp(values[3]).sum())
    (grid,) = found.view_data["grids"]
    assert "needs a row of the scores" in grid["reasons"]["column 2"]


def test_a_shape_or_entry_that_does_not_fit_is_accepted():
    with pytest.raises(ValueError, match=r"multiply shapes \(3, 7\) and \(5, 3\)"):
        entry_of_product(Grid("B", B), Grid("A", A), (0, 0))
    with pytest.raises(ValueError, match=r"shape \(5, 7\), got \(5, 0\)"):
        entry_of_product(Grid("A", A), Grid("B", B), (5, 0))
    with pytest.raises(ValueError, match=r"shape \(5, 3\), got \(0, 3\)"):
        softmax_of_row(Grid("A", A), (0, 3))


def machine(**changes):
    asked = Machine.preset("football", goal=PLAY_TO_FOOTBALL)
    asked.set(**changes)
    return asked


def key_of(asked):
    stated = Machine.preset("football").inputs
    return verdict(PLAY_TO_FOOTBALL, stated, asked.inputs)[0]


def test_the_notes_own_matrix_counts_as_an_answer():
    assert key_of(machine()) == "first"
    said = "As given, “play” takes 0.275 from “football”, and 0.391 from “play”."
    assert machine().verdict() == said


def test_the_verdict_is_right_for_a_smaller_weight_or_wrong_for_the_largest():
    rng, found = np.random.default_rng(0), set()
    for W_K in rng.normal(size=(20, 3, 2)):
        asked = machine(W_K=[W_K])
        key = key_of(asked)
        is_largest = asked.trace.heads[0].weights[1].argmax() == 2
        assert key == ("right" if is_largest else "wrong")
        found.add(key)
    assert found == {"right", "wrong"}
    assert key_of(machine(W_K=np.zeros((1, 3, 2)))) == "wrong", "a tie"


@pytest.mark.parametrize("name", ["X", "W_Q", "W_V"])
def test_a_change_of_another_input_is_accepted(name):
    changed = getattr(machine(), name) + 0.5
    reached = {"W_K": [[[-5, 0], [0, 0], [0, 0]]]}
    assert key_of(machine(**reached)) == "right"
    asked = machine(**reached | {name: changed})
    assert key_of(asked) == "other"
    assert "only W_K" in asked.verdict()


def test_a_machine_with_a_goal_does_not_count_as_one_exercise():
    assert "reached" not in Machine.preset("football")._page["traits"]
    assert machine()._page["traits"]["reached"]["asked"]["count"] == 1
