import pytest

from course.widgets import Quiz, ask

TWO = ask("Two?", ("2", True, "It is."), ("3", False, "Too many."))


def test_score_counts_right_picks():
    quiz = Quiz([TWO, TWO, TWO])
    assert quiz.score == 0
    quiz.picked = [0, 1]
    assert quiz.score == 1
    quiz.picked = [0, -1, 0]
    assert quiz.score == 2


def test_picks_are_kept_on_the_device_only():
    assert "picked" in Quiz([TWO])._page["device"]
    assert Quiz([TWO])._page["url"] == []


def test_a_quiz_needs_a_question():
    with pytest.raises(ValueError, match="needs a question"):
        Quiz([])


@pytest.mark.parametrize(
    "question",
    [
        ask("q", ("a", True, "why")),
        ask("q", ("a", True, "why"), ("b", True, "why")),
        ask("q", ("a", False, "why"), ("b", False, "why")),
    ],
)
def test_exactly_one_choice_is_right(question):
    with pytest.raises(ValueError, match="one of them right"):
        Quiz([question])


def test_every_choice_explains_itself():
    with pytest.raises(ValueError, match="does not explain itself"):
        Quiz([ask("q", ("a", True, ""), ("b", False, "why"))])
