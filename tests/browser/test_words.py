"""What figures call their numbers: every word of them, as it was last read by a person.

Other tests compare numbers with Python's. No formula tells whether a name stands beside
the right one, so the words of each kind of card, opened by itself, and of each page's
drawn figures (`test_every_page_at_a_desk.py`) are on record in ``words/``, in the order
in which they stand: readings with their numbers, other lines without, drawn names with
their colours (see `records`).
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from alone import answer_with, page_of
from found import answered, cards, is_made_alone, pages_with
from playwright.sync_api import expect
from records import on_record
from words import RECORDS, SCRIPT

from course.widgets import Card, Exercise, Quiz, Worksheet, ask

IS_DRAWN = '<svg role="img"'
ADDRESS = "http://words.test/"


def exercise() -> Exercise:
    return Exercise(
        "sum", "What is 1 + 1?", truth=2.0, hint="Count on.", steps=["1 + 1 = 2"]
    )


def quiz() -> Quiz:
    return Quiz([ask("Is 2 even?", ("Yes", True, "1 + 1."), ("No", False, "It is."))])


MADE = {Exercise: exercise, Quiz: quiz}


def test_every_record_is_of_something():
    names = {cls.__name__ for cls in (Card, *cards())}
    assert {path.stem for path in (RECORDS / "cards").glob("*.txt")} <= names
    pages = {Path(name).stem for name in pages_with(IS_DRAWN)}
    assert {path.stem for path in (RECORDS / "drawn").glob("*.txt")} <= pages


@pytest.fixture(scope="module")
def beside(browser):
    """Open a page with a card of each of these kinds; gives what one says, by kind.

    To ask a card moves it, so it is asked once.
    """
    opened = []

    def beside(kinds: list[type[Card]]) -> Callable[..., list[str]]:
        page = browser.new_page(reduced_motion="reduce")
        opened.append(page)
        shown = [kind() if is_made_alone(kind) else MADE[kind]() for kind in kinds]
        answer_with(page, ADDRESS, page_of([answered(card) for card in shown]))
        page.goto(ADDRESS)
        expect(page.locator(".abh-card .abh-body")).to_have_count(len(kinds))
        expect(page.locator("[aria-busy]")).to_have_count(0)

        @cache
        def said_by(kind: type[Card], part: str = "") -> list[str]:
            place = f"article > .widget:nth-of-type({kinds.index(kind) + 1})"
            return page.evaluate(SCRIPT, place + part)

        return said_by

    yield beside
    for page in opened:
        page.close()


@pytest.fixture(scope="module")
def said_by(beside):
    return beside(cards())


@pytest.mark.more
@pytest.mark.weekly
def test_no_card_changes_what_one_before_it_says(beside, said_by):
    in_reverse = beside(cards()[::-1])
    said = {kind.__name__: (said_by(kind), in_reverse(kind)) for kind in cards()}
    assert [name for name, (one, other) in said.items() if one != other] == []


@pytest.mark.parametrize("kind", cards(), ids=lambda cls: cls.__name__)
def test_cards_say_what_is_on_record(said_by, kind: type[Card], file_regression):
    """Beside all others, of which none changes what it says."""
    on_record(
        file_regression, RECORDS / "cards" / f"{kind.__name__}.txt", said_by(kind)
    )


def test_the_foot_of_cards_says_what_is_on_record(said_by, file_regression):
    kinds = (Exercise, Quiz, Worksheet)
    said = [line for kind in kinds for line in said_by(kind, " .abh-foot")]
    on_record(
        file_regression, RECORDS / "cards" / "Card.txt", list(dict.fromkeys(said))
    )
