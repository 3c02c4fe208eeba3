"""Figures on wide screens, and on the whole of one."""

from itertools import product

import pytest
from alone import answer_with, page_of
from found import cards, figures, is_made_alone
from frames import resize
from repeats import ends_and_weekly, first_and_weekly

ADDRESS = "http://figures.test/"
SHEET = "chapters/05-walkthrough-apple.html?worksheet.step=sheet"


CUT = """() => [...document.querySelectorAll(".abh-ws-matrix")]
  .filter((box) => box.scrollWidth > box.clientWidth).length"""
NO_HIGHER = """highest =>
  document.querySelector(".abh-ws-card").getBoundingClientRect().height <= highest"""
BELOW = """() => {
  const last = (name) => [...document.querySelectorAll(name)].at(-1);
  const [panel, group] = [last(".abh-ws-arithmetic"), last(".abh-ws-group")]
    .map((node) => node.getBoundingClientRect());
  const isLast = panel.top >= group.bottom - 1 && panel.bottom <= innerHeight;
  const isAtTheEdge = Math.abs(panel.bottom - innerHeight) < 20; // of the window
  return (isLast || isAtTheEdge) && panel.left < group.right;
}"""


def test_the_apple_sheet_uses_the_width(watch, site, wait_until):
    page = watch(width=2560, height=1200).open(f"{site}/{SHEET}")
    check_width(page, wait_until, 2560, 1984, 2250)
    check_beside(page, wait_until)
    resize(page, 1600, 1200)
    wait_until(page, BELOW)
    check_width(page, wait_until, 1600, 1032, 2650)


def check_width(page, wait_until, width, widest, highest):
    # Matrices take their places a frame after the width that they have to share.
    wait_until(page, NO_HIGHER, highest)
    box = page.locator(".abh-ws-card").bounding_box()
    assert widest - 20 <= box["width"] <= widest
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(CUT) == 0, "no matrix needs to scroll"


def check_beside(page, wait_until):
    """The arithmetic stands beside the matrices, in sight, for the first and last."""
    panel, stage = page.locator(".abh-ws-arithmetic"), page.locator(".abh-ws-stage")
    last = page.locator("table[data-matrix='output'] td[tabindex]").last
    for cell in (page.locator("table[data-matrix='Q.0'] td[tabindex]").first, last):
        cell.focus()
        wait_until(page, "document.activeElement.matches('td')")
        beside = panel.bounding_box()
        around = stage.bounding_box()
        assert beside["x"] >= around["x"] + around["width"]
        assert beside["y"] >= 0
        assert beside["y"] + beside["height"] <= 1200


# What a card on the whole screen is: all of it, its type so many times as large.
FILLED = """(card) => {
  const { left, top, width, height } = card.getBoundingClientRect();
  const foot = card.querySelector(".abh-foot button");
  return {
    whole: [left, top, width, height].map(Math.round),
    larger: card.currentCSSZoom,
    fits: card.scrollWidth <= card.clientWidth,
    over: document.elementFromPoint(5, innerHeight - 5)?.closest(".abh-card") === card,
  };
}"""
FILLING = [kind for kind in cards() if is_made_alone(kind)]
ENABLED = "Object.defineProperty(document, 'fullscreenEnabled', { value: %s })"


@pytest.fixture
def show(watch, wait_until):
    """Show cards on a page of their own."""

    def shown(kinds, **options):
        page = watch(**options).page
        body = page_of([kind() for kind in kinds])
        answer_with(page, ADDRESS, body)
        page.goto(ADDRESS)
        count = "n => document.querySelectorAll('.abh-card').length === n"
        wait_until(page, count, len(kinds))
        return page

    return shown


SIZES = ((1920, 1080, 1.5), (1280, 800, 1.25), (390, 844, 1))


@pytest.mark.parametrize(
    ("kinds", "given", "sizes"),
    first_and_weekly(
        [
            (figures()[::4], True, SIZES[0]),
            *product([figures()], (True, False), SIZES),
        ]
    ),
)
def test_every_figure_fills_the_screen_and_escape_leaves(
    show, wait_until, kinds, given, sizes
):
    page = show(kinds)
    if not given:
        page.evaluate(ENABLED % "false")
    resize(page, *sizes[:2])
    for card in page.query_selector_all(".abh-card"):
        fill_and_leave(page, card, given, sizes, wait_until)


def fill_and_leave(page, card, given, sizes, wait_until):
    width, height, larger = sizes
    before = card.bounding_box()
    button = card.query_selector(".abh-foot button:text-is('Full screen')")
    button.click()
    wait_until(page, "document.querySelectorAll('.abh-filled').length === 1")
    assert page.evaluate("document.fullscreenElement !== null") == given
    assert button.inner_text() == "Leave full screen"
    wait_until(page, "height => innerHeight === height", height)
    found = card.evaluate(FILLED)
    assert found["whole"] == [0, 0, width, height]
    assert found["larger"] == larger
    assert found["fits"]
    assert found["over"]
    page.keyboard.press("Escape")
    wait_until(page, "document.querySelectorAll('.abh-filled').length === 0")
    assert page.evaluate("document.fullscreenElement === null")
    after = card.bounding_box()
    assert [after[x] for x in ("x", "width")] == [before[x] for x in ("x", "width")]


# Tall enough to show a card without scrolling, not wide enough to enlarge its type, and
# the card alone on its page: else axe cannot tell what lies behind many of its words.
@pytest.mark.parametrize(
    "kind", ends_and_weekly(FILLING), ids=lambda kind: kind.__name__
)
def test_axe_has_no_objection_to_a_card_on_the_whole_screen(
    show, axe, answer_all, kind
):
    page = show([kind], width=1000, height=2400)
    answer_all(page)
    page.evaluate(ENABLED % "false")
    page.get_by_role("button", name="Full screen", exact=True).click()
    page.wait_for_selector(".abh-filled")
    objections, _ = axe  # in the dark it has the colours that it has on its page
    assert objections(page, parts=".abh-filled") == []
