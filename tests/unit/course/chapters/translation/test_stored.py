"""What chapter 7 says of the training runs is what they came to."""

import numpy as np
import pytest

from course.chapters.translation import stored
from transformer.ablations import EIGHTH, HALF, QUARTER, WHOLE
from transformer.lexicon import EITHER
from transformer.parameters import Config
from transformer.storage import SEEDS


def test_the_models_reach_what_is_asked_of_them_in_the_worst_seed():
    for share in stored.accuracy("set").values():
        assert share.sentences == 5000
        assert share.right.shape == (len(SEEDS),)
        assert share.shares.min() >= 0.997


@pytest.mark.parametrize("by", ["kind", "words"])
def test_accuracy_adds_up_however_it_is_cut(by):
    sets, parts = stored.accuracy("set"), stored.accuracy(by)
    for field in ("sentences", "right"):
        whole = sum(getattr(share, field) for share in sets.values())
        assert np.all(sum(getattr(share, field) for share in parts.values()) == whole)


def test_every_variant_was_asked_for_both_kinds_of_sentences_from_each_of_its_seeds():
    early = stored.results(QUARTER, "bleu")
    assert list(early) == list(stored.NAMES.values())
    for sets in early.values():
        assert sets.keys() == {"held-out sentences", "held-out pairs"}
        assert {len(values) for values in sets.values()} == {len(SEEDS)}


@pytest.mark.parametrize(
    ("sizes", "steps"),
    [
        ({}, {EIGHTH, QUARTER, HALF, WHOLE}),
        ({"d_model": 16}, {QUARTER}),
        ({"num_layers": 2}, {QUARTER}),
    ],
    ids=str,
)
def test_heads_are_compared_by_how_long_they_learnt(sizes, steps):
    found = stored.by_heads("held-out sentences", **sizes)
    assert list(found) == [1, 4]
    for points in found.values():
        assert set(points) >= steps
        assert all(len(shares) == len(SEEDS) for shares in points.values())


def test_the_two_layers_of_both_tables_are_the_same_runs():
    by_heads = stored.by_heads("held-out pairs", num_layers=2)
    early = stored.results(QUARTER)
    for heads, name in ((4, "the full machine"), (1, "one head for four")):
        np.testing.assert_array_equal(
            by_heads[heads][QUARTER], early[name]["held-out pairs"]
        )


def test_calibration_has_a_number_for_each_seed_and_set():
    found = stored.calibration()
    assert list(found) == [said.english for said in EITHER]
    for numbers in found.values():
        assert {values.shape for values in numbers.values()} == {(len(SEEDS), 2)}
    total = sum(numbers["sentences"] for numbers in found.values())
    np.testing.assert_array_equal(total, 1000)


def test_the_best_head_beats_one_that_only_counts_places():
    aligned = stored.alignment()
    assert aligned.heads.shape == (len(SEEDS), Config().num_layers * Config().num_heads)
    assert aligned.heads.max(axis=1).min() > aligned.diagonal > aligned.chance


def test_the_log_says_nothing_where_nothing_was_measured():
    log = stored.log()
    assert np.isnan(log["held_out"][0])
    assert log["held_out"][-1] > 0.99
