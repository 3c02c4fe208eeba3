"""A colour is defined in `course.kit.look` and nowhere else."""

import re
import subprocess
from pathlib import Path

import pytest

from book import extension
from book.build import ROOT
from course.kit import look

HEX = re.compile(r"#[0-9a-f]{6}\b|rgba?\(|hsla?\(", re.IGNORECASE)
NO_PAGES = {"README.md", "CONTRIBUTING.md", "DEVELOPING.md"}
PROSE = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "chapters").glob("*.ipynb"))
    if path.name not in NO_PAGES
)


def in_formulas(path: Path) -> list[str]:
    """Return the colours of a page's formulas, as the build colours them."""
    source = [path.read_text(encoding="utf-8")]
    extension._colour_formulas(None, path.stem, source)
    return re.findall(r"\\color\{([^}]+)\}", source[0])


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split()]


def test_no_other_file_of_the_site_holds_a_colour():
    files = [
        path
        for path in tracked("book/*.css", "book/*.js", "book/*.svg", "src/*")
        if path.suffix in {".css", ".js", ".svg", ".py"} and path.name != "look.py"
        if "vendor" not in path.parts
    ]
    assert len(files) > 100
    found = {path.name: HEX.findall(path.read_text("utf-8")) for path in files}
    assert {name: colours for name, colours in found.items() if colours} == {}


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_formulas_have_the_colours_of_roles_and_no_other(path):
    assert set(in_formulas(path)) <= set(look.IN_FORMULAS)
