"""Rules for every question and every exercise on the built pages."""

import math
import re
from collections import Counter

import pytest
from built import PAGES, SITE
from states import models, questions

from course.widgets.card.question import number_of

STATES = {name: models(SITE / name) for name in PAGES}
ASKED = {
    name: [question for state in states for question in questions(state)]
    for name, states in STATES.items()
}
EVERY = {q["prompt"]: q["choices"] for asked in ASKED.values() for q in asked}
EXERCISES = [
    pytest.param(state, id=f"{name}-{state['name']}")
    for name, states in STATES.items()
    for state in states
    if "truth" in state
]


def test_questions_or_exercises_are_not_found():
    assert len(EVERY) >= 40
    assert len(EXERCISES) >= 6


@pytest.mark.parametrize("prompt", EVERY)
def test_a_prompt_is_no_question_or_a_reason_is_short_or_repeated(prompt):
    """`check_question` checks that exactly one choice is right."""
    choices = EVERY[prompt]
    assert re.search(r"\w \w+.*\?[”\")]*$", prompt.strip(), re.DOTALL)
    assert len({choice["why"] for choice in choices}) == len(choices)
    assert all(len(choice["why"].split()) >= 4 for choice in choices)
    numbers = [number_of(choice["text"]) for choice in choices]
    assert None in numbers or numbers == sorted(numbers), "numbers are not sorted"


@pytest.mark.parametrize("name", [name for name in PAGES if ASKED[name]])
@pytest.mark.parametrize("extreme", [max, min])
def test_the_length_of_a_choice_gives_the_answer_away(name, extreme):
    guessed = 0
    for question in ASKED[name]:
        choices = question["choices"]
        lengths = [len(choice["text"]) for choice in choices]
        found = [c for c in choices if len(c["text"]) == extreme(lengths)]
        guessed += len(found) == 1 and found[0]["right"]
    assert guessed <= max(2, len(ASKED[name]) / 2)


def test_the_place_of_the_right_answer_gives_a_hint():
    places = Counter(
        [choice["right"] for choice in three].index(True)
        for three in EVERY.values()
        if len(three) == 3
    )
    assert max(places.values()) <= places.total() / 2
    assert min(places[place] for place in range(3)) >= places.total() / 6


def result_of(text):
    """Return the value of the arithmetic at the end or the start of a text, or None."""
    text = text.replace(",", "").translate(str.maketrans("×·÷−", "**/-"))
    found = re.sub(r"e\^([\d.-]+)", r"exp(\1)", text.partition(": ")[2] or text).strip()
    found = re.sub(r"(?<=\d) [a-z].*$", "", found)
    is_arithmetic = re.search(r"^[^a-z?]*\d|^exp", found)
    return eval(found, {"exp": math.exp}) if is_arithmetic else None


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_exercise_lacks_slips_or_a_hint_or_a_step_computes_another_number(exercise):
    assert len(exercise["slips"]) >= 2
    assert len({slip["why"] for slip in exercise["slips"]}) == len(exercise["slips"])
    assert exercise["hint"]
    assert exercise["steps"]
    last = exercise["truth"]
    for step in exercise["steps"]:
        left, equals, right = step.partition("=")
        if equals:
            last, expected = result_of(left), result_of(right)
            assert expected is None or last == pytest.approx(expected, rel=2e-3), step
    assert last == pytest.approx(exercise["truth"], rel=2e-3)
