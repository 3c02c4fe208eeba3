"""Hungry or cold: all heads at once, as Python measures them."""

import re

import numpy as np
import pytest
from alone import answer_with, page_of

from course.widgets import Swing
from course.widgets.swing import DOG, ENDINGS, FOOD, HEADS

ADDRESS = "http://swing.test/"
DRAWN = """heads => heads.map((head) => [head.ariaLabel, head.innerText,
  [...head.querySelectorAll("path")].map((p) => Number(p.getAttribute("stroke-width"))),
  [...head.querySelectorAll("path")].map((p) => getComputedStyle(p).stroke),
  head.classList.contains("abh-swing-turns")])"""

WIDE = """all => all.filter((text) => text.scrollWidth > text.clientWidth)
  .map((text) => text.innerText)"""


@pytest.fixture
def page(watch):
    watched = watch()
    answer_with(watched.page, ADDRESS, page_of([Swing()]))
    watched.page.goto(ADDRESS)
    watched.page.wait_for_selector(".abh-swing-head")
    yield watched.page
    assert watched.complaints == []


def test_every_head_has_an_arc_to_every_word_and_names_the_one_that_gets_most(page):
    heads = page.locator(".abh-swing-head")
    for ending, last in enumerate(ENDINGS):
        looks = Swing().measured["looks"][ending]
        words = [*Swing().english, last]
        drawn = heads.evaluate_all(DRAWN)
        assert len(drawn) == len(HEADS)
        for head, (label, most, widths, colours, _) in enumerate(drawn):
            np.testing.assert_allclose(widths, np.multiply(7, looks[head]), atol=5.1e-3)
            assert most == words[np.argmax(looks[head])]
            assert label.startswith(f"{most} gets most")
            said = [float(n) for n in re.findall(r"\d\.\d+", label)]
            nouns = [looks[head][j] for j in (DOG, FOOD)]
            np.testing.assert_allclose(said, nouns, atol=5.1e-3)
            noun, other = colours[DOG], colours[DOG - 1]
            expected = [noun if j in (DOG, FOOD) else other for j in range(len(words))]
            assert colours == expected
            assert noun != other
        page.get_by_role("button", name="Make it").click()


def test_dashed_are_the_heads_that_turn_the_pronoun_and_it_is_said_where_none_is(page):
    heads = page.locator(".abh-swing-head")
    for ending in range(len(ENDINGS)):
        turning = [
            Swing(ending=ending, head=head).said().key.startswith("turns")
            for head in range(len(HEADS))
        ]
        assert [turns for *_, turns in heads.evaluate_all(DRAWN)] == turning
        said = page.locator(".abh-note .abh-boxed").inner_text()
        pronoun = Swing(ending=ending).facts()["pronoun"]
        other = Swing(ending=ending).facts()["other"]
        assert said == (
            f"Dashed: without it alone, {pronoun} turns to {other}."
            if any(turning)
            else f"None is dashed: no head alone turns {pronoun}."
        )
        page.get_by_role("button", name="Make it").click()


def test_the_head_that_is_pressed_is_the_one_that_is_drawn_and_switched_off(page):
    heads = page.locator(".abh-swing-head")
    for head in (len(HEADS) - 1, 0):
        heads.nth(head).click()
        pressed = page.locator(".abh-swing-head[aria-pressed=true]")
        assert pressed.evaluate_all("all => all.length") == 1
        assert heads.nth(head).get_attribute("aria-pressed") == "true"
        facts = Swing(head=head)
        reading = page.locator(".abh-reading").inner_text()
        assert facts.reading() == reading


def test_nothing_of_the_small_heads_is_wider_than_its_place_on_a_phone(page):
    page.set_viewport_size({"width": 358, "height": 844})  # of 390, the page's edges
    texts = page.locator(".abh-note .abh-boxed, .abh-swing-head .abh-boxed")
    for _ in ENDINGS:
        assert texts.evaluate_all(WIDE) == []
        page.get_by_role("button", name="Make it").click()
