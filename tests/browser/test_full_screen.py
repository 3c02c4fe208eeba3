"""Figures in full screen: each figure alone, and all in order for a class."""

from itertools import product

import pytest
from acts import drag, middle
from found import figures
from frames import resize, wait_until
from repeats import first_and_weekly

pytestmark = pytest.mark.slow

# Returns the place and the zoom of a card in full screen, whether its content fits, and
# whether the card covers the lower left corner of the screen.
FILLED = """(card) => {
  const { left, top, width, height } = card.getBoundingClientRect();
  return {
    whole: [left, top, width, height].map(Math.round),
    larger: card.currentCSSZoom,
    fits: card.scrollWidth <= card.clientWidth,
    over: document.elementFromPoint(5, innerHeight - 5)?.closest(".abh-card") === card,
  };
}"""
NOT_ENABLED = "Object.defineProperty(document, 'fullscreenEnabled', { value: false })"
SIZES = ((1920, 1080, 1.5), (1280, 800, 1.25), (390, 844, 1))
EVERY = product([figures()], (True, False), SIZES)


@pytest.mark.parametrize(
    ("kinds", "allowed", "size"),
    first_and_weekly([(figures()[::4], True, SIZES[0]), *EVERY]),
)
def test_a_figure_fills_no_screen_or_ignores_escape(open_page, kinds, allowed, size):
    width, height, larger = size
    page = open_page(*(kind() for kind in kinds))
    if not allowed:
        page.evaluate(NOT_ENABLED)
    resize(page, width, height)
    for card in page.query_selector_all(".abh-card"):
        before = card.bounding_box()
        button = card.query_selector(".abh-foot button:text-is('Full screen')")
        card.query_selector("details:has(.abh-foot) > summary").click()
        button.click()
        wait_until(page, "document.querySelectorAll('.abh-filled').length === 1")
        wait_until(page, "is => Boolean(document.fullscreenElement) === is", allowed)
        assert button.inner_text() == "Leave full screen"
        wait_until(page, "height => innerHeight === height", height)
        whole = [0, 0, width, height]
        filled = {"whole": whole, "larger": larger, "fits": True, "over": True}
        assert card.evaluate(FILLED) == filled
        page.keyboard.press("Escape")
        wait_until(page, "document.querySelectorAll('.abh-filled').length === 0")
        assert page.evaluate("document.fullscreenElement === null")
        after = card.bounding_box()
        assert [after["x"], after["width"]] == [before["x"], before["width"]]


# --- The keys of a presenter ----------------------------------------------------------

FIRST = "#fig-bank"
SHOWN = "document.fullscreenElement?.closest('.widget').id"


def present(watched, site):
    page = watched.open(f"{site}/chapters/01-self-attention.html")
    page.locator(f"{FIRST} .abh-card svg").first.wait_for()
    page.get_by_role("button", name="Present").click()
    return page


@pytest.fixture
def presented(watch, site):
    page = present(watch(width=1280, height=720), site)
    wait_until(page, f"{SHOWN} === 'fig-bank'")
    return page


def test_keys_miss_a_figure_or_one_press_does_not_leave_the_full_screen(presented):
    seen = presented.evaluate(
        "[...document.querySelectorAll('main [data-fills]')]"
        ".filter((each) => each.checkVisibility() || each.matches('.abh-filled'))"
        ".map((each) => each.closest('.widget').id)"
    )
    for key, figure in (("PageDown", 1), ("PageUp", 0), ("PageDown", 1)):
        presented.keyboard.press(key)
        wait_until(presented, f"{SHOWN} === '{seen[figure]}'")
    shown = presented.locator(".abh-card:fullscreen")
    shown.get_by_text("Leave full screen").dispatch_event("click")
    wait_until(presented, "document.fullscreenElement === null")


def test_without_full_screen_no_figure_or_several_fill_the_window(watch, site):
    watched = watch(fresh=True)
    watched.page.add_init_script(NOT_ENABLED)
    page = present(watched, site)
    filled = """[...document.querySelectorAll(".abh-filled")]
      .map((card) => card.closest(".widget").id)"""
    first = page.evaluate(filled)
    page.keyboard.press("PageDown")
    second = page.evaluate(filled)
    page.keyboard.press("PageUp")
    assert (len(first), len(second)) == (1, 1)
    assert page.evaluate(filled) == first != second


def test_a_word_does_not_follow_the_pointer_in_large_type(presented):
    word = presented.locator(f"{FIRST} [role=slider]").first
    x, y = middle(word)
    drag(presented, (x, y), (x + 60, y - 80))
    assert middle(word) == pytest.approx((x + 60, y - 80), abs=4)
