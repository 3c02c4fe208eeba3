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
from machine_states import a_state, computed, states_and_results
from machines import WIDTH, more, preset, ready, reopen, type_number, undo, value
from playwright.sync_api import expect

from course.chapters.self_attention.questions import PLAY_TO_FOOTBALL
from course.widgets import Machine
from course.widgets.machine.presets import PRESETS
from course.widgets.machine.story import share_texts

CLOSE = {"rtol": 0, "atol": 1e-12}
READ = "() => abhFigures.shown().machine.shown"
SET = """async (texts) => {
  abhFigures.set("machine", texts);
  for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame);
}"""
SHOWN = """() => [...document.querySelectorAll("text[data-value]")]
  .map(({ dataset }) => [dataset.name, Number(dataset.value)])"""


def edits_of(example, inputs_of=None, **changed):
    """Return `edits` that give a preset the inputs of another, with some changed."""
    inputs = PRESETS[inputs_of or example].inputs.to_json()
    return {"edits": {example: inputs | changed}}


# --- The arithmetic of the modules, without a view ------------------------------------


def test_a_number_differs_from_the_library_s_in_300_random_states(module):
    cases = states_and_results()
    found = module("machine/arithmetic.js")("compute", *([state] for state, _ in cases))
    for (_, wanted), got in zip(cases, found, strict=True):
        pairs = [(got[name], wanted[name]) for name in ("concat", "output", "sum")]
        for head, own in zip(wanted["heads"], got["heads"], strict=True):
            pairs += [(own[name], matrix) for name, matrix in head.items()]
        for matrix, expected in pairs:  # without a sum, None becomes NaN
            np.testing.assert_allclose(
                np.array(matrix, float), np.array(expected, float), **CLOSE
            )


def test_the_products_of_a_cell_add_up_to_another_number_than_the_library_s(module):
    stages = ["query", "key", "value", "scores", "head"]
    states = [state | {"off": []} for state, _ in states_and_results()]
    results = module("machine/arithmetic.js")("compute", *zip(states))
    asked, wanted = [], []
    for seed, state in enumerate(states):
        stage, head = stages[seed % len(stages)], seed % len(state["W_Q"])
        matrix = computed(state)["heads"][head][stage]
        cell = [seed % len(matrix), seed % len(matrix[0])]
        chosen = {"stage": stage, "head": head, "cell": cell}
        asked.append([{"state": state, "results": results[seed], "chosen": chosen}])
        wanted.append(matrix[cell[0], cell[1]])
    found = module("machine/cell.js")("termsOf", *asked)
    sums = [sum(term["product"] for term in cell["terms"]) for cell in found]
    np.testing.assert_allclose(sums, wanted, **CLOSE)


def test_the_python_of_a_state_computes_another_output_than_the_figure_shows(module):
    """The code has masks, heads that are off, word order and the residual sum."""
    cases = states_and_results()[:40]
    codes = module("machine/typed.js")("asNumPy", *([state] for state, _ in cases))
    for (state, wanted), code in zip(cases, codes, strict=True):
        namespace = {}
        exec(code, namespace)
        shown = wanted["output"] if wanted["sum"] is None else wanted["sum"]
        np.testing.assert_allclose(namespace["output"], shown[state["order"]], **CLOSE)


def test_shares_are_written_unlike_in_python(module):
    rng = np.random.default_rng(0)
    rows = [rng.dirichlet(np.full(n, 0.7)).tolist() for n in (1, 2, 3, 5, 8, 12) * 20]
    found = module("machine/story.js")("shareText", *([row] for row in rows))
    assert found == [share_texts(row) for row in rows]


# --- Random states of a view: undo, links, the device and the drawing -----------------


def traits_of(seed: int) -> dict[str, Any]:
    """Return the traits of a random state, as the page keeps them."""
    state = a_state(seed)
    inputs = {name: state[name] for name in PRESETS["football"].inputs.to_json()}
    others = {name: state[name] for name in ("beta", "off", "order", "residual")}
    return {"edits": {"football": inputs}} | others


def put(page, seed: int, **view: str) -> None:
    traits = traits_of(seed).items()
    page.evaluate(SET, {name: json.dumps(value) for name, value in traits} | view)


def test_undo_a_link_or_the_storage_loses_part_of_a_state(open_machine):
    page = open_machine(preset("football"))

    def traits():
        texts = page.evaluate(READ)
        return {name: json.loads(texts[name]) for name in traits_of(0)}

    before = traits()
    for seed in range(8):
        put(page, seed)
        wanted = traits_of(seed)
        assert traits() == wanted
        for name, expected in (("Undo", before), ("Redo", wanted)):
            page.locator(f"button:text-is('{name}')").dispatch_event("click")
            assert traits() == expected, (name, seed)
        link = copied_link(page)
        reopen(page, "")
        assert traits()["edits"] == wanted["edits"], f"on the device, {seed}"
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")
        page.goto(link)
        ready(page)
        assert traits() == wanted, f"by the link, {seed}"
        before = wanted


STAGES = ["", "X", "query", "key", "value", "scores", "logits", "weights", "head"]


def test_a_level_shows_other_numbers_than_the_library(open_machine):
    page = open_machine(preset("football"))
    for seed, (state, wanted) in enumerate(states_and_results()[:27]):
        head, row = seed % len(state["W_Q"]), seed % len(state["X"])
        stage = STAGES[seed % len(STAGES)]
        if stage == "X" and state["W_O"]:  # without W_O there is no stage "output"
            stage = "output"
        put(page, seed, stage=stage, head=str(head + 1), row=str(row), cell="")
        shown = page.evaluate(SHOWN)
        if not stage:
            weights = [own["weights"][row] for own in wanted["heads"]]
            found = [number for name, number in shown if name == "weight"]
            np.testing.assert_allclose(sorted(found), np.sort(weights, None), **CLOSE)
            continue
        matrices = {name: state[name][head] for name in ("W_Q", "W_K", "W_V")}
        matrices |= wanted["heads"][head] | wanted
        matrices |= {name: state[name] for name in ("X", "W_O")}
        places = [(*name.split("."), number) for name, number in shown if "." in name]
        assert any(name == stage for name, *_ in places), (seed, stage)
        for name, r, c, number in places:
            expected = matrices[name][int(r)][int(c)]
            np.testing.assert_allclose(number or 0, expected, **CLOSE)


# --- What a level shows ---------------------------------------------------------------


def test_the_overview_shows_wrong_shares_of_a_word_or_another_word(open_machine):
    said = "“play” takes 33% from “I”, 39% from “play”, 28% from “football”."
    assert Machine.preset("football").reading() == said
    page = open_machine(preset("football", stage="", row=2, order=[2, 0, 1]))
    page.locator(".abh-ma-svg").focus()
    for key, word in (("Down", "I"), ("Down", "play"), ("Up", "I")):
        page.keyboard.press(f"Arrow{key}")
        assert reading(page).startswith(f"“{word}” takes")
    play = page.locator("[data-act=word]").get_by_text("play", exact=True).first
    page.mouse.move(*middle(play))
    drawn(page)
    found = [number for name, number in page.evaluate(SHOWN) if name == "weight"]
    weights = PRESETS["football"].inputs.trace().heads[0].weights
    np.testing.assert_allclose(found, weights[1], **CLOSE)
    assert reading(page).startswith("“play” takes")


def test_a_tap_opens_no_stage_or_cell_or_the_cell_hides_its_products(open_machine):
    page = open_machine(
        preset("football", stage=""), width=390, height=844, has_touch=True
    )
    scores = page.locator('[data-named][data-matrix="scores"]').first
    for kind in ("pointerdown", "pointercancel"):  # a scroll that begins here
        scores.dispatch_event(kind, {"bubbles": True, "pointerType": "touch"})
    drawn(page)
    assert page.evaluate(READ)["stage"] == ""
    scores.tap()
    drawn(page)
    page.locator('[data-key="scores.1.2"]').tap()
    drawn(page)
    assert "1.1×0.25" in page.locator(".abh-ma-svg").text_content()
    table = page.locator(".abh-ma-tables table")
    expect(table.locator("caption")).to_have_text(["Sum of 2 products: 0.275"])
    heads = ["from the row", "from the column", "product"]
    expect(table.locator("thead th")).to_have_text(heads)
    head = PRESETS["football"].inputs.trace().heads[0]
    cells = table.locator("tbody td").all_inner_texts()
    pairs = np.reshape(cells, (2, 3)).astype(float)[:, :2].T
    np.testing.assert_allclose(pairs, [head.query[1], head.key[2]], atol=5e-4)
    page.get_by_role("button", name="Back", exact=True).click()
    found = page.evaluate(READ)
    assert (found["stage"], found["cell"]) == ("scores", "")


def test_the_weights_of_a_sum_stand_beside_wrong_words(open_machine):
    order = [2, 0, 1]  # not its own inverse
    page = open_machine(preset("football", stage="head", cell="1.1", order=order))
    rows = page.locator(".abh-ma-tables tbody tr")
    rows.first.wait_for(state="attached")
    weights = PRESETS["football"].inputs.trace().heads[0].weights[0]
    names = ("I", "play", "football")
    for row, i in zip(rows.all(), order, strict=True):
        assert row.locator("th").inner_text() == names[i]
        assert displayed.agrees(row.locator("td").first.inner_text(), weights[i])


def test_the_note_of_a_division_omits_the_setting_of_the_dial(open_machine):
    page = open_machine(preset("football", stage="logits", cell="2.2", beta=4))
    drawing = page.locator(".abh-ma-svg").text_content()
    assert "divided by 4" in drawing
    assert "0.354" in drawing  # √2 / 4


def test_a_table_has_a_wrong_shape_or_wrong_names(open_machine):
    page = open_machine(preset("football", stage=""))
    tables = page.locator(".abh-ma-tables table")
    captions = tables.locator("caption")
    weights = "Weights: what each word takes from each word"
    expect(captions).to_have_text([weights, "Output"])
    more(page)
    enter(page.get_by_label("Its words"), "I kick football")
    for names in ("tbody th", "thead th"):
        expect(tables.first.locator(names)).to_have_text(["I", "kick", "football"])
    page.evaluate(SET, {"stage": "value"})
    expect(captions).to_have_text(["X", "W V", "V"])
    page.get_by_role("button", name="Next: Scores").click()
    expect(captions).to_have_text(["Q", "K", "S"])
    for table, columns in zip(tables.all(), (2, 2, 3), strict=True):
        expect(table.locator("thead th")).to_have_count(columns)
        expect(table.locator("tbody tr")).to_have_count(3)


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
    {"stage": "", "cell": ""},
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
        page.evaluate(SET, view)
        drawn(page)
        assert page.evaluate(TOUCHING) == [], view
        assert page.evaluate(SMALL) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


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


SHAPES = """() => [...document.querySelectorAll(".abh-ma-svg *")].map((node) =>
  [node.localName, node.children.length ? "" : node.textContent,
    ...[...node.attributes].filter(({ name }) => name !== "style") // may be stale
      .map(({ name, value }) => `${name}=${value}`).sort()].join(" ")).sort()"""


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
    for act in acts:
        for texts in act:
            page.evaluate(SET, texts)
        written(page)
        moved = page.evaluate(SHAPES)
        reopen(page, page.evaluate("location.search"))
        assert moved == page.evaluate(SHAPES), act


# --- Numbers that are dragged, typed, pasted ------------------------------------------


def test_dragging_a_number_gives_wrong_results(open_machine):
    page = open_machine(preset("football", stage="query"))
    before = value(page, "query", 1, 0)
    x, y = middle(page.locator('[data-key="W_Q.0.0"]'))
    drag(page, (x, y), (x + 45, y))
    assert value(page, "W_Q", 0, 0) == "1.5"
    found = float(value(page, "query", 1, 0))
    assert found == pytest.approx(0.8 * 1.5 + 0.3, abs=1e-12)
    undo(page)
    assert value(page, "query", 1, 0) == before
    page.keyboard.press("Escape")  # closes the menu
    page.keyboard.down("Shift")
    drag(page, (x, y), (x + 45, y))
    page.keyboard.up("Shift")
    assert value(page, "W_Q", 0, 0) == "1.05"


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
    page.locator("[data-act=back]").press("Enter")
    said = page.locator(".abh-ma-status").first.inner_text()
    assert said.startswith("X, row 1, column 2 stays as it was. “nine” is not a number")
    reopen(page, "")
    page.locator('[data-key="X.0.1"]').click()
    field.fill("0.5")
    reopen(page, "")  # without Enter before
    assert value(page, "X", 0, 1) == "0.5"


def test_a_refused_text_changes_a_number_after_undo_or_in_another_preset(open_machine):
    page = open_machine(Machine(example="football", stage="X", question={}))
    given = value(page, "X", 0, 0)
    for text in ("0.75", "nine"):
        type_number(page, "X", 0, 0, text)
    undo(page)
    assert value(page, "X", 0, 0) == given
    expect(page.locator(".abh-ma-field")).to_have_count(0)
    type_number(page, "X", 2, 0, "nine")
    more(page)
    enter(page.get_by_label("Its words"), "I")  # the refused text has no row now
    for text in ("0.75", "nine"):
        type_number(page, "X", 0, 0, text)
    page.evaluate(SET, {"example": "cat"})
    assert "cat" not in json.loads(page.evaluate(READ)["edits"])


PLACE = """name => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [x, y, width, height];
}"""


def test_the_field_of_a_number_does_not_cover_its_cell_in_full_screen(open_machine):
    page = open_machine(preset("football"), width=1440)

    def check_field():
        places = ('[data-key="X.2.2"]', ".abh-ma-field")
        cell, field = (page.evaluate(PLACE, each) for each in places)
        np.testing.assert_allclose(field, cell, atol=2)

    more(page)
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_selector(".abh-filled")
    page.keyboard.press("Escape")  # closes the menu
    page.locator('[data-key="X.2.2"]').click()
    check_field()
    page.evaluate("document.exitFullscreen()")
    page.wait_for_selector(".abh-filled", state="detached")
    resize(page, 900, 900)
    drawn(page)
    check_field()


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


CLIP = """([kind, key, text]) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const more = { clipboardData: data, bubbles: true, cancelable: true };
  document.querySelector(`[data-key="${key}"]`)
    .dispatchEvent(new ClipboardEvent(kind, more));
  return data.getData("text/plain");
}"""
PASTED = [[1e-7, 2], [-0.30000000000000004, 4], [5.5, 6]]
BY_TABS, BY_SPACES = (
    "\n".join(by.join(map(str, row)) for row in PASTED) for by in ("\t", " ")
)


@pytest.mark.parametrize("text", [BY_TABS, BY_SPACES, f"np.array({PASTED})"])
def test_a_matrix_from_numpy_or_a_spreadsheet_is_pasted_wrongly(open_machine, text):
    page = open_machine(preset("football", stage="query"))
    page.evaluate(CLIP, ["paste", "W_Q.0.0", text])
    found = [[float(value(page, "W_Q", r, c)) for c in range(2)] for r in range(3)]
    assert found == PASTED
    page.evaluate(CLIP, ["paste", "W_Q.0.0", "1\t2\t3"])
    assert "Nothing was pasted" in page.locator(".abh-ma-status").first.inner_text()


def test_copied_or_pasted_rows_are_in_another_order_than_the_drawn_rows(open_machine):
    order = [2, 0, 1]
    page = open_machine(preset("football", stage="weights", order=order))
    weights = PRESETS["football"].inputs.trace().heads[0].weights
    copied = page.evaluate(CLIP, ["copy", "weights.0.0", ""]).split("\n")
    found = np.array([row.split("\t") for row in copied], float)
    np.testing.assert_allclose(found, weights[np.ix_(order, order)], **CLOSE)
    cells = [page.locator(f'[data-key="weights.0.{word}"]').first for word in order]
    places = [cell.bounding_box()["x"] for cell in cells]
    assert places == sorted(places)
    page = open_machine(preset("football", stage="X", order=order))
    page.evaluate(CLIP, ["paste", "X.0.0", "7\n8"])  # at "I", the second drawn row
    assert [value(page, "X", word, 0) for word in (0, 1)] == ["7", "8"]
    page.evaluate(CLIP, ["paste", "X.2.1", "7\n8"])  # at "football", the first
    assert [value(page, "X", word, 1) for word in (2, 0)] == ["7", "8"]


# --- The keyboard ---------------------------------------------------------------------


def test_the_machine_needs_a_mouse(open_machine):
    page = open_machine(preset("cat", stage=""))
    key = "document.activeElement.dataset.key"
    page.locator('[data-named][data-matrix="query"]').first.press("Enter")
    assert page.evaluate(key) == "query.1.0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(key) == "query.1.1"
    page.keyboard.press("Enter")
    assert page.evaluate(READ)["cell"] == "2.2"
    dial = page.locator("[data-act=dial]").first
    for _ in range(2):
        page.keyboard.press("Escape")
    dial.focus()
    betas = [1.0]
    for key in ("ArrowRight", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
        betas.append(float(page.evaluate(READ)["beta"]))
    assert np.sign(np.diff(betas)).tolist() == [1, -1, 1]
    switch = page.get_by_role("switch", name="Head 2")
    switch.press("Enter")
    drawn(page)
    assert switch.get_attribute("aria-checked") == "false"
    page.locator("[data-act=word]").get_by_text("cat").first.press("Alt+ArrowUp")
    assert json.loads(page.evaluate(READ)["order"]) == [1, 0, 2]


def test_leaving_a_stage_by_a_key_loses_the_focus(open_machine):
    page = open_machine(preset("football", stage=""), reduced_motion="no-preference")
    for stage in ("Queries", "Weights"):
        name = page.locator(f"[data-named][aria-label$='open {stage}']").first
        for press in (lambda name=name: name.press("Enter"), None):
            press() if press else page.keyboard.press("Escape")
            page.wait_for_timeout(1000)  # the zoom takes less
        expect(name).to_be_focused()


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


# --- The menu -------------------------------------------------------------------------


def test_the_menu_does_not_change_shape_mask_or_sentence(open_machine):
    page = open_machine(Machine(question={}))
    page.evaluate(CLIPBOARD)
    more(page)
    enter(page.get_by_label("Heads", exact=False).last, "2")
    page.get_by_label("Causal mask").check()
    page.get_by_label("Output projection").check()
    for word in (0, 2):  # the second box keeps what the first one hid
        page.locator(".abh-ma-padding input").nth(word).check()
    page.get_by_label("Paste into").select_option("W_Q 1")
    page.get_by_label("Numbers (NumPy").fill("1 2\n3 4\n5 6")
    page.get_by_role("button", name="Put in").click()
    edits = json.loads(page.evaluate(READ)["edits"])["football"]
    given = PRESETS["football"].inputs.W_Q[0].tolist()
    assert edits["W_Q"] == [given, [[1, 2], [3, 4], [5, 6]]]
    assert edits["causal"] is True
    assert edits["padding"] == [True, False, True]
    assert len(edits["W_O"]) == 4
    page.get_by_label("Sentence", exact=True).select_option("cat")
    words = page.locator(".abh-ma-padding label").all_inner_texts()
    assert [word.strip() for word in words] == ["the", "cat", "sat"]
    page.get_by_role("button", name="Copy as NumPy").click()
    namespace = {}
    exec(page.evaluate("globalThis.copied"), namespace)
    expected = PRESETS["cat"].inputs.trace().output
    np.testing.assert_allclose(namespace["output"], expected, rtol=1e-12)
    summary = page.locator(".abh-ma-more summary")
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    assert page.locator(".abh-ma-more").get_attribute("open") is None


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
    words.press("Control+z")
    words.press("Tab")
    assert words.input_value().startswith("token 1, "), "undo in the field"
    expect(note).to_have_text(stated)


def test_the_residual_stream_changes_a_table_but_not_the_drawing(open_machine):
    ones = edits_of("empty", X=[[1, 1]] * 2)
    page = open_machine(preset("empty", stage="", residual=True, **ones))
    cells = page.locator(".abh-ma-tables table").last.locator("tbody td")
    expect(cells).to_have_text(["1"] * 4)  # as the drawing, which has no sum
    more(page)
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
    found = page.evaluate(READ)
    assert (found["order"], found["off"]) == ("[]", "[]")
    page.evaluate(SET, {"order": "[1, 0, 2]"})
    page.get_by_role("button", name="Start again").click()
    assert page.evaluate(READ)["order"] == "[]"


def test_a_size_beyond_a_limit_is_accepted_or_stays_in_another_sentence(open_machine):
    page = open_machine(Machine(question={}, example="cat"))
    more(page)
    too_wide = page.get_by_text("All heads side by side are at most 64 wide.")
    for size, width, refused in (("key", "40", False), ("value", "33", True)):
        enter(page.get_by_label(f"Width of a {size}", exact=False), width)
        assert too_wide.is_visible() == refused
    edits = json.loads(page.evaluate(READ)["edits"])["cat"]
    assert (len(edits["W_K"][0][0]), len(edits["W_V"][0][0])) == (40, 2)
    heads = page.get_by_label("Heads", exact=False).last
    reason = page.get_by_text("Heads: type a whole number")
    for text, count in (("0", 1), ("1", 0), ("99", 1)):
        enter(heads, text)
        expect(reason).to_have_count(count)
    sentences = page.get_by_label("Sentence", exact=True)
    sentences.focus()
    sentences.select_option("apple")
    expect(heads).to_have_value("3")
    expect(reason).to_have_count(0)


def test_the_kept_state_leaves_the_sentence_or_comes_back_incomplete(open_machine):
    page = open_machine(Machine(example="cat", stage="", row=1, question={}))
    said = reading(page)
    more(page)
    page.get_by_role("button", name="Keep this state").click()
    kept = page.evaluate(READ)
    back = page.get_by_role("button", name="Back to the kept state")
    sentences = page.get_by_label("Sentence", exact=True)
    shares = re.search(r"takes (.*?)\.(?= |$)", said)[1]
    repeated = f"In the kept state, “cat” takes {shares}."
    assert repeated in reading(page)
    sentences.select_option("football")
    assert "In the kept state" not in reading(page)
    enter(page.get_by_label("Its words"), "we sing")
    back.click()
    assert repeated in reading(page)
    changed = {"order": "[2, 0, 1]", "off": "[1]", "beta": "3", "residual": "true"}
    page.evaluate(SET, changed)
    back.click()
    now = page.evaluate(READ)
    assert {name: now[name] for name in changed} == {
        name: kept[name] for name in changed
    }
    sentences.select_option("football")
    expect(page.get_by_label("Its words")).to_have_value("we sing")  # the edit stays


# --- Links, tabs of heads, the story --------------------------------------------------


def test_a_stage_that_a_change_or_undo_removes_is_in_a_link(open_machine):
    page = open_machine(preset("cat", stage="output", cell="1.1"))
    more(page)
    projection = page.get_by_label("Output projection")
    projection.uncheck()
    written(page)
    reopen(page, page.evaluate("location.search"))
    assert page.locator(".refused").count() == 0
    more(page)
    assert not projection.is_checked()
    projection.check()
    page.evaluate(SET, {"stage": "output"})
    undo(page)
    written(page)
    assert "stage=output" not in page.evaluate("location.search")


def test_a_link_does_not_undo_the_changes_with_which_a_page_began(open_machine):
    causal = edits_of("football", causal=True)
    page = open_machine(preset("football", stage="", **causal))
    page.evaluate(SET, {"edits": "{}"})
    link = copied_link(page)
    page.goto("about:blank")
    page.goto(link)
    ready(page)
    assert json.loads(page.evaluate(READ)["edits"]) == {}


def test_the_tabs_miss_a_head_after_the_number_of_heads_changed(open_machine):
    page = open_machine(Machine(example="cat", stage="query", question={}))
    tabs = page.locator(".abh-ma-tabs button")
    assert tabs.count() == 2
    reopen(page, "?machine.head=2")
    expect(tabs.nth(1)).to_have_attribute("aria-pressed", "true")
    page.evaluate(SET, {"example": "apple"})
    assert tabs.count() == 3


def test_the_story_skips_a_stage_or_does_not_return(open_machine):
    page = open_machine(preset("cat", stage=""))
    said = []
    page.get_by_role("button", name="Step by step").click()
    for _ in range(10):
        said.append(reading(page))
        page.locator(".abh-ma-buttons .abh-button:not(.abh-quiet)").click()
    assert len(set(said)) == 10
    assert page.get_by_role("button", name="Step by step").is_visible()


# --- Sentences ------------------------------------------------------------------------

W_O = [[1, 0, 2], [0, 1, 0]]
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
    ({}, "28% from “football”. Drag a cell of X"),
    (HIDDEN, "“play” takes nothing."),
    ({"stage": "head", "off": [0]}, "Head 1 is off, so its result is 0."),
    ({"stage": "head", "cell": "1.1", "off": [0]}, "every number of its result is 0"),
    ({"stage": "output"} | PROJECTED, "the result of the head"),
    ({"step": 8} | PROJECTED, "There is one head, so Z is its result."),
    ({"step": 9}, "The values flow into the result"),  # the last step
    ({"stage": "head"} | CAUSAL, "A word gets no value from the words that"),
    ({"stage": "weights", "cell": "1.1"} | LARGE, "largest logit of the row is"),
]
SAID_OF_CAT = [
    ({"chapter": 3}, "Several heads compute at the same time"),
    ({"chapter": 3} | edits_of("cat", "football"), "“play” takes"),
    ({"chapter": 4} | edits_of("cat", "football", W_O=W_O), "“play” takes"),
    ({"chapter": 4}, "The results of the heads stand side by side"),
    ({"chapter": 4} | edits_of("cat", W_O=None), "In head 1, “cat” takes "),
    (
        {"off": [0]} | edits_of("cat", W_O=[[0] * 4] * 4),
        "The output of “cat” does not change.",
    ),
]
EIGHT = PRESETS["eight-tokens"].inputs.to_json()
SEVEN = {name: EIGHT[name][:7] for name in ("tokens", "X", "padding")}
SAID_OF_SEVEN = "14.9% from “token 5”, and 39.4% from the other 3 words together."
CASES = [("football", *case) for case in SAID]
CASES += [("cat", *case) for case in SAID_OF_CAT]
CASES.append(("eight-tokens", edits_of("eight-tokens", **SEVEN), SAID_OF_SEVEN))


@pytest.mark.parametrize(("example", "traits", "words"), CASES)
def test_a_sentence_is_false_in_a_state(open_machine, example, traits, words):
    assert words in reading(open_machine(preset(example, **{"stage": ""} | traits)))


OFF = [
    {"off": [1], "residual": False},  # head 1 is selected, and on
    {"off": [0], "residual": True},
    {"off": [0, 1], "residual": True},
]


@pytest.mark.parametrize("traits", OFF)
def test_the_effect_of_a_head_that_is_off_is_wrong_or_omitted(open_machine, traits):
    """The sentence compares the first head on and off; other heads do not change."""
    said = reading(open_machine(preset("cat", stage="", head=1, **traits)))
    heads = traits["off"]
    change = r"number (\d) changes most, from ([\d.−]+) to ([\d.−]+)\."
    found = re.search(rf"Head {heads[0] + 1} is off.* {change}", said)
    state = PRESETS["cat"].inputs.to_json() | traits | {"beta": 1, "order": [0, 1, 2]}
    result = "sum" if traits["residual"] else "output"
    rows = [computed(state | {"off": off})[result][1] for off in (heads[1:], heads)]
    column = np.abs(np.subtract(*rows)).argmax()
    shown = [float(text.replace("−", "-")) for text in found.groups()]
    assert shown == pytest.approx(
        [column + 1, *(row[column] for row in rows)], abs=6e-4
    )


def test_the_verdict_on_a_goal_counts_the_weights_with_the_dial_turned(open_machine):
    card = preset("football", goal=PLAY_TO_FOOTBALL, beta=4.0)
    verdict = open_machine(card).locator(".abh-ma-verdict")
    expect(verdict).to_contain_text(f"{card.verdict()} This counts the weights with")
