"""Examples in docstrings of the course and its models give the stated results."""

import builtins
import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import course
import language_model
import transformer

MODULES = [
    found.name
    for package in (course, language_model, transformer)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not found.name.endswith("__main__")
]


@pytest.mark.more
def test_an_example_in_a_docstring_gives_another_result(monkeypatch):
    # as in a notebook: in a plain script `check` prints
    monkeypatch.setattr(builtins, "__IPYTHON__", True, raising=False)
    tried = 0
    for name in MODULES:
        module = importlib.import_module(name)
        result = doctest.testmod(module, extraglobs={"np": np})
        assert result.failed == 0, f"{name}: see the output above"
        tried += result.attempted
    assert tried > 20
