"""One figure in full screen: the keys of a presenter, and a drag in large type."""

import pytest
from acts import drag, middle
from frames import wait_until

pytestmark = pytest.mark.slow

FIRST = "#fig-bank"
SHOWN = "document.fullscreenElement?.closest('.widget').id"


@pytest.fixture
def presented(watch, site):
    page = watch(width=1280, height=720).open(f"{site}/chapters/01-self-attention.html")
    page.locator(f"{FIRST} .abh-card svg").first.wait_for()
    page.get_by_role("button", name="Present").click()
    wait_until(page, f"{SHOWN} === 'fig-bank'")
    return page


def test_page_down_and_page_up_go_from_figure_to_figure(presented):
    seen = presented.evaluate(
        "[...document.querySelectorAll('main [data-fills]')]"
        ".filter((each) => each.checkVisibility() || each.matches('.abh-filled'))"
        ".map((each) => each.closest('.widget').id)"
    )
    for key, name in (("PageDown", seen[1]), ("PageUp", seen[0])):
        presented.keyboard.press(key)
        wait_until(presented, f"{SHOWN} === '{name}'")


def test_one_press_leaves_the_full_screen_after_several_figures(presented):
    before = presented.evaluate(SHOWN)
    presented.keyboard.press("PageDown")
    wait_until(presented, f"{SHOWN} !== '{before}'")
    shown = presented.locator(".abh-card:fullscreen")
    shown.get_by_text("Leave full screen").dispatch_event("click")
    wait_until(presented, "document.fullscreenElement === null")


def test_without_full_screen_one_figure_at_a_time_fills_the_window(watch, site):
    page = watch(fresh=True).page
    page.add_init_script(
        "Object.defineProperty(document, 'fullscreenEnabled', { get: () => false })"
    )
    page.goto(f"{site}/chapters/01-self-attention.html")
    page.locator(f"{FIRST} .abh-card svg").first.wait_for()
    page.get_by_role("button", name="Present").click()
    filled = """[...document.querySelectorAll(".abh-filled")]
      .map((card) => card.closest(".widget").id)"""
    first = page.evaluate(filled)
    page.keyboard.press("PageDown")
    second = page.evaluate(filled)
    page.keyboard.press("PageUp")
    assert (len(first), len(second)) == (1, 1)
    assert page.evaluate(filled) == first != second


def test_a_word_follows_the_pointer_in_large_type(presented):
    word = presented.locator(f"{FIRST} [role=slider]").first
    x, y = middle(word)
    drag(presented, (x, y), (x + 60, y - 80))
    assert middle(word) == pytest.approx((x + 60, y - 80), abs=4)
