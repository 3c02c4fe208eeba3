"""Attention does not depend on the order of words, unless it gets their positions."""

import numpy as np
import pytest

from course.widgets import WordOrder
from course.widgets.word_order import ORDERS, WORDS


@pytest.mark.parametrize("places", [False, True])
def test_reordering_changes_outputs_without_positions(places):
    found = WordOrder(order=1, places=places)
    numbers, order = found.numbers(), list(ORDERS[1])
    moved = np.abs(numbers["output"] - numbers["written"][order]).max()
    assert (moved > 0.1) == places
    assert found.facts()["change"] == pytest.approx(moved)
    assert found.said().key == ("placed" if places else "blind")


def test_the_written_order_changes_an_output():
    for places in (False, True):
        numbers = WordOrder(places=places).numbers()
        np.testing.assert_array_equal(numbers["written"], numbers["output"])
        assert numbers["output"].shape == (len(WORDS), 2)
