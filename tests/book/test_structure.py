"""The parts of the course fit together: contents, notebooks and prose."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import committed
import nbformat
import numpy as np
from built import ROOT
from committed import each_chapter

from book.build import folder_of
from book.notebooks import FIRST_CELL, problems, tags
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


@each_chapter
def test_a_notebook_is_not_in_committed_form(path):
    assert problems(nbformat.read(path, as_version=4)) == []


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


# JupyterLab shows the first line of a folded cell, which must give no answer away.
NEUTRAL = re.compile(
    r"# A solution|# Draws the figure below|# Checks what the text says"
    r"|(?:from|import) \w|_ = (?:figures|sketch)\."
)


@each_chapter
def test_the_first_line_of_a_folded_cell_gives_an_answer_away(path):
    folded = [c.source for c in committed.cells(path) if "hide-input" in tags(c)]
    assert [source for source in folded if not NEUTRAL.match(source)] == []


def test_a_notebook_does_not_say_that_the_course_is_missing(capsys, monkeypatch):
    exec(FIRST_CELL)
    assert capsys.readouterr().out == ""
    # Python finds the library, and not the course.
    found = {"attention": "here"}.get
    monkeypatch.setattr("importlib.util.find_spec", found)
    exec(FIRST_CELL)
    assert "`make lab` installs them" in capsys.readouterr().out
