"""The tests in `decoder_tests` accept right decoders and find the pages' mistakes."""

import pytest

from course.practice.bench import rejection, table
from course.practice.decoder_tests import TESTS, loops
from course.practice.gallery import DECODERS
from course.practice.gallery.decoders import decoder


def by_loops(Q, K, V, prompt=3, width=4, start=0):
    return loops(Q, K, V, width)


@pytest.mark.parametrize("right", [decoder, by_loops])
@pytest.mark.parametrize("name", TESTS)
def test_a_test_rejects_a_right_decoder(name, right):
    assert rejection(TESTS[name], right) == ""


@pytest.mark.more
def test_a_test_finds_other_mistakes_than_the_page_of_decoders_says():
    caught = {
        test: {name for name, row in table(TESTS, DECODERS).items() if row[test]}
        for test in TESTS
    }
    rotations = {"values rotated too", "only the queries rotated"}
    rotations |= {"other pairs for the keys"}
    assert caught["text moved by 1,000 places"] == rotations
    assert caught["against loops"] == set(DECODERS)
    assert caught["each head of keys alone"] == {"groups interleaved"}
    assert caught["a word left the window"] == {"window off by one"}
    assert "a word cached twice" in caught["read at once or one by one"]
    assert "merged without rescaling" in caught["two words by hand"]
    assert caught["the shape"] == set()
    property_tests = set(TESTS) - {"against loops"}
    assert not any("other pairs for both" in caught[name] for name in property_tests)
