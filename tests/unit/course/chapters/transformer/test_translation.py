"""What chapter 6 says of the stored model and of its training runs."""

import numpy as np
import pytest

from course.chapters.transformer import translation
from transformer.decoding import translate
from transformer.lexicon import EITHER, NOUNS
from transformer.storage import SEEDS, load

WEIGHTS, CONFIG = load()
REFERENCES = translation.references(40, seed=1)


def test_the_models_reach_what_is_asked_of_them_in_the_worst_seed():
    for share in translation.accuracy("set").values():
        assert share.sentences == 5000
        assert share.right.shape == (len(SEEDS),)
        assert share.shares.min() >= 0.997


@pytest.mark.parametrize("by", ["kind", "words"])
def test_accuracy_adds_up_however_it_is_cut(by):
    sets, parts = translation.accuracy("set"), translation.accuracy(by)
    for field in ("sentences", "right"):
        whole = sum(getattr(share, field) for share in sets.values())
        assert np.all(sum(getattr(share, field) for share in parts.values()) == whole)


def test_every_variant_was_asked_for_both_kinds_of_sentences_from_each_of_its_seeds():
    found = translation.results("bleu")
    assert list(found) == list(translation.NAMES.values())
    for sets in found.values():
        assert sets.keys() == {"held-out sentences", "held-out pairs"}
        assert {len(values) for values in sets.values()} == {5}


def test_calibration_has_a_number_for_each_seed_and_set():
    found = translation.calibration()
    assert list(found) == [said.english for said in EITHER]
    for numbers in found.values():
        assert {values.shape for values in numbers.values()} == {(len(SEEDS), 2)}
    total = sum(numbers["sentences"] for numbers in found.values())
    np.testing.assert_array_equal(total, 1000)


def test_the_best_head_beats_one_that_only_counts_places():
    aligned = translation.alignment()
    assert aligned.heads.shape == (len(SEEDS), CONFIG.num_layers * CONFIG.num_heads)
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


def without_all(heads):
    off = WEIGHTS
    for head in range(CONFIG.num_heads):
        off = translation.without_head(off, CONFIG, f"{heads}.head.{head}")
    return off


def test_pronouns_are_right_with_all_heads_and_guessed_without_those_that_ask():
    whole = translation.pronouns(REFERENCES, WEIGHTS, CONFIG)
    assert whole.right > 0.95
    assert whole.missing == 0
    off = without_all("decoder.1.cross_attention")
    found = translation.pronouns(REFERENCES, off, CONFIG)
    assert found.right < 0.6
    assert found.wrong > 0.2
    assert sum(found) == pytest.approx(1)


def test_a_pronoun_that_is_not_written_is_neither_right_nor_wrong():
    off = without_all("decoder.1.cross_attention")  # the reason may be left out
    english = [one.sentence.english for one in REFERENCES]
    written = [list(french) for french in translate(english, off, CONFIG)]
    silent = [
        "car" not in french
        or {"il", "elle"}.isdisjoint(french[french.index("car") + 1 :][:1])
        for french in written
    ]
    assert sum(silent) > 5
    assert translation.pronouns(REFERENCES, off, CONFIG).missing == np.mean(silent)
