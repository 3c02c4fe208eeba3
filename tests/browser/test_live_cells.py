"""The code cells of a page: editor, stored code, and browsers without Python.

No test here waits for Python: `test_live_python.py` tests what the cells compute.
"""

import re

import pytest
from frames import wait_until
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

CHAPTER = "chapters/10-attention-since-2017.html"
KEPT = """() => Object.keys(localStorage).filter((key) => key.endsWith(".code"))
  .map((key) => localStorage.getItem(key))"""


def first_cell(page):
    return page.locator(".cell.live").first


def open_editor(page):
    cell = first_cell(page)
    expect(button(cell, "Edit cell 1")).to_be_attached()  # now clicks have an effect
    cell.locator("pre").first.click()
    expect(cell.get_by_role("textbox")).to_be_focused()
    return cell


def button(cell, name):
    return cell.get_by_role("button", name=name)


def note(cell):
    return cell.locator(".live-held")


@pytest.fixture
def opened(watch, site):
    watched = watch(requests=True)
    watched.open(f"{site}/{CHAPTER}")
    return watched


def test_a_click_into_code_opens_no_editor_or_changes_the_text(opened):
    code = first_cell(opened.page).locator("pre").first.text_content()
    height = first_cell(opened.page).locator("pre").first.bounding_box()["height"]
    cell = open_editor(opened.page)
    assert cell.get_by_role("textbox").input_value() == code.rstrip()
    editor = cell.locator(".live-editor").bounding_box()
    assert abs(editor["height"] - height) <= 2  # nothing below it moves
    assert "Escape, then Tab" in cell.get_by_role("textbox").get_attribute("aria-label")
    assert not any("/python/" in url for url in opened.requests)
    assert opened.complaints == []


PRESS_ENTER = """(field, repeat) => field.dispatchEvent(new KeyboardEvent(
  "keydown", { key: "Enter", ctrlKey: true, repeat, bubbles: true }))"""


def test_the_keyboard_does_not_lead_through_the_editor_or_a_held_key_runs(opened):
    page, cell = opened.page, first_cell(opened.page)
    button(cell, "Edit cell 1").press("Enter")
    field = cell.get_by_role("textbox")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(button(cell, "Run cell 1")).to_be_focused()
    field.evaluate(PRESS_ENTER, True)  # would stop the run that the key began
    expect(button(cell, "Run cell 1")).to_be_visible()
    field.evaluate(PRESS_ENTER, False)
    button(cell, "Stop cell 1").click()


def test_an_edit_is_lost_or_cannot_be_undone_or_reset(opened):
    page = opened.page
    cell = open_editor(page)
    editor = cell.get_by_role("textbox")
    built = editor.input_value()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    mine = f"# mine\n{built}"
    assert editor.input_value() == mine
    page.reload()
    expect(cell.locator("pre").first).to_have_text(mine)
    button(cell, "Reset").click()  # the editor is not open yet
    expect(editor).to_have_value(built)
    assert page.evaluate(KEPT) == []
    button(cell, "Undo").click()
    assert editor.input_value() == mine


@pytest.fixture
def two(opened):
    """Yield the same cell, with its editor open, in two tabs of one profile."""
    other = opened.page.context.new_page()
    other.goto(opened.page.url)
    yield open_editor(opened.page), open_editor(other)
    other.close()


@pytest.mark.parametrize("choice", ["Use the other tab’s", "Keep this one"])
def test_a_tab_overwrites_the_code_of_another_tab(two, choice):
    here, there = [cell.get_by_role("textbox") for cell in two]
    here.fill("# A1")
    expect(note(two[1])).to_contain_text("You changed this code in another tab. This")
    expect(there).to_have_value("# A1")
    there.fill("# B1")
    expect(note(two[1])).to_be_empty()
    expect(note(two[0])).to_contain_text("Choose the code to keep")
    here.fill("# A2")
    assert here.page.evaluate(KEPT) == ["# B1"]
    button(two[0], choice).click()
    expect(note(two[0])).to_be_empty()
    kept = "# B1" if choice.startswith("Use") else "# A2"
    expect(here).to_have_value(kept)
    assert here.page.evaluate(KEPT) == [kept]
    if kept == "# B1":
        expect(note(two[1])).to_be_empty()
        button(two[0], "Undo").click()
        expect(here).to_have_value("# A2")
    else:
        expect(note(two[1])).to_contain_text("Choose the code to keep")
        expect(there).to_have_value("# B1")


FILL = """() => {
  let entries = 0;
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    try {
      for (;;) localStorage.setItem(`filler ${++entries}`, "x".repeat(size));
    } catch { /* full for this size */ }
  }
}"""


def test_code_that_a_full_device_cannot_keep_disappears_from_the_page(opened):
    page = opened.page
    cell = open_editor(page)
    page.evaluate(FILL)
    cell.get_by_role("textbox").fill("# not kept")
    expect(cell.locator(".live-said")).to_contain_text("no more room")
    # With room again, the page stores the place of reading; the code must stay.
    page.evaluate("localStorage.removeItem('filler 1')")
    page.evaluate("localStorage.removeItem('attention-by-hand/place')")
    page.get_by_role("heading", level=2).last.scroll_into_view_if_needed()
    page.mouse.wheel(0, 600)
    wait_until(page, "() => localStorage.getItem('attention-by-hand/place')")
    assert cell.get_by_role("textbox").input_value() == "# not kept"


def test_without_webassembly_there_are_buttons_or_no_reason(watch, site):
    watched = watch(fresh=True)
    watched.page.add_init_script("delete globalThis.WebAssembly;")
    page = watched.open(f"{site}/{CHAPTER}")
    assert page.locator(".live-bar").count() == 0
    reason = page.locator(".live-note")
    expect(reason).to_have_count(1)
    expect(reason).to_contain_text("lacks what Python in the page needs (WebAssembly)")
    expect(reason).to_contain_text("notebook")


# Returns what a cell says after each verdict of a check, what it keeps, and its marks.
VERDICTS = """async (verdicts) => {
  globalThis.abhLive = { files: {} };
  const { LiveCell } = await import("/live/cell.js");
  const node = document.createElement("div");
  node.className = "tag_exercise";
  const cell = { name: "softmax", node };
  return verdicts.map(([exercise, passed]) => {
    const said = LiveCell.prototype.verdict.call(cell, { passed, exercise });
    return [said, Object.values(localStorage).join(), node.className];
  });
}"""


def test_a_wrong_check_counts_or_makes_a_solved_exercise_unsolved(empty_page):
    right, wrong = ["softmax", True], ["softmax", False]
    counted = "Right, and counted in Your progress. "
    assert empty_page.evaluate(
        VERDICTS, [["attention", True], wrong, right, wrong]
    ) == [
        ["", "", "tag_exercise"],
        ["Not yet. ", "wrong", "tag_exercise"],
        [counted, "right", "tag_exercise live-right"],
        ["Not yet. ", "right", "tag_exercise"],
    ]


def test_a_verdict_that_the_device_cannot_keep_counts(empty_page):
    empty_page.evaluate("Storage.prototype.setItem = () => { throw Error(); }; 0")
    [[said, kept, _]] = empty_page.evaluate(VERDICTS, [["softmax", True]])
    assert said.startswith("Right, but not counted in Your progress: this browser does")
    assert kept == ""


# The messages that a worker sends, and when: Stop is pressed after the last.
ENGINE = """async (messages) => {
  const workers = [];
  globalThis.Worker = class {
    constructor() { workers.push(this); }
    postMessage() {}
    terminate() {}
  };
  globalThis.abhLive = { folder: "", files: {}, worker: "" };
  const { run, stop } = await import("/live/engine.js");
  const result = run({}, { print() {}, say() {} });
  await new Promise((done) => setTimeout(done, 300));
  for (const data of messages) workers[0].onmessage({ data });
  stop();
  return [workers.length, (await result).time];
}"""


def test_stop_begins_another_download_or_the_time_of_a_run_includes_it(empty_page):
    assert empty_page.evaluate(ENGINE, [])[0] == 1, "Stop downloads Python again"
    done = [{"whole": True}, {"started": True}, {"result": {}}]
    workers, time = empty_page.evaluate(ENGINE, done)
    assert workers == 2, "after Stop, no Python is made ready"
    assert time < 200  # milliseconds


def test_the_editor_is_not_fetched_again_after_a_network_error(watch, site):
    page = watch(fresh=True).page
    page.goto(f"{site}/{CHAPTER}")
    address = re.compile("editor.*js")
    page.route(address, lambda route: route.abort())
    first_cell(page).locator("pre").first.click()
    expect(first_cell(page)).to_contain_text("could not be fetched")
    page.unroute(address)
    open_editor(page)
