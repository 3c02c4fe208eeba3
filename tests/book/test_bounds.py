"""A number after *at least* is rounded down, a number after *at most* up.

Rounding to the nearest would turn a measured 91.7% into "92% or more".
"""

import re
from pathlib import Path

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


def test_a_bound_is_rounded_to_the_wrong_side():
    found = [
        (str(path.relative_to(ROOT)), bound, written)
        for path in [*CODE, *CHAPTERS]
        for rule, bound in ((LEAST, "least"), (MOST, "most"))
        for written in rule.findall(code_of(path))
    ]
    assert {bound for _, bound, _ in found} == {"least", "most"}
    wrong = [each for each in found if not re.search(f"[\"']{each[1]}[\"']", each[2])]
    assert wrong == []
