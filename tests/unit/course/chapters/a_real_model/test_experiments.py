"""Stored maps of chapter 9, and the functions that its campaigns use."""

from importlib.util import find_spec
from itertools import chain

import numpy as np
import pytest
from repeats import WEEKLY
from tiny_model import TinyModel

from course.chapters.a_real_model import campaigns, experiments, measures, texts
from course.kit import real_maps
from language_model import fetch

with_model = pytest.mark.skipif(
    not fetch.place().is_file() or find_spec("gguf") is None,
    reason="the model, or the packages that read it, are not here: course model",
)


def test_permuting_heads_and_their_rows_changes_the_output():
    model, tokens = TinyModel().model(), [3, 1, 4, 1, 5, 9, 2, 6]
    other = campaigns.changed(model, "alike")
    assert any(
        not np.array_equal(a.W_O, b.W_O)
        for a, b in zip(model.layers, other.layers, strict=True)
    )
    there = other.read(tokens).last
    np.testing.assert_allclose(there, model.read(tokens).last, atol=1e-4)


def test_a_head_with_all_its_weight_on_a_pattern_has_a_measure_below_1():
    n = 2 * texts.REPEATED
    tokens = [*range(texts.REPEATED), *range(texts.REPEATED)]
    rows = np.arange(n)
    weights = np.zeros((1, 3, n, n))
    weights[0, 0, rows, 0] = 1
    weights[0, 1, rows, np.maximum(rows - 1, 0)] = 1
    weights[0, 2, rows, np.maximum(rows - texts.REPEATED + 1, 0)] = 1
    found = measures.measures(weights, tokens)
    np.testing.assert_allclose(found["first"][0, 0], 1)
    np.testing.assert_allclose(found["previous"][0, 1], 1)
    np.testing.assert_allclose(found["induction"][0, 2], 1)
    np.testing.assert_allclose(found["words"], 1)
    np.testing.assert_allclose(found["same"][0, 2], 0)


def test_a_head_that_follows_both_sentences_does_not_point_right():
    weights = np.zeros((1, 2, 3, 2))  # one pair, two sentences, three heads, two nouns
    weights[0, 0, 0, 0] = weights[0, 1, 0, 1] = 1
    weights[0, 0, 1, 1] = weights[0, 1, 1, 0] = 1
    weights[0, :, 2, 0] = 1
    right, wrong = campaigns.points(weights)
    assert right.tolist() == [[True, False, False]]
    assert wrong.tolist() == [[False, True, False]]


def test_pairs_differ_in_more_than_the_word_that_decides():
    every = [texts.after(), texts.after(others=True)]
    every += [texts.before(), texts.before(others=True)]
    assert [len(pairs) for pairs in every] == [36] * 4
    for pair in chain.from_iterable(every):
        one, other = (sentence.split() for sentence in pair.sentences)
        assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
        for noun in pair.nouns:
            assert [word.strip(".,") for word in one].count(noun) == 1


@WEEKLY
@with_model
@pytest.mark.parametrize("name", real_maps.SENTENCES)
def test_the_model_computes_other_maps_than_the_stored_ones(name):
    stored, now = real_maps.stored(name), experiments.read(name)
    assert now.words == stored.words
    assert now.next_words == stored.next_words
    np.testing.assert_allclose(now.chances, stored.chances, atol=2e-4)
    np.testing.assert_allclose(now.weights, stored.weights, atol=0.0045)
