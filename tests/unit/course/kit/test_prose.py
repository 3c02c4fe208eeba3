"""Numbers, tables and folds in the prose of pages."""

import re

import numpy as np
import pytest

from course.kit import prose
from course.kit.matrices import Matrix
from course.widgets.card import still
from course.widgets.card.sentences import filled
from course.widgets.exercise import decimal


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (3.14159, 4, "3.1416"),
        (0.125, 2, "0.13"),  # a tie goes away from zero
        (-0.125, 2, "−0.13"),
        (2.5, 0, "3"),
        (0.135, 2, "0.14"),  # as a float64, 0.135 lies above the tie
        (-0.004, 2, "0.00"),
        (0.05, None, "0.05"),
    ],
)
def test_a_number_is_rounded_or_signed_wrongly(value, decimals, text):
    assert prose.number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "least", "most"),
    [
        (3.157, 1, "3.1", "3.2"),
        (-3.157, 1, "−3.2", "−3.1"),
        (-0.04, 1, "−0.1", "0.0"),
        (28.999999999999996, 0, "29", "29"),  # 100 * 0.29
        (2.5, 1, "2.5", "2.5"),
        (np.inf, 1, "∞", "∞"),
    ],
)
def test_a_bound_is_rounded_to_the_wrong_side(value, decimals, least, most):
    assert prose.number(value, decimals, bound="least") == least
    assert prose.number(value, decimals, bound="most") == most
    assert prose.percent(value / 100, decimals, bound="least") == f"{least}%"


WRITERS = {
    "a share": lambda x: prose.percent(x / 100, 2),
    "LaTeX": lambda x: prose.latex_matrix([[x]]).replace("-", prose.MINUS),
    "a matrix": lambda x: Matrix([[x]], decimals=2).texts[0][0],
    "an exercise": lambda x: decimal(x, 2),
    "bars": lambda x: still.bars(["word"], [x], digits=2),
    "a still matrix": lambda x: still.matrix("A", [[x]]),
    "a sentence": lambda x: filled("It is {x:.2f}.", {"x": x}),
}


@pytest.mark.parametrize("name", WRITERS)
def test_one_function_rounds_a_tie_differently(name):
    assert re.search(r"(?<!\d)0\.13(?!\d)", WRITERS[name](0.125))
    assert f"{prose.MINUS}0.38" in WRITERS[name](-0.375)


def test_a_power_of_ten_or_a_matrix_is_written_wrongly():
    assert prose.scientific(3100) == r"$3 \times 10^{3}$"
    text = prose.latex_matrix([[1, -2, 3], [0.5, 4, 5]], decimals=1)
    expected = r"\begin{bmatrix} 1.0 & -2.0 & 3.0 \\ 0.5 & 4.0 & 5.0 \end{bmatrix}"
    assert text == expected


def test_a_table_has_wrong_cells_or_a_wrong_alignment():
    rows = [["x", "y", "2 → 3"], ["u", "7", ""]]
    lines = prose.table(["", "b", "c"], rows).splitlines()
    assert lines[1:3] == ["| :-- | :-- | --: |", "| x | y | 2 → 3 |"]
    lines = prose.table(["a", "b"], [["x", "y"]], align="rl").splitlines()
    assert lines[1] == "| --: | :-- |"
    with pytest.raises(ValueError, match="3 cells, header has 2"):
        prose.table(["", "a"], [["x", "1", "2"]])
    with pytest.raises(ValueError, match="1 cells, header has 2"):
        prose.table(["a", "b"], [["x", "y"]], align="r")
