"""Which unit tests an edit can have broken: those that import what it changed."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

import grimp

UNIT = "tests/unit"
PACKAGES = ("attention", "transformer", "language_model", "course", "book")
READS_FILES = "parents["  # by which a test finds what else the repository holds


def unit_tests(root: Path) -> list[str]:
    """List the files of unit tests, by their paths."""
    found = sorted((root / UNIT).rglob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in found]


def affected_tests(root: Path, files: Iterable[str]) -> list[str]:
    """List the unit tests that changes of `files` can break, by their paths.

    Whatever changed, the tests that read files of the repository are among them.
    """
    changed = [PurePosixPath(file) for file in files]
    touched = touched_modules(changed)
    return [
        path
        for path in unit_tests(root)
        if _is_near(PurePosixPath(path), changed)
        or _needs((root / path).read_text(encoding="utf-8"), touched)
    ]


def _is_near(test: PurePosixPath, changed: list[PurePosixPath]) -> bool:
    """Whether a test changed itself, or a file that tests beside or below it share."""
    shared = [file for file in changed if not file.name.startswith("test_")]
    return test in changed or any(
        file.is_relative_to(UNIT) and test.is_relative_to(file.parent)
        for file in shared
    )


def _needs(source: str, touched: set[str]) -> bool:
    """Whether a test reads files, or imports a module of these or a package of one."""
    if READS_FILES in source:
        return True
    imported, doors = _imported(source)
    return not touched.isdisjoint(doors) or any(
        imported.intersection(_with_packages(module)) for module in touched
    )


def touched_modules(changed: list[PurePosixPath]) -> set[str]:
    """Find the modules that changed and all that import them, at once or by others.

    A view's script or style changes what no Python module computes: of these, only the
    module beside it counts as touched.
    """
    graph = import_graph()
    touched = {file.stem for file in changed if file.is_relative_to("tests")}
    for file in changed:
        own = _modules_of(file, graph.modules)
        touched |= own
        if file.suffix not in (".js", ".css"):
            touched = touched.union(*map(graph.find_downstream_modules, own))
    return touched


@cache
def import_graph() -> grimp.ImportGraph:
    """Read who imports whom; the register of claims imports those of each room."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    for room in graph.find_children("course.chapters"):
        if f"{room}.claims" in graph.modules:
            graph.add_import(importer="course.claims", imported=f"{room}.claims")
    return graph


def _modules_of(file: PurePosixPath, modules: set[str]) -> set[str]:
    """Name the module of a file; of a script or a table, those of its package."""
    place = file.relative_to("src") if file.is_relative_to("src") else file
    is_package = file.suffix != ".py" or file.name == "__init__.py"
    name = ".".join((place.parent if is_package else place.with_suffix("")).parts)
    if file.suffix == ".py":
        return {name} & modules
    nearest = next((each for each in _with_packages(name) if each in modules), None)
    return {each for each in modules if nearest in (each, each.rpartition(".")[0])}


def _with_packages(module: str) -> list[str]:
    """List a module and the packages that it lies in, from the inside."""
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


@cache
def _imported(source: str) -> tuple[set[str], set[str]]:
    """List what a test imports, and the packages that it only takes modules from."""
    found, doors = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = names & import_graph().modules
            found |= modules
            (doors if modules == names else found).add(node.module)
    return found, doors
