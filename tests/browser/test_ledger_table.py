"""The table of the ledger on the built errata page: search, filter, find, share."""

import re

import pytest
from acts import reading
from frames import settle, written

from course.ledger import NOTES, VERDICTS, rows
from course.widgets import LedgerTable

PAGE = "chapters/errata.html"


@pytest.fixture
def table(watch, site):
    """Return a function that opens the page and returns its watcher and its card."""

    def opened(query="", **size):
        watched = watch(**size)
        page = watched.open(f"{site}/{PAGE}{query}")
        return watched, page.locator(".abh-ledgercard")

    return opened


def printed(card):
    return card.locator("tbody tr td:nth-child(3)").all_text_contents()


def marked_in(card):
    return card.locator("tr.abh-marked td:nth-child(3)").all_text_contents()


def options(card, label):
    return card.get_by_label(label).locator("option").all_text_contents()


THIRDS = {"0.3", "0.33", "0.333", "0.3333"}  # 1/3, rounded
SEARCHES = [  # note, verdict, search, whether a row fits the search
    ("apple-walkthrough", "wrong", "", lambda row: True),
    ("apple-walkthrough", "wrong", "Q1 apple", lambda row: "Q1" in row.quantity),
    ("all five", "all but labels", "1/3", lambda row: row.printed in THIRDS),
    ("multi-head-operation", "label", "", lambda row: True),
    ("all five", "all but labels", "no such number", lambda row: False),
]


def test_search_filters_or_paging_show_other_rows_than_python(table):
    watched, card = table("?ledgertable.verdict=0")
    expected = [row.printed for row in rows() if row.verdict != "label"]
    names = [note.removesuffix(".md") for note in NOTES]
    assert options(card, "Note") == ["all five", *names]
    assert options(card, "Verdict") == ["all but labels", "all", *VERDICTS]
    assert reading(card).startswith(f"{len(expected):,} of {len(rows()):,} numbers fit")
    assert printed(card) == expected[:20]

    card.get_by_role("button", name="Next 20").press("Enter")
    assert "21 to 40 are shown" in reading(card)
    assert printed(card) == expected[20:40]
    card.get_by_role("button", name="Previous 20").press("Enter")
    assert printed(card) == expected[:20]
    following = card.get_by_role("button", name="Next 20")
    assert following.evaluate("button => button === document.activeElement")

    last_pages = set()
    for note, verdict, find, fits in SEARCHES:
        card.get_by_label("Note").select_option(note)
        card.get_by_label("Verdict").select_option(verdict)
        card.get_by_label("Search").fill(find)
        chosen = rows() if note == "all five" else rows(note)
        verdicts = {*VERDICTS} - {"label"} if verdict not in VERDICTS else {verdict}
        chosen = [row for row in chosen if row.verdict in verdicts and fits(row)]
        said = f"{len(chosen)} of" if chosen else "No number fits."
        assert reading(card).startswith(said), find
        turns = max(len(chosen) - 1, 0) // 20
        for _ in range(turns):
            following.click()
        assert printed(card) == [row.printed for row in chosen[20 * turns :]], find
        assert following.is_disabled()
        last_pages.add(len(chosen) - 20 * turns)
    assert last_pages > {20}, "the test needs a full last page and others"

    card.get_by_label("Search").fill("0,5")
    assert printed(card)
    assert all("0.5" in text for text in printed(card))
    assert watched.complaints == []


def test_an_empty_result_does_not_advise_to_show_all_verdicts(open_page):
    page = open_page(LedgerTable(find="-0.5"))  # by default only wrong numbers
    card = page.locator(".abh-ledgercard")
    assert "all verdicts" in reading(card)
    card.get_by_label("Verdict").select_option("all")
    assert "-0.5" in printed(card)


@pytest.mark.parametrize("verdict", ["label", "right"])
def test_filters_or_search_hide_a_linked_line(table, verdict):
    row = next(row for row in rows() if row.verdict == verdict)
    key = f"{row.note.removesuffix('.md')}:{row.line}"
    other = 2 if row.note == NOTES[0] else 1  # another note than that of the line
    filters = f"ledgertable.find=xylophone&ledgertable.note={other}"
    _, card = table(f"?ledgertable.row={key}&{filters}")
    assert row.printed in marked_in(card)


def test_a_link_or_a_click_marks_another_line(table):
    query = "?ledgertable.row=apple-walkthrough:185&ledgertable.verdict=0"
    watched, card = table(query)
    assert marked_in(card) == [row.printed for row in rows("apple-walkthrough", 185)]
    line = card.locator("tr.abh-marked button").first
    assert line.get_attribute("aria-pressed") == "true"
    card.locator(".abh-line").first.click()
    watched.page.wait_for_url(re.compile("ledgertable.row=apple-walkthrough%3A182"))
    found = marked_in(card)
    printed_there = [row.printed for row in rows("apple-walkthrough", 182)]
    assert found  # the table's page begins within this line
    assert found == printed_there[-len(found) :]


def test_a_press_on_a_shown_line_changes_the_shown_rows(table):
    keys = [(row.note, row.line) for row in rows()]
    # The line of this row also has a row on an earlier page of the table.
    repeated = next(i for i, key in enumerate(keys) if keys.index(key) < i - 20)
    _, card = table(f"?ledgertable.verdict=1&ledgertable.first={repeated}")
    before = reading(card), printed(card)
    card.locator(".abh-line").first.click()
    assert card.locator("tr.abh-marked").count() > 0
    assert (reading(card), printed(card)) == before


def test_undo_of_a_filter_or_a_reload_loses_the_mark_or_the_page(table):
    watched, card = table("?ledgertable.verdict=1")
    page, following = watched.page, card.get_by_role("button", name="Next 20")
    following.click()
    following.click()
    card.locator(".abh-line").nth(3).click()
    marked = card.locator("tr.abh-marked").all_inner_texts()
    before = reading(card), printed(card)
    card.get_by_label("Note").select_option(index=2)
    assert reading(card) != before[0]
    page.keyboard.press("Control+z")
    assert (reading(card), printed(card)) == before
    assert card.locator("tr.abh-marked").all_inner_texts() == marked
    following.click()
    later = reading(card), printed(card)
    written(page)
    page.reload()
    settle(page)
    assert (reading(card), printed(card)) == later


# Visible cells in reading order. The tops of cells in one line may differ by 8 pixels.
STACKED = """rows => rows.map(row => [...row.cells]
  .filter(cell => cell.checkVisibility())
  .map(cell => [cell.getBoundingClientRect(), cell])
  .sort(([a], [b]) => (Math.abs(a.top - b.top) > 8 ? a.top - b.top : a.left - b.left))
  .map(([, cell]) => getComputedStyle(cell, "::before").content.replaceAll('"', "")
    .replace("none", "") + cell.innerText))"""


def test_on_a_phone_the_cells_of_a_row_are_not_stacked_verdict_first(table):
    _, card = table("?ledgertable.verdict=0", width=390, height=844)
    assert not card.get_by_text("The table goes on at the right").is_visible()
    box = card.locator(".abh-scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    shown = card.get_by_role("row").locator("visible=true").evaluate_all(STACKED)
    expected = [row for row in rows() if row.verdict != "label"][:20]
    assert len(shown) >= len(expected)
    for cells, row in zip(shown[-len(expected) :], expected, strict=True):
        verdict, where, what, printed, *_ = cells
        assert verdict == row.verdict
        assert where.endswith(f" {row.line}")
        assert what == row.quantity
        assert printed == f"Printed {row.printed}"
