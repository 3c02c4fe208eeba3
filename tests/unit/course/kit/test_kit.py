"""The toy sentence of chapter 1: its word *bank* has two meanings."""

import numpy as np
import pytest

from course.kit.toy import LOAN, RIVER, toy_sentence


def test_both_banks_of_the_toy_have_one_meaning():
    river, loan = toy_sentence(RIVER), toy_sentence(LOAN)
    np.testing.assert_array_equal(river.X[1], loan.X[1])
    np.testing.assert_allclose(river.weights.sum(axis=1), 1)
    money, water = 0, 1
    assert river.context[1, water] > river.context[1, money]
    assert loan.context[1, money] > loan.context[1, water]
    with pytest.raises(KeyError, match="piano"):
        toy_sentence("the piano")
