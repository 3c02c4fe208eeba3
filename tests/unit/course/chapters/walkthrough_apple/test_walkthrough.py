import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention import trace_attention
from course.chapters.walkthrough_apple import exercises as apple_exercises
from course.chapters.walkthrough_apple import experiments as apple
from course.chapters.walkthrough_apple import questions as apple_quiz
from course.chapters.walkthrough_apple import tables as walkthrough
from course.kit.prose import differs
from course.notes import APPLE
from course.widgets import Exercise, Quiz

EXERCISES = {
    "try": lambda: apple_exercises.projection(0, "Q"),
    "K1": lambda: apple_exercises.projection(0, "K"),
    "score": lambda: apple_exercises.score(0, "bought"),
    "softmax1": lambda: apple_exercises.practice_softmax(0, "eat"),
    "output": lambda: apple_exercises.head_output(0),
    "final": lambda: apple_exercises.final_output(),
}


@pytest.mark.parametrize("make", EXERCISES.values(), ids=EXERCISES)
def test_steps_end_in_the_true_value(make):
    exercise = make()
    last = float(re.search(r"= ([\d.]+)$", exercise.steps[-1])[1])
    assert abs(last - exercise.truth) <= 0.51 * 10.0**-exercise.digits


@pytest.mark.parametrize("make", EXERCISES.values(), ids=EXERCISES)
def test_every_exercise_knows_four_slips(make):
    exercise = make()
    assert len(exercise.slips) >= 4
    assert len({slip["why"] for slip in exercise.slips}) == len(exercise.slips)
    assert exercise.hint


def test_names_are_unique():
    names = [make().name for make in EXERCISES.values()]
    assert len(set(names)) == len(names)


def test_the_page_s_sum_is_a_slip_of_the_first_exercise():
    values = [slip["value"] for slip in EXERCISES["try"]().slips]
    assert APPLE.printed["Q"][0, apple.FOCUS, 0] in values


@pytest.mark.parametrize("head", range(3))
def test_printed_outputs_lie_below_every_value(head):
    assert (APPLE.printed["output"][head] < walkthrough.matrix(head, "V").min(0)).any()
    exercise = apple_exercises.head_output(head)
    assert_allclose(exercise.truth, walkthrough.trace().heads[head].output[2, 0])


def test_output_exercise_says_of_the_page_s_figure_what_is_true():
    for head in range(3):
        values = walkthrough.matrix(head, "V")[:, 0]
        assert APPLE.printed["output"][head][0] < values.min()


def test_bought_has_the_highest_score_for_every_word_in_every_head():
    winners = [head.weights.argmax(axis=1) for head in walkthrough.trace().heads]
    assert (np.array(winners) == APPLE.tokens.index("bought")).all()


def test_the_quiz_has_the_page_s_questions_and_two_or_more_of_each_chapter():
    questions = apple_quiz.questions()
    assert "page asks why head 1" in questions[0]["prompt"]
    assert "softmax step ensure" in questions[1]["prompt"]
    assert len(questions) >= 2 + 4 * 2
    assert len({q["prompt"] for q in questions}) == len(questions)
    places = [[c["right"] for c in q["choices"]].index(True) for q in questions]
    assert max(np.bincount(places)) < len(questions) / 2
    assert Quiz(questions).score == 0


def test_single_questions_are_sound():
    for ask in (
        apple_quiz.prediction,
        apple_quiz.winners_of_all_rows,
        apple_quiz.order_of_softmax,
        apple_quiz.who_can_win,
    ):
        assert Quiz([ask()]).score == 0


def test_only_apple_s_vectors_are_ever_printed_rightly():
    right = {
        (kind, head, APPLE.tokens[word])
        for kind in "QKV"
        for head in range(3)
        for word, _ in np.argwhere(
            ~differs(APPLE.printed[kind][head], walkthrough.matrix(head, kind), 2)
        )
    }
    assert {word for _, _, word in right} == {"apple"}
    second = differs(APPLE.printed["Q"][1], walkthrough.matrix(1, "Q"), 2)
    assert second.all(axis=1).tolist() == [True, True, False, True, True]
    assert not second[apple.FOCUS].any()


def test_lines_work_each_component_out():
    first, *_, last = walkthrough.projection_lines(0).splitlines()
    assert first.endswith("= 0.48 + 0.04 + 0.60 + 0.06 = **1.18**")
    assert last.endswith("= **0.92**")


def test_tables_mark_the_focus_word_and_the_largest_weight():
    assert "**apple** ← your focus word" in walkthrough.embeddings()
    assert walkthrough.score_lines(0).count("highest") == 1
    stars = [r for r in walkthrough.weights_list(0).splitlines() if "★" in r]
    assert [line.split("|")[1].strip() for line in stars] == ["bought"]
    for kind in "QKV":
        assert len(walkthrough.vectors(2, kind).splitlines()) == 7
    assert walkthrough.spoken(1).count("a preposition") == 2


@pytest.mark.parametrize("name", ["try", "K1", "score", "softmax1", "output"])
def test_the_reader_chooses_the_lines_and_wrong_ones_give_other_numbers(name):
    exercise = EXERCISES[name]()
    grids = exercise.operands["grids"]
    for grid in grids:
        every = {f"row {i}" for i in range(len(grid["rows"]))}
        every |= {f"column {j}" for j in range(len(grid["columns"]))}
        assert grid["wanted"] in every
        assert set(grid["whys"]) == every - {grid["wanted"]}
    assert exercise.marks == []
    assert exercise.expression == ""  # it would give the operands away
    picked = [line_of(grid, grid["wanted"]) for grid in grids]
    assert_allclose(worked_out(exercise.operands, picked), exercise.truth, atol=2e-3)
    first = grids[0]
    i, j = exercise.operands["entry"]
    slipped = {"row": f"column {i}", "column": f"row {j}"}[first["wanted"].split()[0]]
    if len(line_of(first, slipped)) == len(picked[0]):
        wrong = worked_out(exercise.operands, [line_of(first, slipped), *picked[1:]])
        assert abs(wrong - exercise.truth) > 10.0**-exercise.digits


def line_of(grid, line):
    kind, at = line.split()
    values = np.array(grid["values"])
    return values[int(at)] if kind == "row" else values[:, int(at)]


def worked_out(operands, lines):
    if operands["kind"] == "product":
        return lines[0] @ lines[1]
    i, j = operands["entry"]
    return np.exp(operands["grids"][0]["values"][i][j]) / np.exp(lines[0]).sum()


def test_exercise_is_a_widget():
    assert isinstance(EXERCISES["try"](), Exercise)


def test_heads_that_look_alike_are_one_head_with_wider_values():
    """What the quiz says of two heads that differ in W_V only."""
    W_Q, W_K, W_V = APPLE.W_Q[[0, 0]], APPLE.W_K[[0, 0]], APPLE.W_V[:2]
    first, second = (
        trace_attention(APPLE.X @ q, APPLE.X @ k, APPLE.X @ v)
        for q, k, v in zip(W_Q, W_K, W_V, strict=True)
    )
    np.testing.assert_array_equal(first.weights, second.weights)
    assert not np.allclose(first.output, second.output)
    wide = APPLE.X @ np.hstack(list(W_V))
    together = trace_attention(first.query, first.key, wide).output
    assert_allclose(together, np.hstack([first.output, second.output]))


def test_equal_keys_give_the_mean_of_the_values():
    """What the quiz says of a sentence in which every word has the same key."""
    head = walkthrough.trace().heads[0]
    same = np.broadcast_to(head.key[0], head.key.shape)
    output = trace_attention(head.query, same, head.value).output
    assert_allclose(output, np.broadcast_to(head.value.mean(axis=0), output.shape))
