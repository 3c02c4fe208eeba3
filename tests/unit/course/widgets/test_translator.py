"""The translator's state: what it sends to the page and what it refuses."""

import pytest
import traitlets as t

from course.widgets import Translator


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


def test_the_still_ignores_a_part_that_is_off():
    assert Translator().pictures() != Translator(off=["encoder.positions"]).pictures()
