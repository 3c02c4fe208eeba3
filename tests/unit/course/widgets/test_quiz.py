import pytest
from traitlets import TraitError

from course.widgets import Quiz, ask

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
