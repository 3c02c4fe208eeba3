"""The induction head: sequences, attention patterns, the page's run (`WATCHED`)."""

import numpy as np
import pytest

from transformer.small import induction
from transformer.small.induction import POINTS, SHOWN, WATCHED, InductionTask
from transformer.storage import load, notes


@pytest.fixture(scope="module")
def model():
    return load(induction.MODEL)


@pytest.mark.parametrize("fixed", [False, True])
def test_a_label_is_not_the_letter_after_the_previous_copy(fixed):
    task = InductionTask(fixed=fixed)
    tokens, labels = induction.draw(np.random.default_rng(0), 211, task.periods)
    found = set()
    for row, asked in zip(tokens.tolist(), labels.tolist(), strict=True):
        found.add(period := len({*row}))
        for i, letter in enumerate(row):
            earlier = [j for j in range(i) if row[j] == letter]
            assert asked[i] == (row[earlier[-1] + 1] if earlier else 0)
            assert (i >= period) == bool(earlier)
    assert found == {*task.periods}


def test_an_attention_pattern_is_true_at_a_wrong_letter():
    tokens, _ = induction.draw(np.random.default_rng(1), 7, [6, 9], 19)
    followed, before = induction.after_the_same(tokens), induction.before(tokens)
    for b, i, j in np.ndindex(7, 19, 19):
        row = tokens[b]
        assert followed[b, i, j] == (1 <= j <= i and row[j - 1] == row[i])
        assert before[b, i, j] == (j == i - 1)
    even = induction.evenly(tokens)[3]
    np.testing.assert_allclose(even[4], [1 / 5] * 5 + [0] * 14)


def test_a_mean_weight_counts_rows_without_a_marked_letter():
    """Three heads have different weights; each sequence has one row with a mark."""
    found = np.zeros((2, 1, 3, 5, 5))
    found[0, 0, :, 1, :2] = [[0.5, 0.2], [0.1, 0.0], [1.0, 0.0]]
    found[1, 0, :, 4, 3] = [0.3, 0.7, 0.0]
    marked = np.zeros((2, 5, 5), bool)
    marked[0, 1, :2] = marked[1, 4, 3] = True
    expected = [[(0.7 + 0.3) / 2, (0.1 + 0.7) / 2, 0.5]]
    np.testing.assert_allclose(induction.weight_on(found, marked), expected)
    pattern = induction.all_on(marked)
    np.testing.assert_array_equal(pattern[0, 1], [0.5, 0.5, 0, 0, 0])
    np.testing.assert_array_equal(pattern[0, 2], [0, 0, 1, 0, 0])


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("number", [0, 1])
def test_with_patterns_does_not_replace_the_weights_of_one_head(model, layer, number):
    """Replace weights by themselves: nothing changes. By zeros: the head is off."""
    weights, config = model
    sequences = induction.draw(np.random.default_rng(2), 23, [6, 11])
    found = induction.attention_of(sequences.tokens, weights, config)
    head = f"encoder.{layer}.self_attention.head.{number}"
    for factor, off in ((1, []), (0, [head])):
        patterns = {head: factor * found[:, layer, number]}
        replaced = induction.with_patterns(sequences, weights, config, patterns)
        expected = induction.share_right(sequences, weights, config, off)
        assert replaced == pytest.approx(expected, abs=1e-3)


# --- stored results -------------------------------------------------------------------


@pytest.mark.more
def test_stored_results_of_the_shown_model_are_not_reproduced(model):
    weights, config = model
    [row] = [r for r in induction.results() if r.task == WATCHED]
    assert config == WATCHED.config
    assert notes(induction.MODEL)["steps"] == str(induction.PLAN.steps)
    sequences = induction.held_out(WATCHED.periods)
    found = {
        "right": induction.share_right(sequences, weights, config),
        "by_place": induction.by_place(sequences, weights, config),
        **induction.causes(sequences, weights, config),
    }
    for name, value in found.items():
        assert value == pytest.approx(getattr(row, name), abs=2e-3), name


@pytest.mark.more
def test_the_stored_history_differs_from_the_watched_run(model):
    """Compare steps, letters, heads, and the weights of the first and last step."""
    history, tokens = induction.history(), induction.shown()
    assert (history.steps[0], history.steps[-1]) == (0, induction.PLAN.steps)
    assert history.steps == sorted({*history.steps})
    assert len(history.steps) == len(history.loss) == len(history.right) == POINTS
    letters = ["".join(induction.LETTERS[i - 1] for i in row) for row in tokens]
    assert history.sequences == letters
    assert history.attention.shape == (POINTS, 3, 2, 2, SHOWN, SHOWN)
    np.testing.assert_allclose(history.attention.sum(axis=-1), 1, atol=SHOWN / 2 / 255)
    first = induction.attention_of(tokens, induction.fresh(WATCHED), WATCHED.config)
    np.testing.assert_allclose(history.attention[0], first, atol=0.6 / 255)
    last = induction.attention_of(tokens, *model)  # stored in half precision
    np.testing.assert_allclose(history.attention[-1], last, atol=0.02)
    named = induction.name_heads(induction.held_out(WATCHED.periods), *model)
    assert [named.previous, named.induction] == [
        f"encoder.{layer}.self_attention.head.{head}"
        for layer, head in (history.named[kind] for kind in ("previous", "induction"))
    ]
