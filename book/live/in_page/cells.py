"""Find the cells that must run before a cell, from the names that cells read and bind.

A page's cells share one namespace, as in a notebook. A cell gets each name from the
nearest cell above that binds the name, as the reader sees on the page. The order in
which the reader runs the cells does not matter.
"""

import ast
import builtins
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

BUILT_IN = frozenset(dir(builtins))
CHANGING_METHODS = frozenset(
    """add append clear discard extend fill insert pop popitem remove reverse
    setdefault sort update""".split()  # noqa: SIM905, or each name has its own line
)
# Functions that change their first argument.
CHANGING_FUNCTIONS = {"copyto", "fill_diagonal", "put", "shuffle"}
DRAWS = "default_rng"  # makes a random generator, which changes with each use


class Names(NamedTuple):
    """Names of a cell's outermost scope."""

    reads: frozenset[str]  # names that the cell uses and has not bound before
    # Names that the cell binds, or whose values it changes in place.
    binds: frozenset[str]
    draws: frozenset[str]  # those of `binds` that are random generators
    # Those of `binds` that are imported, with the full name of each import.
    imports: dict[str, str]
    built_in: frozenset[str]  # built-in names that the cell uses, unless it binds them


class _NameReader(ast.NodeVisitor):
    """Collects the names of a piece of code, in the order in which the code runs."""

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.binds: set[str] = set()
        self.perhaps: set[str] = set()  # bound in one branch of an `if`
        self.changes: set[str] = set()
        self.draws: set[str] = set()
        self.imports: dict[str, str] = {}
        self.later: set[str] = set()  # read only when a function is called

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.binds.add(node.id)
        else:
            self._read(node.id)
        if isinstance(node.ctx, ast.Del):
            self.changes.add(node.id)

    def _read(self, name: str) -> None:
        if name not in self.binds and name not in self.imports:
            self.reads.add(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name) and _draws(node.value):
                self.draws.add(target.id)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            self._read(node.target.id)
        self.visit(node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.visit(node.target)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        before, ends = self.binds, []
        for branch in (node.body, node.orelse):
            self.binds = set(before)
            self._all(branch)
            ends.append(self.binds)
        self.binds = ends[0] & ends[1]
        self.perhaps |= ends[0] ^ ends[1]
        # If that branch does not run, the names keep the values of a cell above.
        self.reads |= ends[0] ^ ends[1]

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.visit(node.target)
        self._all(node.body, node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._part(node)
        self.visit(node.slice)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._part(node)

    def _part(self, node: ast.Subscript | ast.Attribute) -> None:
        self.visit(node.value)
        if isinstance(node.ctx, ast.Store | ast.Del):
            self.changes |= {_root(node.value)} - {""}

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        method = getattr(node.func, "attr", "")
        if method in CHANGING_METHODS:
            # np.sort and np.add are functions, and change nothing
            self.changes |= {_root(node.func.value)} - {"", "np"}
        elif (method or _root(node.func)) in CHANGING_FUNCTIONS:
            self.changes |= {_root(each) for each in node.args[:1]} - {""}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = (alias.asname or alias.name).partition(".")[0]
            self.imports[name] = alias.name if alias.asname else name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        run_now = (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        arguments = (n for n in ast.walk(node.args) if isinstance(n, ast.arg))
        annotations = (*(each.annotation for each in arguments), node.returns)
        self._all(filter(None, (*run_now, *annotations)))
        self._function(node.args, node.body)
        self.binds.add(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._all(filter(None, (*node.args.defaults, *node.args.kw_defaults)))
        self._function(node.args, [node.body])

    def _function(self, arguments: ast.arguments, body: Sequence[ast.AST]) -> None:
        inner = _NameReader()
        inner.binds = {
            each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)
        }
        inner._all(body)
        declared_global = {
            name
            for each in body
            for node in ast.walk(each)
            if isinstance(node, ast.Global)
            for name in node.names
        }
        bound = inner.binds | inner.perhaps
        local = (bound | inner.imports.keys()) - declared_global
        self.later |= (inner.reads | inner.later | bound) - local
        self.changes |= (inner.changes | bound) - local

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all(node.decorator_list, node.bases, node.keywords)
        inner = self._inner(node.body)
        self.later |= inner.later  # methods do not see the names of their class
        self.binds.add(node.name)

    def _inner(self, body: Iterable[ast.AST]) -> "_NameReader":
        """Collect the names of a class body or comprehension, which runs at once."""
        inner = _NameReader()
        outer = self.binds | self.imports.keys()
        inner.binds = set(outer)
        inner._all(body)
        self.reads |= inner.reads
        self.later |= inner.later - (inner.binds - outer)
        self.changes |= inner.changes - (inner.binds - outer) - inner.perhaps
        return inner

    def _comprehension(self, node: ast.AST) -> None:
        inner: list[ast.AST] = []
        for part in node.generators:
            inner += [part.iter, part.target, *part.ifs]
        if isinstance(node, ast.DictComp):
            inner += [node.key, node.value]
        else:
            inner.append(node.elt)
        self._inner(inner)
        walruses = (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        # `:=` binds in the scope around the comprehension.
        self.binds |= {each.target.id for each in walruses}

    visit_ListComp = visit_SetComp = visit_GeneratorExp = _comprehension
    visit_DictComp = _comprehension

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.visit(node.type)
        if node.name:
            self.binds.add(node.name)
        self._all(node.body)

    def visit_MatchAs(
        self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping
    ) -> None:
        self.generic_visit(node)
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self.binds.add(name)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def _all(self, *lists: Iterable[ast.AST]) -> None:
        for nodes in lists:
            for node in nodes:
                self.visit(node)


def _root(node: ast.AST) -> str:
    """Return ``name`` of an expression ``name.a[0].b``; "" if it begins with a call."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _draws(value: ast.AST) -> bool:
    """Return whether an expression is a call that makes a random generator."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(DRAWS)


@lru_cache(maxsize=512)
def names_of(source: str) -> Names:
    """Return the names that a cell reads and binds; none if it is invalid Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Names(frozenset(), frozenset(), frozenset(), {}, frozenset())
    found = _NameReader()
    found.visit(tree)
    binds = found.binds | found.perhaps | found.changes
    later = found.later - found.binds - found.imports.keys()
    reads = frozenset(found.reads | later)
    imports = {name: of for name, of in found.imports.items() if name not in binds}
    draws = frozenset(found.draws)
    binds |= imports.keys()
    return Names(reads - BUILT_IN, frozenset(binds), draws, imports, reads & BUILT_IN)


class Links(NamedTuple):
    """How a cell depends on the other cells of its page."""

    # For each name that the cell reads, the nearest cell above that binds the name.
    given: dict[str, int]
    # Names that the cell binds or changes, with the generators that it draws from.
    binds: frozenset[str]


def links_of(cells: Sequence[str]) -> list[Links]:
    """Return the links of each cell of a page; `cells` are sources in page order."""
    latest: dict[str, int] = {}
    imported: dict[str, str] = {}
    generators: set[str] = set()
    found = []
    for index, source in enumerate(cells):
        names = names_of(source)
        drawn_from = (names.reads - names.binds) & generators
        used = names.reads | names.built_in
        given = {name: latest[name] for name in used if name in latest}
        # A repeated import of the same object under the same name binds nothing new.
        known = {name for name, of in names.imports.items() if imported.get(name) == of}
        binds = (names.binds | drawn_from) - known
        found.append(Links(given, binds))
        generators = (generators - (names.binds - known)) | names.draws
        imported = {
            n: of for n, of in imported.items() if n not in binds
        } | names.imports
        latest.update(dict.fromkeys(binds, index))
    return found


def needed(links: Sequence[Links], index: int) -> list[int]:
    """List the cells that a cell needs, in page order; the cell itself is the last."""
    found, waiting = set(), [index]
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += links[cell].given.values()
    return sorted(found)
