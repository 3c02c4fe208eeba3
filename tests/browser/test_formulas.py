"""Formulas of the built pages: their MathML, font, layout, colours and copying."""

import io
import itertools
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable
from html import unescape

import nbformat
import pytest
from found import ROOT, SITE, pages_with
from frames import emulate, resize
from matplotlib.colors import to_hex
from matplotlib.image import imread
from repeats import ends_daily, first_and_weekly

from book import colours, formulas
from book.formulas import setting
from book.formulas.site import of_site, written
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
    for name in WITH_FORMULAS:
        html = (SITE / name).read_text(encoding="utf-8")
        drawn = [
            (formulas.Formula(unescape(tex), element == "div"), mathml)
            for element, tex, mathml in DRAWN.findall(html)
        ]
        assert [each for each, _ in drawn] == [each for each, _ in written(html)]
        assert [each for each, mathml in drawn if mathml != anew[each]] == [], name


DRAWN = re.compile(r'<(span|div) class="math[^"]*" data-tex="([^"]*)">(.*?)</\1>')


def test_a_page_lacks_a_colour_that_its_notebook_writes():
    notebooks = {path.stem: path for path in (ROOT / "chapters").glob("*.ipynb")}
    coloured = 0
    for name, path in notebooks.items():
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
        text = colours.recoloured(text, colours.current(), colours.ROLES)
        html = (SITE / f"chapters/{name}.html").read_text(encoding="utf-8")
        shown = Counter(role for each, _ in written(html) for role in roles(each.latex))
        assert Counter(roles(text)) <= shown, name
        coloured += len(roles(text))
    assert coloured > 20


# --- On each page -------------------------------------------------------------------


@pytest.mark.parametrize("name", ends_daily(WITH_FORMULAS))
def test_a_formula_is_too_wide_or_has_a_wrong_font_or_colour(watch, site, name):
    page = watch(width=390, height=844).open(f"{site}/{name}")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (390, 360, 1280, 320):
        resize(page, width, 844)
        assert page.evaluate(WIDE) == [], f"wider than their column, at {width} pixels"
        assert page.evaluate(PARTED) == [], f"parted from a full stop, at {width}"
    assert fonts(page) == {"STIX Two Math"}, "a glyph is missing"
    for latex, parts in page.evaluate(SYMBOLS):
        assert parts == parts_of(latex), latex
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

# Returns formulas and symbols whose punctuation is at the start of the next line.
PARTED = """() => [...document.querySelectorAll("[data-tex]")].filter((formula) => {
  const text = formula.nextSibling;
  const { right, width } = formula.getBoundingClientRect();
  if (!width || !/^[.,:;!?)\\]]/.test(text?.data ?? "")) return false;
  const mark = document.createRange();
  mark.setStart(text, 0);
  mark.setEnd(text, 1);
  return mark.getBoundingClientRect().left < right - 2;
}).map((formula) => formula.dataset.tex + formula.nextSibling.data.slice(0, 20))"""

# For each symbol that a figure draws: its LaTeX, and the text of each of its parts.
SYMBOLS = """() => [...document.querySelectorAll("article .abh-symbol")].map((it) => {
  const text = (part) => (part.childElementCount ? "" : part.textContent);
  return [it.dataset.tex, [...it.querySelectorAll("math, math *")].map(text)];
})"""

# For each formula: its LaTeX, and the colours of the parts that set a colour.
COLOURS = """() => [...document.querySelectorAll("article .math")].map((formula) => {
  const coloured = [...formula.querySelectorAll("[style*=color]")];
  return [formula.dataset.tex, coloured.map((part) => getComputedStyle(part).color)];
})"""

# Marks one of all parts that look alike: to get the font of every part would be slow.
LEAVES = """() => {
  const seen = new Set();
  for (const leaf of document.querySelectorAll("article math :is(mi, mn, mo, mtext)")) {
    const { fontFamily, fontWeight, fontStyle } = getComputedStyle(leaf);
    const written = leaf.tagName + leaf.textContent + leaf.getAttribute("mathvariant");
    const font = [written, fontFamily, fontWeight, fontStyle].join();
    if (!seen.has(font)) leaf.dataset.leaf = "";
    seen.add(font);
  }
}"""


def fonts(page) -> set[str]:
    """Return the fonts in which the parts of a page's formulas are drawn."""
    page.evaluate(LEAVES)
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    asked = {"nodeId": root, "selector": "[data-leaf]"}
    parts = session.send("DOM.querySelectorAll", asked)["nodeIds"]
    used = [session.send("CSS.getPlatformFontsForNode", {"nodeId": n}) for n in parts]
    session.detach()
    return {font["familyName"] for each in used for font in each["fonts"]}


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


@pytest.mark.parametrize("scale", first_and_weekly([2, 1, 3]))
def test_a_brace_is_not_drawn_to_its_ends(watch, site, scale):
    page = watch(device_scale_factor=scale).open(f"{site}/{WITH_BRACES}")
    page.locator("munder").first.scroll_into_view_if_needed()
    braces = page.evaluate(BRACES)
    assert len(braces) == 4
    for brace in braces:
        pixels = imread(io.BytesIO(page.screenshot(clip=brace)))[..., :3].mean(axis=2)
        inked = (pixels < 0.6).any(axis=0).sum() / scale
        assert inked > 0.93 * (brace["width"] - 8)


def test_the_name_of_a_slider_lacks_its_symbol(watch, site):
    page = watch().open(f"{site}/chapters/02-why-sqrt-dk.html")
    for name in ("Width of a key d k", "Sharpness β"):
        assert page.get_by_role("slider", name=name, exact=True).count() > 0


def parts_of(latex: str) -> list[str]:
    """Return the text of each part of a symbol in the table's MathML."""
    found = ET.fromstring(formulas.mathml(formulas.Formula(latex)))
    return [part.text or "" for part in found.iter()]


# --- Without scripts, and on the clipboard ------------------------------------------


@pytest.mark.parametrize("scheme", first_and_weekly(["http", "file"]))
def test_formulas_are_not_shown_without_scripts(watch, site, scheme):
    start = site if scheme == "http" else SITE.as_uri()
    watched = watch(java_script_enabled=False, requests=True)
    watched.page.goto(f"{start}/{FIRST}")
    boxes = [each.bounding_box() for each in watched.page.locator(SET).all()]
    assert sum(box is not None and box["height"] > 5 for box in boxes) > 10
    assert fonts(watched.page) == {"STIX Two Math"}
    assert [url for url in watched.requests if "mathjax" in url.lower()] == []
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
