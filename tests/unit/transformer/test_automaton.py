"""The automaton accepts all sentences of the grammar and no others."""

import random

import pytest

from transformer.automaton import english
from transformer.sentences import draw, number_of_sentences
from transformer.vocabulary import ENGLISH, PAD, split


@pytest.mark.more
def test_the_automaton_has_more_or_fewer_sentences_than_the_grammar():
    total = sum(number_of_sentences().values())
    assert english().number_of_sentences() == total


def test_a_sentence_of_the_grammar_is_refused():
    for seed in range(1000):
        assert english().accepts(draw(random.Random(seed)).english)


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("the black dog ate the red apple because it was hungry", 7),
        ("a apple is red", 1),
        ("the girl ate the apple because he was hungry", 6),
        ("she bought a big red apple to eat", 6),
        ("he sees", 2),  # the beginning of a sentence
    ],
)
def test_follow_does_not_stop_at_the_first_wrong_word(words, fits):
    path = english().follow(split(words))
    assert len(path) == fits + 1
    assert not english().accepts(split(words))


def test_a_state_lists_other_words_than_may_come_next():
    path = english().follow(["he", "sees"])
    assert {*english().states[path[-1]].words} == {"the", "a", "an", "two"}


def test_two_states_are_equal_or_a_word_has_no_kind():
    assert len(set(map(repr, english().states))) == len(english().states)
    kinds = english().kinds()
    assert kinds.keys() == {*ENGLISH.words} - {PAD}
    assert kinds["cat"] == kinds["dog"] != kinds["cats"]
