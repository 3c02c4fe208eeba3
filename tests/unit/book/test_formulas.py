"""Formulas are looked up in a table, where # stands for the digits of a formula."""

import re
import tomllib
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from book import formulas, vendor
from book.build import say_unset
from book.formulas import Formula, font, formula, setting
from book.formulas.site import written
from book.formulas.words import in_words, plain_formula
from book.vendor import vendored

ROOT = Path(__file__).resolve().parents[3]
STYLES = (ROOT / "book/assets/book.css").read_text(encoding="utf-8")
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
    ("latex", "display", "expected"),
    [
        ("\n a  =\n b ", True, "a = b"),
        (r"a \\ b", True, r"\begin{split} a \\ b \end{split}"),
        (r"a \\ b", False, r"a \\ b"),
        (r"\begin{bmatrix} a \\ b \end{bmatrix}", True, None),
        (r"\begin{aligned} a &= b \\ c \end{aligned}.", True, None),
    ],
)
def test_latex_is_normalised(latex, display, expected):
    assert formula(latex, display) == Formula(expected or latex, display)


def test_a_table_is_read_whatever_the_order_of_its_lines():
    text = formulas.write(TABLE)
    assert formulas.read(text) == TABLE
    lines = text.splitlines(keepends=True)
    assert len(lines) == len(TABLE)
    merged = "".join([*reversed(lines), lines[0]])  # as after a git merge
    assert formulas.read(merged) == TABLE
    assert formulas.write(formulas.read(merged)) == text


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        ("d_k", ["d", "k"]),
        ("10^{-9}", ["10", "-9"]),
        ("2^{-1074}", ["2", "-1074"]),
        ("n^2", ["n", "2"]),
    ],
)
def test_a_line_of_the_table_fits_all_digits(table, latex, shown):
    assert re.findall(r">([^<>]+)<", formulas.mathml(Formula(latex))) == shown


@pytest.mark.parametrize("latex", ["d_v", "n^3", "10^{9}", "x < 1"])
def test_a_formula_that_the_table_lacks_has_no_mathml(table, latex):
    assert formulas.mathml(Formula(latex)) is None


def test_a_formula_without_mathml_is_latex_without_colours(table):
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
def test_a_formula_stays_on_the_line_of_its_punctuation(table, text, together):
    set_ = formulas.markup(Formula("d_k"))
    html = formulas.kept_together(text.replace("@", set_))
    wrapped = html.replace(set_, "@").split('<span class="together">')[1:]
    assert [part.partition("</span>")[0] for part in wrapped] == together


def test_formulas_of_a_page_are_read_back(table):
    wanted = [Formula("d_k"), Formula("x < 3", display=True)]
    html = " ".join(map(formulas.markup, wanted))
    assert list(written(html)) == [(each, True) for each in wanted]
    assert "<math><mn>3</mn></math></div>" in html


def test_a_build_names_formulas_without_mathml_and_the_command(table, tmp_path, capsys):
    page = tmp_path / "chapters" / "a.html"
    page.parent.mkdir()
    page.write_text(formulas.markup(Formula("d_k")), encoding="utf-8")
    say_unset(tmp_path)
    assert capsys.readouterr().err == ""
    page.write_text(formulas.markup(Formula("d_v")), encoding="utf-8")
    say_unset(tmp_path)
    said = capsys.readouterr().err
    assert "chapters/a.html shows a formula as LaTeX: d_v" in said
    assert "make formulas" in said


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\sqrt{d_k}", "√d_k"),
        (r"W^O", "W^O"),
        (r"{\color{query}Q}", "Q"),
        (r"d_{\text{model}}", "d_model"),
        (r"QK^{\mathsf T} / \sqrt{d_k}", "QK^T / √d_k"),
        (r"\tfrac{1}{\sqrt{d_k}}", "1/√d_k"),
        (r"-\sum_j p_j \ln p_j", "-∑_j p_j ln p_j"),
        (r"n \times d_v", "n × d_v"),
        ("\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}", "a = b c = d"),
        (
            r"\operatorname{softmax}\!\left(\frac{QK}{\sqrt{d_k}}\right) V",
            "softmax(QK/√d_k) V",
        ),
    ],
)
def test_a_formula_is_written_as_plain_text(latex, words):
    assert plain_formula(latex) == words
    title = f"<h1>Why <em>{formulas.markup(Formula(latex))}</em></h1>"
    assert in_words(title) == f"<h1>Why <em>{words}</em></h1>"


# --- The font -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def cut() -> TTFont:
    return TTFont(formulas.FONT)


def test_the_font_has_a_glyph_for_every_drawn_character(cut):
    drawn = font.characters(formulas.table().values())
    assert {"𝑑", "𝑘", "ℎ", "𝛽", "√"} <= drawn | font.ALWAYS
    assert {c for c in drawn | font.ALWAYS if ord(c) not in cut.getBestCmap()} == set()


# --- The MathML ---------------------------------------------------------------------


def row(inner: str) -> str:
    return f"<math><mrow>{inner}</mrow></math>"


W, X, INDEX, DOT = "<mi>W</mi>", "<mi>x</mi>", "<mi>i</mi>", "<mo>⋅</mo>"
OPEN = '<mo fence="true" form="prefix" stretchy="false">⟨</mo>'
CLOSE = '<mo fence="true" form="postfix" stretchy="false">⟩</mo>'
LN = "<mi>ln</mi><mo>\u2061</mo>"


@pytest.mark.more
@pytest.mark.parametrize(
    ("temml", "expected"),
    [
        (f"<msup>{W}{X}</msup>", '<mi class="after-3">x'),
        (f"<msub>{W}{X}</msub>", "<mi>x"),
        (f"<msub><mi>K</mi>{INDEX}</msub>", '<mi class="after-1">i'),
        (f"<msup><mrow>{W}</mrow>{X}</msup>", '<mi class="after-3">x'),
        (f'<msup>{X}<mi class="tml-sml-pad">i</mi></msup>', "<mi>i"),
        (f"{W}{X}", '<mi class="leans-3">W'),
        (f"{X}{W}", "<mi>x"),
        (
            f"<msub>{X}<mrow>{INDEX}<mo>=</mo></mrow></msub>",
            '<mo lspace="0em" rspace="0em"',
        ),
        (f"{X}<mo>=</mo>{INDEX}", "<mo>="),
        (f"{OPEN}{DOT}{CLOSE}", '<mo lspace="0em" rspace="0em">⋅'),
        (f"{X}{DOT}{INDEX}", "<mo>⋅"),
        ("<mo>=</mo><mo>∑</mo>", '<mo lspace="0em">∑'),
        (f"{X}<mo>∑</mo>", "<mo>∑"),
        (f"{X}{LN}{INDEX}", f'<mi>x</mi><mspace width="0.1667em"/><mrow>{LN}</mrow>'),
        (f'{LN}<mspace width="0.1667em"></mspace>', f"{LN}</mrow></mrow>"),
        ('<mi style="color:#abcd01;">k</mi>', 'style="color:var(--abh-key);"'),
    ],
)
def test_letters_and_operators_get_their_spacing(temml, expected):
    assert expected in setting.finished(row(temml))


def test_every_css_class_of_a_formula_has_a_style():
    used = re.findall(r'class="([^"]*)"', " ".join(formulas.table().values()))
    assert used
    names = {name for classes in used for name in classes.split()}
    assert {name for name in names if f".{name} " not in STYLES} <= {"tml-prime"}


# --- Vendored files ----------------------------------------------------------------


def test_vendored_files_equal_the_published_files():
    origins = tomllib.loads(vendor.ORIGINS.read_text(encoding="utf-8"))
    files = {path for path in vendor.HERE.glob("[!_]*/*") if path.name != "LICENSE"}
    assert {vendor.HERE / name for name in origins} == files
    for name, origin in origins.items():
        assert vendored(name)
        assert (vendor.HERE / origin["licence"].split(", ")[1]).exists()


def test_a_changed_vendored_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "temml").mkdir()
    (tmp_path / "temml/temml.min.js").write_bytes(b"changed")
    monkeypatch.setattr(vendor, "HERE", tmp_path)
    with pytest.raises(ValueError, match=r"temml\.min\.js has sha256 .*, expected"):
        vendored("temml/temml.min.js")
