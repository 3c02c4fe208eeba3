"""All questions are complete, and the place of the right answer gives no hint."""

import importlib
import inspect
import pkgutil
import re
from collections import Counter

import course.chapters
from course.widgets import Quiz
from course.widgets.card.question import in_order, number_of


def all_questions():
    """Yield all questions: constants, and results of functions without arguments."""
    package = course.chapters
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith(".questions"):
            continue
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if inspect.isfunction(value) and value.__module__ == module.__name__:
                value = () if inspect.signature(value).parameters else value()
            for each in value if isinstance(value, list | tuple) else [value]:
                if isinstance(each, dict) and "choices" in each:
                    yield each


QUESTIONS = list({q["prompt"]: q for q in all_questions()}.values())


def test_a_question_has_no_or_two_right_answers_or_a_choice_without_a_reason():
    assert len(QUESTIONS) > 40
    for question in QUESTIONS:
        prompt, choices = question["prompt"], question["choices"]
        assert re.search(r"\?[”\")]*$", prompt.strip()), prompt
        assert [choice["right"] for choice in choices].count(True) == 1, prompt
        for part in ("text", "why"):
            parts = [choice[part].strip() for choice in choices]
            assert len(set(filter(None, parts))) == len(parts) >= 2, prompt
        assert Quiz([question]).questions == [question]


def test_the_place_of_the_right_answer_gives_a_hint():
    places = Counter(
        [choice["right"] for choice in question["choices"]].index(True)
        for question in QUESTIONS
        if len(question["choices"]) == 3
    )
    assert max(places.values()) <= sum(places.values()) / 2
    assert min(places[place] for place in range(3)) >= sum(places.values()) / 6


def test_choices_with_numbers_are_not_sorted():
    for question in QUESTIONS:
        assert question["choices"] == in_order(question["prompt"], question["choices"])
        numbers = [number_of(choice["text"]) for choice in question["choices"]]
        if None not in numbers:
            assert numbers == sorted(numbers), question["prompt"]
