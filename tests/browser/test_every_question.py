"""Every choice of every question on every page: the verdict shown is the author's."""

import re
from pathlib import Path
from unicodedata import normalize

import pytest
from alone import answer_with, page_of
from found import pages_with
from repeats import first_and_weekly

from course.kit import look
from course.widgets import ScoreWalk

WITH_VERDICTS = "chapters/02-why-sqrt-dk.html"  # the first choice is right in one
WITH_FIGURES = pages_with('class="widget"')
SCRIPT = Path(__file__).with_name("questions.js").read_text(encoding="utf-8")
STATES = """() => {
  const saved = [...document.querySelectorAll('[type$="widget-state+json"]')];
  const models = saved.map((each) => JSON.parse(each.textContent).state)
    .flatMap((each) => Object.values(each));
  const places = [...document.querySelectorAll(".widget[id]")];
  const shown = new Set(places.map(({ id }) => id));
  return models.map(({ state }) => state)
    .filter(({ _page }) => _page && shown.has(`fig-${_page.name}`));
}"""
ANSWER = {True: ("Right.", "This is the answer.", "The answer."), False: ()}
PICKED_WRONG = ("Your choice.", "Your prediction.")


def plain(text: str) -> str:
    """A text without marks, spaces and the italics of formulas."""
    return re.sub(r"[\s*_`$\\{}]", "", normalize("NFKC", text))


def written(page) -> dict[str, dict]:
    """The page's questions by their prompts, as Python wrote them."""
    states = page.evaluate(STATES)
    asked = [s["question"] for s in states if s.get("question")]
    asked += [q for s in states for q in s.get("questions", [])]
    return {plain(question["prompt"]): question for question in asked}


def test_figures_are_found():
    assert {"intro.html", "chapters/02-why-sqrt-dk.html"} <= set(WITH_FIGURES)


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_every_choice_gets_its_verdict_and_every_reason(watch, site, name):
    page = watch(reduced_motion="reduce").open(f"{site}/{name}")
    questions = written(page)
    if not questions:
        assert page.locator(".abh-choice").count() == 0, "a question goes unread"
        return
    page.evaluate(SCRIPT)
    shown = page.evaluate("asked.all()")
    assert {plain(found["prompt"]) for found in shown} == questions.keys()
    for found in shown:
        choices = questions[plain(found["prompt"])]["choices"]
        assert len(found["answers"]) == len(choices)
        for choice, answer in zip(choices, found["answers"], strict=True):
            check_verdict(choice, choices, answer["said"])
            check_reasons(choice, choices, answer["reasons"])
            check_second_try(choice, choices, answer["open"])


VERDICTS = """() => [...document.querySelectorAll(".abh-card strong")]
  .filter((node) => node.checkVisibility())
  .filter((node) => /^(Right|Not so)\\.$/.test(node.innerText))
  .map((node) => [node.innerText, getComputedStyle(node).color])"""


def verdicts(page) -> set[tuple[str, tuple[int, ...]]]:
    """What stands as a verdict, and its colour."""
    found = page.evaluate(VERDICTS)
    return {(text, tuple(map(int, re.findall(r"\d+", c)))) for text, c in found}


@pytest.mark.parametrize("scheme", first_and_weekly(["light", "dark"]))
def test_a_verdict_has_its_colour(watch, site, answer_all, scheme):
    roles = {"Right.": look.ROLES["right"], "Not so.": look.ROLES["wrong"]}
    expected = {
        (text, tuple(bytes.fromhex(getattr(role, scheme)[1:])))
        for text, role in roles.items()
    }
    page = watch(color_scheme=scheme).open(f"{site}/{WITH_VERDICTS}")
    answer_all(page)
    assert verdicts(page) == expected
    page = watch(color_scheme=scheme).page
    choices = ScoreWalk().question["choices"]
    figures = [ScoreWalk(answer=choice["text"]) for choice in choices]
    answer_with(page, "http://figures.test/", page_of(figures))
    page.goto("http://figures.test/")
    for line in page.locator(".abh-folded").all():
        line.click()
    assert page.locator(".abh-option .abh-why").count() == 9
    assert verdicts(page) == expected


def check_verdict(choice, choices, said):
    for text in said:
        assert ("Right." in text) == choice["right"], text
        assert ("Not so" in text) != choice["right"], text
    if len(said) == 1:  # a quiz names the answer
        right = next(c for c in choices if c["right"])
        assert choice["right"] or plain(right["text"]) in plain(said[0])
    else:  # a figure's line names the choice, its verdict the reason
        assert plain(choice["text"]) in plain(said[0])
        assert plain(choice["why"]) in plain(said[1])


def check_second_try(picked, choices, seen):
    """A wrong choice says why; of the others, two or more, nothing is told yet."""
    assert (seen is None) == (picked["right"] or len(choices) < 3)
    for choice, text in zip(choices, seen or (), strict=seen is not None):
        reason = choice["why"] if choice is picked else ""
        assert plain(text) == plain(f"{choice['text']} {reason and 'Not so.'} {reason}")


def check_reasons(picked, choices, reasons):
    for choice, text in zip(choices, reasons, strict=True):
        assert plain(choice["text"]) in plain(text)
        assert plain(choice["why"]) in plain(text)
        marks = re.sub(re.escape(choice["why"]), "", text)
        assert any(mark in marks for mark in ANSWER[True]) == choice["right"], text
        wrongly = choice is picked and not choice["right"]
        assert any(mark in marks for mark in PICKED_WRONG) == wrongly, text


@pytest.mark.parametrize("text", ["*Most* of $d_k$", "Most  of dk", "Most of\n𝑑\n𝑘"])
def test_markup_does_not_count(text):
    assert plain(text) == "Mostofdk"
