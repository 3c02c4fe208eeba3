"""*Before attention*: experiments against closed forms, figures against their data."""

import numpy as np
import pytest
from drawn import named_lines

from course.chapters.before_attention import experiments, figures


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


def test_reach_is_not_the_median_over_the_seeds():
    seeds = np.outer([1, 3, 2], np.geomspace(1, 1e-19, 70))
    axes = figures.reach_by_distance({"simple": seeds, "attention": 2 * seeds}).axes[0]
    for factor, line in enumerate(axes.lines, start=1):
        assert line.get_xdata().tolist() == list(range(1, 71))
        middle = factor * seeds[2]
        expected = np.where(middle > 1e-15, middle, np.nan)
        np.testing.assert_array_equal(line.get_ydata(), expected)
    assert set(named_lines(axes)) == {"simple", "attention"}


def test_recall_is_not_the_mean_or_its_band_does_not_reach_the_seeds():
    shares = {8: [[0.85, 0.85, 1.0], [0.2, 0.4, 0.6]]}
    [axes] = figures.recall_by_length([2, 4], shares).axes
    mean, whole = (line.get_xydata().tolist() for line in axes.lines)
    np.testing.assert_allclose(mean, [[2, 0.9], [4, 0.4]])
    assert whole == [[2, 1], [4, 1]]
    corners = axes.collections[0].get_paths()[0].vertices
    assert {tuple(c) for c in corners} == {(2, 0.85), (2, 1), (4, 0.2), (4, 0.6)}


def test_a_width_is_written_on_the_line_of_another_width():
    shares = {8: [[0.8, 1.0, 1.0], [0.2, 0.6, 0.5]], 32: [[1, 1, 1], [0.5, 0.7, 0.7]]}
    axes = figures.recall_by_length([2, 4], shares).axes[0]
    at = {t.get_text(): t.xy for t in axes.texts if hasattr(t, "xy")}
    for width, measured in shares.items():
        x, y = at[str(width)]
        assert y == pytest.approx(np.mean(measured[[2, 4].index(x)]))
