"""The dial rotates like the library; its product depends only on the distance."""

import numpy as np
import pytest

from attention import rotary_embedding
from course.widgets import RotaryDial


@pytest.mark.parametrize("angle", [3, 30, 90])
def test_the_product_depends_on_more_than_the_distance(angle):
    expected = np.cos(np.deg2rad(2 * angle))
    for key, shift in ((0, 0), (5, 0), (22, 100), (1, 37)):
        card = RotaryDial(query=key + 2, key=key, shift=shift, angle=angle)
        assert card.numbers()["product"] == pytest.approx(expected)


def test_a_pair_is_not_rotated_by_the_angle_of_the_library():
    card = RotaryDial(query=7, key=4, shift=2, angle=33)
    angles = np.deg2rad(33) * np.array([[9], [6]])
    expected = rotary_embedding([[1.0, 0.0]] * 2, np.cos(angles), np.sin(angles))
    np.testing.assert_allclose(card.rotated(), expected, rtol=0, atol=1e-12)
