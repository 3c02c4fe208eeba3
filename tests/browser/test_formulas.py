"""Formulas of the built pages: as Temml sets them, whole, and in their colours."""

import base64
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from frames import emulate, resize
from matplotlib.colors import to_hex
from matplotlib.image import imread

from book import formulas
from book.formulas import font, setting
from book.formulas.site import of_site, written
from course.kit import look

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
MEND = "run `make formulas` and commit what it writes"
FIRST = "chapters/01-self-attention.html"
WITH_BRACES = "chapters/03-multi-head.html"
SET = "article .math > math"

WITH_FORMULAS = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if 'class="math' in path.read_text(encoding="utf-8")
)


def test_no_page_shows_a_formula_as_latex():
    assert len(WITH_FORMULAS) > 10
    assert of_site(SITE, only_unset=True) == {}, MEND


def test_each_formula_is_what_temml_makes_of_it(browser):
    shown = of_site(SITE)
    anew = setting.set_formulas(browser, shown)
    assert len(anew) > 300
    other = {each for each in shown if formulas.mathml(each) != anew[each]}
    assert other == set(), MEND
    for name in WITH_FORMULAS:
        html = (SITE / name).read_text(encoding="utf-8")
        for each, _ in written(html):
            assert formulas.markup(each) in html, name


def test_the_font_is_what_is_cut_for_the_table():
    """Compared as what it holds: another version of a packer packs it otherwise."""
    committed = formulas.FONT.read_bytes()
    drawn = font.characters(formulas.table().values())
    anew = font.cut(drawn)
    assert font.cut(drawn) == anew, "the same bytes each time"
    assert held(committed) == held(anew), MEND
    styles = (SITE / "_static/book.css").read_text(encoding="utf-8")
    assert base64.b64encode(committed).decode() in styles


def held(file: bytes) -> str:
    text = io.StringIO()
    TTFont(io.BytesIO(file)).saveXML(text, skipTables=["head"])  # it has a checksum
    return text.getvalue()


# --- On each page -------------------------------------------------------------------


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_formulas_of_a_page(watch, site, name):
    page = watch(width=390, height=844).open(f"{site}/{name}")
    unfold(page)
    for width in (390, 320):
        resize(page, width, 844)
        assert page.evaluate(WIDE) == [], f"wider than their column, at {width} pixels"
        assert page.evaluate(PARTED) == [], f"parted from a full stop, at {width}"
    assert set(fonts(page)) == {"STIX Two Math"}, "a glyph is missing"
    for scheme in ("light", "dark"):
        emulate(page, color_scheme=scheme)
        for latex, letters in page.evaluate(COLOURS):
            expected = [getattr(look.ROLES[role], scheme) for role in roles(latex)]
            assert runs(map(as_hex, letters)) == runs(expected), f"{latex}, {scheme}"


# Formulas that reach out of their column; those in a box that scrolls may.
WIDE = """() => [...document.querySelectorAll("article .math")].filter((formula) => {
  const style = (box) => getComputedStyle(box);
  const scrolls = (box) => style(box).overflowX === "auto";
  let box = formula;
  while (!scrolls(box) && style(box).display !== "block") box = box.parentElement;
  if (scrolls(box)) return false;
  const { left, right } = formula.firstElementChild.getBoundingClientRect();
  const column = box.getBoundingClientRect();
  return left < column.left - 0.5 || right > column.right + 0.5;
}).map((formula) => formula.dataset.tex)"""

# Formulas and symbols that end a line while their punctuation begins the next one.
PARTED = """() => [...document.querySelectorAll("[data-tex]")].filter((formula) => {
  const text = formula.nextSibling;
  const { right, width } = formula.getBoundingClientRect();
  if (!width || !/^[.,:;!?)\\]]/.test(text?.data ?? "")) return false;
  const mark = document.createRange();
  mark.setStart(text, 0);
  mark.setEnd(text, 1);
  return mark.getBoundingClientRect().left < right - 2;
}).map((formula) => formula.dataset.tex + formula.nextSibling.data.slice(0, 20))"""

# Of each formula its LaTeX, and the colours of what has one of its own.
COLOURS = """() => [...document.querySelectorAll("article .math")].map((formula) => {
  const coloured = [...formula.querySelectorAll("[style*=color]")];
  return [formula.dataset.tex, coloured.map((part) => getComputedStyle(part).color)];
})"""

# One of all that draw the same: the browser is asked for the fonts of each.
LEAVES = """() => {
  const seen = new Set();
  for (const leaf of document.querySelectorAll("article math :is(mi, mn, mo, mtext)")) {
    const look = leaf.tagName + leaf.textContent + leaf.getAttribute("mathvariant");
    if (!seen.has(look)) leaf.dataset.leaf = "";
    seen.add(look);
  }
}"""


def fonts(page) -> Counter:
    """Count the glyphs of a page's formulas, by their fonts."""
    page.evaluate(LEAVES)
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    asked = {"nodeId": root, "selector": "[data-leaf]"}
    found: Counter = Counter()
    for node in session.send("DOM.querySelectorAll", asked)["nodeIds"]:
        used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        found.update({each["familyName"]: int(each["glyphCount"]) for each in used})
    session.detach()
    return found


def roles(latex: str) -> list[str]:
    return re.findall(r"\\color\{([^}]*)\}", latex)


def as_hex(colour: str) -> str:
    return to_hex([int(part) / 255 for part in re.findall(r"\d+", colour)])


def runs(colours: Iterable[str]) -> list[str]:
    """Colours in their order, each once where several letters in a row have it."""
    return [colour for colour, _ in itertools.groupby(colours)]


def test_some_letters_have_colours(watch, site):
    page = watch().open(f"{site}/{FIRST}")
    named = [role for latex, _ in page.evaluate(COLOURS) for role in roles(latex)]
    assert {"query", "key", "value"} == set(named)


def test_forced_colours_are_those_of_the_text(watch, site):
    for name in (FIRST, WITH_BRACES):
        page = watch(forced_colors="active").open(f"{site}/{name}")
        asked = "all => all.map((node) => getComputedStyle(node).color)"
        text = page.locator("article p").evaluate_all(asked)
        drawn = page.locator(f"{SET}, {SET} mi, {SET} mo").evaluate_all(asked)
        assert set(drawn) == {text[0]}


BRACES = """() => [...document.querySelectorAll("munder > mo")].map((brace) => {
  const { x, width, bottom } = brace.previousElementSibling.getBoundingClientRect();
  const end = brace.parentElement.getBoundingClientRect().bottom;
  return { x: x - 4, y: bottom, width: width + 8, height: end - bottom };
})"""


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_braces_are_drawn_to_their_ends(watch, site, scale):
    page = watch(device_scale_factor=scale).open(f"{site}/{WITH_BRACES}")
    page.locator("munder").first.scroll_into_view_if_needed()
    braces = page.evaluate(BRACES)
    assert len(braces) == 4
    for brace in braces:
        pixels = imread(io.BytesIO(page.screenshot(clip=brace)))[..., :3].mean(axis=2)
        inked = (pixels < 0.6).any(axis=0).sum() / scale
        assert inked > 0.93 * (brace["width"] - 8)


def test_a_symbol_is_part_of_the_name_of_what_it_labels(watch, site):
    page = watch().open(f"{site}/chapters/02-why-sqrt-dk.html")
    names = ("Width of a key d k", "Sharpness β", "9 √ d k")
    for role, name in zip(("slider", "slider", "radio"), names, strict=True):
        assert page.get_by_role(role, name=name, exact=True).count() > 0


# --- With less than a browser offers ------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_they_are_there_without_scripts(watch, site, scheme):
    start = site if scheme == "http" else SITE.as_uri()
    watched = watch(java_script_enabled=False)
    watched.page.goto(f"{start}/{FIRST}")
    boxes = [each.bounding_box() for each in watched.page.locator(SET).all()]
    assert sum(box is not None and box["height"] > 5 for box in boxes) > 50
    assert fonts(watched.page).keys() == {"STIX Two Math"}
    assert [url for url in watched.requests if "mathjax" in url.lower()] == []
    assert watched.complaints == []


def test_no_file_of_the_site_is_of_mathjax():
    for path in SITE.rglob("*"):
        if path.suffix in {".html", ".js", ".css"}:
            text = path.read_text(encoding="utf-8").lower()
            assert "mathjax" not in text, path


SELECT = """([from, to]) => {
  const nodes = [...document.querySelectorAll("#the-formula > *")];
  const [first, last] = [nodes[from], nodes[to]];
  getSelection().setBaseAndExtent(first, 0, last, last.childNodes.length);
}"""
MARKS = """() => {
  const [letter] = document.querySelectorAll("#the-formula p math mi");
  getSelection().setBaseAndExtent(letter.firstChild, 0, letter.firstChild, 1);
}"""


def test_a_selection_is_copied_with_its_latex(watch, site):
    allowed = ["clipboard-read", "clipboard-write"]
    page = watch(permissions=allowed).open(f"{site}/{FIRST}")
    copied = []
    for select, which in ((SELECT, [1, 3]), (MARKS, None)):
        page.evaluate(select, which)
        page.keyboard.press("Control+c")
        copied.append(page.evaluate("navigator.clipboard.readText()"))
    lines = [line for line in copied[0].splitlines() if line]
    assert "that is the input $X$, with a row for each of the $n$ words." in lines[0]
    assert r"their width $d_{\text{model}}$.) Three matrices" in lines[0]
    assert lines[1].startswith(r"$${Q} = X\,{W^Q} \qquad {K} = X\,{W^K}")
    assert lines[2].startswith("Row $i$ of each belongs to word $i$: its query $q_i$")
    assert copied[1].strip() == "$X$", "a part of a formula is copied whole"
    assert "color" not in copied[0]


def test_what_is_typed_is_copied_as_it_is(watch, site):
    allowed = ["clipboard-read", "clipboard-write"]
    page = watch(permissions=allowed).open(f"{site}/{FIRST}")
    page.evaluate(SELECT, [1, 3])
    field = page.get_by_role("searchbox")
    field.fill("softmax")
    field.select_text()
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "softmax"
