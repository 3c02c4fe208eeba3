"""Every page on a phone, from disk, before any answer and with none asked for.

Axe reads the text of every page. Of two whole pages it reads all, cards too, of the
others weekly; each kind of card has its own tests, `test_wide_screens.py` among them.
"""

import random

import displayed
import pytest
from found import pages_with
from frames import resize
from repeats import ends_and_weekly, first_and_weekly

from book.reading_time import WIDGET_VIEW

OFFERED = ".abh-offer .abh-predict:visible"
SKIP = ".abh-acts button:visible >> text=without predicting"
EVERYTHING = "Skip predictions"
# What is otherwise once everything is open.
CHANGED = ".open-everything, .abh-offer, .was-veiled"
MARK_VEILED = """() => document.querySelectorAll(".abh-veiled")
  .forEach(node => node.classList.add("was-veiled"))"""

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

CUT_OFF = """() => [...document.querySelectorAll(".figure, .abh-boxed")]
  .filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => box.outerHTML.slice(0, 160))"""


TEXT_ALONE = """() => {
  document.querySelectorAll(".abh-card").forEach((card) => card.remove());
  document.querySelectorAll("details").forEach((fold) => { fold.open = false; });
}"""


@pytest.mark.parametrize("count", first_and_weekly([4, 30]))
def test_on_a_phone_and_from_disk(watch, page_path, answer_all, axe, request, count):
    objections, _ = axe
    folder = request.config.rootpath / "_build" / "html"
    watched = watch(width=390, height=844, requests=True)
    page = watched.open((folder / page_path).as_uri())
    assert page.locator("main h1").first.is_visible()
    if page.locator(OFFERED).count():
        check_open_everything(page)
        check_moves_without_an_answer(page, count)
    answer_all(page)
    for width in (390, 360):
        resize(page, width, 844)
        assert page.evaluate(OVERFLOW) == [], f"sideways at {width} pixels"
        assert page.evaluate(CUT_OFF) == [], f"cut off at {width} pixels"
    assert watched.outside(folder.as_uri(), "blob:") == []
    page.evaluate(TEXT_ALONE)
    assert objections(page) == [], "axe, of the text"
    assert watched.complaints == []


@pytest.mark.parametrize("name", ends_and_weekly(pages_with(WIDGET_VIEW)))
def test_axe_has_no_objection_to_a_whole_page_on_a_phone(watch, site, axe, name):
    objections, objections_in_the_dark = axe
    page = watch(width=390, height=844, color_scheme="dark").open(f"{site}/{name}")
    assert objections_in_the_dark(page) == [], "in the dark, before any answer"
    assert objections(page) == [], "in the light, before any answer"
    if page.locator(OFFERED).count():
        page.evaluate(MARK_VEILED)
        page.get_by_role("button", name=EVERYTHING).click()
        assert objections(page, parts=CHANGED) == [], "with everything open"


def check_open_everything(page):
    """It folds every question to a line, and asks again when it is taken back."""
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
    """Figures move, lift their veils and show true numbers; the questions stay."""
    offered = page.locator(OFFERED).count()
    page.evaluate(displayed.FIGURES)
    rng = random.Random(1)
    moves = [(rng.random(), rng.random()) for _ in range(count)]
    assert page.evaluate("figures.moveEvery", moves) == []
    assert page.locator(OFFERED).count() == offered
    assert page.locator(".abh-veiled").count() == 0
    displayed.check(page)
