"""`WhoIsIt` and `SmallWhoIsIt`: numbers of stored models, sentences of the grammar."""

import itertools

import numpy as np
import pytest

from course.widgets import SmallWhoIsIt, WhoIsIt
from course.widgets.who_is_it.card import FRAME, HEADS, NOUNS, SHOWN, SLOTS, fits
from transformer.small import pronouns
from transformer.storage import from_bytes


@pytest.mark.more
@pytest.mark.parametrize("name", SLOTS)
def test_a_dropdown_changes_a_word_at_another_position(name):
    before = WhoIsIt().sentence()
    for choice, word in enumerate(FRAME[SLOTS[name]]):
        after = WhoIsIt(**{name: choice}).sentence()
        assert after[SLOTS[name]] == word
        changed = {i for i in range(len(FRAME)) if after[i] != before[i]}
        assert changed <= {SLOTS[name]}


def test_the_frame_lacks_a_sentence_of_the_grammar():
    sentences = pronouns.draw(np.random.default_rng(0), 200)
    for tokens, referent in zip(sentences.tokens, sentences.referent, strict=True):
        words = [pronouns.WORDS[token] for token in tokens]
        options = zip(words, FRAME, strict=True)
        assert all(word in allowed for word, allowed in options)
        fitting = [place for place in (1, 5) if fits(words[place], words[-1])]
        assert fitting == [referent]


def test_stored_models_are_not_in_the_order_of_loss_and_seed():
    files = WhoIsIt().models
    sizes = itertools.product(range(2), range(3))
    for (loss, seed), file in zip(sizes, files, strict=True):
        figure = WhoIsIt(loss=loss, seed=seed, first=3, last=6)
        found = pronouns.reading(figure.sentence(), *from_bytes(file))
        rows = found.attention.reshape(len(HEADS), -1)[:, [1, 5]]
        np.testing.assert_allclose(figure.numbers()["heads"], rows, rtol=0, atol=1e-6)


def test_a_head_that_is_off_changes_its_layer_or_leaves_later_layers_unchanged():
    cuts = [], HEADS[:1], HEADS[-1:]
    whole, first, last = (WhoIsIt(loss=1, off=off).numbers() for off in cuts)
    same = np.isclose(first["heads"], whole["heads"], rtol=0, atol=1e-6)
    assert same.all(axis=1).tolist() == [True, True, False, False]
    np.testing.assert_allclose(last["heads"], whole["heads"], rtol=0, atol=1e-6)
    assert not np.allclose(last["answer"], whole["answer"], atol=1e-6)


def test_the_last_row_of_arcs_is_not_the_mean_of_the_last_layer():
    figure = WhoIsIt(loss=1, seed=2)
    rows = figure._rows()
    assert len(rows) == len(SHOWN)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    np.testing.assert_allclose(rows[-1], rows[2:4].mean(axis=0))
    np.testing.assert_allclose(figure.numbers()["mean"], rows[-1, [1, 5]])


def test_one_of_two_nouns_of_one_kind_is_the_referent():
    cat, dog, mat, rug = (NOUNS.index(noun) for noun in ("cat", "dog", "mat", "rug"))
    for first, second in ((cat, dog), (mat, rug), (cat, cat)):
        for last in (0, 7):
            figure = WhoIsIt(first=first, second=second, last=last)
            assert figure.said().key == "undetermined"
    assert WhoIsIt(first=rug, second=dog).facts()["noun"] == "dog"
    assert WhoIsIt(first=rug, second=dog, last=7).facts()["noun"] == "rug"


@pytest.mark.parametrize("mat_first", [False, True])
def test_the_small_figure_attends_to_the_wrong_noun(mat_first):
    model = pronouns.shown("pointer", 1)
    for ending, word in enumerate(pronouns.ADJECTIVES):
        figure = SmallWhoIsIt(mat_first=mat_first, ending=ending)
        words = figure.words[mat_first][ending]
        weights = pronouns.reading(words, *model).attention[-1].mean(axis=0)
        np.testing.assert_allclose(figure.weights[mat_first][ending], weights)
        noun = "cat" if word in pronouns.OF_ANIMALS else "mat"
        assert (words[int(weights.argmax())], words[-1]) == (noun, word)
        assert figure.said().key == noun
        assert words.index("mat") == (1 if mat_first else 5)
