"""How much of a word a recurrent state can keep at most, step by step."""

import numpy as np
import pytest

from course.widgets.what_is_left import OTHERS, WORDS, drawn, left_of, states


@pytest.mark.parametrize("place", OTHERS)
@pytest.mark.parametrize("strength", [0.0, 0.35, 0.8, 1.0])
def test_a_step_multiplies_a_difference_by_more_than_the_strength(place, strength):
    left = left_of(place, strength)
    assert (left[:place] == 0).all()
    assert left[place] == 1
    bound = strength ** np.arange(len(WORDS) - place)
    assert (left[place:] <= bound * (1 + 1e-12)).all()


def test_states_differ_from_the_formula_of_the_page():
    W, words, _ = drawn()
    np.testing.assert_allclose(W @ W.T, np.eye(len(W)), atol=1e-12)
    first, second = states(words[:2], W, 0.5)
    np.testing.assert_allclose(np.arctanh(first), words[0])
    np.testing.assert_allclose(np.arctanh(second) - words[1], 0.5 * first @ W)
