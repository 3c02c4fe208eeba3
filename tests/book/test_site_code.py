"""In the code of the site, `look` defines all colours, and all locales are English."""

import re
from pathlib import Path

from built import ROOT

HEX = re.compile(r"#[0-9a-f]{6}\b|rgba?\(|hsla?\(", re.IGNORECASE)
WRITES = re.compile(r"(?:\.toLocale\w+|new Intl\.\w+|\.localeCompare)\([^)]*\)")
ENGLISH = re.compile(r"""\((?:\w+, )?"en(?:-\w+)?\"""")


def files(*endings: str) -> list[Path]:
    """Return the site's own files with these endings, without vendored files."""
    found = (path for name in ("book", "src") for path in (ROOT / name).rglob("*"))
    return [p for p in found if p.suffix in endings and "vendor" not in p.parts]


def test_another_file_of_the_site_holds_a_colour():
    styles = [*files(".css", ".js", ".svg"), *(ROOT / "src").rglob("*.py")]
    assert len(styles) > 100
    coloured = [path for path in styles if HEX.search(path.read_text("utf-8"))]
    assert coloured == [ROOT / "src/course/kit/look.py"]


def test_a_call_that_depends_on_a_locale_does_not_name_english():
    """With English named, numbers and dates look the same for every reader."""
    calls = [
        c for path in files(".js") for c in WRITES.findall(path.read_text("utf-8"))
    ]
    assert len(calls) >= 4
    assert [call for call in calls if not ENGLISH.search(call)] == []
