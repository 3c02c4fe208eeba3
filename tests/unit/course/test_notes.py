"""The notes as data: read-only arrays, and which printed numbers are right."""

import numpy as np
import pytest

from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL


@pytest.mark.parametrize(
    "example", [FOOTBALL, CAT, EIGHT_TOKENS, APPLE], ids=lambda e: e.source
)
def test_an_example_can_be_changed_or_has_a_row_too_few(example):
    inputs = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O)
    for array in (*inputs, *example.printed.values()):
        if array is not None:
            assert array.dtype == np.float64
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    assert len(example.X) == len(example.tokens)
    with pytest.raises(TypeError):
        example.printed["Q"] = np.zeros((3, 2))


def test_inputs_do_not_give_the_printed_queries_keys_and_values():
    for name in "QKV":
        found = CAT.X @ getattr(CAT, f"W_{name}")
        np.testing.assert_allclose(found, CAT.printed[name], atol=1e-12)
        found = FOOTBALL.X @ getattr(FOOTBALL, f"W_{name}")
        printed = FOOTBALL.printed["Q_copied" if name == "Q" else name]
        np.testing.assert_allclose(found, printed, atol=1e-12)
    wrong = abs(FOOTBALL.printed["Q"] - FOOTBALL.printed["Q_copied"]) > 1e-9
    assert np.argwhere(wrong).tolist() == [[1, 1]]  # the misprint


def test_the_right_entries_are_not_nine_in_rows_of_apple():
    right = np.array(
        [
            abs(APPLE.X @ getattr(APPLE, f"W_{n}") - APPLE.printed[n]) < 0.005 + 1e-9
            for n in "QKV"
        ]
    )
    assert (right.size, right.sum()) == (180, 9)
    assert right[:, :, APPLE.tokens.index("apple")].sum() == 9
