import numpy as np
import pytest

from course.widgets import Exercise, Slip
from course.widgets.exercise import decimal, dot_steps


@pytest.mark.parametrize(
    ("truth", "digits", "values", "kept"),
    [(1.18, 2, [1.181, 0.5, 0.502, 0.7], [0.5, 0.7]), (5, 0, [6, 7, 7.4], [6, 7])],
)
def test_a_slip_equal_to_the_truth_or_another_slip_is_kept(truth, digits, values, kept):
    slips = [Slip(value, f"why {value}") for value in values]
    exercise = Exercise("q", "q?", truth=truth, digits=digits, slips=slips)
    assert [slip["value"] for slip in exercise.slips] == kept


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"truth": np.nan}, "finite"),
        ({"slips": [Slip(np.inf, "why")]}, "finite"),
        ({"digits": 9}, r"0\.\.8, got 9"),
    ],
)
def test_a_number_that_no_reader_can_enter_is_accepted(wrong, message):
    with pytest.raises(ValueError, match=message):
        Exercise("q", "q?", **{"truth": 1.0} | wrong)


def test_a_shown_sum_does_not_add_the_rounded_products():
    assert dot_steps([0.4, 0.4, 0.4], [0.4, 0.4, 0.4], digits=1)[-1] == (
        "0.2 + 0.2 + 0.2 = 0.6"  # 0.48 unrounded
    )


def test_decimal_keeps_zeros():
    assert [decimal(value, 2) for value in (1.0, -0.001, 10.0)] == ["1", "0", "10"]
