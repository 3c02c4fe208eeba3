"""Figures in full screen: each figure alone, and all in order for a class."""

import pytest
from acts import drag, middle
from found import figures
from frames import resize, wait_until

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
CASES = [
    (figures()[::4], True, (1920, 1080, 1.5)),
    (figures()[1::4], False, (1280, 800, 1.25)),
    (figures(), False, (390, 844, 1)),
]


@pytest.mark.parametrize(("kinds", "allowed", "size"), CASES)
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

FILLED_BY = """[...document.querySelectorAll(".abh-filled")]
  .map((card) => card.closest(".widget").id)"""
FIGURES = """[...document.querySelectorAll("main [data-fills]")]
  .filter((each) => each.checkVisibility()).map((each) => each.closest(".widget").id)"""


@pytest.mark.parametrize("allowed", [True, False])
def test_a_key_of_the_presenter_shows_a_wrong_figure_or_several(watch, site, allowed):
    watched = watch(width=1280, height=720, fresh=not allowed)
    if not allowed:
        watched.page.add_init_script(NOT_ENABLED)
    page = watched.open(f"{site}/chapters/01-self-attention.html")
    page.locator("#fig-bank svg").first.wait_for()
    first, second, *_ = page.evaluate(FIGURES)
    page.get_by_role("button", name="Present").click()
    for figure, key in ((first, "PageDown"), (second, "PageUp"), (first, "PageDown")):
        wait_until(page, f"{FILLED_BY}.join() === '{figure}'")
        assert page.evaluate("Boolean(document.fullscreenElement)") == allowed
        page.keyboard.press(key)
    wait_until(page, f"{FILLED_BY}.join() === '{second}'")
    page.locator(".abh-filled").get_by_text("Leave full screen").dispatch_event("click")
    wait_until(page, f"document.fullscreenElement === null && !{FILLED_BY}.length")


def test_a_word_does_not_follow_the_pointer_in_large_type(watch, site):
    page = watch(width=1280, height=720).open(f"{site}/chapters/01-self-attention.html")
    page.get_by_role("button", name="Present").click()
    wait_until(page, f"{FILLED_BY}.join() === 'fig-bank'")
    word = page.locator("#fig-bank [role=slider]").first
    x, y = middle(word)
    drag(page, (x, y), (x + 60, y - 80))
    assert middle(word) == pytest.approx((x + 60, y - 80), abs=4)
