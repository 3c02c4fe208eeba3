"""Exercises of the walkthrough: true values, slips, operands."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from course.chapters.walkthrough_apple import exercises, tables
from course.notes import APPLE
from course.widgets import Exercise

HEADS = tables.trace().heads
EXERCISES = {
    "Q1-0": (exercises.projection(0, "Q"), HEADS[0].query[2, 0]),
    "K1-0": (exercises.projection(0, "K"), HEADS[0].key[2, 0]),
    "score1-bought": (exercises.score(0, "bought"), HEADS[0].scores[2, 1]),
    "softmax1-eat": (exercises.practice_softmax(0, "eat"), HEADS[0].weights[2, 4]),
    "output1-0": (exercises.head_output(0), HEADS[0].output[2, 0]),
    "final-0": (exercises.final_output(), np.mean([h.output[2, 0] for h in HEADS])),
}
each = pytest.mark.parametrize("name", EXERCISES)


@each
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
