"""Attention does not depend on the order of words, unless it gets their positions."""

import numpy as np
import pytest

from course.widgets import WordOrder
from course.widgets.word_order import ORDERS


@pytest.mark.parametrize("places", [False, True])
def test_reordering_changes_outputs_without_positions(places):
    found = WordOrder(order=1, places=places)
    numbers, order = found.numbers(), list(ORDERS[1])
    moved = np.abs(numbers["output"] - numbers["written"][order]).max()
    assert (moved > 0.1) == places
    assert found.facts()["change"] == pytest.approx(moved)
    assert found.said().key == ("placed" if places else "blind")
