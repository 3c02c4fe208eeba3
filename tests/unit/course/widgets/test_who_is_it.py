"""`WhoIsIt` and `SmallWhoIsIt`: numbers of stored models, sentences of the grammar."""

import itertools

import numpy as np
import pytest

from course.widgets import SmallWhoIsIt, WhoIsIt
from course.widgets.who_is_it.card import FRAME, HEADS, NOUNS, fits
from transformer.small import pronouns
from transformer.storage import from_bytes


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


def test_one_of_two_nouns_of_one_kind_is_the_referent():
    cat, dog, mat, rug = (NOUNS.index(noun) for noun in ("cat", "dog", "mat", "rug"))
    for first, second, last in ((cat, dog, 0), (mat, rug, 7), (cat, cat, 0)):
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
