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


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_truth_or_slip_that_is_not_finite_is_accepted(value):
    with pytest.raises(ValueError, match="finite"):
        Exercise("q", "q?", truth=value)
    with pytest.raises(ValueError, match="finite"):
        Exercise("q", "q?", truth=1.0, slips=[Slip(value, "why")])


def test_more_than_eight_digits_are_accepted():
    with pytest.raises(ValueError, match=r"0\.\.8, got 9"):
        Exercise("q", "q?", truth=1.0, digits=9)


def test_the_steps_of_a_dot_product_are_wrong():
    assert dot_steps([0.6, -0.4], [0.8, 0.1]) == [
        "0.6×0.8 = 0.48",
        "−0.4×0.1 = −0.04",
        "0.48 + −0.04 = 0.44",
    ]


def test_a_shown_sum_does_not_add_the_rounded_products():
    assert dot_steps([0.4, 0.4, 0.4], [0.4, 0.4, 0.4], digits=1)[-1] == (
        "0.2 + 0.2 + 0.2 = 0.6"  # 0.48 unrounded
    )


def test_decimal_rounds_wrongly_or_keeps_zeros():
    texts = [decimal(value, 2) for value in (1.0, -0.001, 10.0, 0.126)]
    assert texts == ["1", "0", "10", "0.13"]
