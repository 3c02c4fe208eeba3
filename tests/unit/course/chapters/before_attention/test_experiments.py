"""Compare *Before attention* with finite differences and closed forms."""

import numpy as np
import pytest

from course.chapters.before_attention import experiments


@pytest.mark.parametrize("kind", experiments.KINDS)
def test_gradients_differ_from_finite_differences(kind):
    rng = np.random.default_rng(0)
    network = experiments.KINDS[kind](5, rng)
    x, d_last = rng.standard_normal((7, 5)), rng.standard_normal(5)
    step, expected = 1e-6, np.empty_like(x)
    for at in np.ndindex(x.shape):
        moved = np.zeros_like(x)
        moved[at] = step
        ends = (network.states(x + moved)[-1], network.states(x - moved)[-1])
        expected[at] = (ends[0] - ends[1]) @ d_last / (2 * step)
    np.testing.assert_allclose(network.gradients(x, d_last), expected, atol=1e-8)


def test_one_word_is_not_read_back_or_64_words_are():
    np.testing.assert_array_equal(experiments.recalled(32, 1), 1)
    np.testing.assert_array_equal(experiments.recalled(2, 1), 1)  # vectors of length 1
    assert experiments.recalled(32, 64).max() < 0.1
