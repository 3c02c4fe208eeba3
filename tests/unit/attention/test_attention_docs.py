import doctest
import importlib
import inspect
import pkgutil
import re

import numpy as np
import pytest

import attention

MODULES = [
    f"attention.{module.name}" for module in pkgutil.iter_modules(attention.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"np": np})
    assert result.failed == 0


def public():
    """Every public function and class, and the public methods of these.

    `make mutants` puts changed copies beside the methods, with letters beyond ASCII.
    """
    for name in attention.__all__:
        thing = getattr(attention, name)
        yield thing
        if inspect.isclass(thing):
            members = inspect.getmembers(thing, inspect.isroutine)
            names = (key for key, _ in members if key.isascii() and key[0] != "_")
            yield from (getattr(thing, key) for key in names)


def conventions():
    """Arguments whose meaning is a convention: what is True or False, and masks."""
    found = {"attn_mask"}
    for thing in filter(callable, public()):
        try:
            arguments = inspect.signature(thing).parameters.values()
        except ValueError:  # a tuple's own methods
            continue
        found |= {a.name for a in arguments if isinstance(a.default, bool)}
    return sorted(found)


@pytest.mark.parametrize("argument", conventions())
def test_an_example_decides_what_true_means(argument):
    parser = doctest.DocTestParser()
    texts = [inspect.getdoc(thing) or "" for thing in public()]
    examples = [each.source for text in texts for each in parser.get_examples(text)]
    assert any(f"{argument}=" in source for source in examples)


def told(thing):
    """The arguments, or the fields, that a docstring has a line for."""
    sections = re.split(r"\n\n([A-Z][a-z]+)\n-+\n", inspect.getdoc(thing) or "")
    texts = dict(zip(sections[1::2], sections[2::2], strict=True))
    text = texts.get("Parameters", texts.get("Attributes", ""))
    lines = re.findall(r"^(\S.*?) ?(?::.*)?$", text, re.MULTILINE)
    return {name.strip(" *") for line in lines for name in line.split(",")} - {""}


DOCUMENTED = [
    each for each in public() if callable(each) and hasattr(each, "__module__")
]


@pytest.mark.parametrize("thing", DOCUMENTED, ids=lambda each: each.__qualname__)
def test_every_argument_has_its_line(thing):
    assert told(thing) == set(inspect.signature(thing).parameters) - {"self", "cls"}


def test_conventions_are_found():
    assert {"is_causal", "enable_gqa", "interleaved"} <= set(conventions())


def test_there_are_examples():
    public = [getattr(attention, name) for name in attention.__all__]
    with_examples = [thing for thing in public if ">>>" in inspect.getdoc(thing)]
    assert len(with_examples) >= 6
