"""A colour is defined in `course.kit.look` and nowhere else."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest

from book import colours, extension
from book.notebooks import normalised
from course.kit import look

ROOT = Path(__file__).resolve().parents[2]
HEX = re.compile(r"#[0-9a-f]{6}\b|rgba?\(|hsla?\(", re.IGNORECASE)
NEW = look.Colour("#123456", "#fedcba")
NO_PAGES = {"README.md", "CONTRIBUTING.md", "DEVELOPING.md"}
PROSE = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "chapters").glob("*.ipynb"))
    if path.name not in NO_PAGES
)


@pytest.fixture
def repainted(monkeypatch):
    """Give queries a new colour, as an edit of `look` would; return the old colour."""
    old = look.ROLES["query"]
    monkeypatch.setitem(look.ROLES, "query", NEW)
    return old


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


def test_assets_take_the_new_colour_of_a_role(repainted):
    made = {file: make().lower() for file, make in extension.MADE.items()}
    coloured = {file for file, text in made.items() if HEX.search(text)}
    assert {"book.css", "favicon.svg"} <= coloured
    for text in made.values():
        assert repainted.light not in text
        assert repainted.dark not in text
    for file in coloured:
        assert NEW.light in made[file]
        assert NEW.dark in made[file]


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_formulas_have_the_colours_of_roles_and_no_other(path):
    assert set(in_formulas(path)) <= set(look.IN_FORMULAS)


def test_a_notebook_is_rewritten_in_the_new_colour(repainted):
    cell = nbformat.v4.new_markdown_cell(rf"${{\color{{{repainted.light}}}Q}}$")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata[colours.KEY] = {"query": repainted.light}
    fresh = normalised(notebook)
    assert fresh.cells[0].source == rf"${{\color{{{NEW.light}}}Q}}$"
    assert fresh.metadata[colours.KEY]["query"] == NEW.light
