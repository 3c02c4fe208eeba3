"""The machine in a browser: its numbers, controls, links, sentences and Python code."""

import json
import re
from typing import Any

import displayed
import numpy as np
import pytest
from accessibility import objections, objections_in_the_dark
from acts import CLIPBOARD, copied_link, drag, enter, middle, reading
from frames import drawn, resize, written
from machine_states import a_state, computed
from machines import WIDTH, more, preset, ready, reopen, type_number, undo, value
from playwright.sync_api import expect
from repeats import first_and_weekly

from course.chapters.self_attention.questions import PLAY_TO_FOOTBALL
from course.widgets import Machine
from course.widgets.machine.presets import PRESETS
from course.widgets.machine.story import share_texts

STATES = 300
SHOWN = """() => [...document.querySelectorAll("text[data-value]")]
  .map(({ dataset, textContent }) => [dataset.name, dataset.value, textContent])"""
CLOSE = {"rtol": 0, "atol": 1e-12}


# --- The arithmetic ---------------------------------------------------------------


def check_matrix(found, wanted):
    if wanted is None:
        assert found is None
    else:
        np.testing.assert_allclose(np.array(found, float), wanted, **CLOSE)


def test_a_number_differs_from_the_library_s_in_300_random_states(module):
    states = [a_state(seed) for seed in range(STATES)]
    found = module("machine/arithmetic.js")("compute", *([state] for state in states))
    for state, got in zip(states, found, strict=True):
        wanted = computed(state)
        for head, own in zip(wanted["heads"], got["heads"], strict=True):
            for name, matrix in head.items():
                check_matrix(own[name], matrix)
        for name in ("concat", "output", "sum"):
            check_matrix(got[name], wanted[name])


def test_shares_are_written_unlike_in_python(module):
    rng = np.random.default_rng(0)
    rows = [rng.dirichlet(np.full(n, 0.7)).tolist() for n in (1, 2, 3, 5, 8, 12) * 20]
    found = module("machine/story.js")("shareText", *([row] for row in rows))
    assert found == [share_texts(row) for row in rows]


# --- Undo, redo, links and the device -----------------------------------------------

READ_STATE = "() => abhFigures.shown().machine.shown"
KEPT = (
    f"const read = {READ_STATE};"
    + """
const click = (name) => [...document.querySelectorAll(".abh-foot button")]
  .find((node) => node.textContent === name).click();
const set = (texts) => abhFigures.set("machine", texts);
const stored = () => {
  dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
  return localStorage.getItem("attention-by-hand/index/machine.edits");
};

/** Returns what undo, redo, the device and a link keep of each state. */
globalThis.kept = async (states) => {
  const found = [];
  for (const texts of states) {
    const before = read();
    set(texts);
    const after = read();
    click("Undo");
    const undone = read();
    click("Redo");
    const redone = read();
    click("Copy link");
    await null;
    const link = globalThis.copied;
    found.push({ before, after, undone, redone, stored: stored(), link });
  }
  return found;
}; 0"""
)


def state_of(seed: int) -> dict[str, Any]:
    """Return the traits of a random state, as the page keeps them."""
    state = a_state(seed)
    inputs = {name: state[name] for name in PRESETS["football"].inputs.to_json()}
    others = {name: state[name] for name in ("beta", "off", "order", "residual")}
    return {"edits": {"football": inputs}} | others


def texts_of(seed: int) -> dict[str, str]:
    return {name: json.dumps(value) for name, value in state_of(seed).items()}


def read(texts: dict[str, str]) -> dict[str, Any]:
    """Return the values of the traits of `state_of`, from their texts in the page."""
    return {name: json.loads(texts[name]) for name in state_of(0)}


@pytest.mark.parametrize("count", first_and_weekly([30, STATES]))
def test_undo_a_link_or_the_storage_loses_part_of_a_state(open_machine, count):
    page = open_machine(preset("football"))
    page.evaluate(CLIPBOARD)
    page.evaluate(KEPT)
    states = [texts_of(seed) for seed in range(count)]
    found = page.evaluate("states => kept(states)", states)
    for seed, got in enumerate(found):
        assert read(got["after"]) == state_of(seed)
        assert got["undone"] == got["before"]
        assert got["redone"] == got["after"]
        assert json.loads(got["stored"]) == state_of(seed)["edits"]
    for seed in range(0, count, 5):
        page.goto("about:blank")
        page.goto(found[seed]["link"])
        ready(page)
        assert read(page.evaluate(READ_STATE)) == state_of(seed)


# --- What is shown ----------------------------------------------------------------


SET = """async (texts) => {
  abhFigures.set("machine", texts);
  for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame);
}"""
RESULTS = ("query", "key", "value", "scores", "logits", "weights", "head")


def matrices_of(state: dict, head: int) -> dict[str, np.ndarray]:
    """Return every matrix that a stage of this head may show."""
    result = computed(state)
    inputs = {name: state[name][head] for name in ("W_Q", "W_K", "W_V")}
    own = {name: state[name] for name in ("X", "W_O")}
    whole = {name: result[name] for name in ("concat", "output")}
    return inputs | own | whole | result["heads"][head]


@pytest.mark.parametrize("count", first_and_weekly([25, STATES]))
def test_a_level_shows_other_numbers_than_the_library(open_machine, count):
    page = open_machine(preset("football"))
    for seed in range(count):
        state = a_state(seed)
        rng = np.random.default_rng(seed)
        head = int(rng.integers(len(state["W_Q"])))
        row = int(rng.integers(len(state["X"])))
        last = "output" if state["W_O"] is not None else "query"  # no stage without W_O
        stage = str(rng.choice(["", "X", *RESULTS, last]))
        view = {"stage": stage, "head": str(head + 1), "row": str(row), "cell": ""}
        page.evaluate(SET, texts_of(seed) | view)
        shown = page.evaluate(SHOWN)
        if not stage:
            weights = [own["weights"][row] for own in computed(state)["heads"]]
            found = [float(full) for name, full, _ in shown if name == "weight"]
            np.testing.assert_allclose(sorted(found), np.sort(weights, None), **CLOSE)
            continue
        matrices = matrices_of(state, head)
        places = [(*name.split("."), full) for name, full, _ in shown if "." in name]
        assert any(name == stage for name, *_ in places), (seed, stage)
        for name, r, c, full in places:
            number = matrices[name][int(r)][int(c)]
            assert full == "-Infinity" or abs(float(full) - number) < 1e-12
            assert (full == "-Infinity") == np.isneginf(number)


def test_the_products_of_a_cell_add_up_to_another_number_than_the_library_s(module):
    states = [a_state(seed) for seed in range(STATES)]
    computed_in_page = module("machine/arithmetic.js")("compute", *zip(states))
    stages = ["query", "key", "value", "scores", "head"]
    cells, wanted = [], []
    for seed, (state, results) in enumerate(zip(states, computed_in_page, strict=True)):
        stage = stages[seed % len(stages)]
        head = seed % len(state["W_Q"])
        matrix = computed(state)["heads"][head][stage]
        cell = [seed % len(matrix), seed % len(matrix[0])]
        chosen = {"stage": stage, "head": head, "cell": cell}
        cells.append([{"state": state, "results": results, "chosen": chosen}])
        is_off = stage == "head" and head in state["off"]
        wanted.append(None if is_off else matrix[cell[0]][cell[1]])
    found = module("machine/cell.js")("termsOf", *cells)
    for terms, number in zip(found, wanted, strict=True):
        products = sum(term["product"] for term in terms["terms"])
        assert number is None or abs(products - number) < 1e-12
        assert all(t["product"] == t["a"] * t["b"] for t in terms["terms"])


def test_the_overview_names_wrong_shares_of_a_word(open_machine):
    page = open_machine(preset("football", stage=""))
    said, hint = reading(page).split(" Drag ")
    assert hint.startswith("a cell of X")
    assert said == Machine.preset("football").reading()
    shares = "33% from “I”, 39% from “play”, 28% from “football”"
    assert said == f"“play” takes {shares}."


def test_a_cell_hides_its_products_or_their_sum(open_machine):
    page = open_machine(preset("football", stage="scores", cell="2.3"))
    assert "1.1×0.25" in page.locator(".abh-ma-svg").text_content()
    table = page.locator(".abh-ma-tables table")
    expect(table.locator("caption")).to_have_text("Sum of 2 products: 0.275")
    heads = ["from the row", "from the column", "product"]
    expect(table.locator("thead th")).to_have_text(heads)
    head = PRESETS["football"].inputs.trace().heads[0]
    cells = table.locator("tbody td").all_inner_texts()
    pairs = np.reshape(cells, (2, 3)).astype(float)[:, :2].T
    np.testing.assert_allclose(pairs, [head.query[1], head.key[2]], atol=5e-4)
    page.get_by_role("button", name="Back", exact=True).click()
    found = page.evaluate(READ_STATE)
    assert (found["stage"], found["cell"]) == ("scores", "")


def test_the_shares_are_not_those_of_the_word_under_the_mouse(open_machine):
    page = open_machine(preset("football", stage="", row=2))
    word = page.locator("[data-act=word]").get_by_text("I", exact=True).first
    page.mouse.move(*middle(word))
    drawn(page)
    found = [float(full) for name, full, _ in page.evaluate(SHOWN) if name == "weight"]
    weights = PRESETS["football"].inputs.trace().heads[0].weights
    np.testing.assert_allclose(found, weights[0], **CLOSE)
    assert reading(page).startswith("“I” takes")


def test_the_weights_of_a_sum_stand_beside_wrong_words(open_machine):
    order = [2, 0, 1]  # not its own inverse
    page = open_machine(preset("football", stage="head", cell="1.1", order=order))
    rows = page.locator(".abh-ma-tables tbody tr")
    rows.first.wait_for(state="attached")
    weights = PRESETS["football"].inputs.trace().heads[0].weights[0]
    names = ("I", "play", "football")
    expected = dict(zip(names, weights, strict=True))
    words = [row.locator("th").inner_text() for row in rows.all()]
    assert words == [names[i] for i in order]
    for word, row in zip(words, rows.all(), strict=True):
        assert displayed.agrees(row.locator("td").first.inner_text(), expected[word])


def test_the_note_of_a_division_omits_the_setting_of_the_dial(open_machine):
    page = open_machine(preset("football", stage="logits", cell="2.2", beta=4))
    drawing = page.locator(".abh-ma-svg").text_content()
    assert "divided by 4" in drawing
    assert "0.354" in drawing  # √2 / 4


LEVELS = {
    "": ["Weights: what each word takes from each word", "Output"],
    "scores": ["Q", "K", "S"],
}


@pytest.mark.parametrize("stage", LEVELS)
def test_a_level_has_tables_with_wrong_names_of_rows_or_columns(open_machine, stage):
    page = open_machine(preset("football", stage=stage))
    tables = page.locator(".abh-ma-tables table")
    names = tables.first.locator("tbody th")
    expect(names).to_have_text(["I", "play", "football"])
    expect(tables.locator("caption")).to_have_text(LEVELS[stage])
    more(page)
    enter(page.get_by_label("Its words"), "I kick football")
    expect(names).to_have_text(["I", "kick", "football"])
    assert "play" not in page.locator(".abh-ma-tables th").all_inner_texts()


def test_the_tables_of_scores_have_the_shapes_of_the_stage_before(open_machine):
    page = open_machine(preset("football", stage="value"))
    page.get_by_role("button", name="Next: Scores").click()
    tables = page.locator(".abh-ma-tables table")
    expect(tables.locator("caption")).to_have_text(["Q", "K", "S"])
    shapes = [(2, 3), (2, 3), (3, 3)]  # columns and rows, as numbers of names
    for table, (columns, rows) in zip(tables.all(), shapes, strict=True):
        expect(table.locator("thead th")).to_have_count(columns)
        expect(table.locator("tbody tr")).to_have_count(rows)


TOUCHING = """() => {
  const texts = [...document.querySelectorAll(".abh-ma-svg text")]
    .filter((node) => node.textContent.trim() && node.checkVisibility()
      && Number(node.getAttribute("opacity") ?? 1) > 0.1
      && !node.closest("[transform*='scale(0.']"))
    .map((node) => [node.textContent, node.getBoundingClientRect()]);
  const found = [];
  texts.forEach(([one, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > -1 && y > 4) found.push([one, other]);
  }));
  return found;
}"""
SMALL = """() => [...document.querySelectorAll(".abh-ma-svg text")]
  .filter((node) => node.textContent.trim() && (node.getAttribute("opacity") ?? 1) > 0.1
    && node.getScreenCTM().a > 0.4)
  .map((node) => Number(node.getAttribute("font-size")) * node.getScreenCTM().a)
  .filter((size) => size < 10.95)"""
VIEWS = [
    {},
    {"stage": "scores"},
    {"stage": "weights", "cell": "2.1"},
    {"stage": "head", "cell": "1.1"},
]


@pytest.mark.slow
@pytest.mark.parametrize("width", [374, 920, WIDTH])
@pytest.mark.parametrize("example", ["football", "cat", "apple", "eight-tokens"])
def test_a_number_touches_another_or_is_small(open_machine, example, width):
    page = open_machine(preset(example, stage=""), width=width, height=844)
    for view in VIEWS:
        page.evaluate(SET, {"stage": "", "cell": ""} | view)
        drawn(page)
        assert page.evaluate(TOUCHING) == [], view
        assert page.evaluate(SMALL) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


# --- Acts -------------------------------------------------------------------------


def test_dragging_a_number_gives_wrong_results(open_machine):
    page = open_machine(preset("football", stage="query"))
    before = value(page, "query", 1, 0)
    x, y = middle(page.locator('[data-key="W_Q.0.0"]'))
    drag(page, (x, y), (x + 45, y))
    drawn(page)
    assert value(page, "W_Q", 0, 0) == "1.5"
    expected = 0.8 * 1.5 + 0.3
    assert abs(float(value(page, "query", 1, 0)) - expected) < 1e-12
    undo(page)
    drawn(page)
    assert value(page, "query", 1, 0) == before
    page.keyboard.press("Escape")  # closes the menu
    page.keyboard.down("Shift")
    drag(page, (x, y), (x + 45, y))
    page.keyboard.up("Shift")
    assert value(page, "W_Q", 0, 0) == "1.05"


ZOOM = 1000  # milliseconds; opening or leaving a stage takes less


def test_leaving_a_stage_by_a_key_loses_the_focus(open_machine):
    page = open_machine(preset("football", stage=""), reduced_motion="no-preference")
    for stage in ("Queries", "Weights"):
        name = page.locator(f"[data-named][aria-label$='open {stage}']").first
        name.press("Enter")
        page.wait_for_timeout(ZOOM)
        page.keyboard.press("Escape")
        page.wait_for_timeout(ZOOM)
        expect(name).to_be_focused()


def test_undo_in_a_field_leaves_words_that_the_machine_does_not_have(open_machine):
    page = open_machine(preset("football"))
    more(page)
    field = page.get_by_label("Its words")
    field.fill("a b")
    field.press("Enter")
    field.press("Control+z")
    field.press("Tab")
    assert field.input_value() == "I play football"


def test_a_typed_number_or_a_refused_text_is_lost(open_machine):
    page = open_machine(preset("football"))
    type_number(page, "X", 0, 0, "0,75")
    assert value(page, "X", 0, 0) == "0.75"
    type_number(page, "X", 0, 1, "nine")
    field = page.locator(".abh-ma-field")
    assert field.input_value() == "nine"
    assert "is not a number" in page.locator(".abh-ma-refusal").inner_text()
    field.fill("0.9")
    field.fill("0.9x")
    assert value(page, "X", 0, 1) == "0.4"  # not the number before the last letter
    field.fill("0.8")
    field.press("Escape")
    assert value(page, "X", 0, 1) == "0.4"
    type_number(page, "X", 0, 1, "nine")
    page.locator("[data-act=back]").focus()
    page.keyboard.press("Enter")
    said = page.locator(".abh-ma-status").first.inner_text()
    assert said.startswith("X, row 1, column 2 stays as it was. “nine” is not a number")
    reopen(page, "")
    page.locator('[data-key="X.0.1"]').click()
    field.fill("0.5")
    reopen(page, "")  # without Enter before
    assert value(page, "X", 0, 1) == "0.5"


def test_a_refused_text_changes_a_number_after_undo_or_in_another_preset(open_machine):
    page = open_machine(Machine(example="football", stage="X", question={}))
    field = page.locator(".abh-ma-field")
    given = value(page, "X", 0, 0)
    for text in ("0.75", "nine"):
        type_number(page, "X", 0, 0, text)
    undo(page)
    assert value(page, "X", 0, 0) == given
    expect(field).to_have_count(0)
    type_number(page, "X", 2, 0, "nine")
    more(page)
    enter(page.get_by_label("Its words"), "I")
    type_number(page, "X", 0, 0, "0.75")
    type_number(page, "X", 0, 0, "nine")
    more(page)
    page.get_by_label("Sentence", exact=True).select_option("cat")
    drawn(page)
    more(page)
    provenance = page.locator(".abh-ma-panel .abh-note").first
    expect(provenance).not_to_contain_text("You changed these inputs")


PLACE = """name => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [x, y, width, height];
}"""


def test_the_field_of_a_number_does_not_cover_its_cell_in_full_screen(open_machine):
    page = open_machine(preset("football"), width=1440)
    places = ('[data-key="X.2.2"]', ".abh-ma-field")
    more(page)
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_selector(".abh-filled")
    page.keyboard.press("Escape")  # closes the menu
    page.locator(places[0]).click()
    cell, field = (page.evaluate(PLACE, each) for each in places)
    np.testing.assert_allclose(field, cell, atol=2)
    page.evaluate("document.exitFullscreen()")
    page.wait_for_selector(".abh-filled", state="detached")
    resize(page, 900, 900)
    drawn(page)
    cell, field = (page.evaluate(PLACE, each) for each in places)
    np.testing.assert_allclose(field, cell, atol=2)


@pytest.mark.parametrize("cell", [("W_Q", 3, 1), ("X", 2, 3)])
def test_the_reason_of_a_refusal_is_cut_off_on_a_phone(open_machine, cell):
    page = open_machine(preset("cat", stage="query"), width=390)
    type_number(page, *cell, "nine")
    names = (".abh-ma-refusal", ".abh-ma-place")
    boxes = (page.evaluate(PLACE, each) for each in names)
    (x, y, wide, tall), (left, top, width, height) = boxes
    assert left <= x
    assert x + wide <= left + width
    assert y + tall <= top + height


PASTE = """([key, text]) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const more = { clipboardData: data, bubbles: true, cancelable: true };
  const event = new ClipboardEvent("paste", more);
  document.querySelector(`[data-key="${key}"]`).dispatchEvent(event);
}"""
PASTED = [[1e-7, 2], [-0.30000000000000004, 4], [5.5, 6]]
ROWS = [[str(x) for x in row] for row in PASTED]
BY_TABS, BY_SPACES = ("\n".join(by.join(row) for row in ROWS) for by in ("\t", " "))


@pytest.mark.parametrize("text", [BY_TABS, BY_SPACES, f"np.array({PASTED})"])
def test_a_matrix_from_numpy_or_a_spreadsheet_is_pasted_wrongly(open_machine, text):
    page = open_machine(preset("football", stage="query"))
    page.evaluate(PASTE, ["W_Q.0.0", text])
    drawn(page)
    found = [[float(value(page, "W_Q", r, c)) for c in range(2)] for r in range(3)]
    assert found == PASTED
    page.evaluate(PASTE, ["W_Q.0.0", "1\t2\t3"])
    assert "Nothing was pasted" in page.locator(".abh-ma-status").first.inner_text()


COPY = """key => {
  const data = new DataTransfer();
  const more = { clipboardData: data, bubbles: true, cancelable: true };
  const event = new ClipboardEvent("copy", more);
  document.querySelector(`[data-key="${key}"]`).dispatchEvent(event);
  return data.getData("text/plain");
}"""


def test_copied_or_pasted_rows_are_in_another_order_than_the_drawn_rows(open_machine):
    order = [2, 0, 1]
    page = open_machine(preset("football", stage="weights", order=order))
    weights = PRESETS["football"].inputs.trace().heads[0].weights
    copied = page.evaluate(COPY, "weights.0.0").split("\n")
    found = np.array([row.split("\t") for row in copied], float)
    np.testing.assert_allclose(found, weights[np.ix_(order, order)], **CLOSE)
    cells = [page.locator(f'[data-key="weights.0.{word}"]').first for word in order]
    one, two, three = (cell.bounding_box()["x"] for cell in cells)
    assert one < two < three
    page = open_machine(preset("football", stage="X", order=order))
    page.evaluate(PASTE, ["X.0.0", "7\n8"])  # at "I", the second of the drawn rows
    assert [value(page, "X", word, 0) for word in (0, 1)] == ["7", "8"]
    page.evaluate(PASTE, ["X.2.1", "7\n8"])  # at "football", the first
    assert [value(page, "X", word, 1) for word in (2, 0)] == ["7", "8"]


def test_the_sentence_omits_the_head_that_is_off_if_another_is_selected(open_machine):
    page = open_machine(preset("cat", stage="", off=[1], head=1))
    cat = PRESETS["cat"].inputs
    part = cat.trace().heads[1].output[1] @ cat.W_O[2:]
    said = reading(page)
    assert said.startswith("In head 1, “cat” takes ")
    assert "Head 2 is off" in said
    assert f"number {abs(part).argmax() + 1} changes most" in said


def test_the_machine_needs_a_mouse(open_machine):
    page = open_machine(preset("cat", stage=""))
    page.locator('[data-named][data-matrix="query"]').first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == "query.1.0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.key") == "query.1.1"
    page.keyboard.press("Enter")
    written(page)
    assert "machine.cell=2.2" in page.evaluate("location.search")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.matrix") == "query"
    dial = page.locator("[data-act=dial]").first
    dial.focus()
    before = dial.get_attribute("aria-valuenow")
    for key, direction in (("ArrowRight", 1), ("ArrowDown", -1), ("ArrowUp", 1)):
        page.keyboard.press(key)
        drawn(page)
        after = dial.get_attribute("aria-valuenow")
        assert (float(after) - float(before)) * direction > 0
        before = after
    switch = page.get_by_role("switch", name="Head 2")
    switch.focus()
    page.keyboard.press("Enter")
    drawn(page)
    assert switch.get_attribute("aria-checked") == "false"
    page.locator("[data-act=word]").get_by_text("cat").first.focus()
    page.keyboard.press("Alt+ArrowUp")
    written(page)
    assert re.search(r"machine\.order=(\[|%5B)1", page.evaluate("location.search"))


def test_the_story_skips_a_stage_or_does_not_return(open_machine):
    page = open_machine(preset("cat", stage=""))
    page.get_by_role("button", name="Step by step").click()
    said = []
    for _ in range(10):
        said.append(reading(page))
        page.locator(".abh-ma-buttons .abh-button:not(.abh-quiet)").click()
    assert len(set(said)) == 10
    assert page.get_by_role("button", name="Step by step").is_visible()


SHAPES = """() => [...document.querySelectorAll(".abh-ma-svg *")].map((node) =>
  [node.localName, node.children.length ? "" : node.textContent,
    ...[...node.attributes].filter(({ name }) => name !== "style") // may be stale
      .map(({ name, value }) => `${name}=${value}`).sort()].join(" ")).sort()"""


def test_a_step_beyond_the_story_is_not_its_last_step(open_machine):
    page = open_machine(*(preset("football", stage="", step=n) for n in (9, 7)))
    late, last = page.locator(".abh-card").all()
    assert reading(late) == reading(last) != ""
    assert late.locator("text[data-value]").count() > 0


@pytest.mark.slow
def test_a_drawing_after_many_acts_differs_from_a_fresh_drawing(open_machine):
    """The view redraws a part only if its inputs change: it must compare all inputs."""
    page = open_machine(preset("cat", stage=""))
    acts = (
        [{"beta": "2"}, {"row": "0"}],
        [{"beta": "0.5", "order": "[2,0,1]"}, {"off": "[1]"}],
        [{"stage": "scores"}, {"residual": "true"}, {"stage": "", "head": "2"}],
        [{"example": "football", "beta": "1"}, {"example": "cat", "off": "[0]"}],
    )
    fresh = page.context.new_page()
    fresh.set_viewport_size(page.viewport_size)
    fresh.emulate_media(reduced_motion="reduce")
    for act in acts:
        page.bring_to_front()
        for texts in act:
            page.evaluate(SET, texts)
        written(page)
        fresh.bring_to_front()
        fresh.goto(page.url)
        ready(fresh)
        assert page.evaluate(SHAPES) == fresh.evaluate(SHAPES), act


def test_the_menu_does_not_change_shape_mask_or_sentence(open_machine):
    page = open_machine(Machine(question={}))
    more(page)
    page.get_by_label("Heads", exact=False).last.fill("2")
    page.keyboard.press("Tab")
    page.get_by_label("Causal mask").check()
    page.get_by_label("Output projection").check()
    for word in (0, 2):  # the second box keeps what the first one hid
        page.locator(".abh-ma-padding input").nth(word).check()
    page.get_by_label("Paste into").select_option("W_Q 1")
    page.get_by_label("Numbers (NumPy").fill("1 2\n3 4\n5 6")
    page.get_by_role("button", name="Put in").click()
    written(page)
    edits = json.loads(page.evaluate(READ_STATE)["edits"])["football"]
    assert edits["W_Q"] == [
        PRESETS["football"].inputs.W_Q[0].tolist(),
        [[1, 2], [3, 4], [5, 6]],
    ]
    assert edits["causal"] is True
    assert edits["padding"] == [True, False, True]
    assert len(edits["W_O"]) == 4
    page.get_by_label("Sentence", exact=True).select_option("cat")
    words = page.locator(".abh-ma-padding label").all_inner_texts()
    assert [word.strip() for word in words] == ["the", "cat", "sat"]
    page.get_by_label("Sentence", exact=True).select_option("apple")
    assert "“bought” takes" in reading(page)


def test_the_residual_stream_changes_a_table_but_not_the_drawing(open_machine):
    page = open_machine(Machine(example="empty", stage="", residual=True, question={}))
    more(page)
    page.get_by_label("Paste into").select_option("X 0")
    page.get_by_label("Numbers (NumPy").fill("1 1\n1 1")
    page.get_by_role("button", name="Put in").click()
    cells = page.locator(".abh-ma-tables table").last.locator("tbody td")
    expect(cells).to_have_text(["1"] * 4)  # as the drawing, which has no sum
    switch = page.get_by_label("Residual stream")
    expect(switch).to_be_disabled()
    page.get_by_label("Output projection").check()
    expect(switch).to_be_enabled()
    expect(cells).to_have_text(["2"] * 4)


def test_new_words_or_heads_get_an_old_order_or_are_off(open_machine):
    page = open_machine(preset("cat", stage="", order=[2, 1, 0], off=[1]))
    more(page)
    for words in ("one two", "one two three"):
        enter(page.get_by_label("Its words"), words)
    for heads in ("1", "2"):
        enter(page.get_by_label("Heads", exact=False).last, heads)
    drawn(page)
    found = page.evaluate(READ_STATE)
    assert (found["order"], found["off"]) == ("[]", "[]")
    page.evaluate(SET, {"order": "[1, 0, 2]"})
    page.get_by_role("button", name="Start again").click()
    assert page.evaluate(READ_STATE)["order"] == "[]"


def test_a_concatenation_wider_than_64_is_accepted(open_machine):
    page = open_machine(preset("cat"))
    more(page)
    for size, width, refused in (("key", "40", False), ("value", "33", True)):
        field = page.get_by_label(f"Width of a {size}", exact=False)
        field.fill(width)
        page.keyboard.press("Tab")
        status = page.get_by_text("All heads side by side are at most 64 wide.")
        assert status.is_visible() == refused
    written(page)
    edits = json.loads(page.evaluate(READ_STATE)["edits"])["cat"]
    assert len(edits["W_K"][0][0]) == 40
    assert len(edits["W_V"][0][0]) == 2


def test_a_size_refused_in_one_sentence_stays_in_another(open_machine):
    page = open_machine(Machine(question={}))
    more(page)
    heads = page.get_by_label("Heads", exact=False).last
    reason = page.get_by_text("Heads: type a whole number")
    for text in ("0", "99"):
        enter(heads, text)
        expect(reason).to_be_visible()
        enter(heads, "1")
        expect(reason).to_have_count(0)
    enter(heads, "99")
    sentences = page.get_by_label("Sentence", exact=True)
    sentences.focus()
    sentences.select_option("apple")
    expect(heads).to_have_value("3")
    expect(reason).to_have_count(0)


def test_a_stage_that_a_change_removes_is_in_a_link(open_machine):
    page = open_machine(preset("cat", stage="output", cell="1.1"))
    more(page)
    page.get_by_label("Output projection").uncheck()
    written(page)
    reopen(page, page.evaluate("location.search"))
    assert page.locator(".refused").count() == 0
    assert page.get_by_label("Output projection").is_checked() is False


def test_a_stage_that_undo_removes_is_in_a_link(open_machine):
    page = open_machine(preset("football", stage=""))
    more(page)
    page.get_by_label("Output projection").check()
    page.evaluate(SET, {"stage": "output"})
    undo(page)
    written(page)
    assert "stage" not in page.evaluate("location.search")


def test_the_tabs_miss_a_head_after_the_number_of_heads_changed(open_machine):
    page = open_machine(Machine(example="cat", stage="query", question={}))
    tabs = page.locator(".abh-ma-tabs button")
    assert tabs.count() == 2
    reopen(page, "?machine.head=2")
    expect(tabs.nth(1)).to_have_attribute("aria-pressed", "true")
    page.evaluate(SET, {"example": "apple"})
    assert tabs.count() == 3


def test_the_kept_state_leaves_the_sentence_or_comes_back_incomplete(open_machine):
    page = open_machine(Machine(example="cat", stage="", row=1, question={}))
    said = reading(page)
    more(page)
    page.get_by_role("button", name="Keep this state").click()
    kept = page.evaluate(READ_STATE)
    shares = re.search(r"takes (.*?)\.(?= |$)", said)[1]
    repeated = f"In the kept state, “cat” takes {shares}."
    assert repeated in reading(page)
    page.get_by_label("Sentence", exact=True).select_option("football")
    assert "In the kept state" not in reading(page)
    enter(page.get_by_label("Its words"), "we sing")
    page.get_by_role("button", name="Back to the kept state").click()
    assert repeated in reading(page)
    changed = {"order": "[2, 0, 1]", "off": "[1]", "beta": "3", "residual": "true"}
    page.evaluate(SET, changed)
    assert page.evaluate(READ_STATE) != kept
    page.get_by_role("button", name="Back to the kept state").click()
    now = page.evaluate(READ_STATE)
    assert {n: now[n] for n in changed} == {n: kept[n] for n in changed}
    page.get_by_label("Sentence", exact=True).select_option("football")
    expect(page.get_by_label("Its words")).to_have_value("we sing")  # the edit stays


def test_shares_of_seven_words_do_not_add_up_to_100_percent(open_machine):
    eight = PRESETS["eight-tokens"].inputs.to_json()
    seven = {name: eight[name][:7] for name in ("tokens", "X", "padding")}
    traits = edits_of("eight-tokens", **seven)
    page = open_machine(preset("eight-tokens", stage="", **traits))
    said = reading(page)
    shares = [float(text) for text in re.findall(r"([\d.]+)%", said)]
    assert "from the other 3 words together" in said
    assert len(re.findall(r"\d\.\d%", said)) in (0, len(shares))  # one precision
    assert sum(shares) == pytest.approx(100, abs=0.3)


def test_the_verdict_on_a_goal_counts_the_weights_with_the_dial_turned(open_machine):
    card = preset("football", goal=PLAY_TO_FOOTBALL, beta=4.0)
    verdict = open_machine(card).locator(".abh-ma-verdict")
    expect(verdict).to_contain_text(f"{card.verdict()} This counts the weights with")


def test_an_arrow_key_does_not_go_to_the_word_at_the_next_place(open_machine):
    page = open_machine(preset("football", stage="", row=0, order=[2, 0, 1]))
    page.locator(".abh-ma-svg").focus()
    for key, word in (("Down", "play"), ("Up", "I"), ("Up", "football")):
        page.keyboard.press(f"Arrow{key}")
        assert reading(page).startswith(f"“{word}” takes")


def test_a_head_that_adds_nothing_is_said_to_change_the_output(open_machine):
    zero = edits_of("cat", W_O=[[0] * 4] * 4)
    page = open_machine(preset("cat", stage="", off=[0], **zero))
    assert "The output of “cat” does not change." in reading(page)


def test_the_menu_does_not_say_that_the_inputs_were_changed(open_machine):
    page = open_machine(preset("eight-tokens", stage=""))
    more(page)
    stated = PRESETS["eight-tokens"].provenance
    note = page.locator(".abh-ma-panel .abh-note").first
    expect(note).to_have_text(stated)  # the menu fills its fields after it opens
    words = page.get_by_label("Its words")
    assert words.input_value().startswith("token 1, token 2, ")
    enter(words, words.input_value().replace("token 1", "first"))
    names = page.locator(".abh-ma-padding label").all_inner_texts()
    assert [name.strip() for name in names][:2] == ["first", "token 2"]
    expect(note).to_have_text(f"You changed these inputs. As given: {stated}")


FOCUSED = """() => {
  const { x, y } = document.activeElement.getBoundingClientRect();
  return { x, y };
}"""
FIRST = r"""() => [...document.querySelectorAll("[data-key]")]
  .map((node) => node.dataset.key).filter((key) => /^\w+\.0\.0$/.test(key))"""


@pytest.mark.parametrize("stage", ["query", "key", "scores", "weights", "head"])
def test_an_arrow_key_does_not_go_to_the_number_on_that_side(open_machine, stage):
    page = open_machine(preset("football", stage=stage))
    matrices = page.evaluate(FIRST)
    assert matrices
    for first in matrices:
        for key, axis, other in (("ArrowRight", "x", "y"), ("ArrowDown", "y", "x")):
            page.locator(f"[data-key='{first}']").last.focus()
            before = page.evaluate(FOCUSED)
            page.keyboard.press(key)
            after = page.evaluate(FOCUSED)
            assert after[axis] > before[axis] + 1, (first, key)
            assert after[other] == pytest.approx(before[other], abs=1), (first, key)


def edits_of(example, inputs_of=None, **changed):
    """Return `edits` that give a preset the inputs of another, with some changed."""
    inputs = PRESETS[inputs_of or example].inputs.to_json()
    return {"edits": {example: inputs | changed}}


W_O = [[1, 0, 2], [0, 1, 0]]
SAID_FIRST = [
    ({"chapter": 3}, "Several heads compute at the same time"),
    ({"chapter": 3} | edits_of("cat", "football"), "“play” takes"),
    ({"chapter": 4} | edits_of("cat", "football", W_O=W_O), "“play” takes"),
    ({"chapter": 4}, "The results of the heads stand side by side"),
    ({"chapter": 4} | edits_of("cat", W_O=None), "In head 1, “cat” takes"),
]


def test_a_link_does_not_undo_the_changes_with_which_a_page_began(open_machine):
    page = open_machine(
        preset("football", stage="", **edits_of("football", causal=True))
    )
    page.evaluate(SET, {"edits": "{}"})
    link = copied_link(page)
    page.goto("about:blank")
    page.goto(link)
    ready(page)
    assert json.loads(page.evaluate(READ_STATE)["edits"]) == {}


@pytest.mark.parametrize(("traits", "words"), SAID_FIRST)
def test_the_sentence_of_a_chapter_is_false_in_a_state(open_machine, traits, words):
    page = open_machine(preset("cat", stage="", **traits))
    assert reading(page).startswith(words)


CAUSAL = edits_of("football", causal=True)
HIDDEN = edits_of("football", padding=[True] * 3)
PROJECTED = edits_of("football", W_O=W_O)
LARGE = edits_of("football", W_K=[[[-30, 0]] * 3], W_Q=[[[9, 0]] * 3])
SAID = [
    ({"stage": "logits", "beta": 4}, "All scores are divided by 0.35. This is √"),
    ({"stage": "logits", "beta": 4} | CAUSAL, "4 of the dial. The mask hides 1"),
    ({"stage": "logits"} | CAUSAL, "The mask hides 1 of 3 words from “play”."),
    ({"stage": "weights"} | CAUSAL, "gives a hidden word the weight 0"),
    ({"stage": "weights"} | HIDDEN, "All words are hidden from “play”"),
    ({"stage": ""} | HIDDEN, "“play” takes nothing."),
    ({"stage": "head", "off": [0]}, "Head 1 is off, so its result is 0."),
    ({"stage": "head", "cell": "1.1", "off": [0]}, "every number of its result is 0"),
    ({"stage": "output"} | PROJECTED, "the result of the head"),
    ({"stage": "", "step": 8} | PROJECTED, "There is one head, so Z is its result."),
    ({"stage": "head"} | CAUSAL, "A word gets no value from the words that"),
    ({"stage": "weights", "cell": "1.1"} | LARGE, "largest logit of the row is"),
]


@pytest.mark.parametrize(("traits", "words"), SAID)
def test_the_sentence_of_a_stage_is_false_in_a_state(open_machine, traits, words):
    page = open_machine(preset("football", **traits))
    assert words in reading(page)


@pytest.mark.parametrize("off", [[0], [0, 1]])
def test_the_effect_of_a_head_is_measured_before_the_residual_sum(open_machine, off):
    """The sentence compares head 1 on and off; the other heads do not change."""
    page = open_machine(preset("cat", stage="", residual=True, off=off))
    said = reading(page)
    found = re.search(r"number (\d) changes most, from ([\d.−]+) to ([\d.−]+)\.", said)
    state = PRESETS["cat"].inputs.to_json() | {"residual": True}
    state |= {"beta": 1, "order": [0, 1, 2]}
    sums = [computed(state | {"off": heads})["sum"][1] for heads in (off[1:], off)]
    column = np.abs(np.subtract(*sums)).argmax()
    shown = [float(text.replace("−", "-")) for text in found.groups()]
    assert shown == pytest.approx([column + 1, *(s[column] for s in sums)], abs=6e-4)


def test_a_state_copied_as_numpy_computes_another_output(open_machine):
    page = open_machine(preset("cat", stage=""))
    page.evaluate(CLIPBOARD)
    more(page)
    page.get_by_role("button", name="Copy as NumPy").click()
    namespace = {}
    exec(page.evaluate("globalThis.copied"), namespace)
    expected = PRESETS["cat"].inputs.trace().output
    np.testing.assert_allclose(namespace["output"], expected, rtol=1e-12)


def test_the_python_of_a_state_computes_another_output_than_the_figure_shows(module):
    """The code has masks, heads that are off, word order and the residual sum."""
    states = [a_state(seed) for seed in range(40)]
    codes = module("machine/typed.js")("asNumPy", *([state] for state in states))
    for state, code in zip(states, codes, strict=True):
        namespace = {}
        exec(code, namespace)
        wanted = computed(state)
        shown = wanted["output"] if wanted["sum"] is None else wanted["sum"]
        np.testing.assert_allclose(namespace["output"], shown[state["order"]], **CLOSE)


TITLE = """document.querySelector("article")
  .insertAdjacentHTML("afterbegin", "<h1>Machine</h1>")"""


@pytest.mark.slow
def test_a_level_has_accessibility_problems(open_machine):
    cell = {"stage": "scores", "cell": "2.3"}
    for view in ({}, {"stage": "X"}, {"stage": "scores"}, cell):
        page = open_machine(preset("cat", **{"stage": ""} | view))
        if not view:
            more(page)
        page.evaluate(TITLE)
        assert objections(page) == [], view
        assert objections_in_the_dark(page) == [], view


def test_a_tap_does_not_open_a_stage_or_a_second_tap_a_cell(open_machine):
    page = open_machine(
        preset("football", stage=""), width=390, height=844, has_touch=True
    )
    page.locator('[data-named][data-matrix="scores"]').first.tap()
    drawn(page)
    page.locator('[data-key="scores.1.2"]').tap()
    drawn(page)
    assert "1.1×0.25" in page.locator(".abh-ma-svg").text_content()


def test_escape_does_not_lead_from_the_menu_back_to_its_button(open_machine):
    page = open_machine(preset("football"))
    more(page)
    page.locator(".abh-ma-more select").first.focus()
    page.keyboard.press("Escape")
    assert page.locator(".abh-ma-more").get_attribute("open") is None
    expect(page.locator(".abh-ma-more summary")).to_be_focused()


def test_a_scroll_that_begins_on_the_machine_opens_a_stage(open_machine):
    page = open_machine(preset("football", stage=""))
    scores = page.locator('[data-named][data-matrix="scores"]').first
    for kind in ("pointerdown", "pointercancel"):
        scores.dispatch_event(kind, {"bubbles": True, "pointerType": "touch"})
    drawn(page)
    assert page.locator('[data-key="scores.1.2"]').count() == 0
    scores.click()
    page.locator('[data-key="scores.1.2"]').wait_for()
