"""Features that many pages share, tested on one page each: theme, print, anchors.

`test_every_page_at_a_desk.py` and `test_every_page_on_a_phone.py` test every page.
"""

import re

import pytest
from frames import emulate, resize, wait_until
from playwright.sync_api import expect
from repeats import first_and_weekly


@pytest.mark.parametrize("scheme", first_and_weekly(["light", "dark"]))
def test_the_chosen_theme_is_not_shown_or_not_kept(watch, site, scheme):
    page = watch(color_scheme=scheme).open(f"{site}/intro.html")
    paper = "getComputedStyle(document.body).backgroundColor"
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 30)"}
    assert page.evaluate(paper) == colours[scheme]
    button = page.get_by_role("button", name="theme")
    for mode, name in (("light", "Light theme"), ("dark", "Dark theme")):
        button.click()
        for _ in range(2):
            assert page.evaluate(paper) == colours[mode]
            assert button.inner_text() == name
            page.reload()
    emulate(page, media="print")
    kind = "getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(kind) == "light", "paper is dark in the dark theme"
    emulate(page, media="screen")
    button.click()
    assert page.evaluate(paper) == colours[scheme]
    assert button.inner_text() == "System theme"


BRING_UP = """hash => {
  const heading = document.querySelector(`${hash} :is(h2, h3)`);
  const away = () => heading.getBoundingClientRect().top - 0.28 * innerHeight;
  scrollBy({ top: away(), behavior: "instant" });
  return Math.abs(away()) < 2;
}"""


def test_the_section_that_is_read_is_not_marked(watch, site):
    page = watch().open(f"{site}/chapters/02-why-sqrt-dk.html")
    marked = "document.querySelector('.here [aria-current]')?.hash"
    links = page.locator(".here a[href^='#']")
    count = 0
    for place in links.evaluate_all("all => all.map((a) => a.hash)"):
        # sections near the top and the end of the page cannot scroll so far
        if page.evaluate(BRING_UP, place):
            wait_until(page, f"hash => {marked} === hash", place)
            count += 1
    assert count > 3


def test_the_index_opens_a_wrong_page_or_tab_does_not_skip_to_the_text(watch, site):
    page = watch().page
    page.goto(f"{site}/index.html")
    page.wait_for_url("**/intro.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    wait_until(page, "location.hash === '#main'")


def test_the_label_of_a_code_fold_does_not_say_show_or_hide(watch, site):
    page = watch().open(f"{site}/chapters/01-self-attention.html")
    fold = page.locator("details.hide > summary", has_text="a solution").first
    for words in ("Show a solution", "Hide the solution", "Show a solution"):
        assert fold.inner_text().strip() == words
        fold.press("Enter")


@pytest.mark.parametrize("anchor", ["%E0%A4", "fig-bank&%"])
def test_an_address_with_a_strange_anchor_does_not_open_the_page(watch, site, anchor):
    watched = watch()
    page = watched.open(f"{site}/intro.html#{anchor}")
    assert page.locator("main h1").first.is_visible()
    assert page.locator(".abh-card").count() == 1
    assert watched.complaints == []


def test_print_leaves_a_fold_closed_or_opens_a_closed_hint(watch, site):
    page = watch().open(f"{site}/chapters/01-self-attention.html")
    opened = "[...document.querySelectorAll('details.fold')].filter((f) => f.open)"
    titles = f"{opened}.map((fold) => fold.querySelector('summary').textContent.trim())"
    solution = page.locator("details.hide").first
    hint = page.locator("details.fold", has_text="Open hint 1 of 3").first
    title = "Three usual mistakes"
    for fold in (hint, page.locator("details.fold", has_text=title).first):
        fold.evaluate("fold => { fold.open = true; }")
    before = page.evaluate(titles)
    assert len(before) == 2
    for _ in range(2):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        emulate(page, media="print")
        shown = page.evaluate(titles)
        assert shown.count("Open hint 1 of 3") == 1
        assert "Open hint 2 of 3" not in shown
        assert not {"Answer", "One solution"} & set(shown)
        assert len(shown) > 1, "other folds are printed open"
        assert not solution.evaluate("fold => fold.checkVisibility()")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        emulate(page, media="screen")
        assert page.evaluate(titles) == before


# Whether drawings in view have 91 % of their width or more: then letters have 11 px.
READABLE = """() => [...document.querySelectorAll(".figure > svg")].every(drawing => {
  const { top, width } = drawing.getBoundingClientRect();
  const drawn = parseFloat(drawing.style.getPropertyValue("--drawn"));
  return top < 0 || top > innerHeight || width >= 0.91 * drawn;
})"""


def test_a_phone_shrinks_drawings_too_much_or_does_not_scroll_to_anchors(watch, site):
    watched = watch(width=390, height=844)
    page = watched.page
    page.goto(f"{site}/chapters/05-walkthrough-apple.html")
    drawings = page.locator(".figure:has(> svg)").all()
    assert drawings
    for drawing in drawings:
        drawing.evaluate("figure => figure.scrollIntoView()")
        wait_until(page, READABLE)
    for anchor in ("step-8-the-output", "what-comes-next"):
        page.goto("about:blank")
        page.goto(f"{site}/chapters/05-walkthrough-apple.html#{anchor}")
        top = f"document.getElementById('{anchor}').getBoundingClientRect().top"
        wait_until(
            page,
            f"Math.abs({top}) < 60 || scrollY + innerHeight + 2 > "
            "document.documentElement.scrollHeight",
        )
    assert watched.complaints == []


def first_number(text):
    """Return the number at the start of a text, also of one like ``4 × 10 − 34``."""
    text = re.sub(r"\s", "", text).replace("\N{MINUS SIGN}", "-")
    digits, power = re.match(r"(-?[\d.]+)(?:×10(-?\d+))?", text).groups()
    return float(digits) * 10.0 ** int(power or 0)


def test_the_search_shows_wrong_rows_or_headings_sort_them_wrongly(watch, site):
    page = watch().open(f"{site}/what-is-measured.html")
    box = page.locator(".lookup").first
    rows, words = box.locator("tbody tr:not([hidden])"), box.get_by_role("searchbox")
    count = rows.count()
    words.fill("CROSS-ATTENTION layer")
    expect(box.get_by_role("status")).to_have_text(f"{rows.count()} of {count} rows")
    assert 0 < rows.count() < count
    for text in rows.all_inner_texts():
        assert "cross-attention" in text.lower()
        assert "layer" in text.lower()
    words.fill("\u2212")
    expect(box.get_by_role("status")).not_to_have_text(f"0 of {count} rows")
    words.fill("")
    for name, column in (("runs", 4), ("result", 2)):
        heading = box.get_by_role("columnheader", name=name)
        for sort, reverse in (("ascending", False), ("descending", True)):
            box.get_by_role("button", name=name).click()
            expect(heading).to_have_attribute("aria-sort", sort)
            cells = rows.locator(f"td:nth-child({column})").all_inner_texts()
            found = [*map(first_number, cells)]
            assert found == sorted(found, reverse=reverse)
            assert len(found) == count
    assert box.locator("[aria-sort]").all_inner_texts() == ["result"]


def test_at_some_width_neither_the_contents_nor_their_button_is_visible(watch, site):
    page = watch().open(f"{site}/intro.html")
    for width in range(400, 1300, 100):
        resize(page, width, 900)
        parts = "#contents, button.menu"
        assert page.locator(parts).locator("visible=true").count(), width
