"""What chapter 6 says of the stored model and of its training runs."""

import numpy as np
import pytest

from course.chapters.transformer import translation
from transformer.decoding import translate
from transformer.lexicon import NOUNS
from transformer.storage import load
from transformer.training import Plan

WEIGHTS, CONFIG = load()
REFERENCES = translation.references(40, seed=1)


def test_the_full_model_reaches_what_is_asked_of_it_in_the_worst_of_five_seeds():
    full = translation.results(Plan().steps)["the full machine"]
    assert [len(values) for values in full.values()] == [5, 5]
    assert full["held-out sentences"].min() >= 0.99
    assert full["held-out pairs"].min() >= 0.97


def test_every_variant_was_asked_for_both_kinds_of_sentences_from_each_of_its_seeds():
    halves = translation.results(Plan().steps // 2, "bleu")
    assert halves.keys() <= set(translation.VARIANTS.values())
    for sets in halves.values():
        assert sets.keys() == {"held-out sentences", "held-out pairs"}
        assert len({len(values) for values in sets.values()}) == 1


def test_the_best_head_beats_one_that_only_counts_places():
    aligned = translation.alignment(Plan().steps)
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
        assert english[translation.IT] == "it"
        pronoun = french[french.index("car") + 1]
        assert {"il": "m", "elle": "f"}[pronoun] == gender[english[one.referent]]
        assert gender[english[one.other]] != gender[english[one.referent]]
    assert sum(one.referent == translation.SUBJECT for one in REFERENCES) == 20


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
    name = "decoder.0.cross_attention.head.2"  # without it the reason is left out
    off = translation.without_head(WEIGHTS, CONFIG, name)
    english = [one.sentence.english for one in REFERENCES]
    silent = ["car" not in french for french in translate(english, off, CONFIG)]
    assert sum(silent) > 20
    assert translation.pronouns(REFERENCES, off, CONFIG).missing == np.mean(silent)
