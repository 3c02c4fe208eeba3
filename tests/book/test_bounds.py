"""A number after *at least* is rounded down, a number after *at most* up.

Rounding to the nearest would turn a measured 91.7% into "92% or more".
"""

import re

import nbformat
import pytest

from book.build import ROOT, chapters

CODE = [*sorted((ROOT / "src/course").rglob("*.py")), *sorted(ROOT.glob("*.md"))]
WRITTEN = r"\$?\{(?:percent|number)\([^{}]*\)\}"
LEAST = re.compile(rf"\bat\s+least\s+{WRITTEN}|{WRITTEN}\s+or\s+more")
MOST = re.compile(
    rf"\b(?:at\s+most|(?<!add )(?<!adds )up\s+to|by\s+more\s+than)\s+{WRITTEN}"
)


def code_of(path) -> str:
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def rounded_to_the_nearest(code: str) -> list[str]:
    """Return calls of `number` or `percent` that write a bound without naming it."""
    rules = ((LEAST, "least"), (MOST, "most"))
    return [
        found[0]
        for rule, bound in rules
        for found in rule.finditer(code)
        if not re.search(rf"[\"']{bound}[\"']", found[0])
    ]


@pytest.mark.parametrize("path", [*CODE, *chapters()], ids=lambda path: path.name)
def test_a_bound_is_rounded_to_the_side_where_it_holds(path):
    assert rounded_to_the_nearest(code_of(path)) == []
