"""The table of the ledger on the built errata page: search, filter, find, share."""

import re

import pytest

from course.ledger import NOTES, VERDICTS, rows

PAGE = "chapters/errata.html"


@pytest.fixture
def table(watch, site):
    """Open the page; gives its watcher and the table's card."""

    def opened(query="", **size):
        watched = watch(**size)
        page = watched.open(f"{site}/{PAGE}{query}")
        return watched, page.locator(".abh-ledgercard")

    return opened


def printed(card):
    return card.locator("tbody tr td:nth-child(3)").all_text_contents()


def test_opens_on_every_number_but_the_labels(table):
    watched, card = table()
    fitting = sum(row.verdict != "label" for row in rows())
    reading = card.locator(".abh-reading").inner_text()
    assert reading.startswith(f"{fitting:,} of {len(rows()):,} numbers fit")
    assert printed(card) == [r.printed for r in rows() if r.verdict != "label"][:20]
    assert watched.complaints == []


def test_search_and_filters_leave_what_python_would_leave(table):
    _, card = table()
    card.get_by_label("Search").fill("q1 apple")
    card.get_by_label("Note").select_option("apple-walkthrough")
    card.get_by_label("Verdict").select_option("wrong")
    expected = [
        row.printed
        for row in rows("apple-walkthrough")
        if row.verdict == "wrong"
        and all(
            word in f"apple-walkthrough {row.quantity}".lower()
            for word in ("q1", "apple")
        )
    ]
    assert printed(card) == expected[:20]
    assert set(card.locator(".abh-verdictcell").all_text_contents()) == {"wrong"}


def test_nothing_found_is_said(table):
    _, card = table()
    card.get_by_label("Search").fill("no such number")
    assert "No number of the notes fits" in card.locator(".abh-reading").inner_text()
    assert printed(card) == []


def test_rows_are_turned_by_keyboard(table):
    _, card = table()
    first = printed(card)
    after = card.get_by_role("button", name="Next 20")
    after.focus()
    after.press("Enter")
    assert "21 to 40 are shown" in card.locator(".abh-reading").inner_text()
    assert printed(card) != first
    card.get_by_role("button", name="Previous 20").press("Enter")
    assert printed(card) == first


def test_an_address_leads_to_its_line(table):
    _, card = table("?ledgertable.row=apple-walkthrough:185")
    marked = card.locator("tr.abh-marked")
    expected = [row.printed for row in rows("apple-walkthrough", 185)]
    found = marked.locator("td:nth-child(3)").all_text_contents()
    assert found == expected
    assert marked.first.locator("button").get_attribute("aria-pressed") == "true"


def test_a_link_of_the_page_leads_to_a_line(table):
    watched, card = table()
    link = watched.page.locator('a[href*="ledgertable.row=apple-walkthrough:43"]')
    link.first.click()
    watched.page.wait_for_load_state("networkidle")
    assert "0.81" in card.locator("tr.abh-marked").all_inner_texts()[-1]


def test_marking_a_line_changes_the_address(table):
    watched, card = table("?ledgertable.find=percent")
    card.locator(".abh-line").first.click()
    watched.page.wait_for_url(re.compile("ledgertable.row=handwritten-notes"))


def test_a_line_of_labels_shows_too(table):
    _, card = table("?ledgertable.row=apple-walkthrough:47")
    assert card.locator("tr.abh-marked").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_does_not_scroll_sideways(table, width):
    watched, _ = table(width=width)
    wide = watched.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_choices_are_all_notes_and_verdicts(table):
    _, card = table()
    notes = card.get_by_label("Note").locator("option").all_text_contents()
    verdicts = card.get_by_label("Verdict").locator("option").all_text_contents()
    assert notes == ["all five", *(note.removesuffix(".md") for note in NOTES)]
    assert verdicts == ["all but labels", "all", *VERDICTS]
