"""Hungry or cold: all heads at once, as Python measures them."""

import re

import numpy as np
import pytest
from alone import answer_with, page_of

from course.widgets import Swing
from course.widgets.swing import ENDINGS, HEADS

ADDRESS = "http://swing.test/"
DRAWN = """heads => heads.map((head) => [head.ariaLabel,
  [...head.querySelectorAll("path")].map((p) => Number(p.getAttribute("stroke-width"))),
  head.classList.contains("abh-swing-turns")])"""


@pytest.fixture
def page(watch):
    watched = watch()
    answer_with(watched.page, ADDRESS, page_of([Swing()]))
    watched.page.goto(ADDRESS)
    watched.page.wait_for_selector(".abh-swing-head")
    yield watched.page
    assert watched.complaints == []


def looks_of(ending, head):
    facts = Swing(ending=ending, head=head).facts()
    return [facts["dog"], facts["food"]]


def test_every_head_has_its_arcs_for_both_endings(page):
    heads = page.locator(".abh-swing-head")
    for ending in range(len(ENDINGS)):
        drawn = heads.evaluate_all(DRAWN)
        assert len(drawn) == len(HEADS)
        for head, (label, widths, turns) in enumerate(drawn):
            looks = looks_of(ending, head)
            np.testing.assert_allclose(widths, np.multiply(7, looks), atol=5.1e-3)
            said = [float(n) for n in re.findall(r"\d\.\d+", label)]
            np.testing.assert_allclose(said, looks, atol=5.1e-3)
            key = Swing(ending=ending, head=head).said().key
            assert turns == (key == "turns"), label
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
