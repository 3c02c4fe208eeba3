"""The examples in the docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

import transformer

MODULES = [module.name for module in pkgutil.iter_modules(transformer.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__main__"])
def test_the_examples_in_docstrings_are_true(name):
    module = importlib.import_module(f"transformer.{name}")
    assert doctest.testmod(module).failed == 0
