"""One word after another: what is shown is what the stored model finds."""

import numpy as np
import pytest

from course.widgets import WordByWord
from course.widgets.word_by_word import ENGLISH, LONGEST, MARKS, SHOWN
from transformer.decoding import trace_translation
from transformer.storage import load
from transformer.vocabulary import END, FRENCH, split

RUNS = [trace_translation(split(english), *load()) for english in ENGLISH]


def test_the_sentences_are_as_long_as_the_button_goes():
    assert {len(run.french) for run in RUNS} == {LONGEST}


@pytest.mark.parametrize("sentence", range(len(ENGLISH)))
@pytest.mark.parametrize("written", range(LONGEST + 1))
def test_each_next_word_is_the_likeliest_of_a_translation(sentence, written):
    shown, run = WordByWord(sentence=sentence, written=written), RUNS[sentence]
    following = run.arrays["next"][written]
    np.testing.assert_allclose(shown.numbers()["next"], -np.sort(-following)[:SHOWN])
    facts = shown.facts()
    likeliest = FRENCH.words[following.argmax()]
    assert likeliest == [*run.french, END][written]
    assert facts["next"] == MARKS.get(likeliest, likeliest)
    assert facts["so_far"].split()[1:] == run.french[:written]
    assert shown.said().key == ("end" if written == LONGEST else "word")
