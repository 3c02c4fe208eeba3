import doctest
import importlib
import inspect
import pkgutil

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


def test_there_are_examples():
    public = [getattr(attention, name) for name in attention.__all__]
    with_examples = [thing for thing in public if ">>>" in inspect.getdoc(thing)]
    assert len(with_examples) >= 6
