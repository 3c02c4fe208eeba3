"""Cause and effect of a sheet on one screen: the flow, the strip, before and after."""

import displayed
import numpy as np
import pytest
from frames import drawn, resize
from test_worksheet import cell, opened, preset, read_sheet, type_number

from course.widgets import Worksheet, WorksheetInputs
from course.widgets.worksheet.inputs import LIMITS
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
  const covered = strip && strip.getBoundingClientRect().bottom > boxes[0].top;
  return { span: Math.round(bottom - top), inSight, covered: Boolean(covered),
    strip: strip ? Math.round(strip.getBoundingClientRect().height) : 0 };
}"""


def edit(page, row=1, column=0, text="1.9"):
    page.evaluate("document.activeElement.blur()")
    field = cell(page, "X", row, column).locator("input")
    field.fill(text)
    drawn(page)


@pytest.mark.parametrize("name", PRESETS)
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

    stacks = (drawn_from(h, 4, 2) for _ in range(3))  # as wide as in the presets
    tokens = [f"token {i}" for i in range(n)]
    inputs = WorksheetInputs(tokens, drawn_from(n, 4), *stacks, drawn_from(h * 2, 4))
    page = opened(Worksheet.of(inputs), width=1280, height=720)
    page.add_style_tag(content="article { max-width: 58.5rem; padding: 0 }")
    drawn(page)
    assert page.locator(".abh-card").bounding_box()["height"] <= 4 * 720
    assert page.locator(".abh-ws-heads svg").count() == h


def test_a_small_matrix_opens_its_head_and_shows_its_weights(opened):
    page = opened(preset("cat"))
    squares = page.locator(".abh-ws-heads polygon")
    corners = squares.nth(1).get_attribute("points").split(" ")
    weights = PRESETS["cat"].inputs.trace().heads[1].weights
    for i, weight in enumerate(weights.ravel()):
        left, right = (float(corners[7 * i + k].split(",")[0]) for k in (1, 2))
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


@pytest.mark.parametrize("name", ["football", "apple", "eight-tokens"])
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


@pytest.mark.parametrize("name", ["football", "cat", "apple"])
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
