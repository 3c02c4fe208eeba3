"""Questions of chapters 3 and 4: one right answer each, and the exercises' truths."""

import numpy as np
import pytest

from course.chapters.multi_head import questions as multi_head
from course.chapters.output_projection import questions as output_projection
from course.notes import CAT
from course.widgets import Quiz

QUESTIONS = {
    f"{module.__name__}.{name}": value
    for module in (multi_head, output_projection)
    for name, value in vars(module).items()
    if name.isupper()
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_question_makes_a_quiz(name):
    assert Quiz([QUESTIONS[name]]).questions == [QUESTIONS[name]]


def test_scaled_score_is_that_of_the_second_head():
    exercise = multi_head.scaled_score(CAT)
    query, key = CAT.X[0] @ CAT.W_Q[1], CAT.X[1] @ CAT.W_K[1]
    np.testing.assert_allclose(exercise.truth, query @ key / np.sqrt(2))
    values = [slip["value"] for slip in exercise.slips]
    assert len(values) == 4
    assert CAT.printed["scaled"][1, 0, 1] in values


def test_first_column_starts_from_the_concatenation_as_shown():
    concat = [0.12345, 0.5, 1.25, 2.0]
    exercise = output_projection.first_column(concat, CAT.W_O, "cat")
    shares = [0.123 * 0.1 + 0.5 * 0.5, 1.25 * 0.9 + 2.0 * 1.3]
    np.testing.assert_allclose(exercise.truth, sum(shares))
    values = [slip["value"] for slip in exercise.slips]
    assert len(values) == 3
    np.testing.assert_allclose(values[1:], shares)
