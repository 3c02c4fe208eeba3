"""Experiments of the errata, and the counts that the page types."""

import re

import numpy as np
import pytest

from attention import softmax
from course.chapters.errata import experiments as errata
from course.ledger import rows
from course.notes import APPLE


def test_a_slip_changes_a_step_that_does_not_follow_it():
    query, scores, weights, output = errata.apple_slip()
    assert query.labels[0] == "entry 0"
    np.testing.assert_allclose(query.slipped - query.right, [-0.37, 0, 0, 0])
    keys = APPLE.X @ APPLE.W_K[0]
    np.testing.assert_allclose(scores.slipped - scores.right, -0.37 * keys[:, 0])
    np.testing.assert_allclose(weights.slipped, softmax(scores.slipped / 2))
    np.testing.assert_allclose(output.slipped, weights.slipped @ APPLE.X @ APPLE.W_V[0])
    assert query.largest_change == pytest.approx(0.37 / 1.18)


def test_the_right_value_in_place_of_a_slip_changes_something():
    right = float((APPLE.X @ APPLE.W_Q[1])[2, 3])
    for path in errata.follow_slip(APPLE, 1, "apple", 3, right):
        assert path.largest_change == 0
    with pytest.raises(ValueError, match="pear"):
        errata.follow_slip(APPLE, 0, "pear", 0, 1.0)


def test_score_gaps_do_not_give_the_weights_back():
    weights = np.array([0.9, 0.07, 0.03])
    np.testing.assert_allclose(softmax(errata.score_gaps(weights, 64) / 8), weights)
    with pytest.raises(ValueError, match="must be positive"):
        errata.score_gaps([1.0, 0.0], 64)


def test_whole_scores_do_not_round_to_the_printed_percentages():
    found = errata.whole_scores(["90", "7", "3"], d_k=64)
    gaps = [(i, j) for i in range(61) for j in range(61)]
    rounded = [(100 * softmax(np.array([0, -i, -j]) / 8)).round() for i, j in gaps]
    fits = [(row == [90, 7, 3]).all() for row in rounded]
    assert found == [gap for gap, fit in zip(gaps, fits, strict=True) if fit] != []
    assert errata.whole_scores(["50", "25", "25"], d_k=1) == []


def test_parameters_of_a_small_model_are_counted_wrongly():
    size = errata.Size(d_model=2, d_ff=3, h=5, d_k=7, d_v=11, layers=13)
    per_attention = 5 * 2 * (7 + 7 + 11) + 5 * 11 * 2
    assert errata.attention_parameters(size) == per_attention
    parts = {
        "embedding": 17 * 2,
        "attention": 13 * 3 * per_attention,  # encoder, decoder, cross-attention
        "feed-forward": 13 * 2 * (2 * 3 + 3 + 3 * 2 + 2),
        "normalisation": 13 * 5 * 2 * 2,
    }
    due = {**parts, "total": sum(parts.values())}
    assert errata.parameters(size, vocabulary=17) == due
    vocabulary = round(errata.fitting_vocabulary(errata.BASE, 65))
    total = errata.parameters(errata.BASE, vocabulary)["total"]
    assert abs(total - 65e6) < errata.BASE.d_model


def test_weights_of_head_3_do_not_follow_from_the_page_s_exponentials():
    exponentials = APPLE.printed["apple_exp"][2]
    own = exponentials / exponentials.sum()
    np.testing.assert_allclose(own, [0.163, 0.272, 0.283, 0.107, 0.176], atol=5e-4)
    name = re.compile(r"weights3\[apple\]\[\w+\] in the list")
    listed = [r for r in rows("apple-walkthrough") if name.match(r.quantity)]
    np.testing.assert_allclose(own, [r.chained for r in listed], atol=5e-4)


def test_a_printed_row_of_weights_passes_two_quick_tests():
    page = APPLE.printed
    sums = abs(page["weights"].sum(axis=-1) - 1) > 0.002
    order = np.argsort(page["scores"], axis=-1) != np.argsort(page["weights"], axis=-1)
    assert (sums.sum(), (order.any(axis=-1) & ~sums).sum()) == (12, 3)
