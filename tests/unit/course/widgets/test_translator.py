"""The translator's state: what it sends to the page and what it refuses."""

import random

import pytest
import traitlets as t

from course.widgets import Translator
from transformer.sentences import draw
from transformer.storage import MODEL
from transformer.vocabulary import ENGLISH, FRENCH


def test_the_weights_are_large_or_not_the_stored_file():
    assert Translator().weights == MODEL.read_bytes()
    assert len(Translator().weights) <= 130_000


@pytest.mark.more
def test_the_view_gets_the_words_in_another_order_than_the_model():
    words = Translator().words
    assert words["english"] == list(ENGLISH.words)
    assert words["french"] == list(FRENCH.words)
    assert words["french"][words["start"]] == "<start>"
    assert words["french"][words["end"]] == "<end>"


def test_a_choice_is_no_word_of_the_model():
    words = Translator().words
    nouns = [f for noun in words["nouns"].values() for f in noun["forms"] if f != "-"]
    verbs = [form for verb in words["verbs"].values() for form in verb["forms"]]
    said = [*words["adjectives"], *words["feelings"], *words["games"]]
    ENGLISH.encode([*nouns, *verbs, *said])
    assert set(words["either"]) < set(words["adjectives"])


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("the machine ate", "got 'machine'"),
        ("", "1 to 12 words, got 0"),
        (" ".join(["the"] * 13), "1 to 12 words, got 13"),
    ],
)
def test_a_sentence_with_an_unknown_word_or_a_wrong_length_is_accepted(sentence, said):
    with pytest.raises(t.TraitError, match=said):
        Translator(sentence=sentence)


def test_the_table_of_the_grammar_refuses_a_sentence():
    """The table that the page gets accepts the sentences that the grammar draws."""
    grammar = Translator().words["grammar"]
    for seed in range(100):
        state = grammar["start"]
        for word in draw(random.Random(seed)).english:
            _, *pairs = grammar["states"][state]
            state = dict(pairs)[grammar["kinds"][word]]
        assert grammar["states"][state][0] == 1


@pytest.mark.more
def test_the_still_or_the_reading_ignores_a_part_that_is_off():
    whole, part = Translator(), Translator(off=["encoder.positions"])
    assert whole.reading() != part.reading()
    assert whole.pictures() != part.pictures()


@pytest.mark.parametrize("trait", [{"off": ["encoder.9"]}, {"forced": ["dog"]}])
def test_an_unknown_part_or_word_is_accepted(trait):
    with pytest.raises(t.TraitError):
        Translator(**trait)
