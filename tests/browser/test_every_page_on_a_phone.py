"""Pages on a phone, opened from disk: layout, requests, console and axe.

`make test` opens some pages, the weekly run every page. `test_every_page_at_a_desk.py`
checks the layout of every page at the width of a phone.
"""

import random

import displayed
import pytest
from found import PAGES
from frames import resize
from repeats import first_and_weekly

OFFERED = ".abh-offer .abh-predict:visible"
SKIP = ".abh-acts button:visible >> text=without predicting"
EVERYTHING = "Skip predictions"

OVERFLOW = """() => {
  if (document.documentElement.scrollWidth <= window.innerWidth) return [];
  const clipped = (box) => {
    for (let up = box.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible") return true;
    }
    return false;
  };
  return [...document.querySelectorAll("body *")]
    .filter(b => b.getBoundingClientRect().right > innerWidth + 0.5 && !clipped(b))
    .slice(0, 5).map(b => b.outerHTML.slice(0, 160));
}"""

CUT_OFF = """() => [...document.querySelectorAll(".figure:not(.scrolls), .abh-boxed")]
  .filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => box.outerHTML.slice(0, 160))"""


# The spaces that a reader may set: criterion 1.4.12 of WCAG 2.2.
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }"""


def check_narrow(page):
    """Check that nothing sticks out or is cut off on a phone, nor with more spacing."""
    for width in (390, 360):
        resize(page, width, 844)
        assert page.evaluate(OVERFLOW) == [], f"sideways at {width} pixels"
        assert page.evaluate(CUT_OFF) == [], f"cut off at {width} pixels"
    resize(page, 390, 844)
    page.add_style_tag(content=SPACED)
    assert page.evaluate(OVERFLOW) == [], "sideways with more space in the text"


USUAL = [
    "intro.html",
    "search.html",
    "library-reference.html",
    "chapters/02-why-sqrt-dk.html",
    "chapters/05-walkthrough-apple.html",
    "chapters/07-translation.html",
]
OTHERS = [page for page in PAGES if page not in USUAL]


@pytest.mark.parametrize("count", first_and_weekly([4, 30]))
@pytest.mark.parametrize("path", first_and_weekly([*USUAL, *OTHERS], first=len(USUAL)))
def test_on_a_phone_and_from_disk(watch, path, answer_all, axe, request, count):
    objections, _ = axe
    folder = request.config.rootpath / "_build" / "html"
    watched = watch(width=390, height=844, requests=True)
    page = watched.open((folder / path).as_uri())
    assert page.locator("main h1").first.is_visible()
    if page.locator(OFFERED).count():
        check_open_everything(page)
        check_moves_without_an_answer(page, count)
    answer_all(page)
    assert watched.outside(folder.as_uri(), "blob:") == []
    assert objections(page) == [], "axe, on a phone"
    assert watched.complaints == []
    check_narrow(page)


def check_open_everything(page):
    """Check "Skip predictions": every question folds to one line, and opens again."""
    offered = page.locator(OFFERED).count()
    everything = page.get_by_role("button", name=EVERYTHING)
    everything.click()
    assert page.locator(SKIP).count() == 0
    heights = page.locator(".abh-folded:visible").evaluate_all(
        "all => all.map(line => line.offsetHeight)"
    )
    assert heights
    assert max(heights) < 40
    everything.click()
    assert page.locator(OFFERED).count() == offered


def check_moves_without_an_answer(page, count):
    """Check that moves lift veils and show true numbers, and questions stay open."""
    offered = page.locator(OFFERED).count()
    page.evaluate(displayed.FIGURES)
    rng = random.Random(1)
    moves = [(rng.random(), rng.random()) for _ in range(count)]
    assert page.evaluate("figures.moveEvery", moves) == []
    assert page.locator(OFFERED).count() == offered
    assert page.locator(".abh-card:has(.abh-control) .abh-veiled").count() == 0
    displayed.check(page)
