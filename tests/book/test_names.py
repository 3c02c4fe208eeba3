"""Readers can run the open cells of a page alone: no name comes from a hidden cell."""

import ast
import builtins
import symtable
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest

from book.notebooks import FOLDED, tags

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


def undefined(cells: Iterable[str]) -> set[str]:
    """Return the names that cells use before any of the cells has bound them."""
    known, missing = set(dir(builtins)), set()
    for source in cells:
        for statement in ast.parse(source).body:
            used, bound, bound_first = _names(statement)
            missing |= used - known - bound_first
            known |= bound
    return missing


class _AsGenerators(ast.NodeTransformer):
    """Turn comprehensions into generator expressions.

    Since Python 3.12 `symtable` gives a comprehension no scope, so its loop variable
    would count as a name of the cell. A generator expression has a scope.
    """

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.GeneratorExp:
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.GeneratorExp:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return ast.GeneratorExp(pair, node.generators)


def _names(statement: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """Return the names that a statement uses, binds, and binds before their use.

    ``x = x + 1`` uses ``x`` before it binds ``x``; ``for x in y`` binds ``x`` first.
    """
    code = ast.unparse(_AsGenerators().visit(statement))
    table = symtable.symtable(code, "<cell>", "exec")
    symbols = table.get_symbols()
    used = {s.get_name() for s in symbols if s.is_referenced()}
    used |= _globals_within(table)
    bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()}
    if isinstance(statement, ast.AugAssign):
        used |= bound  # x += 1 reads x
    is_assignment = isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign)
    bound_first = set() if is_assignment else bound
    return used, bound, bound_first


def _globals_within(table: symtable.SymbolTable) -> set[str]:
    """Return the global names that functions and generators in a scope use."""
    found = set()
    for child in table.get_children():
        found |= {s.get_name() for s in child.get_symbols() if s.is_global()}
        found |= _globals_within(child)
    return found


def open_cells(path: Path) -> list[str]:
    """Return the sources of the cells whose code is not folded or hidden."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell.source for cell in code if not tags(cell) & FOLDED]


each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


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


@pytest.mark.parametrize(
    ("cells", "missing"),
    [
        (["x = 1", "y = x + len('a')"], set()),
        (["y = x"], {"x"}),
        (["x = x + 1"], {"x"}),
        (["x += 1"], {"x"}),
        (["y = [a for a in rows]", "a"], {"rows", "a"}),
        (["y = {a: b for a, b in rows} | {c for c in z}"], {"rows", "z"}),
        (["print(f'{head.output:.2f}')"], {"head"}),
        (["import numpy as np\nfrom a import b as c", "np.sum(c)"], set()),
        (["from a import b as c", "b"], {"b"}),
        (["for i, w in enumerate(W):\n    print(i, w, z)"], {"W", "z"}),
        (["def f(a):\n    t = a + g(a)\n    return f(t)", "f(t)"], {"g", "t"}),
        (["f = lambda q: q + r"], {"r"}),
        (["with open(p) as file:\n    file.read()"], {"p"}),
        (["a, *b = c\na[0] = b"], {"c"}),
    ],
)
def test_undefined_names_are_found_in_cells_and_scopes(cells, missing):
    assert undefined(cells) == missing
