"""Every page at the widths of a desk and a phone, opened once.

The tests of a page share one visit, in order. Each test passes alone, but finds the
page as the earlier tests left it. Tests of a page without answers therefore come first.
`test_formulas.py` tests the formulas, also at desktop width.
"""

from pathlib import Path

import displayed
import prose_links
import pytest
from accessibility import objections, objections_in_the_dark
from acts import answer_all
from found import SITE, moves
from frames import emulate, resize
from page_record import RECORDS, agree, read_record
from questions import answer_each
from records import on_record
from repeats import first_and_weekly
from test_every_page_on_a_phone import CUT_OFF, check_narrow

# Returns what is wrong with a page on a wide screen: lines of text must be short,
# figures must be wide, and no figure may stick out or overlap the side columns.
WIDE = """() => {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const box = (node) => node.getBoundingClientRect();
  const wrong = [];
  const demand = (holds, what) => holds || wrong.push(what);
  const root = document.documentElement;
  demand(root.scrollWidth <= root.clientWidth, `the page is ${root.scrollWidth} wide`);
  for (const text of document.querySelectorAll("main :is(p, ul, ol, dl)")) {
    if (text.closest(".abh-card, .all-figures")) continue;
    demand(box(text).width <= 45 * rem, `text of ${box(text).width}`);
  }
  const sides = [...document.querySelectorAll(".side, .here")].map(box);
  const figure = ".abh-card:not(.abh-quiz, .abh-exercise)";
  for (const card of document.querySelectorAll(figure)) {
    const { left, right, width } = box(card);
    if (!width) continue;
    demand(width >= 60 * rem, `a figure of ${width}`);
    demand(card.scrollWidth <= card.clientWidth, "a figure that sticks out");
    const lies = (side) => right > side.left && left < side.right;
    demand(!sides.some(lies), "a figure over what stands beside the text");
  }
  return wrong;
}"""


CLIPPED = """() => [...document.querySelectorAll(".abh-card *, figure *, .figure *")]
  .filter(node => {
    const box = node.getBoundingClientRect();
    return node.checkVisibility() && box.width > 2
      && box.right > document.documentElement.clientWidth + 1;
  })
  .map(node => node.outerHTML.slice(0, 100))"""
IN_SIGHT = """(node) => {
  const { width, height } = node.getBoundingClientRect();
  const visible = { opacityProperty: true, visibilityProperty: true };
  return width + height > 0 && node.checkVisibility(visible);
}"""
# Collects what figures show on screen, without controls and buttons between steps.
ON_SCREEN = f"""() => {{
  const inFigures = "main :is(.abh-card, .figure, svg[role=img], table) *";
  const control = `button, select, input, textarea, label, .abh-more, .abh-foot,
    .abh-ma-buttons, .abh-ma-way, .abh-ma-tables`;
  window.onScreen = [...document.querySelectorAll(inFigures)]
    .filter((node) => !node.childElementCount && !node.closest(control))
    .filter({IN_SIGHT});
}}"""
NOT_ON_PAPER = f"""() => onScreen.filter((node) => !({IN_SIGHT})(node))
  .map((node) => node.parentElement.outerHTML.slice(0, 100))"""
PAPER = 794 - 76  # pixels: A4 less the usual margins; Letter is a little wider

# Without sliders that have one value: their `max` is 0.
CONTROLS = """() => [...document.querySelectorAll(
  ".abh-body :is(input, select, button, textarea), .abh-body [tabindex='0']")]
  .filter(node => !node.closest("[hidden]") && node.max !== "0")"""
OUT_OF_SIGHT = f"""{CONTROLS}
  .filter(node => !node.checkVisibility({{ visibilityProperty: true }}))
  .map(node => node.outerHTML.slice(0, 100))"""

# Symbols that a figure drew without MathML because the site's table lacks them.
NOT_IN_THE_TABLE = """() => [...document.querySelectorAll(".abh-symbol")]
  .filter(node => !node.querySelector("math")).map(node => node.dataset.tex)"""

NAMES_NOTHING = """() => [..."describedby labelledby controls owns".split(" ")]
  .flatMap((what) => [...document.querySelectorAll(`[aria-${what}]`)]
    .filter((node) => node.getAttribute(`aria-${what}`).split(" ")
      .some((id) => !document.getElementById(id))))
  .map((node) => node.outerHTML.slice(0, 160))"""
QUERIES = {"search.html": "?q=why+divide"}  # makes the search page show hits
UNFOLD = "() => document.querySelectorAll('details').forEach(d => d.open = true)"


@pytest.fixture(scope="module")
def watched(watching, site, page_path):
    with watching() as watch:
        # the width of the first test, on paper: this saves a layout
        watched = watch(PAPER, 1000, requests=True, reduced_motion="reduce")
        watched.open(f"{site}/{page_path}{QUERIES.get(page_path, '')}")
        yield watched


@pytest.fixture
def page(watched):
    """Return the page as the previous test left it, at 1280 x 900 pixels."""
    resize(watched.page, 1280, 900)
    return watched.page


@pytest.mark.slow
def test_print_lacks_something_that_the_screen_shows(watched):
    page = watched.page
    resize(page, PAPER, 1000)
    page.evaluate(ON_SCREEN)
    emulate(page, media="print")
    missing, clipped = page.evaluate(NOT_ON_PAPER), page.evaluate(CLIPPED)
    emulate(page, media="screen")  # for the next tests, also if this one fails
    assert missing == [], "on screen, not on paper"
    assert clipped == [], "clipped on paper"


def test_a_choice_shows_a_wrong_verdict_or_lacks_a_reason(page, page_path):
    answer_each(page, SITE / page_path)


def test_a_question_hides_a_control(page):
    page.evaluate(UNFOLD)
    assert page.evaluate(OUT_OF_SIGHT) == [], "controls before any answer"
    controls = page.evaluate(f"{CONTROLS}.length")
    answer_all(page)
    assert page.evaluate(f"{CONTROLS}.length") == controls


def test_an_aria_reference_points_to_no_element(page):
    answer_all(page)
    assert page.evaluate(NAMES_NOTHING) == []


def test_the_page_agrees_with_its_record(page, page_path, file_regression):
    answer_all(page)
    said = read_record(page, SITE / page_path)
    record = RECORDS / f"{Path(page_path).stem}.txt"
    if said or record.exists():
        on_record(file_regression, record, said, agree)


def test_the_skip_link_does_not_lead_into_a_figure(page):
    if page.locator(".widget[id]").count():
        page.evaluate("document.querySelectorAll('.skip')[1].click()")
        assert page.evaluate("document.activeElement.closest('.widget') !== null")
        page.evaluate("document.activeElement.blur()")


def test_a_link_of_the_text_does_not_set_its_figure(page, page_path):
    """Follow two links of each kind; `test_prose_controls.py` follows every link."""
    prose_links.follow(page, page_path, prose_links.first_and_last_of_a_kind)


def test_a_menu_of_a_figure_lacks_the_copy_link_button(page):
    links = page.locator(".abh-card .abh-foot button:text-is('Copy link')")
    assert links.count() == page.locator(".abh-more, .abh-ma-more").count()


@pytest.mark.slow
def test_axe_has_an_objection(page):
    """Check the figures in the states that the links of the text have set."""
    answer_all(page)
    assert objections(page) == [], "axe, in the light"
    assert objections_in_the_dark(page) == [], "axe, in the dark"


@pytest.mark.parametrize("count", first_and_weekly([8, 200]))
def test_moved_figures_show_wrong_numbers(page, count):
    answer_all(page)
    page.evaluate(displayed.FIGURES)
    assert page.evaluate("figures.moveEvery", moves(0, count)) == [], "random moves"
    displayed.check(page)
    assert page.evaluate(NOT_IN_THE_TABLE) == [], (
        "a symbol is drawn without MathML: add it to `SHOWN` in book/formulas/views.py"
    )


@pytest.mark.slow
@pytest.mark.parametrize("width", first_and_weekly([2560, 1600]))
def test_figures_are_narrow_or_overlap_on_a_wide_screen(page, width):
    answer_all(page)
    resize(page, width, 1200)
    assert page.evaluate(WIDE) == []
    assert page.evaluate(CUT_OFF) == [], "cut off"


def test_something_sticks_out_or_is_cut_off_at_the_width_of_a_phone(page):
    answer_all(page)
    check_narrow(page)


def test_a_page_loads_files_of_other_sites_or_logs_something(watched, site):
    assert watched.outside(site, f"blob:{site}") == []
    assert watched.complaints == []
