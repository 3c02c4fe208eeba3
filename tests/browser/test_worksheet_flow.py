"""Cause and effect of a sheet on one screen: the flow, the strip, before and after."""

import displayed
import numpy as np
import pytest
from frames import drawn, followed, resize
from repeats import ends_and_weekly, first_and_weekly
from test_worksheet import (
    cell,
    compare_with_python,
    numbers,
    opened,
    preset,
    read_sheet,
    reopen,
    type_number,
)

from course.widgets import Worksheet, WorksheetInputs
from course.widgets.worksheet.inputs import LIMITS, WIDTH_LIMIT
from course.widgets.worksheet.presets import PRESETS

__all__ = ["opened"]

SCREENS = [(1280, 720), (1600, 900), (2560, 1440), (390, 844), (390, 480)]

# How much higher than the window the edited field, its token's weights and its output
# stand together, when the reader sees the field: in the sheet itself, or in the strip.
TOGETHER = """() => {
  const field = document.activeElement;
  const { row } = field.closest("td").dataset;
  const strip = document.querySelector(".abh-ws-tall .abh-ws-strip");
  const looked = strip ? field : document.querySelector(".abh-ws-stage");
  looked.scrollIntoView({ block: "center" });
  const [table] = ["output", "concat", "head.0"]
    .map((id) => document.querySelector(`table[data-matrix="${id}"]`)).filter(Boolean);
  const of = (grid) => grid.querySelector(`td[data-row="${row}"]`);
  const inStrip = [".abh-ws-strip-weights", ".abh-ws-strip-row:last-child"];
  const parts = strip ? inStrip.map((each) => strip.querySelector(each))
    : [of(document.querySelector("table[data-matrix='weights.0']")), of(table)];
  const boxes = [field, ...parts].map((node) => node.getBoundingClientRect());
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const inSight = top >= -1 && bottom <= innerHeight + 1
    && boxes.every((box) => box.height > 0);
  const band = strip?.getBoundingClientRect();
  const covered = band && band.bottom > boxes[0].top && band.top < boxes[0].bottom;
  return { span: Math.round(bottom - top), inSight, covered: Boolean(covered),
    strip: strip ? Math.round(strip.getBoundingClientRect().height) : 0 };
}"""


def edit(page, row=1, column=0, text="1.9"):
    page.evaluate("document.activeElement.blur()")
    field = cell(page, "X", row, column).locator("input")
    field.fill(text)
    followed(page)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_a_page_opens_with_numbers_to_change(watch, site, size):
    watched = watch(width=size[0], height=size[1])
    page = watched.open(f"{site}/chapters/your-own-attention.html")
    first = page.locator("table[data-matrix=X]").first
    first.wait_for()
    drawn(page)
    for field in first.locator("input").all():
        box = field.bounding_box()
        assert box["y"] + box["height"] <= size[1]
    strip = page.locator(".abh-ws-strip").first.bounding_box()
    assert not strip["y"] <= box["y"] <= strip["y"] + strip["height"]


@pytest.mark.parametrize("name", ends_and_weekly(PRESETS))
def test_an_edit_and_its_effect_are_in_one_window(opened, name):
    page = opened(preset(name))
    page.add_style_tag(content="article { max-width: 62rem }")
    last = len(PRESETS[name].inputs.tokens) - 1
    for size in SCREENS:
        resize(page, *size)
        for row in (0, last):
            edit(page, row, text=f"{1.5 + row}")
            seen = page.evaluate(TOGETHER)
            assert seen["inSight"], (size, seen)
            assert not seen["covered"], (size, seen)
            assert seen["span"] <= size[1]
            assert seen["strip"] <= 150


def test_twelve_tokens_and_eight_heads_are_at_most_four_screens_tall(opened):
    rng = np.random.default_rng(1)
    n, h = LIMITS["tokens"], LIMITS["heads"]

    def drawn_from(*shape):
        return rng.normal(size=shape).round(1)

    width = WIDTH_LIMIT // h  # the widest values that eight heads can have
    stacks = (drawn_from(h, width, width) for _ in range(3))
    tokens = [f"token {i}" for i in range(n)]
    W_O = drawn_from(h * width, width)
    inputs = WorksheetInputs(tokens, drawn_from(n, width), *stacks, W_O)
    page = opened(Worksheet.of(inputs), width=1280, height=720)
    page.add_style_tag(content="article { max-width: 58.5rem; padding: 0 }")
    drawn(page)
    assert page.locator(".abh-card").bounding_box()["height"] <= 4 * 720
    assert page.locator(".abh-ws-heads svg").count() == h
    frame = page.locator(".abh-ws-matrix:has(table[data-matrix=W_O])")
    frame.scroll_into_view_if_needed()
    assert frame.evaluate("node => node.scrollHeight > node.clientHeight")
    assert frame.evaluate("node => node.scrollWidth === node.clientWidth")
    mark = "n => getComputedStyle(n, '::after').content"
    assert "scrolls" in frame.locator(".abh-ws-shape").evaluate(mark)


# Corners of matrices that are not in one window with all of their arithmetic, or are
# under it: when they have the focus, and a sheet that fits a window is in it.
APART = """async () => {
  const panel = document.querySelector(".abh-ws-arithmetic");
  const strip = document.querySelector(".abh-ws-tall .abh-ws-strip");
  const flow = document.querySelector(".abh-ws-flow");
  const apart = [];
  for (const table of document.querySelectorAll(".abh-ws-stage table")) {
    const cells = table.querySelectorAll("td[data-row]");
    for (const td of [cells[0], cells[cells.length - 1]]) {
      (td.querySelector("input") ?? td).focus();
      if (!strip) flow.scrollIntoView({ block: "center" });
      await new Promise(requestAnimationFrame);
      const [cell, sum] = [td, panel].map((node) => node.getBoundingClientRect());
      const isOver = cell.bottom > sum.top + 1 && cell.top < sum.bottom - 1
        && cell.right > sum.left + 1;
      const top = strip ? strip.getBoundingClientRect().bottom : 0;
      if (isOver || Math.min(cell.top, sum.top) < top - 1
        || Math.max(cell.bottom, sum.bottom) > innerHeight + 1) {
        apart.push(`${table.dataset.matrix} ${td.dataset.row}`);
      }
    }
  }
  return apart;
}"""


@pytest.mark.parametrize("name", first_and_weekly(sorted(PRESETS)))  # apple is tall
def test_a_cell_and_its_arithmetic_are_in_one_window(opened, name):
    page = opened(preset(name))
    page.add_style_tag(content="article { max-width: 62rem } main { padding: 30rem 0 }")
    for size in [(1200, 720), *SCREENS[:3]]:
        resize(page, *size)
        assert page.evaluate(APART) == [], size


def test_a_small_matrix_opens_its_head_and_shows_its_weights(opened):
    page = opened(preset("cat"))
    squares = page.locator(".abh-ws-heads polygon")
    corners = squares.nth(1).get_attribute("points").split(" ")
    weights = PRESETS["cat"].inputs.trace().heads[1].weights
    for i, weight in enumerate(weights.ravel()):
        left, right = (float(corners[6 * i + k].split(",")[0]) for k in (1, 2))
        assert (right - left) ** 2 == pytest.approx(weight, abs=5e-3)
    page.get_by_role("button", name="Head 2").click()
    assert "weights.1" in page.evaluate("Object.keys(sheet.grids())")


def outputs(inputs):
    trace = inputs.trace()
    return np.stack([head.weights for head in trace.heads]), trace.output


def after_edit(inputs, row, column, value):
    X = inputs.X.copy()
    X[row, column] = value
    return WorksheetInputs.from_json({**inputs.to_json(), "X": X.tolist()})


STRIP = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const share = (node) => Number(/scaleX\\(([\\d.]+)\\)/.exec(node.style.transform)[1]);
  const numbers = (row) => [...row.querySelectorAll("[data-value]:not([hidden])")]
    .map((node) => [node.textContent, node.dataset.before]);
  return {
    token: all(".abh-ws-strip strong")[0].textContent,
    rows: all(".abh-ws-strip-row").map(numbers),
    weights: all(".abh-ws-strip-weight").map((node) => node.textContent),
    bars: all(".abh-ws-strip-bar").map(share),
    ghosts: all(".abh-ws-strip-ghost").map(share),
  };
}"""


@pytest.mark.parametrize("name", ends_and_weekly(["football", "apple", "eight-tokens"]))
def test_the_strip_shows_the_row_now_and_before(opened, name):
    page = opened(preset(name), width=390, height=844)
    inputs = PRESETS[name].inputs
    edit(page, 1, 2, "-1.25")
    seen = page.evaluate(STRIP)
    assert seen["token"] == inputs.tokens[1]
    (old, z_before), (new, z) = map(outputs, (inputs, after_edit(inputs, 1, 2, -1.25)))
    np.testing.assert_allclose(seen["bars"], new[0][1], atol=1e-5)
    np.testing.assert_allclose(seen["ghosts"], old[0][1], atol=1e-5)
    x_shown, z_shown = seen["rows"]
    assert x_shown[2][0] == "\u22121.25"
    for (now, before), value, was in zip(z_shown, z[1], z_before[1], strict=False):
        assert displayed.agrees(now, value)
        assert displayed.agrees(before or now, was)
    for text, weight in zip(seen["weights"], new[0][1], strict=True):
        assert displayed.agrees(text, weight)


def largest(new, old):
    place = np.unravel_index(np.abs(new - old).argmax(), new.shape)
    return place, new[place], old[place]


def change(page):
    return page.locator(".abh-ws-change").inner_text()


@pytest.mark.parametrize("name", ends_and_weekly(["football", "cat", "apple"]))
def test_the_sentence_names_the_largest_change(opened, name):
    page = opened(preset(name))
    inputs = PRESETS[name].inputs
    rng = np.random.default_rng(4)
    assert change(page).startswith("Change a number")
    for _ in range(8):
        row, column = rng.integers(len(inputs.X)), rng.integers(inputs.X.shape[1])
        value = round(float(rng.normal()), 2)
        edit(page, row, column, repr(value))
        edited = after_edit(inputs, row, column, value)
        (head, i, j), now, before = largest(outputs(edited)[0], outputs(inputs)[0])
        said = change(page).replace("\u2212", "-")
        assert f"“{inputs.tokens[i]}” now takes " in said
        assert f" of “{inputs.tokens[j]}”, " in said
        assert (f"In head {head + 1} " in said) == (len(inputs.W_Q) > 1)
        shown = [
            float(word) for word in said.replace(",", "").split() if "." in word[:-1]
        ]
        for text, value in zip(shown, (now, before), strict=True):
            assert abs(text - value) <= 0.00501
        inputs = edited


def test_without_a_changed_weight_the_sentence_tells_of_the_output(opened):
    page = opened(preset("football"))
    type_number(page, "W_V.0", 1, 1, "3")
    said = change(page)
    assert said.startswith("No weight changed. The output of “play”, column 2, is now ")
    cell(page, "X", 0, 0).locator("input").focus()
    page.get_by_label("Token 1", exact=True).evaluate(
        "n => n.closest('details').open = true"
    )
    for box in page.locator(".abh-ws-tokens input[type=checkbox]").all():
        box.check()
    type_number(page, "X", 0, 0, "3")
    assert change(page) == "No weight and no output changed."


GHOSTS = """(id) => [...document.querySelectorAll(
  `table[data-matrix="${id}"] td[data-row] .abh-ws-ghost`)].map((ghost) => {
  return getComputedStyle(ghost).visibility === "hidden" ? -1
    : Number(/scaleX\\(([\\d.]+)\\)/.exec(ghost.style.transform)[1]);
})"""


def ghosts(page, matrix="weights.0"):
    return page.evaluate(GHOSTS, matrix)


def test_ghosts_are_what_stood_before_the_last_change(opened):
    page = opened(preset("football"))
    first = outputs(PRESETS["football"].inputs)[0][0].ravel()
    field = cell(page, "X", 1, 0).locator("input")
    for text in ("2", "2.5", "25"):  # one visit is one change
        field.fill(text)
    np.testing.assert_allclose(ghosts(page), first, atol=1e-5)
    between = outputs(read_sheet(page)[1])[0][0].ravel()
    type_number(page, "X", 2, 0, "4")
    np.testing.assert_allclose(ghosts(page), between, atol=1e-5)
    last = outputs(read_sheet(page)[1])[0][0].ravel()
    page.get_by_role("button", name="Undo").click()
    np.testing.assert_allclose(ghosts(page), last, atol=1e-5)


def test_a_pinned_state_is_compared_with_until_it_is_let_go(opened):
    page = opened(preset("football"))
    type_number(page, "X", 1, 0, "2")
    pinned = outputs(read_sheet(page)[1])[0][0].ravel()
    pin = page.get_by_role("button", name="Compare with this")
    pin.click()
    assert change(page) == "Changes are shown against these numbers."
    for column, text in enumerate(("3", "-1")):
        type_number(page, "X", 0, column, text)
        np.testing.assert_allclose(ghosts(page), pinned, atol=1e-5)
    assert "in what you compare with" in change(page)
    pin.click()
    assert " before." in change(page)
    assert not np.allclose(ghosts(page), pinned, atol=1e-5)


def test_the_largest_change_is_marked(opened):
    page = opened(preset("football"))
    before = outputs(PRESETS["football"].inputs)
    edit(page, 1, 0, "1.9")
    after = outputs(read_sheet(page)[1])
    for matrix, new, old in (
        ("weights.0", after[0][0], before[0][0]),
        ("head.0", after[1], before[1]),
    ):
        (row, column), now, was = largest(new, old)
        way = "up" if now > was else "down"
        marks = page.locator(f"table[data-matrix='{matrix}'] .abh-ws-most-{way}")
        data = marks.evaluate_all(
            "all => all.map(td => [td.dataset.row, td.dataset.column])"
        )
        assert data == [[str(row), str(column)]]


CLIPPED = """() => [...document.querySelectorAll(".abh-ws-matrix td input")]
  .filter((field) => field.scrollWidth > field.clientWidth)
  .map((field) => field.value)"""


def negative(n):
    """A sheet of n tokens whose numbers all have a sign and two decimals."""
    shapes = {"X": (n, 3), "W_Q": (1, 3, 2), "W_K": (1, 3, 2), "W_V": (1, 3, 2)}
    names = [f"token {i}" for i in range(n)]
    matrices = {name: np.full(shape, -0.25) for name, shape in shapes.items()}
    return Worksheet.of(WorksheetInputs(tokens=names, **matrices))


@pytest.mark.parametrize("touch", first_and_weekly([True, False]))
def test_no_number_that_one_types_is_clipped(opened, touch):
    """Nor where many tokens make the type smaller; in a narrow and in a wide font."""
    sheets = (preset("football"), negative(12))
    page = opened(*sheets, has_touch=touch, is_mobile=touch)
    page.add_style_tag(content="article { max-width: 62rem }")
    first = page.locator("table[data-matrix=X] input").first
    first.fill("-1.25")
    first.blur()
    for font in ("serif", "system-ui, sans-serif"):
        page.evaluate("font => { document.body.style.fontFamily = font; }", font)
        for size in SCREENS:
            resize(page, *size)
            assert page.evaluate(CLIPPED) == [], (font, size)


# --- Numbers that one drags -------------------------------------------------------


def grasp(page, row=1, column=0):
    """Press the mouse on the handle of a number of X; gives where."""
    cell(page, "X", row, column).hover()
    box = page.locator(".abh-ws-handle").bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*place)
    page.mouse.down()
    return place


def drag(page, pixels, row=1, column=0):
    x, y = grasp(page, row, column)
    page.mouse.move(x + pixels, y, steps=8)
    page.mouse.up()


def test_a_drag_moves_the_last_digit_and_is_one_step_of_undo(opened):
    page = opened(preset("football"))
    value = cell(page, "X", 1, 0)
    drag(page, 60)  # six pixels a digit
    assert float(value.get_attribute("data-value")) == 1.8
    first = outputs(PRESETS["football"].inputs)[0][0].ravel()
    np.testing.assert_allclose(ghosts(page), first, atol=1e-5)
    drag(page, -90)
    assert float(value.get_attribute("data-value")) == 0.3
    page.keyboard.press("ArrowRight")
    assert float(value.get_attribute("data-value")) == 0.4
    undo = page.get_by_role("button", name="Undo")
    for expected in (0.3, 1.8, 0.8):
        undo.click()
        assert float(value.get_attribute("data-value")) == expected
    assert undo.get_attribute("aria-disabled") == "true"


def test_a_drag_moves_its_row_at_once_and_all_else_soon(opened):
    page = opened(preset("eight-tokens"))
    x, y = grasp(page)
    page.mouse.move(x + 60, y, steps=4)
    shown = page.evaluate("sheet.grids()")
    inputs = PRESETS["eight-tokens"].inputs
    value = float(cell(page, "X", 1, 0).get_attribute("data-value"))
    assert value != inputs.X[1, 0]
    weights, output = outputs(after_edit(inputs, 1, 0, value))
    for name, wanted in (("weights.0", weights[0]), ("output", output)):
        np.testing.assert_allclose(numbers(shown[name])[1], wanted[1], rtol=1e-9)
    page.wait_for_timeout(150)
    shown = page.evaluate("sheet.grids()")
    np.testing.assert_allclose(numbers(shown["output"]), output, rtol=1e-9)
    page.mouse.move(x - 60, y, steps=4)
    page.mouse.up()
    compare_with_python(page)


# The matrices of a sheet when a number has been typed, before any frame, and later.
FOLLOWS = """async ([id, row, column, text]) => {
  const field = document.querySelector(`table[data-matrix="${id}"] ` +
    `td[data-row="${row}"][data-column="${column}"] input`);
  sheet.send(field, "input", text);
  const watched = sheet.grids();
  while (document.querySelector("[aria-busy]")) {
    await new Promise(requestAnimationFrame);
  }
  return [watched, sheet.grids()];
}"""


@pytest.mark.parametrize("place", [("X", 1, 0), ("W_Q.0", 0, 0), ("W_O", 0, 1)])
def test_weights_and_output_are_there_with_the_typed_number(opened, place):
    page = opened(preset("eight-tokens"))
    watched, whole = page.evaluate(FOLLOWS, [*place, "1.75"])
    matrix, row, column = place
    assert numbers(watched[matrix])[row, column] == 1.75
    inputs = compare_with_python(page)
    trace = inputs.trace()
    for shown, name, wanted in (
        (watched, "weights.0", trace.heads[0].weights),
        (watched, "output", trace.output),
        (whole, "Q.0", trace.heads[0].query),
        (whole, "scores.0", trace.heads[0].scores),
        (whole, "concat", trace.concat),
    ):
        np.testing.assert_allclose(numbers(shown[name]), wanted, rtol=1e-9)


LAST_DIGITS = {"0.8": 0.9, "-1.25": -1.24, "7": 7.1, "0": 0.1, "0.001": 0.002}


def test_one_step_is_one_last_digit(opened):
    page = opened(preset("football"))
    field = cell(page, "X", 1, 0).locator("input")
    for text, wanted in LAST_DIGITS.items():
        field.fill(text)
        field.press("Alt+ArrowUp")
        assert float(cell(page, "X", 1, 0).get_attribute("data-value")) == wanted
        field.press("Alt+ArrowDown")
        there = float(cell(page, "X", 1, 0).get_attribute("data-value"))
        assert there == float(text)


def test_a_handle_is_where_the_focus_or_the_mouse_is(opened):
    page = opened(preset("football"))
    handle = page.locator(".abh-ws-handle")
    assert handle.count() == 0
    cell(page, "X", 0, 0).locator("input").focus()
    assert cell(page, "X", 0, 0).locator(".abh-ws-handle").count() == 1
    cell(page, "W_Q.0", 1, 1).hover()
    assert cell(page, "W_Q.0", 1, 1).locator(".abh-ws-handle").count() == 1
    page.locator(".abh-ws-heading").hover()
    assert cell(page, "X", 0, 0).locator(".abh-ws-handle").count() == 1
    cell(page, "Q.0", 0, 0).click()
    assert handle.count() == 0


def test_on_touch_the_handle_alone_drags(opened):
    page = opened(preset("football"), width=390, height=844, has_touch=True)
    cell(page, "X", 1, 0).locator("input").tap()
    touch = "node => getComputedStyle(node).touchAction"
    assert page.locator(".abh-ws-handle").evaluate(touch) == "none"
    field = cell(page, "X", 1, 0).locator("input")
    assert field.evaluate(touch) in ("auto", "manipulation")


# --- What is selected -------------------------------------------------------------


def test_a_step_selects_a_cell_of_its_own_result(opened):
    page = opened(preset("cat", step="input"))
    titles = {"Queries": "Q,", "Scores": "Scores,", "Weights": "Weights,"}
    for shows_all in (False, True):
        if shows_all:
            page.get_by_role("button", name="All matrices").click()
        for step, title in titles.items():
            page.get_by_role("button", name=f"{step}: step").click()
            said = page.locator(".abh-ws-title").inner_text()
            assert said.startswith(title)
            cell(page, "Q.0", 0, 0).hover() if shows_all else None
            page.locator(".abh-ws-heading").hover()
            assert page.locator(".abh-ws-title").inner_text() == said


def test_the_selected_cell_is_in_the_link(opened, wait_until):
    page = opened(preset("cat"))
    for name, row, column in (("scores.0", 1, 2), ("X", 2, 0), ("output", 0, 3)):
        cell(page, name, row, column).click()
        kind = name.split(".")[0]
        text = f"worksheet.cell={kind}.{row + 1}.{column + 1}"
        wait_until(page, "text => location.search.includes(text)", text)
        said = page.locator(".abh-ws-title").inner_text()
        page.reload()
        page.locator(".abh-foot").wait_for()
        assert page.locator(".abh-ws-title").inner_text() == said


def test_a_cell_that_the_sheet_has_not_got_is_said(opened):
    page = opened(preset("cat"))
    for text in ("scores.9.9", "nothing.1.1", "head.7.1.1", "mask.1.1"):
        reopen(page, f"?worksheet.cell={text}")
        refused = page.locator(".refused").inner_text()
        assert f"cell = “{text}”; this sheet has no such cell" in refused
        assert page.locator(".abh-ws-title").inner_text().startswith("Q,")


SMALLEST = """() => Math.min(...[...document.querySelectorAll(
    ".abh-ws-stage :is(th, td, input, caption)")].filter((node) => node.offsetHeight)
  .map((node) => parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom)
  .filter((size) => size > 0))"""


@pytest.mark.parametrize("width", first_and_weekly([1280, 1920]))
def test_eight_tokens_and_two_heads_are_whole_on_the_whole_screen(opened, width):
    height = width * 9 // 16
    page = opened(preset("eight-tokens"), width=width, height=height)
    page.evaluate("Object.defineProperty(document, 'fullscreenEnabled', {value: 0})")
    page.get_by_role("button", name="Full screen", exact=True).click()
    page.wait_for_function("document.querySelector('.abh-ws-card').style.zoom !== ''")
    drawn(page)
    for table in page.locator(".abh-ws-stage table").all():
        box = table.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width
    assert page.locator(".abh-ws-stage table").count() == 14
    assert page.evaluate(SMALLEST) >= 11
    page.keyboard.press("Escape")
    page.wait_for_function("document.querySelector('.abh-ws-card').style.zoom === ''")


def test_another_head_keeps_the_place_of_the_selected_cell(opened):
    page = opened(preset("cat"))
    cell(page, "weights.0", 1, 2).click()
    page.get_by_role("button", name="Head 2").click()
    said = page.locator(".abh-ws-title").inner_text()
    assert said == "Weights, head 2: row cat, column sat"


# --- By keyboard ------------------------------------------------------------------

WAY = [
    "Tab",
    "Tab",
    "Enter",
    "2",
    "Tab",
    "Tab",
    "a",
    "Enter",
    "Enter",
    "Control+z",
    "l",
]


def test_edit_explain_follow_undo_and_link_take_eleven_keys(watch, site, wait_until):
    page = watch().open(f"{site}/chapters/your-own-attention.html")
    page.evaluate("navigator.clipboard.writeText = async (text) => (copied = text)")
    value = cell(page, "X", 0, 0).first
    first = value.get_attribute("data-value")
    seen = {}
    for key in WAY:
        page.keyboard.press(key)
        seen[key] = value.get_attribute("data-value")
        if key == "a":
            wait_until(page, "document.querySelector('.abh-ws-spoken').textContent")
            assert "=" in page.locator(".abh-ws-spoken").first.inner_text()
    assert seen["2"] == seen["Enter"] == "2"
    assert seen["Control+z"] == first
    assert page.evaluate("document.activeElement.closest('td').dataset.row") == "0"
    wait_until(page, "typeof copied === 'string'")
    assert "worksheet." in page.evaluate("copied")
    assert len(WAY) <= 30


# --- Spoken -----------------------------------------------------------------------

LIVE = """() => [...document.querySelectorAll("[aria-live=polite], [role=status]")]
  .map((node) => node.textContent.trim()).filter(Boolean)"""
PAUSED = """() => document.querySelector(".abh-ws-spoken").textContent
  === document.querySelector(".abh-ws-change").textContent"""
TYPED = [
    ("ArrowDown", ["X: row cat, column 1: 0"]),
    ("2", ["X: row cat, column 1: 2"]),
    (
        "Alt+ArrowUp",
        [
            "X: row cat, column 1: 2.1",
            "In head 1 “cat” now takes 0.80 of “cat”, 0.18 before.",
        ],
    ),
    ("Control+z", ["X: row cat, column 1: 0.0"]),
]
WALKED = [
    ("ArrowRight", ["Weights, head 1: row the, column cat: 0.233"]),
    ("ArrowDown", ["Weights, head 1: row cat, column cat: 0.185"]),
    ("Home", ["Weights, head 1: row cat, column the: 0.345"]),
    (
        "a",
        [
            "Weights, head 1: row cat, column the. exp(1.6971) ÷ ( exp(1.6971) + "
            "exp(1.0748) + exp(2.0082) ) ≈ 5.4579 ÷ ( 5.4579 + 2.9294 + 7.4498 ) ≈ "
            "5.4579 ÷ 15.837 ≈ 0.3446. “cat” gives “the” 34.5% of its attention."
        ],
    ),
    ("Control+End", ["Weights, head 1: row sat, column sat: 0.396"]),
    ("Enter", ["0.9051, Scaled scores, head 1: row sat, column sat"]),
]


def spoken(page, session):
    """What a screen reader says of the element that has the focus: name and value."""
    focus = session.send("Runtime.evaluate", {"expression": "document.activeElement"})
    asked = {"objectId": focus["result"]["objectId"], "fetchRelatives": False}
    [node] = session.send("Accessibility.getPartialAXTree", asked)["nodes"]
    parts = (node.get(part, {}).get("value") for part in ("name", "value"))
    return ": ".join(str(part) for part in parts if part)


@pytest.mark.parametrize(
    ("matrix", "moves"), first_and_weekly([("X", TYPED), ("weights.0", WALKED)])
)
def test_what_is_spoken_for_ten_moves(opened, matrix, moves):
    page = opened(preset("cat"))
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    first = cell(page, matrix, 0, 0)
    (first.locator("input") if matrix == "X" else first).focus()
    before, said = page.evaluate(LIVE), []
    for key, _ in moves:
        at = spoken(page, session)
        page.keyboard.press(key)
        is_pause = (
            key == "Alt+ArrowUp"
        )  # what has changed is said once the reader pauses
        page.wait_for_function(PAUSED) if is_pause else page.wait_for_timeout(30)
        now, live = spoken(page, session), page.evaluate(LIVE)
        new = [text for text in live if text not in before]
        heard = [text for text in new if is_pause or " now takes " not in text]
        said.append((key, [*([now] if now != at else []), *heard]))
        before = live
    assert said == moves
