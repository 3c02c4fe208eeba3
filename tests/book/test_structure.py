"""The parts of the course fit together: contents, notebooks and prose."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import committed
import nbformat
import numpy as np
import pytest
from built import ROOT
from committed import each_chapter

from book.build import folder_of
from book.notebooks import problems, tags
from course import notes
from course.claims import register

NOT_PROSE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
REFERENCE = re.compile(r"(?:[Ss]ections?|Python|version) \d+(?:\.\d+)*")

# Decimals that prose may state though no note gives them as an input.
STATED = {"1.0": "a weight of one", "0.0": "a weight of zero", "0.5": "one half"}


@cache
def note_inputs() -> set[float]:
    """Return every number that the notes state as an input of a worked example."""
    examples = (notes.FOOTBALL, notes.CAT, notes.EIGHT_TOKENS, notes.APPLE)
    matrices = ("X", "W_Q", "W_K", "W_V", "W_O")
    return {
        float(x)
        for example in examples
        for name in matrices
        if getattr(example, name, None) is not None
        for x in np.abs(np.ravel(getattr(example, name)))
    }


def typed_results(markdown: str) -> list[str]:
    """Return decimals in prose that are no input of the notes and no reference."""
    prose = REFERENCE.sub("", NOT_PROSE.sub("", markdown))
    inputs = note_inputs()
    return [
        found
        for found in DECIMAL.findall(prose)
        if found not in STATED and float(found) not in inputs
    ]


def cells(path: Path, kind: str) -> list[tuple[int, nbformat.NotebookNode]]:
    """Return the cells of one kind with their numbers in the notebook."""
    every = enumerate(committed.cells(path))
    return [(i, cell) for i, cell in every if cell.cell_type == kind]


@each_chapter
def test_a_notebook_is_not_in_committed_form(path):
    assert problems(nbformat.read(path, as_version=4)) == []


@each_chapter
def test_a_code_cell_is_longer_than_a_screen(path):
    lengths = {i: len(c.source.splitlines()) for i, c in cells(path, "code")}
    assert {i: n for i, n in lengths.items() if n > 25} == {}


@each_chapter
def test_a_result_is_typed_into_prose(path):
    assert typed_results("\n\n".join(committed.sources(path, "markdown"))) == []


def said(source: str) -> str:
    """Return the constant text in a cell's calls of `say`, without computed values."""
    calls = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call))
    texts = [n for c in calls if ast.unparse(c.func) == "say" for n in _texts(c)]
    return "".join(texts)


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.FormattedValue):
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def set_by_hand(path: Path) -> set[float]:
    """Return decimals in a chapter's cells, its package and its claims' sizes."""
    modules = sorted((ROOT / folder_of(path.name)).glob("*.py"))
    code = committed.sources(path, "code") + [p.read_text("utf-8") for p in modules]
    nodes = (n for source in code for n in ast.walk(ast.parse(source)))
    constants = (n.value for n in nodes if isinstance(n, ast.Constant))
    sizes = " ".join(row.sizes for row in register() if row.page == path.stem)
    decimals = [value for value in constants if isinstance(value, float)]
    return {*decimals, *map(float, DECIMAL.findall(sizes))}


@each_chapter
def test_a_result_is_typed_into_a_displayed_sentence(path):
    typed = typed_results(" ".join(map(said, committed.sources(path, "code"))))
    inputs = set_by_hand(path)
    assert [number for number in typed if float(number) not in inputs] == []


DRAWS = re.compile(r"\bfigures\.\w+\(")  # a function of the chapter's figures.py


def alt_text(cell: nbformat.NotebookNode) -> str:
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def speaks(cell: nbformat.NotebookNode, line: int) -> bool:
    """Return whether a cell shows words; in Markdown, no heading may be at `line`."""
    if cell.cell_type == "markdown":
        return not cell.source.splitlines()[line].startswith("#")
    return "say(" in cell.source or "table(" in cell.source


@each_chapter
def test_a_drawn_figure_has_no_words_directly_before_or_after_it(path):
    every = committed.cells(path)
    for place, cell in enumerate(every):
        if alt_text(cell):
            after = (c for c in every[place + 1 :] if not is_source(c))
            assert speaks(every[place - 1], -1) or speaks(next(after), 0), cell.source


def is_source(cell: nbformat.NotebookNode) -> bool:
    """Return whether a cell only shows folded source code."""
    return cell.source.startswith("how_measured(")


# JupyterLab shows the first line of a folded cell, which must give no answer away.
NEUTRAL = re.compile(
    r"# A solution|# Draws the figure below|# Checks what the text says"
    r"|(?:from|import) \w|_ = (?:figures|sketch)\."
)


@each_chapter
def test_the_first_line_of_a_folded_cell_gives_an_answer_away(path):
    folded = [(i, c) for i, c in cells(path, "code") if "hide-input" in tags(c)]
    assert [i for i, c in folded if not NEUTRAL.match(c.source)] == []


@each_chapter
def test_a_chapter_has_no_assertion(path):
    assert any("assert" in cell.source for _, cell in cells(path, "code"))


@each_chapter
def test_a_printed_cell_hides_its_code(path):
    both = {"printed", "remove-input"}
    assert [i for i, c in cells(path, "code") if both <= tags(c)] == []


@each_chapter
def test_a_notebook_does_not_say_that_the_course_is_missing(path, capsys, monkeypatch):
    first = committed.cells(path)[0]
    assert "remove-cell" in tags(first)
    exec(first.source)
    assert capsys.readouterr().out == ""
    # Python finds the library, and not the course.
    found = {"attention": "here"}.get
    monkeypatch.setattr("importlib.util.find_spec", found)
    exec(first.source)
    assert "`make lab` installs them" in capsys.readouterr().out


@pytest.mark.parametrize(
    "row", [row for row in register() if not row.measured], ids=lambda row: row.source
)
def test_a_cited_claim_names_a_source_that_is_not_listed(row):
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    keys = row.source.split()
    assert keys
    assert [k for k in keys if f"{{{k}," not in bibliography] == []
