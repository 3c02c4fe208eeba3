"""Planes with points to drag: the drawing agrees with Python, and points move."""

from pathlib import Path

import displayed
import numpy as np
import pytest
from acts import drag, drag_by_finger, middle, reading
from found import states
from frames import written
from playwright.sync_api import expect

from course.widgets import BankPlane, QueryDial, RotaryDial, SharedBoard, TwoHeads
from course.widgets.plane import bank, dial

PRECISION = 0.006  # in units of an axis: the drawing rounds pixels to two decimals


# Script that reads the positions in a drawing, in units of the axes drawn.
DRAWN = Path(__file__).with_name("planes.js").read_text(encoding="utf-8")


def near(seen, wanted, tolerance=PRECISION):
    np.testing.assert_allclose(seen, wanted, rtol=0, atol=tolerance)


def distances(places, place):
    return np.abs(np.subtract(places, place)).sum(axis=1)


def inside(corners, point):
    """Return whether a point lies in a convex polygon, up to `PRECISION`."""
    x, y = np.asarray(corners).T
    u, v = point
    turns = (np.roll(x, -1) - x) * (v - y) - (np.roll(y, -1) - y) * (u - x)
    return (turns > -PRECISION).all() or (turns < PRECISION).all()


def of_bank(card):
    """Return the words, the places of the names, the weights and the new "bank"."""
    words = bank.SENTENCES[card.sentence].split()
    trace, row = card._trace(), words.index("bank")
    places = {name: getattr(card, name) for name in dict.fromkeys(words)}
    return words, places, trace.weights[row], trace.output[row]


# For these places of "bank", a line of equal score ends near a corner of the frame.
AT_CORNERS = [[0.28, 0.02], [0.02, 0.28], [0.3, 0], [0.5, 0.3], [0.7, 0.7], [1.7, 1.7]]


def test_the_drawn_plane_of_bank_differs_from_python(open_page):
    cards = [*states(BankPlane), *(BankPlane(bank=place) for place in AT_CORNERS)]
    page = open_page(*cards)
    page.evaluate(f"{DRAWN}; 0")
    found = displayed.ask(page, "planes", bank.FARTHEST)
    for card, drawn in zip(cards, found, strict=True):
        words, places, weights, output = of_bank(card)
        before = of_bank(BankPlane(sentence=card.sentence))
        own, unit = places["bank"], drawn["unit"]
        labels, knobs = zip(*drawn["knobs"], strict=True)
        twice = (name if words.count(name) == 1 else f"{name} ×2" for name in places)
        assert labels == (*twice,)
        near(knobs, [*places.values()])
        shares = {name: weights[np.array(words) == name].sum() for name in places}
        others = [name for name in places if name != "bank"]
        for corners, name in zip(drawn["lines"], others, strict=True):
            if places[name] != own:
                check_line(corners, own, places[name], shares[name], unit)
        near(drawn["ring"][0], own)
        near(drawn["ring"][1], bank.THICKNESS * shares["bank"], 0.01)
        near(drawn["end"], output)
        if np.hypot(*np.subtract(output, own)) * unit > 0.5:  # no shorter arrow
            assert distances(drawn["path"], output).min() < PRECISION
        check_hull(drawn["reach"], [*places.values()], output)
        check_levels(drawn["levels"], own)
        for place in drawn["score"]:  # the word "score" stands inside the frame
            near(place, np.clip(place, 0, bank.FARTHEST))
        near(drawn["bars"], weights, 1e-4)
        moved = [places[name] != before[1][name] for name in places]
        ghosts, are_shown = zip(*drawn["ghosts"], strict=True)
        near(ghosts, [*before[1].values(), before[3]])
        assert are_shown == (*moved, any(moved))
        are_hidden, marks = zip(*drawn["marks"], strict=True)
        assert set(are_hidden) == {not any(moved)}
        near(marks, before[2], 1e-4)


def check_line(corners, start, end, share, unit):
    """Check that a band joins two places, and that its thickness shows the share."""
    a, b, c, d = map(np.array, corners)
    near((a + d) / 2, start)
    near((b + c) / 2, end)
    near(np.hypot(*(a - d)) * unit, bank.THICKNESS * share, 0.05)


def check_hull(corners, places, output):
    """Check that the dashed line has places as corners, and encloses all of them."""
    assert all(distances(places, corner).min() < PRECISION for corner in corners)
    if len(corners) > 2:
        assert all(inside(corners, place) for place in [*places, output])


def check_levels(lines, place):
    """Check that each whole number below the highest score has a line, no other."""
    highest = 4 * bank.FARTHEST * sum(place)  # queries and keys are 2 X
    for score, corners in enumerate(lines, start=1):
        assert bool(corners) == (score < highest), score
        if corners:
            scores = np.sort(4 * np.array(corners) @ place)
            tolerance = 4 * PRECISION * np.hypot(*place) + 1e-9
            near(scores[:2], score, tolerance)  # one edge is the line of that score
            assert scores[-1] == pytest.approx(highest, abs=tolerance)


# --- The dial -------------------------------------------------------------------------


def fitted(drawn, places):
    """Return the drawn length of 1 and the drawn place of 0, for both axes."""
    drawn, places = np.array(drawn), np.array(places)
    fits = [np.polyfit(places[:, axis], drawn[:, axis], 1) for axis in (0, 1)]
    units, starts = np.transpose(fits)
    near(places * units + starts, drawn, 0.02)
    near(units[0], -units[1], 0.01)  # to scale, and upwards
    return units, starts


def area(corners):
    x, y = np.transpose(corners)
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def test_the_drawn_dial_differs_from_python(open_page):
    cards = states(QueryDial)
    page = open_page(*cards)
    page.evaluate(f"{DRAWN}; 0")
    for card, drawn in zip(cards, displayed.ask(page, "dials"), strict=True):
        keys, values = dial.KEYS[: 3 + card.fourth], dial.VALUES[: 3 + card.fourth]
        trace = card._trace([card.angle])
        units, starts = fitted(drawn["keys"], keys)
        angle = np.radians(card.angle)
        along = np.array([np.cos(angle), np.sin(angle)])
        feet = (np.array(drawn["feet"]) - starts) / units
        near(feet, (keys @ along)[:, np.newaxis] * along, 0.001)
        near(feet @ along * card.length, trace.scores[0], 0.001 * card.length + 1e-9)
        ends = zip(drawn["keys"], drawn["feet"], strict=True)
        near(drawn["drops"], [*ends], 0.02)
        tip = (np.array(drawn["tip"]) - starts) / units
        near(tip, 0.82 * np.sqrt(card.length / dial.LONGEST) * along, 0.001)
        lengths = np.array(dial.LENGTHS)
        near(drawn["rings"] / units[0], 0.82 * np.sqrt(lengths / dial.LONGEST), 0.001)
        assert drawn["lengths"] == [f"length {length}" for length in lengths]
        units, starts = fitted(drawn["values"], values)
        near((np.array(drawn["end"]) - starts) / units, trace.output[0], 0.001)
        around = card._trace(np.arange(dial.TURNS) * 360 / dial.TURNS).output
        near((np.array(drawn["ring"]) - starts) / units, around, 0.001)
        near(drawn["bars"], trace.weights[0], 1e-4)
        hull_area = area((np.array(drawn["beyond"]) - starts) / units)
        near(hull_area, area(values[[0, 1, 3, 2] if card.fourth else [0, 1, 2]]), 0.001)


def test_the_drawn_angle_does_not_lie_between_the_arrows_of_key_and_query(open_page):
    page = open_page(RotaryDial(query=5, key=3, angle=30))
    points = page.locator(".abh-wedge").get_attribute("points").split()
    (cx, cy), *rim = [[float(x) for x in point.split(",")] for point in points]
    turned = [np.degrees(np.arctan2(cy - y, x - cx)) % 360 for x, y in rim]
    near([turned[0], turned[-1]], [90, 150], 0.1)  # the key's arrow, the query's


def test_the_reach_does_not_grow_with_the_length_of_the_query():
    reach = [QueryDial(length=x).facts()["reach"] for x in np.linspace(0.5, 24, 30)]
    assert np.all(np.diff(reach) > 0)
    assert reach[-1] > 0.9


def test_the_fourth_word_has_the_largest_weight_for_some_query():
    for length in (0.1, 1.0, 6.0, 24.0):
        trace = QueryDial(length=length, fourth=True)._trace(np.arange(-180, 180))
        assert (trace.weights[:, 3] < trace.weights[:, :3].max(axis=1)).all()
        assert trace.weights[:, 3].max() <= 0.25


def test_arrow_keys_do_not_lead_away_from_length_0(open_page):
    page = open_page(QueryDial(length=0))
    query = page.locator(".abh-knob")
    query.press("ArrowUp")
    assert query.get_attribute("aria-valuetext") == "90 degrees, length 0.1"


def test_dragging_the_tip_does_not_turn_or_stretch_the_query(open_page):
    page = open_page(QueryDial())
    query = page.locator(".abh-knob")
    rim = page.locator(".abh-rim").last
    x, y = middle(rim)
    half = (x - rim.bounding_box()["width"] / 4, y)  # half the radius: length 24 / 4
    drag(page, middle(query), half)
    turned = page.locator("[data-trait=angle] .abh-field")
    stretched = page.locator("[data-trait=length] .abh-field")
    assert abs(float(turned.input_value())) in {180, 179, 178}
    assert float(stretched.input_value()) == pytest.approx(6, abs=0.3)
    page.locator(displayed.UNDO).dispatch_event("click")
    assert (turned.input_value(), stretched.input_value()) == ("60", "6")
    query.press("Shift+ArrowDown")
    assert float(turned.input_value()) < 60
    page.get_by_role("button", name="Add a word").click()
    assert "no query gives it the most" in reading(page)
    assert page.locator(".abh-row tbody th").all_inner_texts()[-1] == dial.FOURTH
    page.get_by_role("button", name="away").click()
    assert page.locator(".abh-row tbody th").count() == 3


# --- Two heads ------------------------------------------------------------------------


# Returns on the screen the starts of the three guides of TwoHeads.
GUIDES = """() => [...document.querySelectorAll(".abh-guide")].map((guide) => {
  const { x, y } = guide.points[0].matrixTransform(guide.getScreenCTM());
  return [x, y];
})"""


def test_one_head_leaves_its_triangle_or_two_do_not_reach_the_star(open_page):
    page = open_page(TwoHeads())
    star, goal = page.locator(".abh-star"), page.locator(".abh-goal-verdict")

    def drag_head(head, node):
        drag(page, middle(knob(page, f"'head {head}'")), middle(node))

    page.get_by_label("Second head").check()
    knobs = [middle(knob(page, f"'head {head}'")) for head in (1, 2)]
    near(page.evaluate(GUIDES), [*knobs, middle(page.locator(".abh-end"))], 1)
    page.get_by_label("Second head").uncheck()
    drag_head(1, star)
    assert "1.20 from the star. One head always stays farther" in reading(page)
    assert goal.inner_text() == "Not yet."
    page.get_by_label("Second head").check()
    corners = page.locator(".abh-corner")
    drag_head(1, corners.nth(0))
    drag_head(2, corners.nth(2))
    assert "as near as you like" in reading(page)
    assert goal.inner_text().startswith("Right:")
    written(page)
    kept = page.evaluate("JSON.stringify(localStorage)")
    knob(page, "'head 1'").press("ArrowLeft")  # reaches the goal too
    written(page)
    assert page.evaluate("JSON.stringify(localStorage)") == kept, "the first state"
    page.get_by_label("Second head").uncheck()
    assert goal.inner_text().startswith("Right:")  # a reached goal stays reached


# --- The shared board -----------------------------------------------------------------


def test_dragged_blocks_do_not_reach_the_marks(open_page):
    page = open_page(SharedBoard())
    goal = page.locator(".abh-goal-verdict")
    first, second = (knob(page, f"'block of head {head}'") for head in (1, 2))
    cell = page.locator(".abh-block").first.bounding_box()
    x, y = middle(first)
    drag(page, (x, y), (x + cell["width"] / 4, y))  # one column to the right
    assert first.get_attribute("aria-valuetext") == "columns 3 and 4, strength 1"
    page.locator(displayed.UNDO).dispatch_event("click")
    assert first.get_attribute("aria-valuetext") == "columns 2 and 3, strength 1"
    tile = page.locator(".abh-tile").first
    left = cell["x"] + cell["width"] / 4
    assert tile.bounding_box()["x"] == pytest.approx(left, abs=2)
    first.press("ArrowRight")
    assert tile.bounding_box()["x"] == pytest.approx(left + cell["width"] / 4, abs=2)
    second.press("ArrowRight")
    assert goal.inner_text() == "Not yet."
    for _ in range(2):
        second.press("ArrowDown")
    assert second.get_attribute("aria-valuetext") == "columns 2 and 3, strength 0.5"
    assert page.locator(".abh-hit").count() == 4
    assert goal.inner_text().startswith("Right:")
    page.get_by_label("Output projection").select_option("block-diagonal")
    second.press("ArrowRight")  # head 2 stays in its columns
    assert second.get_attribute("aria-valuetext") == "columns 3 and 4, strength 0.5"
    assert page.locator(".abh-knob:visible").count() == 2
    assert page.get_by_text("Drag a block up or down.").is_visible()
    page.get_by_label("Output projection").select_option("full")
    assert second.get_attribute("aria-valuetext") == "columns 2 and 3, strength 0.5"
    page.get_by_label("Output projection").select_option("left out")
    assert page.locator(".abh-knob:visible").count() == 0


def test_the_bars_of_the_board_are_not_as_long_as_the_numbers(open_page):
    cards = states(SharedBoard)
    page = open_page(*cards)
    heights = """card => [...card.querySelectorAll(".abh-bar")].map((bar) =>
      bar.getAttribute("points").split(" ").map((c) => Number(c.split(",")[1])))
      .map((ys) => Math.max(...ys) - Math.min(...ys))"""
    for card, node in zip(cards, page.locator(".abh-card").all(), strict=True):
        near(node.evaluate(heights), 23 * np.abs(card.written()).ravel(), 0.02)


# --- Moving ---------------------------------------------------------------------------

PLACE = "node => [node.ariaValueText, node.style.left, node.style.top]"


def knob(page, name):
    return page.locator(f".abh-knob[aria-label^={name}]")


def test_the_mouse_moves_a_word_wrongly_or_a_drag_is_not_one_undo_step(open_page):
    page = open_page(BankPlane())
    river = knob(page, "river")
    first = river.evaluate(PLACE)
    x, y = middle(river)
    assert first[0] == "money 0.10, water 1.10"
    page.mouse.move(x, y)
    page.mouse.down(button="right")
    page.mouse.move(x + 60, y + 40)
    page.mouse.up(button="right")
    assert river.evaluate(PLACE) == first
    page.mouse.move(x + 5, y - 4)  # beside the middle: the word must not jump
    page.mouse.down()
    page.mouse.move(x + 65, y + 36, steps=6)
    near(middle(river), (x + 60, y + 40), 1.5)
    page.mouse.move(x + 2000, y + 2000)  # the word stays in the plane
    assert river.get_attribute("aria-valuetext") == "money 1.70, water 0.00"
    page.mouse.up()
    right, below = middle(river)
    for distance in (0, 5):  # over the word, without a press
        page.mouse.move(right - distance, below - distance)
    assert river.get_attribute("aria-valuetext") == "money 1.70, water 0.00"
    page.locator(displayed.UNDO).dispatch_event("click")
    assert river.evaluate(PLACE) == first
    assert page.locator(displayed.UNDO).get_attribute("aria-disabled") == "true"


def test_a_turned_arrow_does_not_follow_the_mouse_or_the_keys(open_page):
    page = open_page(RotaryDial(query=3, key=0, angle=30))
    query, product = knob(page, "query"), page.locator("[data-name=product]")
    expect(query).to_have_attribute("aria-valuenow", "3")  # 90 degrees: above
    x, y = middle(query)
    radius = page.locator(".abh-rim").bounding_box()["height"] / 2
    left = (x - radius, y + radius)  # 180 degrees
    drag(page, (x, y), (x - radius * 0.7, y + radius * 0.3), left)
    expect(query).to_have_attribute("aria-valuenow", "6")
    expect(product).to_have_text("\N{MINUS SIGN}1.00")
    knob(page, "key").press("ArrowUp")
    expect(knob(page, "key")).to_have_attribute("aria-valuenow", "1")
    expect(product).to_have_text("\N{MINUS SIGN}0.87")
    page.locator("[data-trait=shift] .abh-field").fill("7")
    expect(query).to_have_attribute("aria-valuetext", "position 13")
    expect(product).to_have_text("\N{MINUS SIGN}0.87")


def test_a_finger_does_not_drag_a_word_or_scrolls_the_page(open_page):
    page = open_page(BankPlane(), has_touch=True, width=390, height=500)
    river = knob(page, "river")
    x, y = middle(river)
    drag_by_finger(page, (x, y), (50, 25))
    near(middle(river), (x + 50, y + 25), 1.5)
    assert page.evaluate("scrollY") == 0


# Returns, for each plane of a page, the names that overlap and the names that stick out
# of the card. The names of the axes count too.
COLLISIONS = """() => [...document.querySelectorAll(".abh-card")].map((card) => {
  const names = card.querySelectorAll(
    ".abh-knob-name, .abh-end-name, .abh-axis ~ text:not(.abh-tick-x, .abh-tick-y)");
  const boxes = [...names]
    .map((node) => [node.textContent, node.getBoundingClientRect()]);
  const { left, right } = card.getBoundingClientRect();
  const over = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom - 3 && b.top < a.bottom - 3;  // boxes are higher than letters
  const pairs = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => over(a, b)).map(([other]) => `${one} over ${other}`));
  return [...pairs, ...boxes.filter(([, box]) => box.left < left || box.right > right)
    .map(([name]) => `${name} sticks out`)];
})"""


def test_names_overlap_at_some_place_of_a_dragged_word(open_page):
    marks = np.linspace(0, bank.FARTHEST, 6).round(2).tolist()
    places = [{"river": [x, y]} for x in marks for y in marks]
    places.append({"bank": [0, 0.34]})  # its name has no room on the left
    page = open_page(*(BankPlane(**place) for place in places), width=390)
    found = page.evaluate(COLLISIONS)
    assert {str(p): f for p, f in zip(places, found, strict=True) if f} == {}


def test_an_arrow_key_moves_a_word_to_a_wrong_place(open_page):
    page = open_page(BankPlane())
    river = knob(page, "river")
    for key, place in (
        ("ArrowRight", "money 0.12, water 1.10"),
        ("Shift+ArrowUp", "money 0.12, water 1.20"),
        ("ArrowLeft", "money 0.10, water 1.20"),
    ):
        river.press(key)
        assert river.get_attribute("aria-valuetext") == place
    assert reading(page) == BankPlane(river=[0.1, 1.2]).reading()
