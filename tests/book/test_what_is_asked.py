"""Rules for every question and every exercise on the built pages."""

import re
from collections import Counter

import pytest
from built import PAGES, SITE
from states import models, questions

from course.widgets.card.question import in_order, number_of

FIGURES = {name: models(SITE / name) for name in PAGES}
ASKED = [
    pytest.param(question, id=f"{name}-{question['prompt'][:40]}")
    for name, states in FIGURES.items()
    for state in states
    for question in questions(state)
]
EXERCISES = [
    pytest.param(state, id=f"{name}-{state['name']}")
    for name, states in FIGURES.items()
    for state in states
    if "truth" in state
]
each_page_with_figures = pytest.mark.parametrize(
    "states",
    [s for s in FIGURES.values() if s],
    ids=[n for n, s in FIGURES.items() if s],
)


def test_questions_and_exercises_are_found():
    assert len(ASKED) >= 40
    assert len(EXERCISES) >= 6


@pytest.mark.parametrize("question", ASKED)
def test_a_question_is_complete(question):
    choices = question["choices"]
    assert len(question["prompt"].split()) >= 3
    assert re.search(r"\?[”\")]*$", question["prompt"].strip())
    assert len(choices) >= 2
    assert sum(choice["right"] for choice in choices) == 1
    assert all(choice["text"].strip() for choice in choices)
    assert len({choice["text"] for choice in choices}) == len(choices)
    assert len({choice["why"] for choice in choices}) == len(choices)
    assert all(len(choice["why"].split()) >= 4 for choice in choices)


@each_page_with_figures
@pytest.mark.parametrize("extreme", [max, min])
def test_the_length_of_a_choice_does_not_tell_the_answer(states, extreme):
    asked = [question for state in states for question in questions(state)]
    guessed = 0
    for question in asked:
        right = {len(c["text"]): c["right"] for c in question["choices"]}
        lengths = [len(c["text"]) for c in question["choices"]]
        only_one = lengths.count(extreme(lengths)) == 1
        guessed += only_one and right[extreme(lengths)]
    assert guessed <= max(2, len(asked) / 2)


def test_the_place_of_the_right_answer_gives_a_hint():
    choices = {each.values[0]["prompt"]: each.values[0]["choices"] for each in ASKED}
    places = Counter(
        [choice["right"] for choice in three].index(True)
        for three in choices.values()
        if len(three) == 3
    )
    assert max(places.values()) <= places.total() / 2
    assert min(places[place] for place in range(3)) >= places.total() / 6


@pytest.mark.parametrize("question", ASKED)
def test_choices_with_numbers_are_not_sorted(question):
    assert question["choices"] == in_order(question["prompt"], question["choices"])
    numbers = [number_of(choice["text"]) for choice in question["choices"]]
    assert None in numbers or numbers == sorted(numbers)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_exercise_has_a_hint_steps_and_explained_slips(exercise):
    slips = [slip["value"] for slip in exercise["slips"]]
    half = 0.5 * 10.0 ** -exercise["digits"]
    assert len(slips) >= 2
    assert all(abs(value - exercise["truth"]) > half for value in slips)
    assert len({slip["why"] for slip in exercise["slips"]}) == len(slips)
    assert exercise["hint"]
    assert exercise["steps"]


@each_page_with_figures
def test_names_of_figures_are_unique_on_a_page(states):
    names = Counter(state["name"] for state in states if state.get("name"))
    assert [name for name, times in names.items() if times > 1] == []
