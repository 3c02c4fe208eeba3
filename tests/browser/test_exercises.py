"""The walkthrough's exercises and quiz, on a page without a kernel."""

import math

import pytest
from acts import clear
from frames import wait_until

from course.chapters.walkthrough_apple import exercises as apple_exercises
from course.chapters.walkthrough_apple import questions as apple_quiz
from course.widgets import Quiz

EXERCISES = [
    apple_exercises.projection(0, "Q"),
    apple_exercises.score(0, "bought"),
    apple_exercises.practice_softmax(0, "eat"),
    apple_exercises.head_output(0),
]
QUESTIONS = [apple_quiz.highest_weight(), apple_quiz.softmax_ensures()]


# Storage keys of figures; the key of the reading position is left out.
KEPT = r"Object.keys(localStorage).filter((key) => /[/][^/]+[.][^/]+$/.test(key))"
HOLDS = f"count => {KEPT}.length === count"  # the page stores with a delay


@pytest.fixture
def page(open_page):
    return open_page(*EXERCISES, Quiz(QUESTIONS))


def card(page, exercise):
    return page.get_by_role("group", name=f"Exercise: {exercise.prompt}", exact=True)


def answer(page, exercise, text):
    """Type an answer, press "Check", and return the card's reply."""
    region = card(page, exercise)
    region.get_by_label("Your answer").fill(text)
    region.get_by_role("button", name="Check").click()
    return region.locator(".abh-reading").inner_text()


def mark(region, *lines):
    for line in lines:
        region.get_by_role("button", name=line, exact=True).click()


def test_the_task_does_not_show_the_lines_that_the_reader_marks(page):
    region = card(page, EXERCISES[0])
    task, picked = region.locator(".abh-expression"), region.locator(".abh-picked")
    assert task.inner_text() == "Mark a row or a column of X and one of WQ of head 1."
    mark(region, "X, row apple")
    assert picked.all_inner_texts() == ["0.6", "0.4", "1.0", "0.2"]
    colours = "cells => cells.map(c => getComputedStyle(c).boxShadow)"
    assert len(set(picked.evaluate_all(colours))) == 1
    others = region.locator("td:not(.abh-picked)").evaluate_all(colours)
    assert not set(others) & set(picked.evaluate_all(colours))
    mark(region, "W Q of head 1, column 1")
    assert task.inner_text() == "0.6 × 0.8 + 0.4 × 0.1 + 1.0 × 0.6 + 0.2 × 0.3 = ?"
    mark(region, "X, row apple")  # a second press unmarks the row
    assert task.inner_text() == "Mark a row or a column of X."
    mark(region, "X, row eat")  # the last row: X has more rows than columns
    assert picked.count() == 8


def test_a_wrong_line_and_a_wrong_sum_get_the_same_reply(page):
    exercise = EXERCISES[0]
    region = card(page, exercise)
    mark(region, "X, row apple", "W Q of head 1, row 1")
    rule = "The right factor gives a column: here column 1."
    why = f"You took row 1 of WQ of head 1. {rule}"
    followed = "That follows from the lines you marked, but the task asks for other"
    assert answer(page, exercise, "0.72") == f"{followed} lines. {why}"
    assert answer(page, exercise, "3") == why
    mark(region, "W Q of head 1, column 1", "X, row to")
    wrong_word = "You took the row of “to” of X, not apple."
    assert answer(page, exercise, "3") == wrong_word
    mark(region, "X, row apple")
    assert "Not right. Check" in answer(page, exercise, "3")
    assert answer(page, exercise, "1.18").startswith("Right:")
    region.get_by_role("button", name="Clear", exact=True).click()
    assert region.locator(".abh-picked").count() == 0


def test_a_softmax_down_the_column_is_not_recognised(page):
    exercise = EXERCISES[2]
    region = card(page, exercise)
    mark(region, "logits, column eat")
    column = [float(x) for x in region.locator(".abh-picked").all_inner_texts()]
    share = math.exp(column[2]) / sum(map(math.exp, column))
    said = answer(page, exercise, f"{share:.3f}")
    assert said.startswith("That follows from the lines you marked, but the task")
    assert "needs a row of the scores" in said


def test_lines_of_different_lengths_can_be_multiplied(page):
    region = card(page, EXERCISES[3])
    mark(region, "weights, row apple", "V₁, row apple")
    said = region.locator(".abh-expression").inner_text()
    assert said == "5 numbers against 4: they do not pair off."


def test_help_shows_hint_and_steps_in_a_wrong_order_or_does_not_hide_them(page):
    exercise = EXERCISES[0]
    region = card(page, exercise)
    lines = region.locator(".abh-steps li")
    button = region.locator(".abh-help button")
    wanted = [exercise.hint, *exercise.steps]
    assert button.inner_text() == "Hint"
    for count in range(1, len(wanted) + 1):
        button.focus()
        page.keyboard.press("Enter")
        assert lines.all_inner_texts() == wanted[:count]
        if count < len(wanted):
            assert button.inner_text() == f"Next step ({count + 1} of {len(wanted)})"
    assert button.inner_text() == "Hide the steps"
    button.click()
    assert lines.count() == 0


def test_answers_are_lost_at_a_reload_or_cannot_be_cleared(page):
    exercise = EXERCISES[1]
    truth = f"{exercise.truth:.3f}"
    quiz = page.get_by_role("group", name=f"Quiz of {len(QUESTIONS)} questions")
    region = card(page, exercise)
    field, steps = region.get_by_label("Your answer"), region.locator(".abh-steps li")
    empty = region.get_by_role("button", name="Clear", exact=True)
    answer(page, exercise, truth)
    region.locator(".abh-help button").click()
    right = [choice["right"] for choice in QUESTIONS[1]["choices"]].index(True)
    quiz.locator(".abh-question").nth(1).locator("input").nth(right).check()
    quiz.get_by_role("button", name="Commit").nth(1).click()
    wait_until(page, HOLDS, 5)  # entry, tries, helped; picked, tries of the quiz
    page.reload()
    page.wait_for_selector(".abh-quiz")
    assert field.input_value() == truth
    assert region.get_attribute("data-verdict") == "right"
    assert steps.count() == 1
    assert "1 of" in quiz.locator(".abh-reading").inner_text()
    empty.click()
    assert (steps.count(), field.input_value()) == (0, "")
    field.fill("7")  # not submitted
    empty.click()
    assert field.input_value() == ""
    answer(page, exercise, truth)
    query = page.evaluate("location.search")
    assert query == "", "answers are the reader's own and not in the address"
    clear(page)
    for _ in range(2):
        assert (field.input_value(), region.get_attribute("data-verdict")) == (
            "",
            "none",
        )
        assert "0 of" in quiz.locator(".abh-reading").inner_text()
        wait_until(page, HOLDS, 0)
        page.reload()
        page.wait_for_selector(".abh-quiz")
