"""Imports run one way: chapters -> course -> models -> attention -> numpy."""

import sys
import tomllib
from itertools import chain
from pathlib import Path

import grimp
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GRAPH = grimp.build_graph(
    *("attention", "transformer", "language_model", "course"),
    include_external_packages=True,
    cache_dir=None,
)
MODULES = sorted(name for name in GRAPH.modules if not GRAPH.is_module_squashed(name))
IMPORTED = {name: GRAPH.find_modules_directly_imported_by(name) for name in MODULES}

# A module may import its own layer, the standard library, and what is listed here.
# In a chapter package the experiments compute and the figures draw.
CHAPTER_PACKAGES = "course.chapters"
MODELS = {"transformer", "language_model"}
NUMBERS = {"numpy", "attention", *MODELS, "course.notes", "course.kit"}
LAYERS = {  # a module is in the first layer that fits
    "attention": {"numpy", "threadpoolctl", "ml_dtypes"},
    "transformer": {"numpy", "attention", "threadpoolctl"},
    "language_model": {"numpy", "attention", "gguf", "tokenizers"},
    "course.notes": {"numpy", "attention"},
    "course.kit.real_maps": {"numpy", "course.kit", "transformer.stored_files"},
    "course.kit": {"numpy", "attention", "course.notes", "matplotlib"}
    | {"matplotlib_inline", "IPython", "tqdm", "threadpoolctl"},
    "course.practice": {"numpy", "attention"},  # runs in a page as well
    "course.ledger": {"numpy", "attention", "course.notes", "course.kit"},
    "course.widgets": {*NUMBERS, "course.ledger", "course.practice", "anywidget"}
    | {"ipywidgets", "traitlets"},
    CHAPTER_PACKAGES: {*NUMBERS, "course.ledger", "course.practice", "course.widgets"}
    | {"matplotlib"},
    "course": MODELS,
}


def chapter_of(module):
    """Return the chapter package of a module, or None."""
    inside = module.startswith(f"{CHAPTER_PACKAGES}.")
    return ".".join(module.split(".")[:3]) if inside else None


def within(module, layers):
    return any(module == layer or module.startswith(f"{layer}.") for layer in layers)


def layer_of(module):
    return next(layer for layer in LAYERS if within(module, [layer]))


def test_a_module_imports_a_higher_layer():
    assert len(IMPORTED) > 100
    for module, imported in IMPORTED.items():
        layer = layer_of(module)
        own = {chapter_of(module) or layer}
        allowed = own | LAYERS[layer] | sys.stdlib_module_names
        assert {name for name in imported if not within(name, allowed)} == set(), module


def test_a_module_imports_a_package_that_is_not_declared():
    """Packages that ipywidgets installs and optional packages need no declaration."""
    with_ipywidgets = {"ipython", "matplotlib-inline", "traitlets"}
    optional = {"ml-dtypes"}
    extras = PROJECT["optional-dependencies"].values()
    stated = [*PROJECT["dependencies"], *chain.from_iterable(extras)]
    declared = {canonicalize_name(Requirement(each).name) for each in stated}
    used = {name.partition(".")[0] for name in chain.from_iterable(IMPORTED.values())}
    foreign = used - {layer.partition(".")[0] for layer in LAYERS}
    names = {canonicalize_name(name) for name in foreign - sys.stdlib_module_names}
    assert names - declared - with_ipywidgets - optional == set()
