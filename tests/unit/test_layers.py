"""Imports run one way: chapters -> course -> attention -> numpy."""

import ast
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
PATHS = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(
        ".__init__"
    ): path
    for path in sorted(SRC.rglob("*.py"))
}

# Modules that lie directly in course: colours, sentences, tables.
HELPERS = {
    module
    for module, path in PATHS.items()
    if module.rpartition(".")[0] == "course" and path.name != "__init__.py"
}
DATA = {"numpy", "attention", "course.notes", "course.experiments", "course.ledger"}

# A module may import its own layer, the standard library, and what is listed here.
LAYERS = {
    "attention": {"numpy"},
    "course.notes": {"numpy", "attention"},
    "course.experiments": {"numpy", "attention", "course.notes"},
    "course.ledger": {"numpy", "attention", "course.notes", "course.experiments"},
    "course.figures": {*DATA, *HELPERS, "matplotlib"},
    "course.widgets": {*DATA, *HELPERS, "anywidget", "ipywidgets", "traitlets"},
    "course.questions": {*DATA, *HELPERS, "course.widgets"},
    "course": {*DATA, *HELPERS, "matplotlib", "matplotlib_inline", "IPython"},
}


def imported(source, module, is_package):
    """Return the modules that a source imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            up = node.level - is_package
            base = parts[: len(parts) - up] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            names = {f"{origin}.{alias.name}" for alias in node.names}
            found |= {name if name in PATHS else origin for name in names}
    return found


def imports_of(module):
    path = PATHS[module]
    return imported(path.read_text("utf-8"), module, path.name == "__init__.py")


def within(module, layers):
    return any(module == layer or module.startswith(f"{layer}.") for layer in layers)


def layer_of(module):
    return next(layer for layer in LAYERS if within(module, [layer]))


@pytest.mark.parametrize("module", PATHS)
def test_a_module_imports_only_what_lies_below_it(module):
    layer = layer_of(module)
    own = set() if layer == "course" else {layer}
    allowed = own | LAYERS[layer] | sys.stdlib_module_names
    wrong = {name for name in imports_of(module) if not within(name, allowed)}
    assert not wrong, f"{module} is in the layer {layer}: no business with {wrong}"


def test_no_module_imports_itself_by_a_detour():
    graph = {module: imports_of(module) & PATHS.keys() for module in PATHS}
    while leaves := {module for module, below in graph.items() if not below}:
        graph = {
            module: below - leaves
            for module, below in graph.items()
            if module not in leaves
        }
    assert not graph, f"these import each other in a circle: {sorted(graph)}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import matplotlib.pyplot as plt", {"matplotlib.pyplot"}),
        ("def f():\n    from course import look", {"course.look"}),
        ("from course.figures import matrices", {"course.figures.matrices"}),
        ("from numpy import array", {"numpy"}),
        ("from . import look", {"course.look"}),
        ("from .figures import matrices", {"course.figures.matrices"}),
    ],
)
def test_every_form_of_import_is_seen(source, expected):
    assert imported(source, "course.prose", is_package=False) == expected
