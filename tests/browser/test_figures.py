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
from frames import resize
from playwright.sync_api import expect
from repeats import ends_daily, first_and_weekly

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
ASKING = [figure for figure in FIGURES if figure().question]


def everything(page):
    """Return what the figure shows: the markup of the drawing, and the sentence."""
    drawing = page.locator(".abh-drawing").first.inner_html()
    return drawing, reading(page)


# --- The boxes of ShapeExplorer ---------------------------------------------------


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
        broken = [(size, drawn) for size, drawn, gap in sides if gap]
        assert all(drawn == longest for _, drawn in broken), sizes
        assert all(size * scales[0] > longest for size, _ in broken), sizes
        for box in boxes:
            check_gaps(box["frame"], box["gaps"])
        labels = page.locator(".abh-costs tbody th").evaluate_all(
            "all => all.map(({ ariaLabel }) => ariaLabel)"
        )
        for label, left, right in zip(labels, boxes[::3], boxes[1::3], strict=True):
            shapes = [" × ".join(map(str, box["sizes"])) for box in (left, right)]
            assert label.endswith(f", {' times '.join(shapes)}")


def check_gaps(frame, gaps):
    """Check that a gap lies across its side and takes less than half of it."""
    for side, gap in enumerate(gaps):
        if gap:
            assert gap[1 - side] > frame[1 - side] > 0
            assert gap[side] < frame[side] / 2


# --- The question -----------------------------------------------------------------


@pytest.mark.parametrize("figure", ends_daily(FIGURES))
def test_a_control_has_no_name_or_no_ring_or_fails_before_an_answer(open_page, figure):
    page = open_page(figure())
    controls = page.locator(".abh-body :is(input, select, button):visible")
    assert controls.count() > 0
    assert controls.count() == page.evaluate("figures.unhidden()")
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


@pytest.mark.parametrize("figure", ends_daily(ASKING))
def test_a_question_cannot_be_skipped_or_answered_later_or_again(open_page, figure):
    widget = figure()
    page = open_page(widget)
    page.get_by_role("button", name="without predicting").click()
    line = page.locator(".abh-folded")
    assert line.inner_text().strip() == f"Not predicted: {widget.question['prompt']}"
    assert page.locator(".abh-offer").bounding_box()["height"] < 60
    assert line.evaluate("line => line === document.activeElement")
    line.click()
    right = [choice["right"] for choice in widget.question["choices"]].index(True)
    page.locator(".abh-choice input").nth(right).check()
    page.get_by_role("button", name="Commit").click()
    assert line.inner_text().startswith("You predicted")
    line.click()
    page.get_by_role("button", name="Answer again").click()
    expect(page.get_by_role("button", name="Not predicted")).to_be_hidden()
    expect(page.get_by_role("radio").first).to_be_visible()


# --- Controls ---------------------------------------------------------------------


def has_slider(figure):
    controls = [part.control for part in parts_of(figure).values()]
    return any(control and control["kind"] == "slider" for control in controls)


def sliders(page):
    """Return the traits with a visible slider, in the order of the page."""
    shown = page.locator("[data-trait]:not([hidden]):has(input[type=range])")
    return shown.evaluate_all("rows => rows.map((row) => row.dataset.trait)")


@pytest.mark.parametrize("figure", [*filter(has_slider, FIGURES)])
def test_a_move_of_a_slider_leaves_the_drawing_or_reading_as_it_was(open_page, figure):
    page = open_page(answered(figure()))
    traits = sliders(page)
    assert traits
    for trait in traits:
        row = page.locator(f"[data-trait={trait}]")
        track, field = row.locator("input[type=range]"), row.locator(".abh-field")
        seen = [(*everything(page), field.input_value())]
        (x, y), width = middle(track), track.bounding_box()["width"]
        drag(page, (x - 0.2 * width, y), (x + 0.3 * width, y))
        seen.append((*everything(page), field.input_value()))
        track.press("ArrowLeft")
        seen.append((*everything(page), field.input_value()))
        field.fill("3")
        seen.append((*everything(page), track.get_attribute("aria-valuetext")))
        for before, after in itertools.pairwise(seen):
            stayed = [a for a, b in zip(before, after, strict=True) if a == b]
            assert not stayed, f"{trait}: a move of its slider left this as it was"


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "widths"), first_and_weekly([(20, (360, 1280)), (400, (360, 672, 1280))])
)
def test_random_moves_shift_the_layout(open_page, count, widths):
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
PRESSES = {"click", "dblclick", "mousedown", "pointerdown"}


def for_the_mouse_only(page) -> list[str]:
    """Return the elements of a card that hear clicks but that no key can press."""
    session = page.context.new_cdp_session(page)
    card = {"expression": "document.querySelector('.abh-card')"}
    remote = session.send("Runtime.evaluate", card)["result"]["objectId"]
    whole = {"objectId": remote, "depth": -1}
    heard = session.send("DOMDebugger.getEventListeners", whole)["listeners"]
    found = []
    for each in heard:
        if each["type"] in PRESSES:
            place = {"backendNodeId": each["backendNodeId"]}
            node = session.send("DOM.resolveNode", place)["object"]
            ask = {**ASK, "objectId": node["objectId"]}
            found.append(session.send("Runtime.callFunctionOn", ask)["result"]["value"])
    session.detach()
    assert found, "no element of the card hears clicks"
    return [markup for markup in found if markup]


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
    if name not in LONG:
        assert page.locator(".abh-card").bounding_box()["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") == 390


LAYER_HEAD = ("layer", "head")


def opened(page):
    """Return the layer and the head that the wall of heads shows."""
    fields = (page.locator(f"[data-trait={name}] .abh-field") for name in LAYER_HEAD)
    return [int(field.input_value()) for field in fields]


@pytest.mark.parametrize(LAYER_HEAD, [(2, 7), (14, 0), (15, 8), (29, 3)])
def test_a_press_on_a_square_does_not_open_its_head(open_page, layer, head):
    page = open_page(answered(HeadWall()))
    band = page.locator(".abh-wall-squares").nth(layer // 15)
    box = band.bounding_box()
    x, y = (layer % 15 + 0.5) / 15 * box["width"], (head + 0.5) / 9 * box["height"]
    band.click(position={"x": x, "y": y})
    assert opened(page) == [layer, head]


def test_arrow_keys_miss_a_layer_or_head_of_the_wall(open_page):
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
