"""What stands as a verdict, and its colour; how texts are compared with an author's.

`test_every_page_at_a_desk.py` asks whether each choice gets its author's verdict.
"""

import re

import pytest
from alone import answer_with, page_of
from questions import plain
from repeats import first_and_weekly

from course.kit import look
from course.widgets import ScoreWalk

WITH_VERDICTS = "chapters/02-why-sqrt-dk.html"  # the first choice is right in one
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


@pytest.mark.parametrize("text", ["*Most* of $d_k$", "Most  of dk", "Most of\n𝑑\n𝑘"])
def test_markup_does_not_count(text):
    assert plain(text) == "Mostofdk"
