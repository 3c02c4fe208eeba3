"""The automaton has the sentences of the grammar, every one and no other."""

import random

from transformer.automaton import english
from transformer.sentences import draw, number_of_sentences
from transformer.vocabulary import ENGLISH, PAD, split


def test_it_has_as_many_sentences_as_the_grammar():
    total = sum(number_of_sentences().values())
    assert english().number_of_sentences() == total


def test_every_sentence_that_is_drawn_is_one_of_its_own():
    for seed in range(1000):
        assert english().accepts(draw(random.Random(seed)).english)


def test_a_word_out_of_place_leaves_the_grammar_there():
    for words, fits in (
        ("the black dog ate the red apple because it was hungry", 7),
        ("a apple is red", 1),
        ("I sees", 1),
        ("the girl ate the apple because he was hungry", 6),
        ("the table is hungry", 3),
        ("she bought a big red apple to eat", 6),
    ):
        assert len(english().follow(split(words))) == fits + 1, words
        assert not english().accepts(split(words))


def test_a_beginning_is_no_sentence():
    path = english().follow(["he", "sees"])
    assert len(path) == 3
    assert not english().accepts(["he", "sees"])
    assert set(english().states[path[-1]].words) == {"the", "a", "an", "two"}


def test_no_state_is_there_twice_and_every_word_has_a_kind():
    assert len(set(map(repr, english().states))) == len(english().states)
    kinds = english().kinds()
    assert kinds.keys() == set(ENGLISH.words) - {PAD}
    assert kinds["cat"] == kinds["dog"] != kinds["cats"]
