"""Exercises of chapter 3: the truth and the slips are computed."""

import numpy as np
import pytest

from course.chapters.multi_head.questions import scaled_score
from course.notes import CAT


def test_the_scaled_score_is_that_of_another_head_or_pair():
    exercise = scaled_score(CAT)
    query, key = CAT.X[0] @ CAT.W_Q[1], CAT.X[1] @ CAT.W_K[1]
    assert exercise.truth == pytest.approx(query @ key / np.sqrt(2))
    slips = [slip["value"] for slip in exercise.slips]
    assert slips == pytest.approx(
        [query @ key, query @ key / 2, 1.1314, CAT.printed["scaled"][1, 0, 1]], abs=1e-4
    )
