"""Formulas of the built pages: their MathML, font, layout, colours and copying."""

import io
import itertools
import re
from collections.abc import Iterable

import pytest
from found import SITE, pages_with
from frames import emulate, resize
from matplotlib.colors import to_hex
from matplotlib.image import imread
from repeats import ends_daily

from book import formulas
from book.formulas import setting
from book.formulas.site import of_site
from course.kit import look

REMEDY = "run `make formulas` and commit what it writes"
FIRST = "chapters/01-self-attention.html"
WITH_BRACES = "chapters/03b-multi-head.html"
SET = "article .math > math"

WITH_FORMULAS = pages_with('class="math')


def test_a_page_shows_a_formula_as_latex():
    assert len(WITH_FORMULAS) > 10
    assert of_site(SITE, only_unset=True) == {}, REMEDY


@pytest.mark.slow
def test_a_formula_differs_from_the_output_of_temml(browser):
    shown = of_site(SITE)
    anew = setting.set_formulas(browser, shown)
    assert len(anew) > 300
    other = {each for each in shown if formulas.mathml(each) != anew[each]}
    assert other == set(), REMEDY


# --- On each page -------------------------------------------------------------------


@pytest.mark.parametrize("name", ends_daily(WITH_FORMULAS))
def test_a_formula_is_too_wide_or_has_a_wrong_font_or_colour(watch, site, name):
    page = watch(width=390, height=844).open(f"{site}/{name}")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (390, 360, 1280, 320):
        resize(page, width, 844)
        assert page.evaluate(WIDE) == [], f"wider than their column, at {width} pixels"
    assert page.evaluate(OTHER_FONTS) == []
    for scheme in ("light", "dark"):
        emulate(page, color_scheme=scheme)
        for latex, letters in page.evaluate(COLOURS):
            expected = [getattr(look.ROLES[role], scheme) for role in roles(latex)]
            assert runs(map(as_hex, letters)) == runs(expected), f"{latex}, {scheme}"


# Returns formulas and symbols that are cut off or stick out of their column, except
# inside a box that scrolls.
WIDE = """() => [...document.querySelectorAll("article [data-tex]")].filter((it) => {
  const style = (box) => getComputedStyle(box);
  const scrolls = (box) => style(box).overflowX === "auto";
  const ends = it.matches(".abh-symbol")  // a label may be wider than what it names
    ? (box) => box.matches(".abh-card, article")
    : (box) => style(box).display === "block";
  let box = it;
  while (!scrolls(box) && !ends(box)) box = box.parentElement;
  const math = it.firstElementChild;
  const { left, right, width } = math.getBoundingClientRect();
  if (scrolls(box) || !width) return false;
  const column = box.getBoundingClientRect();
  const isCut = style(math).overflowX !== "visible" || style(it).overflowX === "hidden";
  if (isCut && math.scrollWidth > Math.ceil(width)) return true;
  return left < column.left - 0.5 || right > column.right + 0.5;
}).map((it) => it.dataset.tex)"""


# For each formula: its LaTeX, and the colours of the parts that set a colour.
COLOURS = """() => [...document.querySelectorAll("article .math")].map((formula) => {
  const coloured = [...formula.querySelectorAll("[style*=color]")];
  return [formula.dataset.tex, coloured.map((part) => getComputedStyle(part).color)];
})"""

# Returns the fonts of formulas other than STIX Two Math, which must be loaded.
# A unit test checks that this font has a glyph for each character.
OTHER_FONTS = """async () => {
  await document.fonts.ready;
  const isIt = (name) => name.split(",")[0].replaceAll('"', "") === "STIX Two Math";
  const fonts = [...document.fonts].filter(({ status }) => status === "loaded");
  const loaded = fonts.some(({ family }) => isIt(family));
  const used = [...document.querySelectorAll("article math :is(mi, mn, mo, mtext)")]
    .map((leaf) => getComputedStyle(leaf).fontFamily);
  return loaded && used.length ? used.filter((name) => !isIt(name)) : ["not loaded"];
}"""


def roles(latex: str) -> list[str]:
    return re.findall(r"\\color\{([^}]*)\}", latex)


def as_hex(colour: str) -> str:
    return to_hex([int(part) / 255 for part in re.findall(r"\d+", colour)])


def runs(colours: Iterable[str]) -> list[str]:
    """Return the colours in order; equal neighbours count once."""
    return [colour for colour, _ in itertools.groupby(colours)]


BRACES = """() => [...document.querySelectorAll("munder > mo")].map((brace) => {
  const { x, width, bottom } = brace.previousElementSibling.getBoundingClientRect();
  const end = brace.parentElement.getBoundingClientRect().bottom;
  return { x: x - 4, y: bottom, width: width + 8, height: end - bottom };
})"""


def test_a_brace_is_not_drawn_to_its_ends(watch, site):
    page = watch(device_scale_factor=2).open(f"{site}/{WITH_BRACES}")
    page.locator("munder").first.scroll_into_view_if_needed()
    braces = page.evaluate(BRACES)
    assert len(braces) == 4
    for brace in braces:
        pixels = imread(io.BytesIO(page.screenshot(clip=brace)))[..., :3].mean(axis=2)
        inked = (pixels < 0.6).any(axis=0).sum() / 2
        assert inked > 0.93 * (brace["width"] - 8)


def test_the_name_of_a_slider_lacks_its_symbol(watch, site):
    page = watch().open(f"{site}/chapters/02-why-sqrt-dk.html")
    for name in ("Width of a key d k", "Sharpness β"):
        assert page.get_by_role("slider", name=name, exact=True).count() > 0


# --- Without scripts, and on the clipboard ------------------------------------------


def test_formulas_are_not_shown_without_scripts(watch, site):
    watched = watch(java_script_enabled=False)
    watched.page.goto(f"{site}/{FIRST}")
    boxes = [each.bounding_box() for each in watched.page.locator(SET).all()]
    assert sum(box is not None and box["height"] > 5 for box in boxes) > 10
    assert watched.page.evaluate(OTHER_FONTS) == []
    assert watched.complaints == []


SELECT = """([from, to]) => {
  const nodes = [...document.querySelectorAll("#the-formula > *")];
  const [first, last] = [nodes[from], nodes[to]];
  getSelection().setBaseAndExtent(first, 0, last, last.childNodes.length);
}"""
SELECT_LETTER = """() => {
  const [letter] = document.querySelectorAll("#the-formula p math mi");
  getSelection().setBaseAndExtent(letter.firstChild, 0, letter.firstChild, 1);
}"""


def test_a_copied_selection_lacks_its_latex_or_replaces_typed_text(watch, site):
    allowed = ["clipboard-read", "clipboard-write"]
    page = watch(permissions=allowed).open(f"{site}/{FIRST}")

    def copied():
        page.keyboard.press("Control+c")
        return page.evaluate("navigator.clipboard.readText()")

    page.evaluate(SELECT_LETTER)
    assert copied().strip() == "$X$", "a part of a formula is copied whole"
    page.evaluate(SELECT, [1, 3])
    text = copied()
    lines = [line for line in text.splitlines() if line]
    assert "Write the vectors of all words as the rows of a matrix $X$." in lines[0]
    assert lines[1].startswith(r"$${Q} = X\,{W^Q} \qquad {K} = X\,{W^K}")
    assert lines[2].startswith("Row $i$ of $X$, $Q$, $K$ and $V$ belongs to word $i$.")
    assert "color" not in text
    field = page.get_by_role("searchbox")  # the selection of the text is still there
    field.fill("softmax")
    field.select_text()
    assert copied() == "softmax"


def test_a_copied_selection_deselects_the_choice_of_a_question(watch, site):
    page = watch().open(f"{site}/{FIRST}")
    choice = page.get_by_role("radio").first
    choice.check()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('main'))")
    page.keyboard.press("Control+c")
    assert choice.is_checked()
