"""The translator's state: what it sends to the page and what it refuses."""

import random

import pytest
import traitlets as t

from course.widgets import Translator
from transformer.sentences import draw


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        ("sentence", "the machine ate", "got 'machine'"),
        ("sentence", "", "1 to 12 words, got 0"),
        ("sentence", " ".join(["the"] * 13), "1 to 12 words, got 13"),
        ("off", ["encoder.9"], "got 'encoder.9'"),
        ("forced", ["dog"], "got 'dog'"),
    ],
)
def test_an_unknown_word_or_part_or_a_wrong_length_is_accepted(trait, value, said):
    with pytest.raises(t.TraitError, match=said):
        Translator(**{trait: value})


def test_the_table_of_the_grammar_refuses_a_sentence():
    """The table that the page gets accepts the sentences that the grammar draws."""
    grammar = Translator().words["grammar"]
    for seed in range(100):
        state = grammar["start"]
        for word in draw(random.Random(seed)).english:
            _, *pairs = grammar["states"][state]
            state = dict(pairs)[grammar["kinds"][word]]
        assert grammar["states"][state][0] == 1


def test_the_still_ignores_a_part_that_is_off():
    assert Translator().pictures() != Translator(off=["encoder.positions"]).pictures()
