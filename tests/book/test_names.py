"""Readers can run the open cells of a page alone: no name comes from a hidden cell."""

import ast
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest

from book.build import chapters
from book.live.in_page.cells import names_of
from book.notebooks import FOLDED, tags


def undefined(cells: Iterable[str]) -> set[str]:
    """Return the names that cells use before any of the cells has bound them."""
    known, missing = set(), set()
    for statement in (each for cell in cells for each in ast.parse(cell).body):
        names = names_of(ast.unparse(statement))
        missing |= names.reads - known
        known |= names.binds
    return missing


def open_cells(path: Path) -> list[str]:
    """Return the sources of the cells whose code is not folded or hidden."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell.source for cell in code if not tags(cell) & FOLDED]


each_chapter = pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)


@each_chapter
def test_an_open_cell_uses_only_names_of_open_cells(path):
    assert undefined(open_cells(path)) == set()


def calls(sources: Iterable[str]) -> list[ast.Call]:
    """Return every call in the code of some cells."""
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    return [node for node in nodes if isinstance(node, ast.Call)]


def called_of(module: str, sources: Iterable[str]) -> set[str]:
    """Return the functions that cells call as ``module.function(...)``."""
    functions = [call.func for call in calls(sources)]
    return {
        function.attr
        for function in functions
        if isinstance(function, ast.Attribute) and ast.unparse(function.value) == module
    }


def shown(sources: Iterable[str]) -> set[str]:
    """Return the functions that cells pass to `how_measured` or `show_source`."""
    return {
        ast.unparse(argument).rpartition(".")[2]
        for call in calls(sources)
        if ast.unparse(call.func) in {"how_measured", "show_source"}
        for argument in call.args
    }


@each_chapter
def test_each_experiment_of_an_open_cell_is_shown_with_its_source(path):
    cells = nbformat.read(path, as_version=4).cells
    all_code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert called_of("experiments", open_cells(path)) - shown(all_code) == set()
