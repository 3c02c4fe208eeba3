"""Figures alone on a small page: their controls and questions, compared with Python.

Each figure is on a small page with the site's own runtime. The tests of every page test
the figures on the pages of the book.
"""

import itertools
import random
import re

import numpy as np
import pytest
from found import answered, figures, with_sliders
from frames import resize
from playwright.sync_api import expect
from repeats import ends_and_weekly, first_and_weekly

from course.widgets import (
    HeadWall,
    ScoreWalk,
    ShapeExplorer,
    TileMap,
)

FIGURES = figures()
ASKING = [figure for figure in FIGURES if figure().question]
WITH_SLIDERS = with_sliders()


def everything(page):
    """Return what the figure shows: the markup of the drawing, and the sentence."""
    drawing = page.locator(".abh-drawing").first.inner_html()
    return drawing, page.locator(".abh-reading").first.inner_text()


# --- Numbers agree with Python ----------------------------------------------------


def check_counts(figure, named):
    """Compare every count on the page with Python's, exactly."""
    for name, costs in figure.numbers().items():
        for cost, count in costs.items():
            assert named[f"{name}-{cost}"] == count


def test_counts_use_the_widths_of_keys_and_values(open_page):
    page = open_page(ShapeExplorer())
    page.locator("[data-trait=d_k] .abh-field").fill("48")
    page.locator("[data-trait=d_v] .abh-field").fill("80")
    check_counts(ShapeExplorer(d_k=48, d_v=80), page.evaluate("figures.named()"))


def test_boxes_are_to_scale_or_show_a_gap(open_page):
    page = open_page(ShapeExplorer())
    for n, d_model, h in ((64, 512, 8), (3, 512, 8), (4096, 64, 2), (5, 4, 2)):
        width = d_model // h
        sizes = {"n": n, "d_model": d_model, "h": h, "d_k": width, "d_v": width}
        page.evaluate("figures.everyShape", [sizes])
        boxes = page.evaluate("figures.sides()")
        scales = [pixels / side for side, pixels, broken in boxes if not broken]
        np.testing.assert_allclose(scales, scales[0], rtol=1e-4, err_msg=str(sizes))
        longest = max(pixels for _, pixels, _ in boxes)
        assert all(
            pixels == longest and side * scales[0] > longest
            for side, pixels, broken in boxes
            if broken
        ), sizes


# --- The question -----------------------------------------------------------------


@pytest.mark.parametrize("figure", ends_and_weekly(FIGURES))
def test_every_control_has_a_name_and_a_ring_and_works_before_an_answer(
    open_page, figure
):
    page = open_page(figure())
    controls = page.locator(".abh-body :is(input, select, button):visible")
    assert controls.count() > 0
    assert controls.count() == page.evaluate("figures.stopsOrRadios()")
    assert page.evaluate("figures.nameless()") == []
    assert for_the_mouse_only(page) == []
    assert reached_by_keyboard(page) == page.evaluate("figures.stops()")
    before = everything(page)
    page.evaluate("moves => moves.forEach((m) => figures.moveOne(...m))", moves(5, 40))
    assert everything(page) != before
    assert page.locator(".abh-predict").is_visible() == bool(figure().question)


def reached_by_keyboard(page):
    """Return how many controls Tab reaches; each must show a focus ring."""
    reached = 0
    for _ in range(30):
        page.keyboard.press("Tab")
        inside, ring = page.evaluate("figures.focus()")
        if not inside and reached:
            break
        assert ring or not inside
        reached += inside
    return reached


@pytest.mark.parametrize("figure", ends_and_weekly(ASKING))
def test_a_question_can_be_skipped_and_answered_later(open_page, figure):
    widget = figure()
    page = open_page(widget)
    page.get_by_role("button", name="without predicting").click()
    line = page.locator(".abh-folded")
    assert line.inner_text().strip() == f"Not predicted: {widget.question['prompt']}"
    assert page.locator(".abh-offer").bounding_box()["height"] < 60
    assert line.evaluate("line => line === document.activeElement")
    line.click()
    page.locator(".abh-choice input").first.check()
    page.get_by_role("button", name="Commit").click()
    assert line.inner_text().startswith("You predicted")


# --- Controls ---------------------------------------------------------------------


def sliders(page):
    """Return the traits with a visible slider, in the order of the page."""
    shown = page.locator("[data-trait]:not([hidden]):has(input[type=range])")
    return shown.evaluate_all("rows => rows.map((row) => row.dataset.trait)")


@pytest.mark.parametrize("figure", WITH_SLIDERS)
def test_drag_type_and_arrow_keys_change_drawing_and_reading(open_page, figure):
    page = open_page(answered(figure()))
    for trait in sliders(page):
        row = page.locator(f"[data-trait={trait}]")
        track, field = (
            row.locator("input[type=range]"),
            row.locator(".abh-field"),
        )
        seen = [(*everything(page), field.input_value())]
        box = track.bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] * 0.3, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, middle, steps=4)
        page.mouse.up()
        seen.append((*everything(page), field.input_value()))
        track.press("ArrowLeft")
        seen.append((*everything(page), field.input_value()))
        field.fill("3")
        seen.append((*everything(page), track.get_attribute("aria-valuetext")))
        for before, after in itertools.pairwise(seen):
            stayed = [a for a, b in zip(before, after, strict=True) if a == b]
            assert not stayed, f"{trait}: a move of its slider left this as it was"


def test_a_refused_value_says_the_range_and_escape_takes_it_back(open_page):
    page = open_page(ScoreWalk(question={}))
    field = page.locator("[data-trait=d_k] .abh-field")
    words = page.locator("[data-trait=d_k] .abh-refusal")
    height = page.locator(".abh-card").bounding_box()["height"]
    field.fill("32")
    field.press("Enter")
    field.fill("5000")
    assert words.inner_text() == "a whole number from 1 to 1024"
    assert page.locator(".abh-card").bounding_box()["height"] == height
    described = field.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").inner_text() == words.inner_text()
    field.press("Escape")
    assert field.input_value() == "32"
    assert not words.is_visible()
    field.fill("100")
    field.press("Escape")
    assert (field.input_value(), "32" in everything(page)[1]) == ("32", True)
    field.fill("5000")
    field.press("Tab")
    assert (field.input_value(), words.is_visible()) == ("32", True)
    page.locator("[data-trait=d_k] input[type=range]").press("ArrowRight")
    assert not words.is_visible()


def test_a_refusal_over_the_next_control_lets_clicks_through(open_page):
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


def test_keys_lead_to_the_next_stop_from_a_typed_value(open_page):
    page = open_page(ShapeExplorer())
    track = page.locator("[data-trait=n] input[type=range]")
    for typed, key, stop in NEXT_STOPS:
        page.locator("[data-trait=n] .abh-field").fill(typed)
        track.press(key)
        assert track.get_attribute("aria-valuetext") == stop, (typed, key)


def moves(seed, count):
    """Return random moves: two numbers from 0 to 1 choose a control and its value."""
    rng = random.Random(seed)
    return [(rng.random(), rng.random()) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "widths"), first_and_weekly([(20, (360, 1280)), (400, (360, 672, 1280))])
)
def test_random_moves_do_not_shift_the_layout(open_page, count, widths):
    page = open_page(*(answered(figure()) for figure in FIGURES))
    for width in widths:
        resize(page, width, 900)
        seen = page.evaluate("figures.moveMany", moves(seed=width, count=count))
        for figure, places in zip(FIGURES, seen, strict=True):
            message = f"{figure.__name__} moved, with equally many controls: {places}"
            assert len(places) == len({controls for controls, *_ in places}), message
        text = page.locator("main").inner_text()
        assert not re.search("NaN|undefined|Infinity", text)


ASK = {"functionDeclaration": "function () { return figures.mouseOnly(this); }"}
BACKEND = "backendNodeId"


def for_the_mouse_only(page) -> list[str]:
    """Return the elements of a card that hear clicks but that no key can press."""
    session = page.context.new_cdp_session(page)
    card = {"expression": "document.querySelector('.abh-card')"}
    remote = session.send("Runtime.evaluate", card)["result"]["objectId"]
    heard = session.send(
        "DOMDebugger.getEventListeners", {"objectId": remote, "depth": -1}
    )
    said = [
        session.send("Runtime.callFunctionOn", {**ASK, "objectId": node["objectId"]})
        for each in heard["listeners"]
        if each["type"] in {"click", "dblclick", "mousedown", "pointerdown"}
        for node in [
            session.send("DOM.resolveNode", {BACKEND: each[BACKEND]})["object"]
        ]
    ]
    session.detach()
    return [value for each in said if (value := each["result"]["value"])]


def test_all_figures_fit_on_a_phone_and_can_be_hit_by_a_finger(open_page):
    page = open_page(*(answered(figure()) for figure in FIGURES))
    assert page.locator(".abh-card").count() == len(FIGURES)
    for width in (360, 288):  # 288: a zoom of 400 %, without margins
        resize(page, width, 800)
        assert page.evaluate("figures.outside()") == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("figures.smallTargets()") == []


LAYER_HEAD = ("layer", "head")


def opened(page):
    """Return the layer and the head that the wall of heads shows."""
    fields = (page.locator(f"[data-trait={name}] .abh-field") for name in LAYER_HEAD)
    return [int(field.input_value()) for field in fields]


@pytest.mark.parametrize(LAYER_HEAD, [(2, 7), (14, 0), (15, 8), (29, 3)])
def test_a_press_on_a_square_opens_another_head(open_page, layer, head):
    page = open_page(answered(HeadWall()))
    band = page.locator(".abh-wall-squares").nth(layer // 15)
    box = band.bounding_box()
    x, y = (layer % 15 + 0.5) / 15 * box["width"], (head + 0.5) / 9 * box["height"]
    band.click(position={"x": x, "y": y})
    assert opened(page) == [layer, head]


def test_arrow_keys_reach_every_layer_and_head_of_the_wall(open_page):
    page = open_page(answered(HeadWall()))
    ends = page.locator(".abh-wall-ends span").all_inner_texts()
    assert ends == ["layer 0", "14", "layer 15", "29"]
    band = page.locator(".abh-wall-squares").first
    at = opened(page)
    for key, by in (("ArrowRight", (1, 0)), ("ArrowDown", (0, 1))):
        for _ in range(31 if by[0] else 10):
            band.press(key)
            at = [min(at[0] + by[0], 29), min(at[1] + by[1], 8)]
            assert opened(page) == at


def test_the_gap_of_a_long_side_lies_across_that_side(open_page):
    page = open_page(ShapeExplorer(n=1024, d_model=64, h=2))
    crossed = page.locator(".abh-box").evaluate_all(
        """all => all.flatMap((box) => {
          const frame = box.querySelector("polygon").getBBox();
          return [...box.querySelectorAll(".abh-gap")]
            .filter((gap) => gap.getAttribute("points"))
            .map((gap) => [frame, gap.getBBox()])
            .map((both) => both.map(({ width, height }) => [width, height]));
        })"""
    )
    oblong = [each for each in crossed if abs(each[0][0] - each[0][1]) > 5]
    assert oblong
    for (width, height), (wide, high) in oblong:
        across, along = (high, wide) if width > height else (wide, high)
        assert across > min(width, height) > 0
        assert along < max(width, height) / 2


def test_a_question_answered_after_it_was_skipped_can_be_answered_again(open_page):
    page = open_page(ScoreWalk())
    page.get_by_role("button", name="Go on without predicting").click()
    page.get_by_role("button", name="Not predicted").click()
    right = [choice["right"] for choice in ScoreWalk().question["choices"]]
    page.get_by_role("radio").nth(right.index(True)).check()
    page.get_by_role("button", name="Commit to this answer").click()
    page.get_by_role("button", name="You predicted").click()
    page.get_by_role("button", name="Answer again").click()
    expect(page.get_by_role("button", name="Not predicted")).to_be_hidden()
    expect(page.get_by_role("radio").first).to_be_visible()


def test_skipped_tiles_are_drawn_below_the_diagonal(open_page):
    page = open_page(TileMap(block=2, causal=True))
    skipped = page.locator(".abh-tile-skipped").evaluate_all(
        "all => all.map(({ x, y }) => [x.baseVal.value, y.baseVal.value])"
    )
    assert len(skipped) == 6  # pairs of 4 blocks of words
    assert all(x > y for x, y in skipped)
