"""Readers can run the open cells of a page alone: no name comes from a hidden cell."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from committed import cells, each_chapter, sources

from book.live.in_page.cells import names_of
from book.notebooks import FOLDED, tags


def undefined(codes: Iterable[str]) -> set[str]:
    """Return the names that cells use before any of the cells has bound them."""
    known, missing = set(), set()
    for code in codes:
        for statement in ast.parse(code).body:
            names = names_of(ast.unparse(statement))
            missing |= names.reads - known
            known |= names.binds
    return missing


def open_cells(path: Path) -> list[str]:
    """Return the sources of the cells whose code is not folded or hidden."""
    code = [cell for cell in cells(path) if cell.cell_type == "code"]
    return [cell.source for cell in code if not tags(cell) & FOLDED]


@each_chapter
def test_an_open_cell_uses_a_name_that_no_open_cell_defines(path):
    assert undefined(open_cells(path)) == set()


@each_chapter
def test_an_open_cell_calls_an_experiment_whose_source_is_not_shown(path):
    called = re.findall(r"\bexperiments\.(\w+)\(", "\n".join(open_cells(path)))
    code = "\n".join(sources(path, "code"))
    shown = re.findall(r"how_measured\(([^()]*)\)", code)
    assert set(called) - set(re.findall(r"\w+", " ".join(shown))) == set()
