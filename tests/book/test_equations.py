"""The two sides of an equation of numbers in the text are equal.

Formulas on a line of their own are in the page records, which a person has read.
"""

import re

import pytest
from committed import CHAPTERS, sources

NUMBERS = re.compile(
    r"(?<!\$)\$([\d\s+*/().=-]|\\cdot)+=([\d\s+*/().-]|\\cdot)+\$(?!\$)"
)
EQUATIONS = [
    pytest.param(found[0].strip("$"), id=f"{path.stem}: {found[0]}")
    for path in CHAPTERS
    for source in sources(path, "markdown")
    for found in NUMBERS.finditer(source)
]


@pytest.mark.parametrize("latex", EQUATIONS)
def test_the_sides_of_an_equation_are_unequal(latex):
    code = latex.replace(r"\cdot", "*").rstrip(".")
    code = re.sub(r"(?<=[\d)])\s*(?=\()", "*", code)  # 2 (3 + 4) is a product
    first, *others = [eval(side) for side in code.split("=")]
    assert others == pytest.approx([first] * len(others))
