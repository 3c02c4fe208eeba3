"""The notes as data: arrays that nobody can change, with a row for each word."""

import numpy as np
import pytest

from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL


@pytest.mark.parametrize(
    "example", [FOOTBALL, CAT, EIGHT_TOKENS, APPLE], ids=lambda e: e.source
)
def test_an_example_can_be_changed_or_has_a_row_too_few(example):
    inputs = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O)
    for array in (*inputs, *example.printed.values()):
        assert array is None or not array.flags.writeable
    assert len(example.X) == len(example.tokens)
    with pytest.raises(TypeError):
        example.printed["Q"] = np.zeros((3, 2))
