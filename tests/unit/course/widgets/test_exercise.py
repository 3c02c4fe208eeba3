import numpy as np
import pytest

from course.widgets import Exercise, Slip
from course.widgets.exercise import decimal, dot_steps, sum_of_products


def slip_values(exercise):
    return [slip["value"] for slip in exercise.slips]


def test_slips_that_cannot_be_told_apart_are_left_out():
    slips = [Slip(1.181, "a"), Slip(0.5, "b"), Slip(0.502, "c"), Slip(0.7, "d")]
    exercise = Exercise("q", "q?", truth=1.18, digits=2, slips=slips)
    assert slip_values(exercise) == [0.5, 0.7]


def test_a_slip_one_unit_beside_the_truth_is_left_out():
    slips = [Slip(6, "a"), Slip(7, "b"), Slip(7.4, "c")]
    exercise = Exercise("q", "q?", truth=5, digits=0, slips=slips)
    assert [slip["value"] for slip in exercise.slips] == [6, 7]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_truth_and_slips_must_be_finite(value):
    with pytest.raises(ValueError, match="finite"):
        Exercise("q", "q?", truth=value)
    with pytest.raises(ValueError, match="finite"):
        Exercise("q", "q?", truth=1.0, slips=[Slip(value, "why")])


def test_digits_have_a_range():
    with pytest.raises(ValueError, match=r"0\.\.8, got 9"):
        Exercise("q", "q?", truth=1.0, digits=9)


def test_the_steps_of_a_dot_product_end_with_its_sum():
    assert sum_of_products([0.6, -1.0], [0.8, 0.5]) == "0.6×0.8 + −1×0.5"
    assert dot_steps([0.6, 0.4], [0.8, 0.1]) == [
        "0.6×0.8 = 0.48",
        "0.4×0.1 = 0.04",
        "0.48 + 0.04 = 0.52",
    ]


def test_a_shown_sum_adds_the_rounded_products():
    assert dot_steps([0.4, 0.4, 0.4], [0.4, 0.4, 0.4], digits=1)[-1] == (
        "0.2 + 0.2 + 0.2 = 0.6"  # 0.48 unrounded
    )


def test_decimal_rounds_and_drops_zeros():
    assert [decimal(v, 2) for v in (1.0, -0.001, 10.0, 0.126)] == [
        "1",
        "0",
        "10",
        "0.13",
    ]
