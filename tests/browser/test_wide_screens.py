"""Figures on wide screens and in full screen."""

from itertools import product

import pytest
from found import figures
from frames import resize, wait_until
from repeats import first_and_weekly

pytestmark = pytest.mark.slow

APPLE = "chapters/05-walkthrough-apple.html?machine.stage="


# Returns the place and the zoom of a card in full screen, whether its content fits, and
# whether the card covers the corner of the screen.
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
ENABLED = "Object.defineProperty(document, 'fullscreenEnabled', { value: %s })"


SIZES = ((1920, 1080, 1.5), (1280, 800, 1.25), (390, 844, 1))


@pytest.mark.parametrize(
    ("kinds", "allowed", "sizes"),
    first_and_weekly(
        [
            (figures()[::4], True, SIZES[0]),
            *product([figures()], (True, False), SIZES),
        ]
    ),
)
def test_every_figure_fills_the_screen_and_escape_leaves(
    open_page, kinds, allowed, sizes
):
    page = open_page(*(kind() for kind in kinds))
    if not allowed:
        page.evaluate(ENABLED % "false")
    resize(page, *sizes[:2])
    for card in page.query_selector_all(".abh-card"):
        fill_and_leave(page, card, allowed, sizes)


def fill_and_leave(page, card, allowed, sizes):
    width, height, larger = sizes
    before = card.bounding_box()
    button = card.query_selector(".abh-foot button:text-is('Full screen')")
    card.query_selector("details:has(.abh-foot) > summary").click()
    button.click()
    wait_until(page, "document.querySelectorAll('.abh-filled').length === 1")
    wait_until(page, "is => Boolean(document.fullscreenElement) === is", allowed)
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
