"""In the code of the site, `look` defines all colours, and numbers are English."""

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
    """Return the files of the site with these endings, without those of others."""
    return [
        path
        for folder in (ROOT / "book", ROOT / "src")
        for path in folder.rglob("*")
        if path.suffix in endings and "vendor" not in path.parts
    ]


def test_no_other_file_of_the_site_holds_a_colour():
    styles = [*files(".css", ".js", ".svg"), *(ROOT / "src").rglob("*.py")]
    assert len(styles) > 100
    found = {path.name: HEX.findall(path.read_text("utf-8")) for path in styles}
    assert {name for name, colours in found.items() if colours} == {"look.py"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_formulas_have_the_colours_of_roles_and_no_other(path):
    source = [path.read_text(encoding="utf-8")]
    extension._colour_formulas(None, path.stem, source)
    assert set(re.findall(r"\\color\{([^}]+)\}", source[0])) <= set(look.IN_FORMULAS)


def test_every_call_that_depends_on_a_locale_names_english():
    """So numbers and dates look the same for every reader."""
    written = [
        (path.name, call)
        for path in files(".js")
        for call in WRITES.findall(path.read_text("utf-8"))
    ]
    assert len(written) >= 4
    assert [pair for pair in written if not ENGLISH.search(pair[1])] == []
