"""A merge joins the pair with the highest count, wherever it stands."""

from collections import Counter
from itertools import pairwise

from course.widgets.pieces import MERGES, TEXT, joined, merges


def test_a_merge_loses_letters_or_joins_a_rare_pair():
    states = merges(TEXT, MERGES)
    for (before, _), (after, newest) in pairwise(states):
        assert ["".join(word) for word in after] == TEXT.split()
        counts = Counter(a + b for word in before for a, b in pairwise(word))
        assert counts[newest] == max(counts.values())
        pieces = [sum(map(len, words)) for words in (before, after)]
        assert pieces[0] - pieces[1] == counts[newest]


def test_a_pair_that_overlaps_itself_is_joined_twice():
    assert joined(list("aaa"), ("a", "a")) == ["aa", "a"]
