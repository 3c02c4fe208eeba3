"""What chapter 6 says of the stored model and of its training runs."""

import numpy as np
import pytest

from course.chapters.transformer import translation
from transformer.ablations import HALF, WHOLE
from transformer.decoding import translate
from transformer.lexicon import EITHER, NOUNS
from transformer.storage import load

WEIGHTS, CONFIG = load()
REFERENCES = translation.references(40, seed=1)


def test_the_models_reach_what_is_asked_of_them_in_the_worst_of_five_seeds():
    for share in translation.accuracy("set").values():
        assert share.sentences == 5000
        assert share.right.shape == (5,)
        assert share.shares.min() >= 0.997


@pytest.mark.parametrize("by", ["kind", "words"])
def test_accuracy_adds_up_however_it_is_cut(by):
    sets, parts = translation.accuracy("set"), translation.accuracy(by)
    for field in ("sentences", "right"):
        whole = sum(getattr(share, field) for share in sets.values())
        assert np.all(sum(getattr(share, field) for share in parts.values()) == whole)


def test_every_variant_was_asked_for_both_kinds_of_sentences_from_each_of_its_seeds():
    halves = translation.results(HALF, "bleu")
    assert list(halves) == list(translation.NAMES.values())
    for sets in halves.values():
        assert sets.keys() == {"held-out sentences", "held-out pairs"}
        assert {len(values) for values in sets.values()} == {5}


@pytest.mark.parametrize(
    ("sizes", "heads", "steps"),
    [
        ({}, [1, 4], [HALF // 2, HALF, WHOLE]),
        ({"d_model": 16}, [1, 4], [HALF]),
        ({"num_layers": 2}, [1, 4], [HALF]),
    ],
    ids=str,
)
def test_heads_are_compared_by_how_long_they_learnt(sizes, heads, steps):
    found = translation.by_heads("held-out sentences", **sizes)
    assert list(found) == heads
    for points in found.values():
        assert set(points) >= set(steps)
        assert all(len(shares) == 5 for shares in points.values())


def test_the_two_layers_of_both_tables_are_the_same_runs():
    by_heads = translation.by_heads("held-out pairs", num_layers=2)
    halves = translation.results(HALF)
    for heads, name in ((4, "the full machine"), (1, "one head, not four")):
        np.testing.assert_array_equal(
            by_heads[heads][HALF], halves[name]["held-out pairs"]
        )


def test_calibration_has_a_number_for_each_seed_and_set():
    found = translation.calibration()
    assert list(found) == [said.english for said in EITHER]
    for numbers in found.values():
        assert {values.shape for values in numbers.values()} == {(5, 2)}
    total = sum(numbers["sentences"] for numbers in found.values())
    np.testing.assert_array_equal(total, 1000)


def test_the_best_head_beats_one_that_only_counts_places():
    aligned = translation.alignment()
    assert aligned.heads.shape == (5, CONFIG.num_layers * CONFIG.num_heads)
    assert aligned.heads.max(axis=1).min() > aligned.diagonal > aligned.chance


def test_the_log_says_nothing_where_nothing_was_measured():
    log = translation.stored_log()
    assert np.isnan(log["held_out"][0])
    assert log["held_out"][-1] > 0.99


def test_a_reference_names_the_noun_that_it_stands_for():
    gender = {noun.english[0]: noun.gender for noun in NOUNS}
    for one in REFERENCES:
        english, french = one.sentence.english, one.sentence.french
        assert english[one.it] == "it"
        pronoun = french[french.index("car") + 1]
        assert {"il": "m", "elle": "f"}[pronoun] == gender[english[one.referent]]
        assert gender[english[one.other]] != gender[english[one.referent]]
        assert one.means_subject == (one.referent == 1)
        assert {one.referent, one.other} == {1, one.it - 2}
        assert one.sentence.other == ()
    assert sum(one.means_subject for one in REFERENCES) == 20


@pytest.mark.parametrize(
    "look", translation.looks(REFERENCES, WEIGHTS, CONFIG), ids=lambda x: x.name
)
def test_a_look_is_a_pair_of_weights(look):
    total = look.referent + look.other
    assert total.shape == (40,)
    assert (total > 0).all()
    assert (total <= 1 + 1e-12).all()


def test_a_head_that_is_off_adds_nothing_and_the_weights_stay():
    name = "encoder.1.self_attention.head.2"
    before = WEIGHTS["encoder"]["1"]["self_attention"]["W_O"].copy()
    off = translation.without_head(WEIGHTS, CONFIG, name)
    after = off["encoder"]["1"]["self_attention"]["W_O"]
    np.testing.assert_array_equal(after[16:24], 0)
    np.testing.assert_array_equal(
        np.delete(after, range(16, 24), 0), np.delete(before, range(16, 24), 0)
    )
    np.testing.assert_array_equal(
        WEIGHTS["encoder"]["1"]["self_attention"]["W_O"], before
    )


def test_pronouns_are_right_with_all_heads_and_guessed_with_none():
    assert translation.pronouns(REFERENCES, WEIGHTS, CONFIG) == (1, 0, 0)
    off = WEIGHTS
    for layer in range(2):
        for head in range(4):
            name = f"encoder.{layer}.self_attention.head.{head}"
            off = translation.without_head(off, CONFIG, name)
    found = translation.pronouns(REFERENCES, off, CONFIG)
    assert found.right < 0.8
    assert found.wrong > 0.2
    assert sum(found) == pytest.approx(1)


def test_a_pronoun_that_is_not_written_is_neither_right_nor_wrong():
    off = WEIGHTS
    for head in range(4):  # without all of these the reason is left out
        off = translation.without_head(
            off, CONFIG, f"decoder.1.cross_attention.head.{head}"
        )
    english = [one.sentence.english for one in REFERENCES]
    written = [list(french) for french in translate(english, off, CONFIG)]
    silent = [
        "car" not in french
        or {"il", "elle"}.isdisjoint(french[french.index("car") + 1 :][:1])
        for french in written
    ]
    assert sum(silent) > 5
    assert translation.pronouns(REFERENCES, off, CONFIG).missing == np.mean(silent)
