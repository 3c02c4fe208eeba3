"""The small modules of the kit: progress, one thread, the toy, recomputing."""

import numpy as np
import pytest

from attention import scaled_dot_product_attention
from course.kit.recompute import follow
from course.kit.toy import LOAN, RIVER, toy_sentence
from course.notes import CAT


def test_both_banks_of_the_toy_have_one_meaning():
    river, loan = toy_sentence(RIVER), toy_sentence(LOAN)
    np.testing.assert_array_equal(river.X[1], loan.X[1])
    np.testing.assert_allclose(river.weights.sum(axis=1), 1)
    money, water = 0, 1
    assert river.context[1, water] > river.context[1, money]
    assert loan.context[1, money] > loan.context[1, water]
    with pytest.raises(KeyError, match="piano"):
        toy_sentence("the piano")


def test_a_step_is_recomputed_from_the_wrong_figures():
    steps = follow(CAT)
    assert list(steps) == ["scaled", "weights", "heads", "concat", "output"]
    Q, K, V = (CAT.X @ getattr(CAT, f"W_{n}") for n in "QKV")
    heads = scaled_dot_product_attention(Q, K, V)
    np.testing.assert_allclose(steps["heads"].from_inputs, heads)
    concat = np.hstack(list(heads))
    np.testing.assert_allclose(steps["output"].from_inputs, concat @ CAT.W_O)
    expected = CAT.printed["concat"] @ CAT.W_O
    np.testing.assert_allclose(steps["output"].from_printed, expected)
    for name, step in steps.items():
        assert step.printed is CAT.printed[name]
        assert step.printed.shape == step.from_inputs.shape == step.from_printed.shape
