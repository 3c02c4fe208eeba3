"""Undo and redo of the machine and of every other figure."""

import displayed
import pytest
from acts import drag, enter, middle, reading
from found import figures, moves
from frames import written
from machines import type_number, undo, value

from course.widgets import Exercise, Machine, Quiz, ScoreWalk, ask
from course.widgets.machine.presets import PRESETS

pytestmark = pytest.mark.slow

OWN = {name: PRESETS[name] for name in ("football", "cat")}


def test_redo_survives_a_new_act_or_undo_does_not_undo_start_again(open_machine):
    page = open_machine(Machine(OWN, stage="X", question={}))
    for text in ("7", "8"):
        type_number(page, "X", 0, 0, text)
        page.keyboard.press("Control+z")
    type_number(page, "X", 0, 0, "9")
    page.keyboard.press("Control+Shift+z")
    assert value(page, "X", 0, 0) == "9"
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="Start again").click()
    written(page)
    assert "edits" not in page.evaluate("location.search")
    undo(page)
    written(page)
    assert "edits" in page.evaluate("location.search")


# MOVES returns the states of a card around each move, PRESS_OUT after each press.
MOVES = """(card, moves) => [figures.content(card), ...moves.map((move) => {
  figures.moveOne(...move, card);
  document.activeElement.blur();
  return figures.content(card);
})]"""
PRESS_OUT = """(card, name) => {
  const button = [...card.querySelectorAll(".abh-foot button")]
    .find((each) => each.textContent === name);
  const seen = [];
  while (button.ariaDisabled === "false") {
    button.click();
    seen.push(figures.content(card));
  }
  return seen;
}"""


def state(page):
    return page.evaluate("figures.content(document)")


def test_undo_or_redo_loses_a_move_of_a_figure(open_page):
    page = open_page(*(figure() for figure in figures()))
    cards = page.locator(".abh-card").all()
    for figure, card in zip(figures(), cards, strict=True):
        seen = card.evaluate(MOVES, moves(seed=3, count=12))
        back = card.evaluate(PRESS_OUT, "Undo")  # moves of one slider are one step
        controls = len(seen[0]) - 2  # a slider counts twice: with its field
        assert len(back) > (3 if controls > 2 else 0), figure.__name__
        assert back[-1] == seen[0]
        assert all(each in seen for each in back), figure.__name__
        card.locator("summary").last.focus()
        page.keyboard.press("Control+Shift+Z")
        again = [card.evaluate("figures.content"), *card.evaluate(PRESS_OUT, "Redo")]
        assert again == [*back[-2::-1], seen[-1]], figure.__name__


def test_moves_of_one_slider_are_many_undo_steps_or_a_history_entry(open_page):
    page = open_page(ScoreWalk(question={}))
    before = state(page)
    entries = page.evaluate("history.length")
    track = page.locator("[data-trait=d_k] input[type=range]")
    x, y = middle(track)
    drag(page, (x - 50, y), (x, y), (x + 100, y))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    wide = state(page)
    page.get_by_label("Query").select_option("3")
    for key, expected in (("Control+z", wide), ("Meta+z", before), ("Meta+y", wide)):
        page.keyboard.press(key)  # Meta is Command on a Mac
        assert state(page) == expected
    written(page)
    assert page.evaluate("history.length") == entries


def test_a_slider_moved_after_undo_adds_no_step_or_keeps_it_when_moved_back(open_page):
    page = open_page(ScoreWalk(question={}))
    before, button = state(page), page.locator(displayed.UNDO)
    page.locator("[data-trait=d_k] input[type=range]").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        assert state(page) != before
        page.keyboard.press("Control+z")
        assert state(page) == before
    for key, nothing_to_undo in (("ArrowRight", "false"), ("ArrowLeft", "true")):
        page.keyboard.press(key)
        assert button.get_attribute("aria-disabled") == nothing_to_undo


def test_undo_does_not_restore_a_cleared_answer_or_a_quiz_started_again(open_page):
    one = ask("One?", ("1", True, "It is."), ("2", False, "It is not."))
    two = ask("Two?", ("1", False, "It is not."), ("2", True, "It is."))
    page = open_page(Exercise("half", "Half of one?", truth=0.5), Quiz([one, two]))
    exercise, quiz = page.locator(".abh-card").all()
    field = page.get_by_label("Your answer")
    field.fill("0.4")
    page.keyboard.press("Control+z")  # the browser's own undo, before Enter
    assert field.input_value() == ""
    enter(field, "0.5")
    quiz.locator("input").first.check()
    quiz.get_by_role("button", name="Commit").first.click()
    said = {exercise: "Right: 0.5.", quiz: "1 of 2 right. 1 still to answer."}
    for card, button in ((exercise, "Clear"), (quiz, "Start the quiz again")):
        assert reading(card) == said[card]
        card.get_by_role("button", name=button, exact=True).click()
        assert reading(card) != said[card]
        page.keyboard.press("Control+z")
        assert reading(card) == said[card]
    assert field.input_value() == "0.5"


def test_a_typed_number_is_not_one_undo_step_or_a_refused_number_is_a_step(open_page):
    page = open_page(ScoreWalk(question={}))
    before = state(page)
    field = page.locator("[data-trait=d_k] .abh-field")
    field.fill("")
    field.press_sequentially("512")
    field.press("Enter")
    typed = state(page)
    field.press_sequentially("0")  # 5120: refused
    assert field.get_attribute("aria-invalid") == "true"
    page.keyboard.press("Control+z")  # the browser's own undo, of typed letters
    assert state(page) != before
    field.press("Escape")
    assert state(page) == typed
    enter(field, "12")
    assert state(page) != typed
    for earlier in (typed, before):
        page.keyboard.press("Control+z")
        assert state(page) == earlier


def test_two_machines_of_a_page_share_a_history(open_machine):
    page = open_machine(*(Machine(OWN, stage="X", question={}) for _ in range(2)))
    first, second = (page.locator(".abh-card").nth(i) for i in range(2))
    given = value(second, "X", 0, 0)
    type_number(first, "X", 0, 0, "0.25")
    type_number(second, "X", 0, 0, "0.75")
    first.locator('[data-key="X.0.0"]').first.press("Control+z")
    assert [value(each, "X", 0, 0) for each in (first, second)] == [given, "0.75"]
