"""Readers see the figures at once: on the home page, on a phone, without scripts.

`test_every_page_at_a_desk.py` tests that no question hides a control.
"""

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_draggable_words_are_below_the_first_viewport(watch, site, width, height):
    page = watch(width=width, height=height).open(f"{site}/intro.html")
    words = page.locator(".abh-knob")
    assert words.count() == 4
    row = page.locator(".abh-row .abh-weight .abh-number")
    beside = row.all() if width > 800 else []
    for each in [*words.all(), *beside, page.get_by_text("Start with chapter 1")]:
        box = each.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= height
    for word in words.all():
        before = row.all_inner_texts()
        word.press("Shift+ArrowUp")
        after = row.all_inner_texts()
        assert before != after
        assert sum(map(float, after)) == pytest.approx(1, abs=0.004)


def test_without_scripts_a_figure_has_no_picture_or_caption(watch, site):
    watched = watch(java_script_enabled=False)
    page = watched.page
    page.goto(f"{site}/chapters/02-why-sqrt-dk.html")
    stills = page.locator("figure.still:visible")
    assert stills.count() >= 2
    for still in stills.all():
        assert still.locator("svg").first.is_visible()
        assert len(still.locator("figcaption").inner_text()) > 30
    said = "After 64 steps the typical distance of the 40 walks"
    assert said in stills.first.inner_text()


def test_a_touch_screen_hides_copy_buttons_or_has_fields_with_small_text(watch, site):
    watched = watch(has_touch=True, is_mobile=True, width=390, height=844)
    page = watched.open(f"{site}/chapters/01-self-attention.html")
    opacity = page.locator(".copy").first.evaluate("b => getComputedStyle(b).opacity")
    assert opacity == "1"
    sizes = page.locator(".abh-field").evaluate_all(
        "all => all.map(input => parseFloat(getComputedStyle(input).fontSize))"
    )
    assert min(sizes) >= 16
