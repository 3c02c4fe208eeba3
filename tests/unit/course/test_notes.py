"""The notes as data: shapes, read-only arrays, and a few figures by hand."""

import numpy as np
import pytest

from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL

EXAMPLES = [FOOTBALL, CAT, EIGHT_TOKENS, APPLE]


def arrays(example):
    inputs = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O)
    return [a for a in (*inputs, *example.printed.values()) if a is not None]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.source)
def test_arrays_are_read_only_float64(example):
    for array in arrays(example):
        assert array.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.source)
def test_one_row_of_x_per_token(example):
    assert example.X.shape[0] == len(example.tokens)


def test_printed_figures_cannot_be_replaced():
    with pytest.raises(TypeError):
        FOOTBALL.printed["Q"] = np.zeros((3, 2))


def test_weights_multiply():
    assert (FOOTBALL.X @ FOOTBALL.W_Q).shape == FOOTBALL.printed["Q"].shape
    assert (CAT.X @ CAT.W_V).shape == CAT.printed["V"].shape
    assert (APPLE.X @ APPLE.W_K).shape == APPLE.printed["K"].shape
    assert (CAT.printed["concat"] @ CAT.W_O).shape == CAT.printed["output"].shape


def test_cat_inputs_give_every_printed_query_key_and_value():
    np.testing.assert_allclose(CAT.X @ CAT.W_Q, CAT.printed["Q"], atol=1e-12)
    np.testing.assert_allclose(CAT.X @ CAT.W_K, CAT.printed["K"], atol=1e-12)
    np.testing.assert_allclose(CAT.X @ CAT.W_V, CAT.printed["V"], atol=1e-12)


def test_football_inputs_give_every_query_but_the_misprint():
    Q = FOOTBALL.X @ FOOTBALL.W_Q
    np.testing.assert_allclose(Q, FOOTBALL.printed["Q_copied"], atol=1e-12)
    assert np.argwhere(abs(Q - FOOTBALL.printed["Q"]) > 1e-9).tolist() == [[1, 1]]


def test_nine_of_the_180_apple_projections_are_right_all_of_them_apples():
    right = []
    for name, W in (("Q", APPLE.W_Q), ("K", APPLE.W_K), ("V", APPLE.W_V)):
        right.append(abs(APPLE.X @ W - APPLE.printed[name]) < 0.005 + 1e-9)
    right = np.array(right)
    assert right.size == 180
    assert right.sum() == 9
    assert right[:, :, APPLE.tokens.index("apple")].sum() == 9
