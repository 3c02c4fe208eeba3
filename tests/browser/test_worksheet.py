"""The worksheet in a browser: its numbers, its arithmetic, and how it is worked."""

import io
import json
import re
from pathlib import Path

import displayed
import numpy as np
import pytest
from alone import page_of
from found import answered
from frames import drawn, emulate, followed, resize
from numpy.testing import assert_allclose
from PIL import Image
from repeats import first_and_weekly

from course.chapters.self_attention.questions import PLAY_TO_FOOTBALL
from course.widgets import Worksheet, WorksheetInputs
from course.widgets.worksheet.inputs import LIMITS
from course.widgets.worksheet.presets import PRESETS

HERE = Path(__file__).resolve().parent
HELPERS = displayed.SCRIPT + (HERE / "worksheet.js").read_text("utf-8")
CLOSE = {"rtol": 1e-9, "atol": 1e-12}

# The sheet in a column as wide as a page's text.
HOST = """<html lang="en" data-content_root="./"><link rel="icon" href="data:,">
<style>body { color: var(--abh-ink); background: var(--abh-paper); }
  article { max-width: 52rem; margin: auto; padding: 0 1rem; }</style>"""


@pytest.fixture
def opened(watch, serve_folder, tmp_path):
    """Open worksheets on a page of their own; everything it logs fails the test."""
    watched = []
    with serve_folder(tmp_path) as address:

        def open_sheet(*sheets, query="", **options):
            text = page_of(sheets).replace('<html lang="en">', HOST)
            text = text.replace("<article>", "<article><h1>Worksheet</h1>")
            text = text.replace("system-ui, sans-serif", "serif")
            (tmp_path / "index.html").write_text(text, encoding="utf-8")
            watched.append(watch(**options))
            page = watched[-1].open(f"{address}/index.html{query}")
            page.evaluate(HELPERS)
            return page

        yield open_sheet
    assert [complaint for each in watched for complaint in each.complaints] == []


def preset(name, **traits):
    """Open a preset with its question answered."""
    return answered(Worksheet.preset(name, **traits))


def numbers(grid):
    return np.array(grid, dtype=float)


def read_sheet(page):
    """All matrices of the page, and its inputs as Python understands them."""
    return understood(displayed.ask(page, "sheet.read"))


def understood(found):
    grids = {name: numbers(grid) for name, grid in found["grids"].items()}
    heads = sum(name.startswith("W_Q") for name in grids)
    inputs = WorksheetInputs(
        tokens=found["tokens"],
        X=grids["X"],
        W_Q=np.stack([grids[f"W_Q.{i}"] for i in range(heads)]),
        W_K=np.stack([grids[f"W_K.{i}"] for i in range(heads)]),
        W_V=np.stack([grids[f"W_V.{i}"] for i in range(heads)]),
        W_O=grids.get("W_O"),
        causal=found["causal"],
        padding=found["padding"],
    )
    return grids, inputs


def compare_with_python(page):
    """Every computed cell of the page is what `attention` computes."""
    return compare(*read_sheet(page))


def compare(grids, inputs):
    """Every matrix that a sheet has is there, and is what `attention` computes."""
    expected = matrices(inputs)
    assert grids.keys() == expected.keys()
    check_matrices(grids, expected)
    return inputs


def matrices(inputs):
    """All that `attention` computes of some inputs, and these, by name."""
    trace = inputs.trace()
    masked = inputs.causal or any(inputs.padding)
    named = {"X": inputs.X}
    if inputs.W_O is not None:
        named |= {"W_O": inputs.W_O, "output": trace.output}
    if inputs.W_O is not None or len(trace.heads) > 1:
        named["concat"] = trace.concat
    for i, head in enumerate(trace.heads):
        computed = {
            "W_Q": inputs.W_Q[i],
            "W_K": inputs.W_K[i],
            "W_V": inputs.W_V[i],
            "Q": head.query,
            "K": head.key,
            "V": head.value,
            "scores": head.scores,
            "scaled": head.scaled,
            "weights": head.weights,
            "head": head.output,
        } | ({"masked": head.logits} if masked else {})
        named |= {f"{kind}.{i}": values for kind, values in computed.items()}
    return named


def check_matrices(grids, expected):
    """Compare some matrices with those of the same names, in one look."""
    grids = {name: numbers(grid) for name, grid in grids.items()}
    shapes = {name: grid.shape for name, grid in grids.items()}
    assert shapes == {name: np.shape(expected[name]) for name in grids}
    found, wanted = (
        np.concatenate([np.ravel(each[name]) for name in grids])
        for each in (grids, expected)
    )
    if not np.allclose(found, wanted, **CLOSE):
        for name, grid in grids.items():
            assert_allclose(grid, expected[name], **CLOSE, err_msg=name)


def cell(page, matrix, row, column):
    place = f"td[data-row='{row}'][data-column='{column}']"
    return page.locator(f"table[data-matrix='{matrix}'] {place}")


def type_number(page, matrix, row, column, text):
    cell(page, matrix, row, column).locator("input").fill(str(text))
    followed(page)


def arithmetic(page):
    return page.locator(".abh-ws-lines").inner_text()


def go_to(page, step):
    """Show the matrices of a step, or all."""
    switch = page.get_by_role("button", name="All matrices")
    if (switch.get_attribute("aria-pressed") == "true") != (step == "All"):
        switch.click()
    if step != "All":
        page.get_by_role("button", name=f"{step}: step").click()


def unfold(page):
    page.locator("details.abh-ws-shaping").evaluate("d => { d.open = true; }")


def random_number(rng):
    """Small and plain, or of any size up to a million, or 0."""
    kind = rng.integers(4)
    if kind == 0:
        return 0.0
    if kind == 1:
        return float(rng.choice([-1, 1]) * 10 ** rng.uniform(-6, 6))
    return float(np.round(rng.normal(), rng.integers(0, 4)))


def random_edit(rng):
    """Type a number into some input that is shown."""
    return "edit", rng.random(), repr(random_number(rng))


def random_change_of_shape(rng):
    """Press something that changes the shape, where it can still be pressed."""
    return "shape", rng.random(), rng.random()


def random_moves(rng, count):
    """All that a reader can do, one after the other at random."""
    moves = [
        lambda: ("preset", rng.random()),
        lambda: ("step", rng.random()),
        lambda: random_change_of_shape(rng),
        lambda: random_edit(rng),
        lambda: ("follow",),
        lambda: ("key", rng.random(), str(rng.choice(["ArrowDown", "Enter", "End"]))),
    ]
    return [moves[rng.integers(len(moves))]() for _ in range(count)]


def compare_after_each(page, moves):
    """The page agrees with Python after each of some moves; gives what it showed."""
    seen = displayed.ask(page, "sheet.readAfterEach", moves)
    found = [understood(each) for each in seen]
    for grids, inputs in found:
        compare(grids, inputs)
    return found


# --- Numbers -----------------------------------------------------------------


def test_presets_agree_with_python(opened):
    page = opened(*map(preset, PRESETS))
    found = displayed.ask(page, "() => sheet.ofEach(() => sheet.read())")
    for name, each in zip(PRESETS, found, strict=True):
        grids, inputs = understood(each)
        assert inputs.tokens == PRESETS[name].inputs.tokens
        compare(grids, inputs)


@pytest.mark.parametrize("seed", first_and_weekly(range(4)))
def test_random_edits_agree_with_python(opened, seed):
    rng = np.random.default_rng(seed)
    page = opened(preset(("football", "cat", "five-tokens", "apple")[seed]))
    moves = [random_edit(rng) for _ in range(60)]
    found = compare_after_each(page, moves)
    for (_, _, text), (grids, _) in zip(moves, found, strict=True):
        assert any((grid == float(text)).any() for grid in grids.values()), text


def test_random_shapes_agree_with_python(opened):
    rng = np.random.default_rng(7)
    page = opened(preset("cat"))
    unfold(page)
    kinds = (random_edit, random_change_of_shape)
    found = compare_after_each(page, [kinds[i % 2](rng) for i in range(80)])
    seen = [inputs for _, inputs in found]
    assert len({str(inputs.sizes) for inputs in seen}) > 10
    assert {inputs.causal for inputs in seen} == {True, False}
    assert {any(inputs.padding) for inputs in seen} == {True, False}


def test_widths_are_told_of_the_matrix_that_has_them(opened):
    rng = np.random.default_rng(2)
    wide, narrow = rng.normal(size=(1, 4, 9)), rng.normal(size=(1, 4, 2))
    X = rng.normal(size=(3, 4))
    sheet = Worksheet.of(WorksheetInputs(["a", "b", "c"], X, wide, wide, narrow))
    page = opened(sheet)
    unfold(page)
    told = page.locator(".abh-ws-shaping").inner_text()
    assert "3 tokens of width 4, 1 head, keys of width 9, values of width 2" in told
    go_to(page, "Scale")
    words = page.locator(".abh-ws-step").inner_text()
    assert words.endswith("Every score divided by √d_k = √9.")


def test_of_many_tokens_the_reading_tells_the_selected_one(opened):
    page = opened(preset("eight-tokens"))
    go_to(page, "All")
    inputs = PRESETS["eight-tokens"].inputs
    rows = inputs.trace().heads[0].weights
    said = page.locator(".abh-reading")
    for row, column in ((2, 5), (6, 1), (0, 7)):
        cell(page, "weights.0", row, column).click()
        weights = rows[row]
        words = said.inner_text().partition("“")[2]
        found = re.fullmatch(r"(.*)” looks most at “(.*)” \((.*)%\)\.", words)
        most = int(weights.argmax())
        assert found.groups()[:2] == (inputs.tokens[row], inputs.tokens[most])
        assert displayed.agrees(found[3], 100 * weights[most])


def test_every_key_masked_gives_zeros(opened):
    page = opened(preset("football"))
    unfold(page)
    for box in page.locator(".abh-ws-tokens input[type=checkbox]").all():
        box.check()
    compare_with_python(page)
    grids, _ = read_sheet(page)
    assert not grids["weights.0"].any()
    assert not grids["head.0"].any()
    cell(page, "weights.0", 0, 0).focus()
    page.keyboard.press("a")
    spoken = page.locator(".abh-ws-spoken").inner_text()
    assert "−∞, −∞, −∞: no key is left, so the weight is 0." in spoken
    go_to(page, "Weights")
    assert "A row without a key stays 0" in page.locator(".abh-ws-step").inner_text()


def test_the_largest_worksheet_agrees_with_python(opened):
    rng = np.random.default_rng(1)
    n, h, d = LIMITS["tokens"], LIMITS["heads"], 6
    shape = (h, d, d)
    sheet = Worksheet.of(
        WorksheetInputs(
            [f"t{i}" for i in range(n)],
            rng.normal(size=(n, d)),
            *(rng.normal(size=shape) for _ in range(3)),
            rng.normal(size=(h * d, d)),
            causal=True,
        )
    )
    page = opened(sheet, width=360, height=800)
    compare_with_python(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


# --- Arithmetic ----------------------------------------------------------------


def test_a_score_says_its_dot_product_and_a_weight_its_exponentials(opened):
    page = opened(preset("football"))
    cell(page, "scores.0", 1, 2).click()
    assert arithmetic(page) == "q2 · k3 = 1.1×0.25 + 0×0.45 = 0.275 + 0 = 0.275"
    page.keyboard.press("a")
    spoken = page.locator(".abh-ws-spoken").inner_text()
    assert "q_2 · k_3 = 1.1×0.25 + 0×0.45" in spoken
    lit = page.locator("td.abh-ws-source")
    assert lit.evaluate_all("all => all.map(td => td.dataset.value)") == [
        "1.1",
        "0",
        "0.25",
        "0.45",
    ]
    cell(page, "weights.0", 1, 2).click()
    said = arithmetic(page)
    assert "exp(0.1945) ÷ ( exp(0.3889) + exp(0.5445) + exp(0.1945) )" in said
    assert "1.2146 ÷ ( 1.4754 + 1.7237 + 1.2146 ) ≈ 1.2146 ÷ 4.4137 ≈ 0.2752" in said


def test_a_mask_adds_its_step_and_a_masked_cell_says_so(opened):
    page = opened(preset("football"))
    unfold(page)
    page.get_by_label("Causal mask").check()
    note = page.locator(".abh-ws-note")
    cell(page, "masked.0", 0, 1).click()
    assert note.inner_text() == "Masked: “play” comes after “I” (causal mask)."
    assert "−∞" in arithmetic(page)
    cell(page, "masked.0", 1, 0).click()
    assert note.inner_text() == "Not masked: “play” may look at “I”."
    cell(page, "weights.0", 0, 1).click()
    assert "exp(−∞) is 0" in note.inner_text()
    page.get_by_role("checkbox", name="football").check()
    cell(page, "masked.0", 0, 2).click()
    said = "Masked: “football” is padding, so nobody looks at it."
    assert note.inner_text() == said
    page.get_by_role("checkbox", name="football").uncheck()
    go_to(page, "Mask")
    assert sorted(page.evaluate("sheet.grids()")) == ["masked.0", "scaled.0"]
    page.get_by_label("Causal mask").uncheck()
    assert sorted(page.evaluate("sheet.grids()")) == ["scaled.0", "scores.0"]


def test_large_logits_show_the_shift(opened):
    page = opened(preset("football"))
    type_number(page, "X", 0, 0, 50)
    cell(page, "weights.0", 0, 1).click()
    assert "largest score is subtracted" in page.locator(".abh-ws-note").inner_text()


EXPLAINED = """() => sheet.ofEach(() =>
  sheet.all(".abh-ws-grid td[tabindex]").map((td) => {
    td.click();
    const results = sheet.all(".abh-ws-lines strong");
    return [td.dataset.value, results.length, results[0].textContent,
      sheet.all(".abh-ws-follow").length, sheet.all("td.abh-ws-source").length,
      td.closest("table").dataset.matrix];
  }))"""


def test_every_cell_explains_itself(opened):
    page = opened(*map(preset, ("football", "cat", "apple")))
    for said in displayed.ask(page, EXPLAINED):
        assert said
        for value, results, shown, sources, lit, matrix in said:
            assert results == 1
            assert sources >= 1
            assert lit >= 1 or matrix == "concat"  # of a head that is not open
            number = float(shown.replace("−", "-"))
            assert abs(number - float(value)) <= 0.5001e-4


@pytest.mark.parametrize("step", first_and_weekly(["sheet", "output"]))
def test_sources_lead_back_to_x(opened, step):
    page = opened(preset("cat", step=step))
    cell(page, "output", 1, 2).click()
    page.locator(".abh-ws-follow").first.click()
    visited = ["concat"]
    while "X" not in visited:
        page.evaluate("sheet.moves.follow()")
        focused = page.evaluate(
            "document.activeElement.closest('table').dataset.matrix"
        )
        visited.append(focused)
        assert len(visited) < 12
    assert visited[:2] == ["concat", "head.0"]
    back = page.get_by_role("button", name="Back to", exact=False)
    back.click()
    for _ in visited[1:]:
        back.evaluate("button => button.click()")
    assert (
        page.locator("td.abh-ws-here").evaluate(
            "td => td.closest('table').dataset.matrix"
        )
        == "output"
    )


def test_hover_explains_and_gives_way(opened):
    page = opened(preset("football"))
    cell(page, "scores.0", 1, 2).click()
    cell(page, "V.0", 0, 0).hover()
    assert page.locator(".abh-ws-title").inner_text().startswith("V")
    page.locator(".abh-ws-problem").hover(force=True)
    assert page.locator(".abh-ws-title").inner_text().startswith("Scores")


# Two turned cells of each matrix, pointed at and then selected; in the arithmetic of
# each every number, pointed at: its text, and what is lit meanwhile and afterwards.
POINTED = """() => {
  const over = (node, at) => node.dispatchEvent(
    new PointerEvent("pointerover", { bubbles: true, clientX: at, clientY: at }));
  const lit = () => sheet.all(".abh-ws-pointed").map((td) => td.dataset.value);
  const panel = sheet.all(".abh-ws-arithmetic")[0];
  let at = 0;
  return sheet.all("table.abh-ws-grid").flatMap((table) =>
    [[0, 1], [1, 0]].map(([row, column]) => {
      const td = table.querySelector(`td[data-row="${row}"][data-column="${column}"]`);
      const isHere = () => sheet.all(".abh-ws-here").every((each) => each === td);
      over(td, (at += 1));
      const pointedAt = isHere();
      (td.querySelector("input") ?? td).focus();
      const parts = [...panel.querySelectorAll(".abh-ws-follow")].map((part) => {
        over(part, at);
        return [part.textContent, lit()];
      });
      panel.dispatchEvent(new PointerEvent("pointerleave"));
      return { isHere: [pointedAt, isHere()], parts, after: lit() };
    }));
}"""


def test_what_is_pointed_at_is_explained_and_lights_where_it_comes_from(opened):
    page = opened(preset("cat", step="sheet"))
    found = displayed.ask(page, POINTED)
    assert len(found) >= 28
    for cell_found in found:
        assert cell_found["isHere"] == [True, True]
        for text, lit in cell_found["parts"]:
            assert len(lit) == 1
            assert displayed.agrees(text.strip("()"), float(lit[0]))
        assert cell_found["after"] == []
    assert sum(len(each["parts"]) for each in found) > 50


# --- Editing ---------------------------------------------------------------------


WRONG = {
    "": "empty",
    "abc": "not a number",
    "1,500": "may be 1.500 or 1500",
    "Infinity": "finite",
    "1e999": "finite",
    "1e7": "Too large",
    "NaN": "not a number",
    "0x10": "not a number",
    "1 5": "not a number",
    "<b>1</b>": "not a number",
}


def test_wrong_input_is_marked_and_said_and_changes_nothing(opened):
    page = opened(preset("football"))
    before, _ = read_sheet(page)
    field = cell(page, "X", 1, 0).locator("input")
    for text, words in WRONG.items():
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "true", text
        said = page.locator(f"#{field.get_attribute('aria-describedby')}").inner_text()
        assert words in said
        assert "still uses 0.8" in said
        after, _ = read_sheet(page)
        for name, values in before.items():
            np.testing.assert_array_equal(values, after[name])
        field.press("Escape")
        assert field.get_attribute("aria-invalid") is None, text
        assert field.input_value() == "0.8"
        assert page.locator(".abh-ws-problem").inner_text() == ""


def test_a_right_number_after_a_wrong_one_is_said_as_it_was_set(opened):
    page = opened(preset("football"))
    type_number(page, "X", 1, 0, "x")
    type_number(page, "X", 1, 0, "0.9")
    field = cell(page, "X", 1, 0).locator("input")
    assert field.get_attribute("aria-invalid") is None
    assert compare_with_python(page).X[1, 0] == 0.9
    for typed, said in (("0.25", "You set this number: 0.25"), ("0.1234567", "about")):
        type_number(page, "X", 1, 0, typed)
        assert said in page.locator(".abh-ws-arithmetic").inner_text()


READ_AS = {"−1e−8": -1e-8, "–2": -2, "+.5": 0.5, "-0": 0}


def test_numbers_are_read_as_they_are_shown(opened):
    page = opened(preset("football"))
    field = cell(page, "X", 1, 0).locator("input")
    for text, value in READ_AS.items():
        field.fill(text)
        assert compare_with_python(page).X[1, 0] == value
        field.blur()
        field.focus()
        shown = field.input_value()
        field.fill(shown + " ")
        assert field.get_attribute("aria-invalid") is None, text
        assert compare_with_python(page).X[1, 0] == value


def test_nudges_change_the_selected_input_and_nothing_else_of_it(opened):
    page = opened(preset("football"))
    cell(page, "X", 1, 0).locator("input").focus()
    page.get_by_role("button", name="make it larger").click()
    assert compare_with_python(page).X[1, 0] == 0.9
    page.get_by_role("button", name="change its sign").click()
    assert compare_with_python(page).X[1, 0] == -0.9
    cell(page, "X", 1, 0).locator("input").press("PageDown")
    assert compare_with_python(page).X[1, 0] == -1.0
    type_number(page, "X", 1, 0, "1.23456789e-9")
    page.get_by_role("button", name="change its sign").click()
    assert compare_with_python(page).X[1, 0] == -1.23456789e-9


def test_a_nudge_changes_the_cell_that_the_panel_names(opened):
    page = opened(preset("football"))
    cell(page, "scores.0", 1, 2).click()
    cell(page, "X", 1, 0).hover()
    larger = page.get_by_role("button", name="make it larger")
    larger.evaluate("button => button.click()")  # no scroll: what is named stays
    assert compare_with_python(page).X[1, 0] == 0.9


def test_reset_brings_the_numbers_back(opened):
    page = opened(preset("cat"))
    reset = page.get_by_role("button", name="Reset the numbers")
    assert reset.is_disabled()
    type_number(page, "X", 0, 0, "5")
    unfold(page)
    page.get_by_role("button", name="Add a token").click()
    type_number(page, "X", 0, 1, "oops")
    reset.click()
    inputs = compare_with_python(page)
    np.testing.assert_array_equal(inputs.X, PRESETS["cat"].inputs.X)
    type_number(page, "X", 0, 1, "oops")
    reset.click()
    assert page.locator("[aria-invalid]").count() == 0
    assert reset.is_disabled()


def test_limits_are_said_in_words(opened):
    page = opened(preset("football"))
    unfold(page)
    add = page.get_by_role("button", name="Add a token")
    add.click()
    for _ in range(LIMITS["tokens"] - 4):
        add.evaluate("button => button.click()")
    assert add.is_disabled()
    assert page.locator(".abh-ws-add").inner_text().endswith("At most 12 tokens.")
    more = page.get_by_role("button", name="+ More: heads")
    more.click()
    while more.is_enabled():
        more.evaluate("button => button.click()")
    assert "At most 8 heads" in page.locator(".abh-ws-stepper").last.inner_text()
    assert compare_with_python(page).sizes["heads"] == 8


def test_a_token_can_be_renamed_and_removed(opened):
    page = opened(preset("football"))
    unfold(page)
    name = page.get_by_label("Token 2", exact=True)
    name.fill("watch")
    name.press("Enter")
    rows = page.locator("table[data-matrix='X'] tbody th")
    assert rows.all_text_contents() == ["I", "watch", "football"]
    name.fill(" ")
    name.press("Enter")
    assert name.input_value() == "token 2"
    page.get_by_role("button", name="Remove token 1").click()
    assert compare_with_python(page).tokens == ("token 2", "football")


def test_a_name_is_never_markup(opened):
    page = opened(preset("football"))
    unfold(page)
    name = page.get_by_label("Token 2", exact=True)
    name.fill("<img src=x>")
    name.press("Enter")
    cell(page, "weights.0", 1, 1).focus()
    assert page.locator(".abh-card img").count() == 0
    assert "“<img src=x>” gives" in page.locator(".abh-ws-note").inner_text()


# Every matrix of the open head from its first cell, in the three ways to copy it.
COPIED = """() => {
  let text = "";
  navigator.clipboard.writeText = async (given) => (text = given);
  const [block, numpy] = ["Copy", "Copy as NumPy"].map((words) =>
    sheet.all(".abh-ws-tools button").find((button) => button.textContent === words));
  return Object.fromEntries(sheet.all("table.abh-ws-grid").map((table) => {
    const td = table.querySelector("td[data-row='0'][data-column='0']");
    const target = td.querySelector("input") ?? td;
    target.focus();
    target.setSelectionRange?.(0, 0); // no text is selected: the whole matrix is meant
    const clipboardData = new DataTransfer();
    target.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true }));
    const pressed = [block, numpy].map((button) => (button.click(), text));
    return [table.dataset.matrix, [clipboardData.getData("text/plain"), ...pressed]];
  }));
}"""


@pytest.mark.parametrize("head", first_and_weekly([2, 1]))
def test_every_matrix_is_copied_as_it_is_by_keys_and_buttons(opened, head):
    page = opened(preset("cat", step="sheet", head=head))
    grids, _ = read_sheet(page)
    page.locator(".abh-ws-heads button").nth(head - 1).click()
    copied = displayed.ask(page, COPIED)
    kinds = ("Q", "K", "V", "scores", "scaled", "weights", "head")
    own = {f"{kind}.{head - 1}" for kind in ("W_Q", "W_K", "W_V", *kinds)}
    assert {"X", "W_O", "concat", "output"} | own <= copied.keys()
    for name, (by_keys, block, numpy) in copied.items():
        rows = [line.split("\t") for line in block.split("\n")]
        np.testing.assert_array_equal(np.array(rows, float), grids[name], name)
        np.testing.assert_array_equal(eval(numpy, {"np": np}), grids[name], name)
        assert by_keys == block, name


def test_copy_without_a_clipboard_shows_the_text(opened):
    page = opened(preset("football"))
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }"
    )
    cell(page, "weights.0", 0, 0).click()
    page.get_by_role("button", name="Copy as NumPy").click()
    area = page.get_by_label("Matrix as NumPy")
    area.wait_for()
    assert area.input_value().startswith("np.array([[")
    assert page.evaluate("getSelection().toString() || document.activeElement.value")


# --- The walk ----------------------------------------------------------------------


def test_the_walk_shows_one_step_at_a_time(opened):
    page = opened(preset("cat", step="input"))
    shown = [sorted(page.evaluate("sheet.grids()"))]
    following = page.get_by_role("button", name="Next step")
    following.click()
    shown.append(sorted(page.evaluate("sheet.grids()")))
    while following.is_enabled():
        following.evaluate("button => button.click()")
        shown.append(sorted(page.evaluate("sheet.grids()")))
    assert shown[0] == ["X"]
    assert shown[1] == ["Q.0", "W_Q.0", "X"]
    assert shown[4] == ["K.0", "Q.0", "scores.0"]
    assert shown[8] == ["concat", "head.0", "head.1"]
    assert shown[9] == ["W_O", "concat", "output"]
    assert len(shown) == 10
    page.get_by_role("button", name="Back one step").click()
    assert sorted(page.evaluate("sheet.grids()")) == shown[8]
    go_to(page, "Weights")
    assert sorted(page.evaluate("sheet.grids()")) == ["scaled.0", "weights.0"]
    current = page.locator("[aria-current=step]")
    assert current.get_attribute("aria-label") == "Weights: step 7 of 10"


def test_the_step_is_in_the_address_and_a_reload_keeps_the_numbers(opened):
    page = opened(preset("cat"))
    go_to(page, "Scores")
    page.get_by_role("button", name="Head 2").click()
    go_to(page, "Queries")
    type_number(page, "W_Q.1", 0, 0, "7")
    page.wait_for_url("**worksheet.step=queries*")
    assert "worksheet.head=2" in page.evaluate("location.search")
    page.wait_for_timeout(300)
    page.reload()
    page.locator("table[data-matrix='W_Q.1']").wait_for()
    assert cell(page, "W_Q.1", 0, 0).get_attribute("data-value") == "7"
    assert page.locator("[aria-current=step]").inner_text() == "Queries"


def test_a_preset_or_step_that_is_not_there_opens_another(opened):
    page = opened(preset("football"))
    for name in ("nowhere", "__proto__", "constructor"):
        reopen(page, f"?worksheet.example={name}")
        assert compare_with_python(page).tokens == ("I", "play", "football"), name
    for step in ("mask", "nowhere"):
        reopen(page, f"?worksheet.step={step}")
        assert {"X", "scaled.0"} & page.evaluate("sheet.grids()").keys(), step


def reopen(page, query=""):
    page.goto(page.url.partition("?")[0] + query)
    page.locator(".abh-foot").wait_for()
    page.evaluate(HELPERS)


EDITS = "attention-by-hand/index/worksheet.edits"
SENSELESS = [
    5,
    "x",
    {"tokens": []},
    PRESETS["football"].inputs.to_json() | {"tokens": [1, {}, None]},
    PRESETS["football"].inputs.to_json() | {"X": [[1e300] * 3] * 3},
]


def test_inputs_that_make_no_sense_are_not_taken_from_the_device(opened):
    page = opened(preset("football"))
    for kept in SENSELESS:
        entry = (EDITS, json.dumps({"football": kept}))
        page.evaluate("entry => localStorage.setItem(...entry)", entry)
        reopen(page)
        shown = compare_with_python(page).X
        np.testing.assert_array_equal(shown, PRESETS["football"].inputs.X, str(kept))


def test_the_chooser_changes_the_preset_and_keeps_each_ones_edits(opened):
    page = opened(Worksheet())
    chooser = page.get_by_label("Start from")
    chooser.select_option("cat")
    type_number(page, "X", 0, 0, "3")
    chooser.select_option("football")
    assert compare_with_python(page).tokens == ("I", "play", "football")
    chooser.select_option("cat")
    assert compare_with_python(page).X[0, 0] == 3


# Of each sheet: which weights, other numbers and words of the reading can be seen, and
# what is written over the veiled matrix, if there is one.
VEILS = """() => sheet.ofEach(() => {
  const visible = (node) => node.checkVisibility({ opacityProperty: true });
  const seen = (selector) => [...new Set(sheet.all(selector).map(visible))];
  const [veiled] = sheet.all(".abh-ws-matrix.abh-veiled");
  return [seen("[data-matrix='weights.0'] .abh-number"),
    seen(".abh-ws-grid:not([data-matrix^='weights']) td .abh-number"),
    seen(".abh-reading span"),
    veiled ? getComputedStyle(veiled, "::after").content : ""];
})"""
TYPE_IN_EACH = """() => sheet.ofEach(() =>
  sheet.send(sheet.all("[data-matrix='X'] input")[0], "input", "0.75"))"""


def test_only_the_weights_are_veiled_where_they_answer(opened):
    page = opened(*map(Worksheet.preset, PRESETS))
    found = displayed.ask(page, VEILS)
    for name, (weights, others, words, written) in zip(PRESETS, found, strict=True):
        asks = bool(PRESETS[name].question.get("veil"))
        assert weights == words == [not asks], name
        assert others == [True], name
        assert ("Veiled until you answer" in written) == asks, name
    page.evaluate(TYPE_IN_EACH)
    for weights, _, words, written in displayed.ask(page, VEILS):
        assert weights == words == [True]
        assert written == ""


SEEN = "node => node.checkVisibility({ opacityProperty: true })"
WEIGHT = "[data-matrix='weights.0'] td[tabindex]"
ASKING = next(name for name in PRESETS if PRESETS[name].question.get("veil"))


def arithmetic_is_seen(page):
    return page.locator(".abh-ws-lines strong").first.evaluate(SEEN)


def test_arithmetic_that_tells_a_veiled_weight_is_veiled_with_it(opened):
    page = opened(Worksheet.preset(ASKING))
    assert arithmetic_is_seen(page)
    for matrix, seen in [
        ("weights.0", False),
        ("scaled.0", True),
        ("head.0", False),
        ("Q.0", True),
        ("weights.0", False),
    ]:
        page.locator(f"[data-matrix='{matrix}'] td[tabindex]").first.focus()
        assert arithmetic_is_seen(page) == seen, matrix
    page.locator("[data-matrix='Q.0'] td[tabindex]").first.focus()
    page.locator("[data-matrix='head.0'] td[tabindex]").first.hover()
    assert not arithmetic_is_seen(page)


@pytest.mark.parametrize("way", ["answer", "leave", "move", "play", "nudge"])
def test_whatever_lifts_the_veil_shows_the_arithmetic(opened, way):
    page = opened(Worksheet.preset(ASKING))
    page.locator(WEIGHT).first.focus()
    assert not arithmetic_is_seen(page)
    if way == "answer":
        choices = Worksheet.preset(ASKING).question["choices"]
        right = [choice["right"] for choice in choices].index(True)
        page.locator(".abh-choice input").nth(right).check()
        page.get_by_role("button", name="Commit").click()
    elif way == "leave":
        page.get_by_role("button", name="Show without predicting").click()
    elif way == "move":
        type_number(page, "X", 0, 0, "0.75")
        page.locator(WEIGHT).first.focus()
    elif way == "play":
        page.keyboard.press("p")
    else:
        page.locator("[data-matrix='X'] input").first.press("PageUp")
        page.locator(WEIGHT).first.focus()
    assert arithmetic_is_seen(page)


def test_screen_readers_and_paper_have_the_arithmetic_of_a_veiled_weight(opened):
    page = opened(Worksheet.preset(ASKING))
    page.locator(WEIGHT).first.focus()
    value = float(page.locator(WEIGHT).first.get_attribute("data-value"))
    result = f"{value:.4f}".rstrip("0")
    assert result in page.locator(".abh-ws-arithmetic").aria_snapshot()
    emulate(page, media="print")
    assert arithmetic_is_seen(page)


def test_the_sheet_is_there_before_any_answer(opened):
    page = opened(Worksheet.preset("cat"))
    assert page.locator(".abh-predict").is_visible()
    assert page.locator("td[data-value]:visible").count() > 50
    type_number(page, "X", 0, 0, "3")
    assert compare_with_python(page).X[0, 0] == 3


# --- Keyboard, screen reader, phone, print -------------------------------------------


def test_arrow_keys_walk_a_matrix(opened):
    page = opened(preset("football"))
    cell(page, "scores.0", 0, 0).focus()
    for key, place in [
        ("ArrowRight", "01"),
        ("ArrowDown", "11"),
        ("End", "12"),
        ("ArrowRight", "12"),
        ("ArrowUp", "02"),
        ("Home", "00"),
        ("Control+End", "22"),
    ]:
        page.keyboard.press(key)
        focused = page.evaluate(
            "document.activeElement.dataset.row + document.activeElement.dataset.column"
        )
        assert focused == place, key
    assert page.locator("table[data-matrix='scores.0'] [tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    matrix = page.evaluate("document.activeElement.closest('table').dataset.matrix")
    assert matrix == "scaled.0"
    page.keyboard.press("Enter")
    assert "abh-ws-follow" in page.evaluate("document.activeElement.className")


def test_a_tap_explains_a_cell(opened):
    page = opened(preset("football"), width=390, height=844, has_touch=True)
    cell(page, "weights.0", 1, 2).tap()
    assert page.locator(".abh-ws-title").inner_text().startswith("Weights: row play")
    page.locator(".abh-ws-follow").first.tap()
    assert page.locator(".abh-ws-title").inner_text().startswith("Scaled scores")


def test_the_reading_reveals_no_later_step(opened):
    page = opened(preset("football", step="scores"))
    said = page.locator(".abh-reading")
    assert said.inner_text() == "Scores: numbers from 0.015 to 0.77."
    go_to(page, "Weights")
    assert "“football” looks most at “play” (39.3%)" in said.inner_text()


def test_typing_needs_no_mouse(opened):
    page = opened(preset("football"))
    cell(page, "X", 0, 0).locator("input").focus()
    page.keyboard.type("1.5")
    page.keyboard.press("Enter")
    page.keyboard.type("-2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    inputs = compare_with_python(page)
    assert inputs.X[0, 0] == 1.5
    assert inputs.X[1, 0] == -2


PRESSED = [
    ("X", 1, 1, "Enter", "21"),
    ("X", 1, 1, "Shift+Enter", "01"),
    ("X", 0, 1, "Shift+Enter", "01"),
    ("X", 2, 1, "Enter", "21"),
    ("X", 1, 1, "ArrowUp", "01"),
    ("X", 1, 1, "ArrowLeft", "10"),  # all of its text is selected
    ("X", 1, 1, "ArrowRight", "12"),
    ("X", 1, 1, "Shift+ArrowRight", "11"),
    ("X", 1, 1, "Home ArrowRight", "11"),
    ("X", 1, 1, "Home ArrowLeft", "10"),
    ("X", 1, 1, "End ArrowLeft", "11"),
    ("X", 1, 1, "End ArrowRight", "12"),
    ("X", 1, 2, "ArrowRight", "12"),
    ("W_Q.0", 2, 1, "Tab", "00"),  # on to the next matrix
]


def test_keys_move_between_fields_as_in_a_spreadsheet_and_are_told(opened):
    page = opened(preset("football"))
    for matrix, row, column, keys, place in PRESSED:
        page.evaluate("document.activeElement.blur()")
        cell(page, matrix, row, column).locator("input").focus()
        for key in keys.split():
            page.keyboard.press(key)
        data = "document.activeElement.closest('td').dataset"
        assert page.evaluate(f"{data}.row + {data}.column") == place, keys
    page.get_by_text("Keyboard", exact=True).click()
    told = page.locator(".abh-ws-keys dt").all_inner_texts()
    for key in ("Arrows", "Enter", "P, Shift+P", "Ctrl+V", "Ctrl+C", "Escape"):
        assert any(key in keys for keys in told), key


def test_every_group_has_a_name_of_its_own(opened):
    page = opened(preset("eight-tokens"))
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in ("group", "region", "grid")
    ]
    assert len(named) >= 20
    assert all(name for _, name in named)
    assert len(set(named)) == len(named)


def test_grids_have_names_and_headers(opened):
    page = opened(preset("cat"))
    grid = page.get_by_role("grid", name="Weights, head 1, 3 by 3")
    assert grid.get_by_role("rowheader").all_inner_texts() == ["the", "cat", "sat"]
    assert grid.get_by_role("columnheader").all_inner_texts() == ["the", "cat", "sat"]
    assert page.get_by_label("X: row cat, column 2").input_value() == "1.0"


@pytest.mark.parametrize(
    "steps", first_and_weekly([["All"], ["Mask", "Input", "Weights", "Join"]])
)
def test_axe_has_no_objection(opened, axe, steps):
    objections, objections_in_the_dark = axe
    page = opened(preset("apple"), width=390)
    unfold(page)
    page.get_by_label("Causal mask").check()
    type_number(page, "X", 0, 0, "oops")
    for step in steps:
        go_to(page, step)
        for width in (360, 1280, 390):
            resize(page, width, 900)
            assert page.evaluate("document.documentElement.scrollWidth") == width
        assert objections(page) == [], step
        assert objections_in_the_dark(page) == [], f"{step}, in the dark"
    resize(page, 1280, 900)
    assert objections(page) == [], "at a desk"


def test_the_focus_shows_when_the_system_sets_the_colours(opened):
    page = opened(preset("football"), forced_colors="active")
    at = cell(page, "weights.0", 1, 2)
    at.focus()
    width = "td => parseFloat(getComputedStyle(td, '::after').borderTopWidth)"
    style = "td => getComputedStyle(td, '::after').borderTopStyle"
    assert at.evaluate(width) == 3
    assert at.evaluate(style) == "solid"
    assert page.locator("td.abh-ws-source").first.evaluate(style) == "dashed"


def test_print_keeps_the_sheet_and_drops_the_controls(opened):
    page = opened(preset("football"))
    emulate(page, media="print")
    assert page.locator("table[data-matrix='weights.0']").is_visible()
    assert page.locator(".abh-ws-walk").is_hidden()
    assert page.locator(".abh-ws-footer").is_hidden()


def test_nothing_jumps_while_numbers_change(opened):
    page = opened(preset("football"))
    rng = np.random.default_rng(3)
    height = "document.querySelector('.abh-ws-stage').offsetHeight"
    before = page.evaluate(height)
    for _ in range(20):
        type_number(page, "X", 0, 0, repr(round(float(rng.normal()), 3)))
        assert page.evaluate(height) == before


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("count", first_and_weekly([50, 400]))
def test_random_moves(opened, width, count):
    page = opened(Worksheet(), width=width, height=800)
    unfold(page)
    moves = random_moves(np.random.default_rng(width), count)
    page.evaluate("moves => moves.forEach(sheet.make)", moves)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    go_to(page, "All")
    compare_with_python(page)


CUT = """() => [...document.querySelectorAll(".abh-ws-matrix th")]
  .filter((head) => head.scrollWidth > head.clientWidth)
  .map((head) => head.textContent)"""


@pytest.mark.parametrize("width", first_and_weekly([390, 1280]))
def test_columns_are_as_wide_as_the_decimals_and_their_heads_ask(
    opened, wait_until, width
):
    page = opened(preset("five-tokens", decimals=2), width=width)
    page.add_style_tag(content="body { font-family: DejaVu Sans, system-ui }")
    scores = page.locator(".abh-ws-matrix:has([data-matrix='scores.0'])")
    width_of = "document.querySelector('[data-matrix=\"scores.0\"]').offsetWidth"
    drawn(page)  # container queries
    narrow = page.evaluate(width_of)
    assert page.evaluate(CUT) == []
    page.get_by_label("Decimals").select_option("6")
    wait_until(page, f"{width_of} > {narrow}")
    page.get_by_label("Decimals").select_option("2")
    wait_until(page, f"{width_of} === {narrow}")
    assert scores.evaluate("box => box.scrollWidth <= box.clientWidth + 1")


# --- What is selected can be seen; the arithmetic hides nothing ---------------------


def pixels(page, locator):
    """The picture of an element, as rows of red, green and blue."""
    shot = Image.open(io.BytesIO(locator.screenshot(animations="disabled")))
    return np.asarray(shot.convert("RGB"), dtype=float) / 255


def luminance(picture):
    linear = np.where(
        picture <= 0.03928, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4
    )
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("scheme", first_and_weekly(["light", "dark"]))
def test_selection_and_sources_can_be_seen_in_every_kind(opened, scheme):
    page = opened(preset("football", step="sheet"), color_scheme=scheme)
    elsewhere = cell(page, "X", 0, 0)
    for kind in ("Q.0", "scores.0", "weights.0", "head.0"):
        here = cell(page, kind, 1, 1)
        elsewhere.locator("input").focus()
        before = luminance(pixels(page, here))
        here.focus()
        after = luminance(pixels(page, here))
        high, low = np.maximum(before, after), np.minimum(before, after)
        changed = ((high + 0.05) / (low + 0.05) >= 3).sum()
        rows, columns = before.shape
        ring = 2 * 2 * (rows + columns - 4)  # of a 2 pixel perimeter
        assert changed >= ring, kind


def test_colours_and_bars_are_those_of_the_numbers(opened):
    page = opened(preset("cat", step="scores"))
    for step in ("Scores", "Scale", "Weights"):
        go_to(page, step)
        assert displayed.ask_page(page, "tinted"), step
        displayed.check(page)


def test_sources_are_framed_as_clearly_and_the_arithmetic_folds_to_its_title(opened):
    page = opened(preset("football", step="weights"))
    cell(page, "weights.0", 1, 1).focus()
    frames = page.locator("td.abh-ws-source").evaluate_all(
        "cells => cells.map((td) => getComputedStyle(td, '::after').borderTopWidth)"
    )
    assert frames
    assert set(frames) == {"2px"}
    panel = page.locator(".abh-ws-arithmetic")
    page.get_by_role("button", name="Fold", exact=True).click()
    assert panel.bounding_box()["height"] < 60
    page.get_by_role("button", name="Unfold", exact=True).click()
    assert panel.bounding_box()["height"] > 60


def test_tab_to_another_head_changes_no_head(opened):
    page = opened(preset("cat", step="concat"))
    first, second = cell(page, "head.0", 0, 0), cell(page, "head.1", 0, 0)
    first.focus()
    page.keyboard.press("Tab")
    assert second.evaluate("td => td === document.activeElement")
    assert page.locator("table[data-matrix='head.1'] td.abh-ws-here").count() == 1
    head = "[...document.querySelectorAll('.abh-ws-heads button')]"
    pressed = f"{head}.findIndex((b) => b.ariaPressed === 'true')"
    assert page.evaluate(pressed) == 0
    page.keyboard.press("Enter")
    assert page.evaluate(pressed) == 1


def test_keys_are_shown_as_they_are_multiplied(opened):
    page = opened(preset("football", step="scores"))
    table = page.locator("table[data-matrix='K.0']")
    assert re.sub(r"\s+", " ", table.locator("caption").inner_text()) == "KT 2 × 3"
    rows = table.locator("tbody tr")
    shown = [[c.inner_text() for c in row.locator("td").all()] for row in rows.all()]
    keys = preset("football").trace.heads[0].key
    for line, expected in zip(shown, keys.T, strict=True):
        for text, value in zip(line, expected, strict=True):
            assert displayed.agrees(text, value)
    cell(page, "K.0", 0, 0).focus()
    page.keyboard.press("ArrowRight")
    assert cell(page, "K.0", 1, 0).evaluate("td => td === document.activeElement")


# Two of each arrangement: in one, a cell is selected at the other end of its matrix.
SIZES = [(1366, 650), (390, 844), (2560, 1440), (900, 900), (320, 256), (1600, 900)]
TURNS = list(enumerate(SIZES))


@pytest.mark.parametrize("turns", first_and_weekly([TURNS[1:2], TURNS[:1] + TURNS[2:]]))
def test_nothing_is_covered_or_cut_in_any_step_of_any_preset(opened, turns):
    page = opened(Worksheet())
    page.add_style_tag(content="article { max-width: none }")
    for turn, (width, height) in turns:
        resize(page, width, height)
        assert page.evaluate("sheet.everyStep", turn) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") == width


CROSSED = """box => {
  const labels = box.querySelector("tbody th").getBoundingClientRect().right;
  const ends = [labels, box.getBoundingClientRect().right];
  return [...box.querySelectorAll("thead th")].filter((th) => {
    const { left, right } = th.getBoundingClientRect();
    return ends.some((end) => left < end - 2 && right > end + 2);
  }).map((th) => th.innerText);
}"""


def test_a_wide_matrix_scrolls_by_whole_columns(opened, wait_until):
    page = opened(preset("apple", step="concat"), width=390, height=844)
    frame = page.locator(".abh-ws-matrix:has([data-matrix='concat'])")
    frame.scroll_into_view_if_needed()
    before = 0
    for _ in range(2):
        frame.evaluate("(box) => { box.scrollLeft += 80; }")
        page.wait_for_timeout(100)
        now = frame.evaluate("box => box.scrollLeft")
        assert now > before
        assert frame.evaluate(CROSSED) == []
        before = now


def test_the_arithmetic_is_no_higher_for_having_been_narrow(opened, wait_until):
    page = opened(preset("apple", step="weights"))
    held = "document.querySelector('.abh-ws-held').offsetHeight"
    before = page.evaluate(held)
    resize(page, 320, 900)
    wait_until(page, f"{held} > {before}")
    resize(page, 1280, 900)
    wait_until(page, f"{held} === {before}")


# --- A goal ---------------------------------------------------------------------------

REACHED = {"W_K": [[[-5, 0], [0, 0], [0, 0]]]}


def with_goal(**changes):
    sheet = preset("football", goal=PLAY_TO_FOOTBALL)
    sheet.set(**changes)
    return sheet


def test_a_goal_is_judged_as_python_judges_it(opened):
    moved = {"X": np.ones((3, 3)) / 3}
    ways = ({}, REACHED, REACHED | moved, {"W_K": np.zeros((1, 3, 2))})
    sheets = [with_goal(**changes) for changes in ways]
    page = opened(*sheets)
    said = page.locator(".abh-ws-verdict").all_inner_texts()
    assert said == [sheet.verdict() for sheet in sheets]
    assert len({text.split()[0] for text in said}) == len(ways)


def test_a_goal_is_judged_while_the_reader_types_and_is_kept(opened, wait_until):
    page = opened(with_goal())
    said = page.locator(".abh-ws-verdict")
    assert said.inner_text().startswith("As given")
    type_number(page, "W_K.0", 0, 0, "-1")
    assert said.inner_text() == with_goal(W_K=[[[-1, -0.5], [1, 0], [0, 1]]]).verdict()
    type_number(page, "W_K.0", 0, 0, "-9")
    assert said.inner_text().startswith("Right:")
    kept = "Object.keys(localStorage).some((key) => /worksheet.reached$/.test(key))"
    wait_until(page, kept)


def test_a_sheet_without_a_goal_shows_none(opened):
    page = opened(preset("football"))
    assert not page.locator(".abh-ws-goal").is_visible()
