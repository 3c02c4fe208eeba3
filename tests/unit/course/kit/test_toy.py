"""The toy of chapter 1: one vector for *bank* in, two out."""

import numpy as np
import pytest

from course.kit.toy import LOAN, RIVER, toy_sentence


def test_bank_goes_in_alike_and_comes_out_apart():
    river, loan = toy_sentence(RIVER), toy_sentence(LOAN)
    np.testing.assert_array_equal(river.X[1], loan.X[1])
    np.testing.assert_allclose(river.weights.sum(axis=1), 1)
    money, water = 0, 1
    assert river.context[1, water] > river.context[1, money]
    assert loan.context[1, money] > loan.context[1, water]


def test_a_word_outside_the_toy_table_is_an_error():
    with pytest.raises(KeyError, match="piano"):
        toy_sentence("the piano")
