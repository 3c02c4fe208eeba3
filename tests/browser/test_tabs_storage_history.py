"""No change of a reader is lost without a message: tabs, storage, Back, Forward."""

import json

import pytest
from acts import copied_link
from displayed import UNDO
from frames import drawn, wait_until, written
from machines import more, preset, ready, type_number, undo, value
from playwright.sync_api import expect

from course.widgets import Machine
from course.widgets.machine.presets import PRESETS

pytestmark = pytest.mark.slow

EDITS = "attention-by-hand/index/machine.edits"
DECIMALS = "attention-by-hand/index/machine.decimals"
KEPT = f"JSON.parse(localStorage.getItem('{EDITS}') ?? '{{}}')"
HOLDS = f"value => {KEPT}.football?.X[0][0] === value"


def first(page):
    """Show the tab, because hidden tabs draw rarely; return the first number of X."""
    page.bring_to_front()
    return float(value(page, "X", 0, 0))


def notes(page):
    return page.locator(".refused")


def expect_conflict(page):
    words = "Another tab has changed this figure. Choose the state"
    expect(notes(page).first).to_contain_text(words)


@pytest.fixture
def two(open_machine):
    """Open the same machine in two tabs of one browser profile."""
    here = open_machine(preset("football"))
    there = here.context.new_page()
    there.goto(here.url)
    ready(there)
    yield here, there
    there.close()


# --- Two tabs -------------------------------------------------------------------------


def test_an_unchanged_tab_does_not_follow_the_changed_tab(two):
    here, there = two
    type_number(here, "X", 0, 0, "7")
    followed = "You changed this figure in another tab. This tab now shows that change."
    expect(notes(there)).to_have_text([followed])
    assert first(there) == 7
    undo(there)
    assert first(there) == 0.2
    expect(notes(there)).to_have_count(0)


@pytest.mark.parametrize("choice", ["Use the other tab’s", "Keep this one"])
def test_a_tab_overwrites_the_figure_that_another_tab_changed(two, choice):
    here, there = two
    type_number(here, "X", 0, 0, "7")
    expect(notes(there)).to_have_count(1)
    type_number(there, "X", 0, 0, "8")
    expect_conflict(here)
    assert (first(here), first(there)) == (7, 8)
    # The tab writes nothing to the storage until the reader presses one of the buttons.
    type_number(here, "X", 0, 0, "9")
    written(here)
    assert there.evaluate(HOLDS, 8)
    here.get_by_role("button", name=choice).click()
    expect(notes(here)).to_have_count(0)
    if choice.startswith("Use"):
        assert first(here) == 8
        undo(here)
        assert first(here) == 9
        return
    wait_until(there, HOLDS, 9)
    expect_conflict(there)
    assert (first(here), first(there)) == (9, 8)


DEAF = "addEventListener('storage', e => e.stopImmediatePropagation(), true)"


def test_a_tab_that_slept_overwrites_the_figure_of_another_tab(two):
    """The tab gets no storage events, like a tab that the browser has put to sleep."""
    here, there = two
    type_number(there, "X", 0, 0, "3")
    here.evaluate(DEAF)
    other = json.dumps({"football": PRESETS["cat"].inputs.to_json()})
    here.evaluate("entry => localStorage.setItem(...entry)", [EDITS, other])
    type_number(here, "X", 0, 0, "9")
    written(here)
    assert here.evaluate("key => localStorage.getItem(key)", EDITS) == other
    expect_conflict(here)


# --- Storage that is full, closed, older ----------------------------------------------

FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError");
}"""
CLOSED = """Object.defineProperty(window, "localStorage",
  { get() { throw new DOMException("closed", "SecurityError"); } })"""
REFUSED = [
    (FULL, "not kept when you leave it: this browser has no more room"),
    (CLOSED, "this browser does not let this site keep anything"),
]


@pytest.mark.parametrize(("refused", "why"), REFUSED)
def test_lost_storage_gives_no_message_or_links_no_number(open_machine, refused, why):
    page = open_machine(preset("football"), fresh=True)
    page.add_init_script(refused)
    page.reload()
    ready(page)
    expect(notes(page)).to_have_count(0)
    for column, number in enumerate(("7", "0.12345")):
        type_number(page, "X", 0, column, number)
        expect(notes(page)).to_contain_text([why])  # once
        written(page)
    page.reload()
    ready(page)
    assert [value(page, "X", 0, j) for j in range(2)] == ["7", "0.12345"]


OLDER = [
    json.dumps({"football": {"tokens": ["a"], "X": [[1]], "W": [[1]]}}),
    "not JSON",
    "[1, 2]",
]


@pytest.mark.parametrize("older", OLDER)
def test_an_entry_of_an_older_version_is_silently_overwritten(open_machine, older):
    page = open_machine(preset("football"))
    page.evaluate("entry => localStorage.setItem(...entry)", [EDITS, older])
    page.goto(page.url)
    ready(page)
    said = "An older version of the course may have written them"
    expect(notes(page).first).to_contain_text(said)
    assert first(page) == 0.2
    type_number(page, "X", 0, 0, "7")
    written(page)
    kept = "key => localStorage.getItem(key)"
    assert page.evaluate(kept, EDITS) == older
    # Without a clipboard, the page shows the entry as text.
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: {} })")
    page.get_by_role("button", name="Copy it").click()
    expect(notes(page)).to_have_count(2)
    expect(notes(page).last).to_have_text(older)
    page.get_by_role("button", name="Delete it").click()
    assert page.evaluate(HOLDS, 7)
    expect(notes(page)).to_have_count(0)


# --- Links and what is kept -----------------------------------------------------------

OTHER = "The link changed this figure."


@pytest.mark.parametrize("choice", ["Show my saved state", "Replace my saved state"])
def test_a_link_silently_replaces_kept_edits(open_machine, choice):
    page = open_machine(preset("football"))
    type_number(page, "X", 0, 0, "7")
    wait_until(page, HOLDS, 7)
    edits = PRESETS["football"].inputs.to_json()
    edits["X"][0][0] = 4.5
    text = json.dumps({"X": edits["X"]})
    page.goto(page.url.split("?")[0] + f"?machine.edits={text}")
    ready(page)
    assert first(page) == 4.5
    expect(notes(page).first).to_contain_text(OTHER)
    assert page.evaluate(HOLDS, 7)
    page.get_by_role("button", name=choice).click()
    expect(notes(page)).to_have_count(0)
    wanted = 7 if choice.startswith("Show") else 4.5
    assert first(page) == wanted
    assert page.evaluate(HOLDS, wanted)


def test_a_link_to_the_unchanged_machine_hides_the_readers_own_numbers(open_machine):
    page = open_machine(preset("football"))
    more(page)
    link = copied_link(page)
    page.locator(".abh-ma-more summary").click()
    type_number(page, "X", 0, 0, "7")
    more(page)
    page.get_by_label("Decimals").select_option("6")
    wait_until(page, HOLDS, 7)
    wait_until(page, "key => localStorage.getItem(key) === '6'", DECIMALS)
    page.goto(link)
    ready(page)
    assert first(page) == 0.2
    expect(notes(page).first).to_contain_text(OTHER)
    page.get_by_role("button", name="Show my saved state").click()
    assert first(page) == 7
    more(page)
    expect(page.get_by_label("Decimals")).to_have_value("6")


def test_a_reload_gives_a_message_or_start_again_leaves_something_stored(open_machine):
    page = open_machine(preset("football"))
    type_number(page, "X", 0, 0, "7")
    wait_until(page, "() => location.search.includes('machine.edits')")
    page.reload()
    ready(page)
    assert first(page) == 7
    expect(notes(page)).to_have_count(0)
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="Start again").click()
    wait_until(page, "() => !location.search.includes('edits')")
    wait_until(page, "() => localStorage.length === 0")


# --- Back and Forward -----------------------------------------------------------------

STAGE_IS = "name => document.querySelector('.abh-ma-way b').innerText === name"


def test_back_or_forward_skips_a_stage_or_loses_a_number(open_machine):
    page = open_machine(Machine(PRESETS, stage="X", question={}))
    before = page.evaluate("history.length")
    type_number(page, "X", 0, 0, "5")
    more(page)
    page.get_by_label("Decimals").select_option("5")
    page.locator(UNDO).dispatch_event("click")
    written(page)
    names = ["Queries", "Keys", "Values", "Scores"]
    for name in names:
        page.get_by_role("button", name="Next").click()
        wait_until(page, STAGE_IS, name)
    assert page.evaluate("history.length") == before + len(names), "only stages count"
    page.go_back()
    wait_until(page, STAGE_IS, "Values")
    drawn(page)
    type_number(page, "W_V", 0, 0, "7")
    for name in ("Keys", "Queries", "Words as numbers"):
        page.go_back()
        wait_until(page, STAGE_IS, name)
    query = page.evaluate("location.search")
    assert "machine.stage" not in query
    assert "machine.edits" in query, "a typed number stays in the address after Back"
    for name in names:
        page.go_forward()
        wait_until(page, STAGE_IS, name)
    page.go_back()
    wait_until(page, STAGE_IS, "Values")
    assert value(page, "W_V", 0, 0) == "7"
    page.reload()
    ready(page)
    assert page.evaluate(STAGE_IS, "Values")
    assert value(page, "W_V", 0, 0) == "7"
    expect(notes(page)).to_have_count(0)
