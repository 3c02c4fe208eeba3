"""The code that a page shows can be followed: no open cell uses what is hidden."""

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
    """Names that a run of cells uses and has not defined or imported before."""
    known, missing = set(dir(builtins)), set()
    for source in cells:
        for statement in ast.parse(source).body:
            used, bound, at_once = _names(statement)
            missing |= used - known - at_once
            known |= bound
    return missing


class _AsGenerators(ast.NodeTransformer):
    """Write comprehensions as generators: since Python 3.12 these alone have scopes."""

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.GeneratorExp:
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.GeneratorExp:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return ast.GeneratorExp(pair, node.generators)


def _names(statement: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """Names that a statement uses; binds; and binds before it uses them."""
    code = ast.unparse(_AsGenerators().visit(statement))
    table = symtable.symtable(code, "<cell>", "exec")
    symbols = table.get_symbols()
    used = {s.get_name() for s in symbols if s.is_referenced()}
    used |= _globals_within(table)
    bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()}
    binds_late = isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign)
    if isinstance(statement, ast.AugAssign):
        used |= bound
    return used, bound, set() if binds_late else bound


def _globals_within(table: symtable.SymbolTable) -> set[str]:
    found = set()
    for child in table.get_children():
        found |= {s.get_name() for s in child.get_symbols() if s.is_global()}
        found |= _globals_within(child)
    return found


def open_cells(path: Path) -> list[str]:
    """Sources of the cells whose code stands open on the page."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell.source for cell in code if not tags(cell) & FOLDED]


each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@each_chapter
def test_an_open_cell_uses_only_names_of_open_cells(path):
    assert undefined(open_cells(path)) == set()


def attributes_of(name: str, sources: Iterable[str]) -> set[str]:
    """Functions of a module that some cells call, as ``name.function``."""
    calls = (n for s in sources for n in ast.walk(ast.parse(s)))
    found = (c.func for c in calls if isinstance(c, ast.Call))
    return {
        f.attr
        for f in found
        if isinstance(f, ast.Attribute) and ast.unparse(f.value) == name
    }


def shown(sources: Iterable[str]) -> set[str]:
    """Functions whose source some cells show, folded or not."""
    calls = [n for s in sources for n in ast.walk(ast.parse(s))]
    return {
        ast.unparse(argument).rpartition(".")[2]
        for call in calls
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) in {"how_measured", "show_source"}
        for argument in call.args
    }


@each_chapter
def test_each_experiment_of_an_open_cell_is_shown_with_its_source(path):
    code = nbformat.read(path, as_version=4).cells
    every = [cell.source for cell in code if cell.cell_type == "code"]
    assert attributes_of("experiments", open_cells(path)) - shown(every) == set()


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
def test_names_are_followed_through_cells_and_scopes(cells, missing):
    assert undefined(cells) == missing
