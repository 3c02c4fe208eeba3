"""The figure “Hungry or cold” shows all heads as Python measures them."""

import re

import numpy as np
import pytest
from acts import reading

from course.widgets import Swing
from course.widgets.swing import DOG, ENDINGS, FOOD, HEADS

DRAWN = """heads => heads.map((head) => [head.ariaLabel, head.innerText,
  [...head.querySelectorAll("path")].map((p) => Number(p.getAttribute("stroke-width"))),
  [...head.querySelectorAll("path")].map((p) => getComputedStyle(p).stroke),
  head.classList.contains("abh-swing-turns")])"""


@pytest.fixture
def page(open_page):
    return open_page(Swing())


def test_a_head_lacks_an_arc_or_names_a_word_without_most_weight(page):
    heads = page.locator(".abh-swing-head")
    for ending, last in enumerate(ENDINGS):
        rows = Swing().measured["attention"][ending]
        words = [*Swing().english, last]
        drawn = heads.evaluate_all(DRAWN)
        assert len(drawn) == len(HEADS)
        for head, (label, most, widths, colours, _) in enumerate(drawn):
            np.testing.assert_allclose(widths, np.multiply(7, rows[head]), atol=5.1e-3)
            assert most == words[np.argmax(rows[head])]
            assert label.startswith(f"{most} gets most")
            said = [float(n) for n in re.findall(r"\d\.\d+", label)]
            nouns = [rows[head][j] for j in (DOG, FOOD)]
            np.testing.assert_allclose(said, nouns, atol=5.1e-3)
            noun, other = colours[DOG], colours[DOG - 1]
            expected = [noun if j in (DOG, FOOD) else other for j in range(len(words))]
            assert colours == expected
            assert noun != other
        check_dashes(page, ending, [turns for *_, turns in drawn])
        other = ENDINGS[1 - ending]
        page.get_by_role("button", name=f"End with “{other}”", exact=True).click()


def check_dashes(page, ending, dashed):
    """Check the heads that change the pronoun, and the note about them."""
    every = [Swing(ending=ending, head=head) for head in range(len(HEADS))]
    assert dashed == [each.said().key.startswith("turns") for each in every]
    said = page.locator(".abh-note .abh-boxed").inner_text()
    facts = every[0].facts()
    assert said == (
        f"Dashed: without this head, {facts['pronoun']} becomes {facts['other']}."
        if any(dashed)
        else f"None is dashed: if only one head is off, {facts['pronoun']} stays."
    )


def test_a_press_on_a_head_selects_two_heads_or_keeps_the_sentence(page):
    heads = page.locator(".abh-swing-head")
    for head in (len(HEADS) - 1, 0):
        heads.nth(head).click()
        pressed = page.locator(".abh-swing-head[aria-pressed=true]")
        assert pressed.count() == 1
        assert heads.nth(head).get_attribute("aria-pressed") == "true"
        assert reading(page) == Swing(head=head).reading()
