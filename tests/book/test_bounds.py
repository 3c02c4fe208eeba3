"""A number after *at least* is rounded down, a number after *at most* up.

Rounding to the nearest would turn a measured 91.7% into "92% or more".
"""

import re
from pathlib import Path

import pytest
from built import ROOT
from committed import CHAPTERS, sources

CODE = [*sorted((ROOT / "src/course").rglob("*.py")), *sorted(ROOT.glob("*.md"))]
WRITTEN = r"\$?\{(?:percent|number)\([^{}]*\)\}"
LEAST = re.compile(rf"\bat\s+least\s+{WRITTEN}|{WRITTEN}\s+or\s+more")
MOST = re.compile(
    rf"\b(?:at\s+most|(?<!add )(?<!adds )up\s+to|by\s+more\s+than)\s+{WRITTEN}"
)


def code_of(path: Path) -> str:
    if path.suffix == ".ipynb":
        return "\n".join(sources(path, "code"))
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*CODE, *CHAPTERS], ids=lambda path: path.name)
def test_a_bound_is_rounded_to_the_side_where_it_holds(path):
    for rule, bound in ((LEAST, "least"), (MOST, "most")):
        for found in rule.finditer(code_of(path)):
            assert re.search(rf"[\"']{bound}[\"']", found[0]), found[0]
