"""Pages on a phone, opened from disk: questions, requests, console and axe.

`make test` opens two pages, `make test-slow` four others, the weekly run every page.
`test_every_page_at_a_desk.py` checks the layout of every page at the width of a phone.
"""

import displayed
import pytest
from accessibility import objections
from acts import answer_all
from found import PAGES, SITE, moves
from frames import drawn, resize
from repeats import first_and_slow, first_and_weekly
from states import models

OFFERED = ".abh-offer .abh-predict:visible"
SKIP = ".abh-acts button:visible >> text=without predicting"
SKIP_ALL = "Skip predictions"

# Returns, if the page scrolls sideways, its width and the elements that stick out.
OVERFLOW = """() => {
  const { scrollWidth } = document.documentElement;
  if (scrollWidth <= innerWidth) return [];
  const clipped = (box) => {
    for (let up = box.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible") return true;
    }
    return false;
  };
  const outside = [...document.querySelectorAll("body *")]
    .filter(b => b.getBoundingClientRect().right > innerWidth + 0.5 && !clipped(b))
    .slice(0, 5).map(b => b.outerHTML.slice(0, 160));
  return [scrollWidth, ...outside];
}"""

# An answered question may be cut: one line stands for it, and a click opens it.
CUT_OFF = """() => [
  ...document.querySelectorAll(".figure:not(.scrolls), .abh-boxed"),
  ...[...document.querySelectorAll(".abh-card :is(p, span):not(.abh-said)")]
    .filter(text => getComputedStyle(text).textOverflow === "ellipsis"),
].filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => box.outerHTML.slice(0, 160))"""


# The spaces that a reader may set: criterion 1.4.12 of WCAG 2.2.
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }"""


def check_narrow(page):
    """Check that nothing is cut off, and nothing sticks out, also with more spacing."""
    for width in (390, 320):
        resize(page, width, 844)
        assert page.evaluate(OVERFLOW) == [], f"scrolls sideways at {width} pixels"
        assert page.evaluate(CUT_OFF) == [], f"something is cut off at {width} pixels"
    resize(page, 390, 844)
    page.add_style_tag(content=SPACED)
    drawn(page)
    assert page.evaluate(OVERFLOW) == [], "the page scrolls sideways with more spacing"


USUAL = [
    "chapters/02-why-sqrt-dk.html",
    "chapters/07-translation.html",
    "chapters/05-walkthrough-apple.html",
    "intro.html",
    "library-reference.html",
    "search.html",
]
OTHERS = [page for page in PAGES if page not in USUAL]
SOME_PAGES = first_and_slow(USUAL, first=2) + first_and_weekly(OTHERS, first=0)


@pytest.mark.parametrize("count", first_and_weekly([4, 30]))
@pytest.mark.parametrize("path", SOME_PAGES)
def test_a_page_opened_from_disk_fails_on_a_phone(watch, path, count):
    watched = watch(width=390, height=844, requests=True)
    page = watched.open((SITE / path).as_uri())
    assert page.locator("main h1").first.is_visible()
    asking = [state for state in models(SITE / path) if state.get("question")]
    assert page.locator(OFFERED).count() == len(asking)
    if asking:
        check_skip_predictions(page)
        check_moves_without_an_answer(page, count)
    answer_all(page)
    assert watched.outside(SITE.as_uri(), "blob:") == []
    assert objections(page) == [], "axe, on a phone"
    assert watched.complaints == []


def check_skip_predictions(page):
    """Check "Skip predictions": every question folds to one line, and opens again."""
    offered = page.locator(OFFERED).count()
    skip_all = page.get_by_role("button", name=SKIP_ALL)
    skip_all.click()
    assert page.locator(SKIP).count() == 0
    folded = page.locator(".abh-folded:visible")
    heights = folded.evaluate_all("all => all.map(line => line.offsetHeight)")
    assert heights
    assert max(heights) < 40
    skip_all.click()
    assert page.locator(OFFERED).count() == offered


def check_moves_without_an_answer(page, count):
    """Check that moves uncover true numbers, and that the questions stay open."""
    offered = page.locator(OFFERED).count()
    page.evaluate(displayed.FIGURES)
    assert page.evaluate("figures.moveEvery", moves(1, count)) == []
    assert page.locator(OFFERED).count() == offered
    displayed.check(page)
