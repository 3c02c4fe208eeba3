"""One figure in full screen: the keys of a presenter, and a drag in large type."""

import pytest

FIRST = "#fig-bank"
SHOWN = "document.fullscreenElement?.closest('.widget').id"


@pytest.fixture
def presented(watch, site, wait_until):
    page = watch(width=1280, height=720).open(f"{site}/chapters/01-self-attention.html")
    page.locator(f"{FIRST} .abh-card svg").first.wait_for()
    page.get_by_role("button", name="Present").click()
    wait_until(page, f"{SHOWN} === 'fig-bank'")
    return page


def test_page_down_and_page_up_go_from_figure_to_figure(presented, wait_until):
    seen = presented.evaluate(
        "[...document.querySelectorAll('main [data-fills]')]"
        ".filter((each) => each.checkVisibility() || each.matches('.abh-filled'))"
        ".map((each) => each.closest('.widget').id)"
    )
    for key, name in (("PageDown", seen[1]), ("PageUp", seen[0])):
        presented.keyboard.press(key)
        wait_until(presented, f"{SHOWN} === '{name}'")


def test_a_word_follows_the_pointer_in_large_type(presented):
    word = presented.locator(f"{FIRST} [role=slider]").first
    box = word.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    presented.mouse.move(x, y)
    presented.mouse.down()
    presented.mouse.move(x + 60, y - 80, steps=4)
    presented.mouse.up()
    after = word.bounding_box()
    moved = after["x"] + after["width"] / 2 - x, after["y"] + after["height"] / 2 - y
    assert moved == pytest.approx((60, -80), abs=4)
