"""Check that each choice of each question of a page shows the author's verdict."""

import re
from pathlib import Path
from unicodedata import normalize

from playwright.sync_api import Page
from states import figures, questions

SCRIPT = Path(__file__).with_name("questions.js").read_text(encoding="utf-8")
SHOWN_RIGHT = ("Right.", "This is the answer.")
NOT_RIGHT = "Not right."


def plain(text: str) -> str:
    """Return a text without spaces and markup, and with plain letters in formulas."""
    return re.sub(r"[\s*_^`$\\{}]", "", normalize("NFKC", text))


def answer_each(page: Page, path: Path) -> None:
    """Commit to every choice of every question, and check the texts of the page."""
    asked = [each for state in figures(path).values() for each in questions(state)]
    by_prompt = {plain(question["prompt"]): question for question in asked}
    if not by_prompt:
        unknown = "the page shows a question whose state was not found"
        assert page.locator(".abh-choice").count() == 0, unknown
        return
    page.evaluate(SCRIPT)
    shown = page.evaluate("asked.all()")
    assert {plain(found["prompt"]) for found in shown} == by_prompt.keys()
    for found in shown:
        choices = by_prompt[plain(found["prompt"])]["choices"]
        assert len(found["answers"]) == len(choices)
        for choice, answer in zip(choices, found["answers"], strict=True):
            check_verdict(choice, choices, answer["said"])
            check_reasons(choice, choices, answer["reasons"])


def check_verdict(choice, choices, said):
    for text in said:
        assert ("Right." in text) == choice["right"], text
        assert ("Not right" in text) != choice["right"], text
    if len(said) == 1:  # a quiz: the verdict names the right choice
        right = next(c for c in choices if c["right"])
        assert choice["right"] or plain(right["text"]) in plain(said[0])
    else:  # a figure: text 1 names the choice, text 2 gives the reason
        assert plain(choice["text"]) in plain(said[0])
        assert plain(choice["why"]) in plain(said[1])


def check_reasons(picked, choices, reasons):
    for choice, text in zip(choices, reasons, strict=True):
        assert plain(choice["text"]) in plain(text)
        assert plain(choice["why"]) in plain(text)
        marks = text.replace(choice["why"], "")
        assert any(mark in marks for mark in SHOWN_RIGHT) == choice["right"], text
        wrongly = choice is picked and not choice["right"]
        assert (NOT_RIGHT in marks) == wrongly, text
