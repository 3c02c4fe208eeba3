import pytest
from traitlets import TraitError

from course.widgets import Quiz, ask

CHOICES = ("2", True, "It is."), ("3", False, "Too many.")
ASKED = [ask(f"Two, {i}?", *CHOICES) for i in range(3)]


def test_score_counts_right_picks():
    quiz = Quiz(ASKED)
    assert quiz.score == 0
    quiz.picked = {"Two, 0?": "2", "Two, 1?": "3"}
    assert quiz.score == 1
    quiz.picked = {"Two, 0?": "2", "Two, 2?": "2"}
    assert quiz.score == 2


def test_a_quiz_needs_questions_that_can_be_told_apart():
    with pytest.raises(ValueError, match="needs a question"):
        Quiz([])
    with pytest.raises(ValueError, match="the same prompt"):
        Quiz([ASKED[0], ASKED[0]])


def test_a_question_that_cannot_be_answered_is_refused():
    with pytest.raises(TraitError, match="has 2 with 2 right"):
        Quiz([ASKED[0], ask("q?", ("a", True, "why"), ("b", True, "why"))])
