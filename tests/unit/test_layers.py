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

# A module may import its own layer, the standard library, and what is listed here.
# A room's modules are layers of their own: experiments are numbers, figures drawings.
ROOMS = "course.chapters"
NUMBERS = {"numpy", "attention", "transformer", "course.notes", "course.kit"}
LAYERS = {
    "attention": {"numpy", "threadpoolctl", "ml_dtypes"},
    "transformer": {"numpy", "attention", "sacrebleu"},
    "course.notes": {"numpy", "attention"},
    "course.kit": {"numpy", "attention", "course.notes", "matplotlib"}
    | {"matplotlib_inline", "IPython"},
    "course.ledger": {"numpy", "attention", "course.notes", "course.kit"},
    "course.widgets": {*NUMBERS, "course.ledger", "anywidget", "ipywidgets"}
    | {"traitlets"},
    ROOMS: {*NUMBERS, "course.ledger", "course.widgets", "matplotlib"},
    "course": {"threadpoolctl"},
}


def room_of(module):
    """Return the room that a module lies in: a chapter's package."""
    inside = module.startswith(f"{ROOMS}.")
    return ".".join(module.split(".")[:3]) if inside else None


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
    own = {room_of(module) or layer}
    allowed = own | LAYERS[layer] | sys.stdlib_module_names
    wrong = {name for name in imports_of(module) if not within(name, allowed)}
    assert not wrong, f"{module} is in the layer {layer}: no business with {wrong}"


@pytest.mark.parametrize("module", [name for name in PATHS if room_of(name)])
def test_experiments_draw_nothing_and_know_no_widget(module):
    if module.rpartition(".")[2] in {"figures", "questions", "exercises", "tables"}:
        return
    above = {"matplotlib", "course.widgets"}
    assert not {name for name in imports_of(module) if within(name, above)}


def test_every_room_is_a_page():
    pages = {
        path.stem.partition("-")[2] if path.stem[:2].isdigit() else path.stem
        for path in (SRC.parent / "chapters").glob("*.ipynb")
    } | {"intro"}
    rooms = {room_of(name) for name in PATHS if room_of(name)}
    names = {room.rpartition(".")[2].replace("_", "-") for room in rooms}
    assert names <= pages, f"rooms without a page: {names - pages}"


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
        ("def f():\n    from course.kit import look", {"course.kit.look"}),
        ("from course.kit import matrices", {"course.kit.matrices"}),
        ("from numpy import array", {"numpy"}),
        ("from . import look", {"course.kit.look"}),
        ("from .matrices import Matrix", {"course.kit.matrices"}),
    ],
)
def test_every_form_of_import_is_seen(source, expected):
    assert imported(source, "course.kit.prose", is_package=False) == expected
