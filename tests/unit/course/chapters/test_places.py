"""Questions of all rooms: each is complete; the place of the answer says nothing."""

import importlib
import pkgutil
import re
from collections import Counter

import pytest

import course.chapters
from course.widgets.card.question import in_order, number_of


def questions_of(module):
    for name, value in vars(module).items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, dict) and set(each) >= {"prompt", "choices"}:
                yield name, each


def all_questions():
    package = course.chapters
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if found.name.endswith(".questions"):
            yield from questions_of(importlib.import_module(found.name))


QUESTIONS = list({q["prompt"]: q for _, q in all_questions()}.values())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["prompt"][:40])
def test_a_question_is_one_and_has_one_right_answer_among_others(question):
    assert re.search(r"\?[”\")]*$", question["prompt"].strip())
    assert [choice["right"] for choice in question["choices"]].count(True) == 1
    for part in ("text", "why"):
        parts = [choice[part].strip() for choice in question["choices"]]
        assert all(parts)
        assert len(set(parts)) == len(parts) >= 2


def test_no_place_holds_half_of_the_right_answers():
    places = Counter(
        [choice["right"] for choice in question["choices"]].index(True)
        for question in QUESTIONS
        if len(question["choices"]) == 3
    )
    assert sum(places.values()) >= 30
    assert max(places.values()) <= sum(places.values()) / 2
    assert min(places[place] for place in range(3)) >= sum(places.values()) / 6


def test_choices_stand_in_the_order_that_their_question_gives_them():
    for question in QUESTIONS:
        assert question["choices"] == in_order(question["prompt"], question["choices"])
        numbers = [number_of(choice["text"]) for choice in question["choices"]]
        if None not in numbers:
            assert numbers == sorted(numbers)
