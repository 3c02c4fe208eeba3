"""All that write a number round a tie alike: away from zero."""

import re

import pytest

from course.kit import prose
from course.kit.matrices import Matrix
from course.widgets.card import still
from course.widgets.card.sentences import filled
from course.widgets.exercise import decimal

WRITERS = {
    "number": lambda x: prose.number(x, 2),
    "a share": lambda x: prose.percent(x / 100, 2),
    "LaTeX": lambda x: prose.latex_matrix([[x]]).replace("-", prose.MINUS),
    "a comparison": lambda x: prose.compare([[x]], [[x]], ["row"], ["column"], 2),
    "a matrix": lambda x: Matrix([[x]], decimals=2).texts[0][0],
    "an exercise": lambda x: decimal(x, 2),
    "bars": lambda x: still.bars(["word"], [x], digits=2),
    "a still matrix": lambda x: still.matrix("A", [[x]]),
    "a sentence": lambda x: filled("It is {x:.2f}.", {"x": x}),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_tie_goes_away_from_zero_wherever_a_number_is_written(name):
    assert re.search(r"(?<!\d)0\.13(?!\d)", WRITERS[name](0.125))
    assert f"{prose.MINUS}0.38" in WRITERS[name](-0.375)
