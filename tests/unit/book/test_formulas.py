"""Formulas are looked up in a table, where # stands for the digits of a formula."""

import re
import tomllib

import pytest
from fontTools.ttLib import TTFont

from book import formulas, vendor
from book.formulas import Formula, font
from book.formulas.site import written
from book.vendor import vendored

TABLE = {
    Formula("d_k"): "<math><msub><mi>d</mi><mi>k</mi></msub></math>",
    Formula(r"#^{-#}"): "<math><msup><mn>#0</mn><mn>-#1</mn></msup></math>",
    Formula("n^2"): "<math><msup><mi>n</mi><mn>2</mn></msup></math>",
    Formula("x < #", display=True): "<math><mn>#0</mn></math>",
}


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(formulas, "table", lambda: TABLE)


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        ("d_k", ["d", "k"]),
        ("10^{-9}", ["10", "-9"]),
        ("2^{-1074}", ["2", "-1074"]),
        ("n^2", ["n", "2"]),
    ],
)
def test_a_line_of_the_table_does_not_fit_all_digits(table, latex, shown):
    assert re.findall(r">([^<>]+)<", formulas.mathml(Formula(latex))) == shown


def test_a_formula_without_mathml_shows_no_latex_or_its_colours(table):
    html = formulas.markup(Formula(r"{\color{query}Q} < 2"))
    assert ">{Q} &lt; 2</span>" in html
    assert list(written(html)) == [(Formula(r"{\color{query}Q} < 2"), False)]


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("by @.", ["@."]),
        ("(@, say), @’s", ["(@,", "@’s"]),
        ("@ (@) and @", ["(@)"]),
        ("@-th, @ . @", []),
    ],
)
def test_a_formula_can_leave_the_line_of_its_punctuation(table, text, together):
    set_ = formulas.markup(Formula("d_k"))
    html = formulas.kept_together(text.replace("@", set_))
    wrapped = html.replace(set_, "@").split('<span class="together">')[1:]
    assert [part.partition("</span>")[0] for part in wrapped] == together


def test_the_font_lacks_the_glyph_of_a_drawn_character():
    glyphs = TTFont(formulas.FONT).getBestCmap()
    drawn = font.characters(formulas.table().values())
    assert {"𝑑", "𝑘", "ℎ", "𝛽", "√"} <= drawn | font.ALWAYS
    assert {c for c in drawn | font.ALWAYS if ord(c) not in glyphs} == set()


def test_a_vendored_file_differs_from_the_published_file():
    origins = tomllib.loads(vendor.ORIGINS.read_text(encoding="utf-8"))
    files = {path for path in vendor.HERE.glob("[!_]*/*") if path.name != "LICENSE"}
    assert {vendor.HERE / name for name in origins} == files
    for name, origin in origins.items():
        assert vendored(name)
        assert (vendor.HERE / origin["licence"].split(", ")[1]).exists()
