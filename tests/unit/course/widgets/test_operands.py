"""Choosing operands: the result of the right lines, the reason for each wrong line."""

import numpy as np
import pytest

from course.widgets.operands import Grid, entry_of_product, softmax_of_row

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 7))


@pytest.mark.parametrize("entry", [(0, 0), (4, 6), (2, 5)])
def test_the_truth_is_not_the_entry_of_the_product(entry):
    found = entry_of_product(Grid("A", A), Grid("B", B), entry)
    assert found.truth == pytest.approx((A @ B)[entry])
    wanted = [grid["wanted"] for grid in found.view_data["grids"]]
    assert wanted == [f"row {entry[0]}", f"column {entry[1]}"]


def test_a_wrong_line_has_no_reason_or_a_wrong_one():
    words = Grid("X", A, rows=("I", "saw", "a", "red", "kite"))
    left, right = entry_of_product(words, Grid("W", B), (4, 1)).view_data["grids"]
    assert left["reasons"]["row 1"] == "You took the row of “saw” of X, not kite."
    reason = "You took column 2 of X. The left factor gives a row: here kite."
    assert left["reasons"]["column 1"] == reason
    assert right["reasons"]["row 1"].endswith("gives a column: here column 2.")
    assert len(left["reasons"]) == 5 + 3 - 1
    assert len(right["reasons"]) == 3 + 7 - 1


def test_softmax_is_not_taken_along_the_row():
    values = np.abs(A)
    found = softmax_of_row(Grid("e", values), (3, 2))
    assert found.truth == pytest.approx(np.exp(values[3, 2]) / np.exp(values[3]).sum())
    (grid,) = found.view_data["grids"]
    assert "needs a row of the scores" in grid["reasons"]["column 2"]


def test_a_shape_or_entry_that_does_not_fit_is_accepted():
    with pytest.raises(ValueError, match=r"multiply shapes \(3, 7\) and \(5, 3\)"):
        entry_of_product(Grid("B", B), Grid("A", A), (0, 0))
    with pytest.raises(ValueError, match=r"shape \(5, 7\), got \(5, 0\)"):
        entry_of_product(Grid("A", A), Grid("B", B), (5, 0))
    with pytest.raises(ValueError, match=r"shape \(5, 3\), got \(0, 3\)"):
        softmax_of_row(Grid("A", A), (0, 3))
