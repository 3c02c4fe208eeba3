"""Figures alone on a small page: their controls and questions, compared with Python.

Each figure is on a small page with the site's own runtime. The tests of every page test
the figures on the pages of the book.
"""

import itertools
import re

import numpy as np
import pytest
from acts import drag, enter, middle, reading
from found import answered, figures, moves
from frames import resize, settle
from playwright.sync_api import expect

from course import widgets
from course.widgets import (
    HeadWall,
    ScoreWalk,
    ShapeExplorer,
    SoftmaxSharpness,
    Suspects,
    TileMap,
)
from course.widgets.contract import parts_of

FIGURES = figures()


# --- Keyboard and question ------------------------------------------------------------


def test_tab_misses_a_control_or_a_control_shows_no_focus_ring(open_page):
    page = open_page(*(figure() for figure in FIGURES))
    stops = page.evaluate("figures.stops()")
    assert len(stops) == len(FIGURES)
    reached = dict.fromkeys(stops, 0)
    for _ in range(1000):
        page.keyboard.press("Tab")
        figure, is_inside, has_ring = page.evaluate("figures.focus()")
        if figure is None and sum(reached.values()):
            break
        assert has_ring or not is_inside, figure
        if is_inside:
            reached[figure] += 1
    assert reached == stops


# Records the elements that hear presses of the mouse.
HEARING = """(() => {
  const add = EventTarget.prototype.addEventListener;
  const presses = ["click", "dblclick", "mousedown", "pointerdown"];
  globalThis.hearing = new Set();
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (presses.includes(type) && this instanceof Element) hearing.add(this);
    return add.call(this ?? window, type, ...rest);
  };
})()"""
FOR_THE_MOUSE_ONLY = """() => [...hearing]
  .filter((node) => node.closest(".abh-card")
    && ![node, ...node.querySelectorAll("*")].some((each) => each.tabIndex >= 0))
  .map((node) => node.outerHTML.slice(0, 120))"""


def test_a_part_of_a_figure_hears_clicks_but_no_key_can_press_it(open_page):
    page = open_page(*(figure() for figure in FIGURES), fresh=True)
    page.add_init_script(HEARING)
    page.reload()
    settle(page)
    assert page.evaluate("hearing.size") > len(FIGURES)
    assert page.evaluate(FOR_THE_MOUSE_ONLY) == []


def test_a_question_cannot_be_skipped_or_answered_later_or_again(open_page):
    widget = ScoreWalk()
    page = open_page(widget)
    page.get_by_role("button", name="without predicting").click()
    line = page.locator(".abh-folded")
    assert line.inner_text().strip() == f"Not predicted: {widget.question['prompt']}"
    expect(line).to_be_focused()
    line.click()
    right = [choice["right"] for choice in widget.question["choices"]].index(True)
    page.locator(".abh-choice input").nth(right).check()
    page.get_by_role("button", name="Commit").click()
    assert line.inner_text().startswith("You predicted")
    line.click()
    page.get_by_role("button", name="Answer again").click()
    expect(line).to_be_hidden()
    expect(page.get_by_role("radio").first).to_be_visible()


# --- Controls -------------------------------------------------------------------------


def has_slider(figure):
    controls = [part.control for part in parts_of(figure).values()]
    return any(control and control["kind"] == "slider" for control in controls)


def everything(page, row):
    """Return drawing and sentence, and the value of a slider: typed and spoken."""
    drawing = page.locator(".abh-drawing").first.inner_html()
    spoken = row.locator("input[type=range]").get_attribute("aria-valuetext")
    return drawing, reading(page), row.locator(".abh-field").input_value(), spoken


@pytest.mark.parametrize("figure", [*filter(has_slider, FIGURES)])
def test_a_move_of_a_slider_leaves_the_drawing_or_reading_as_it_was(open_page, figure):
    page = open_page(answered(figure()))
    rows = page.locator("[data-trait]:not([hidden]):has(input[type=range])").all()
    assert rows
    for row in rows:
        track = row.locator("input[type=range]")
        seen = [everything(page, row)]
        (x, y), width = middle(track), track.bounding_box()["width"]
        drag(page, (x - 0.2 * width, y), (x + 0.3 * width, y))
        seen.append(everything(page, row))
        track.press("ArrowLeft")
        seen.append(everything(page, row))
        row.locator(".abh-field").fill("3")
        seen.append(everything(page, row))
        for before, after in itertools.pairwise(seen):
            stayed = [a for a, b in zip(before, after, strict=True) if a == b]
            assert not stayed, f"a move of its slider left this as it was: {stayed}"


def test_a_refusal_does_not_say_the_range_or_escape_keeps_the_value(open_page):
    page = open_page(ScoreWalk(question={}))
    field = page.locator("[data-trait=d_k] .abh-field")
    words = page.locator("[data-trait=d_k] .abh-refusal")
    height = page.locator(".abh-card").bounding_box()["height"]
    enter(field, "32")
    field.fill("5000")
    assert words.inner_text() == "a whole number from 1 to 1024"
    assert page.locator(".abh-card").bounding_box()["height"] == height
    described = field.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").inner_text() == words.inner_text()
    for text in ("5000", "100"):
        field.fill(text)
        field.press("Escape")
        assert (field.input_value(), words.is_visible()) == ("32", False)
        assert "32" in reading(page)
    field.fill("5000")
    field.press("Tab")
    assert (field.input_value(), words.is_visible()) == ("32", True)
    page.locator("[data-trait=d_k] input[type=range]").press("ArrowRight")
    assert not words.is_visible()
    moved = field.input_value()
    field.fill("5000")
    field.press("Escape")
    assert field.input_value() == moved != "32"


def test_a_refusal_over_the_next_control_stops_clicks(open_page):
    page = open_page(ShapeExplorer())
    page.locator("[data-trait=d_model] .abh-field").fill("abc")
    beside = page.locator("[data-trait=h] .abh-field")
    words = page.locator("[data-trait=d_model] .abh-refusal").bounding_box()
    assert beside.bounding_box()["y"] < words["y"] + words["height"]
    beside.click(trial=True)


NEXT_STOPS = [
    ("4000", "End", "4096"),
    ("4000", "ArrowRight", "4096"),
    ("3", "ArrowLeft", "2"),
    ("70", "ArrowUp", "91"),
    ("70", "ArrowLeft", "64"),
    ("70", "Home", "1"),
    ("4095", "PageUp", "4096"),
]


def test_keys_miss_the_next_stop_from_a_typed_value(open_page):
    page = open_page(ShapeExplorer())
    track = page.locator("[data-trait=n] input[type=range]")
    for typed, key, stop in NEXT_STOPS:
        page.locator("[data-trait=n] .abh-field").fill(typed)
        track.press(key)
        assert track.get_attribute("aria-valuetext") == stop, (typed, key)


# --- Layout ---------------------------------------------------------------------------


@pytest.mark.slow
def test_random_moves_shift_the_layout(open_page):
    page = open_page(*(answered(figure()) for figure in FIGURES))
    for width in (360, 1280):
        resize(page, width, 900)
        seen = page.evaluate("figures.moveMany", moves(seed=width, count=20))
        for figure, places in zip(FIGURES, seen, strict=True):
            message = f"{figure.__name__} moved, with equally many controls: {places}"
            assert len(places) == len({controls for controls, *_ in places}), message


def test_a_figure_is_too_wide_for_a_phone_or_too_small_for_a_finger(open_page):
    page = open_page(*(answered(figure()) for figure in FIGURES))
    for width in (360, 288):  # 288: a zoom of 400 %, without margins
        resize(page, width, 800)
        assert page.evaluate("figures.outside()") == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("figures.smallTargets()") == []


HEIGHT = """() => document.querySelector(".abh-reading").getBoundingClientRect().bottom
  - document.querySelector(".abh-drawing").getBoundingClientRect().top"""
LONG = ["BankPlane", "ScoreWalk"]  # the whole card is higher than the screen
OTHERS = ["GrowingHead", "QueryDial", "SharedBoard", "SmallWhoIsIt", "TwoHeads"]


@pytest.mark.parametrize("name", [*LONG, *OTHERS, "WhoIsIt"])
def test_a_figure_with_its_sentence_is_higher_than_a_phone(open_page, name):
    page = open_page(getattr(widgets, name)(), width=390, height=844)
    assert page.evaluate(HEIGHT) <= 844
    height = page.locator(".abh-card").bounding_box()["height"]
    assert name in LONG or height <= 844


# --- Single figures -------------------------------------------------------------------


def test_a_box_that_is_not_to_scale_shows_no_gap_across_a_side(open_page):
    page = open_page(ShapeExplorer())
    for n, d_model, h in ((64, 512, 8), (3, 512, 8), (4096, 64, 2), (5, 4, 2)):
        width = d_model // h
        sizes = {"n": n, "d_model": d_model, "h": h, "d_k": width, "d_v": width}
        for trait, size in sizes.items():
            page.locator(f"[data-trait={trait}] .abh-field").fill(str(size))
        boxes = page.evaluate("figures.boxes()")
        sides = [
            side
            for box in boxes
            for side in zip(box["sizes"], box["frame"], box["gaps"], strict=True)
        ]
        scales = [drawn / size for size, drawn, gap in sides if not gap]
        np.testing.assert_allclose(scales, scales[0], rtol=1e-4, err_msg=str(sizes))
        longest = max(drawn for _, drawn, _ in sides)
        for size, drawn, gap in sides:
            assert not gap or drawn == longest < size * scales[0], sizes


def test_a_press_or_arrow_key_opens_another_head_of_the_wall(open_page):
    page = open_page(answered(HeadWall()))

    def opened():
        traits = ("layer", "head")
        fields = (page.locator(f"[data-trait={name}] .abh-field") for name in traits)
        return tuple(int(field.input_value()) for field in fields)

    ends = page.locator(".abh-wall-ends span").all_inner_texts()
    assert ends == ["layer 0", "14", "layer 15", "29"]
    bands = page.locator(".abh-wall-squares")
    for layer, head in ((2, 7), (14, 0), (15, 8), (29, 3)):
        band = bands.nth(layer // 15)
        box = band.bounding_box()
        x, y = (layer % 15 + 0.5) / 15 * box["width"], (head + 0.5) / 9 * box["height"]
        band.click(position={"x": x, "y": y})
        assert opened() == (layer, head)
    at = opened()
    for key, by in (
        ("ArrowLeft", (-1, 0)),
        ("ArrowDown", (0, 1)),
        ("ArrowUp", (0, -1)),
    ):
        for _ in range(31 if by[0] else 10):
            bands.first.press(key)
            at = tuple(np.clip(np.add(at, by), 0, (29, 8)).tolist())
            assert opened() == at


def test_a_caught_suspect_is_not_marked(open_page):
    figure = Suspects(on=[*Suspects().on[1:], True])  # the last test catches five
    marked = open_page(figure).locator(".abh-caught")
    assert marked.count() == figure.facts()["caught"]


def test_a_skipped_tile_is_not_drawn_below_the_diagonal(open_page):
    page = open_page(TileMap(block=2, causal=True))
    skipped = page.locator(".abh-tile-skipped").evaluate_all(
        "all => all.map(({ x, y }) => [x.baseVal.value, y.baseVal.value])"
    )
    assert len(skipped) == 6  # pairs of 4 blocks of words
    assert all(x > y for x, y in skipped)


def test_equal_weights_do_not_fill_the_gauge_of_the_entropy(open_page):
    page = open_page(SoftmaxSharpness())
    for beta, full in (("0", 1), ("100", 0)):
        enter(page.get_by_label("Sharpness, typed"), beta)
        points = page.locator(".abh-gauge-fill").get_attribute("points")
        assert max(float(x) for x in re.findall(r"([\d.]+),", points)) == full
