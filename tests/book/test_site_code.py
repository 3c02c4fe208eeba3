"""In the code of the site, `look` defines all colours, and all locales are English."""

import re
from pathlib import Path

import pytest
from built import ROOT
from committed import PAGES

from book import extension
from course.kit import look

HEX = re.compile(r"#[0-9a-f]{6}\b|rgba?\(|hsla?\(", re.IGNORECASE)
WRITES = re.compile(r"(?:\.toLocale\w+|new Intl\.\w+|\.localeCompare)\([^)]*\)")
ENGLISH = re.compile(r"""\((?:\w+, )?"en(?:-\w+)?\"""")


def files(*endings: str) -> list[Path]:
    """Return the site's own files with these endings, without vendored files."""
    return [
        path
        for folder in (ROOT / "book", ROOT / "src")
        for path in folder.rglob("*")
        if path.suffix in endings and "vendor" not in path.parts
    ]


def test_another_file_of_the_site_holds_a_colour():
    styles = [*files(".css", ".js", ".svg"), *(ROOT / "src").rglob("*.py")]
    assert len(styles) > 100
    coloured = [path for path in styles if HEX.search(path.read_text("utf-8"))]
    assert coloured == [ROOT / "src/course/kit/look.py"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_formula_has_a_colour_of_no_role(path):
    source = [path.read_text(encoding="utf-8")]
    extension._colour_formulas(None, path.stem, source)
    assert set(re.findall(r"\\color\{([^}]+)\}", source[0])) <= set(look.IN_FORMULAS)


def test_a_call_that_depends_on_a_locale_does_not_name_english():
    """With English named, numbers and dates look the same for every reader."""
    written = [
        (path.name, call)
        for path in files(".js")
        for call in WRITES.findall(path.read_text("utf-8"))
    ]
    assert len(written) >= 4
    assert [pair for pair in written if not ENGLISH.search(pair[1])] == []
