"""The examples in docstrings give the results that they state."""

import doctest
import importlib

import numpy as np
import pytest

from book.build import ROOT


def with_examples():
    """Yield the name of each module whose text has an example."""
    for folder in ("src", "book"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if ">>> " in path.read_text("utf-8"):
                start = ROOT / "src" if folder == "src" else ROOT
                parts = path.relative_to(start).with_suffix("").parts
                yield ".".join(part for part in parts if part != "__init__")


@pytest.mark.parametrize("name", [*with_examples()])
def test_an_example_in_a_docstring_is_false(name):
    module, report = importlib.import_module(name), []
    for test in doctest.DocTestFinder().find(module, extraglobs={"np": np}):
        doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)
