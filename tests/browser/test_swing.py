"""The figure “Hungry or cold” shows all heads as Python measures them."""

import re

import numpy as np
import pytest
from acts import reading

from course.widgets import Swing
from course.widgets.swing import DOG, ENDINGS, FOOD, HEADS

DRAWN = """heads => heads.map((head) => {
  const arcs = [...head.querySelectorAll("path")];
  return [head.ariaLabel, head.innerText,
    arcs.map((arc) => Number(arc.getAttribute("stroke-width"))),
    arcs.map((arc) => getComputedStyle(arc).stroke),
    head.classList.contains("abh-swing-turns")];
})"""


@pytest.fixture
def page(open_page):
    return open_page(Swing())


def test_a_head_lacks_an_arc_or_names_a_wrong_word_or_is_dashed(page):
    heads = page.locator(".abh-swing-head")
    for ending, last in enumerate(ENDINGS):
        rows = Swing().measured["attention"][ending]
        words = [*Swing().english, last]
        every = [Swing(ending=ending, head=head) for head in range(len(HEADS))]
        drawn = zip(heads.evaluate_all(DRAWN), rows, every, strict=True)
        for (label, most, widths, colours, is_dashed), row, figure in drawn:
            np.testing.assert_allclose(widths, np.multiply(7, row), atol=5.1e-3)
            assert most == words[np.argmax(row)]
            assert label.startswith(f"{most} gets most")
            said = [float(n) for n in re.findall(r"\d\.\d+", label)]
            np.testing.assert_allclose(said, [row[DOG], row[FOOD]], atol=5.1e-3)
            noun, other = colours[DOG], colours[DOG - 1]
            assert noun != other
            nouns = [colour == noun for colour in colours]
            assert nouns == [j in (DOG, FOOD) for j in range(len(words))]
            assert set(colours) == {noun, other}
            assert is_dashed == figure.said().key.startswith("turns")
        facts = every[0].facts()
        dashed = any(figure.said().key.startswith("turns") for figure in every)
        assert page.locator(".abh-note .abh-boxed").inner_text() == (
            f"Dashed: without this head, {facts['pronoun']} becomes {facts['other']}."
            if dashed
            else f"None is dashed: if only one head is off, {facts['pronoun']} stays."
        )
        other = ENDINGS[1 - ending]
        page.get_by_role("button", name=f"End with “{other}”", exact=True).click()


def test_a_press_on_a_head_selects_two_heads_or_keeps_the_sentence(page):
    heads = page.locator(".abh-swing-head")
    for head in (len(HEADS) - 1, 0):
        heads.nth(head).click()
        pressed = page.locator(".abh-swing-head[aria-pressed=true]")
        assert pressed.count() == 1
        assert heads.nth(head).get_attribute("aria-pressed") == "true"
        assert reading(page) == Swing(head=head).reading()
