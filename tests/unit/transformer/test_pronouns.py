"""What *it* means: the sentences, the loss, the measurements, the stored models."""

from itertools import product

import numpy as np
import pytest
from repeats import first_and_weekly

from transformer.small import pronouns
from transformer.small.pronouns import (
    ANIMALS,
    HELD_OUT,
    IT,
    LOSSES,
    OF_ANIMALS,
    PLACES,
    THINGS,
    WORDS,
    PronounTask,
)


@pytest.mark.parametrize("held_out", [False, True])
def test_the_referent_is_a_noun_that_the_adjective_does_not_fit(held_out):
    sentences = pronouns.draw(np.random.default_rng(0), 401, held_out=held_out)
    for tokens, place in zip(*sentences, strict=True):
        words = [WORDS[token] for token in tokens]
        assert words[IT] == "it"
        assert (words[place] in ANIMALS) == (words[-1] in OF_ANIMALS)
        nouns = {words[place] for place in PLACES}
        assert len(nouns & {*ANIMALS}) == len(nouns & {*THINGS}) == 1
        assert (nouns <= {*HELD_OUT}) is held_out
        assert held_out or nouns.isdisjoint(HELD_OUT)


def test_a_pair_differs_elsewhere_or_in_one_referent():
    tokens, referent = pronouns.pairs(307)
    one, other = tokens[:307], tokens[307:]
    np.testing.assert_array_equal(one[:, :-1], other[:, :-1])
    assert (referent[:307] != referent[307:]).all()
    np.testing.assert_array_equal(pronouns.referents(tokens), referent)


def test_an_unknown_word_is_accepted():
    with pytest.raises(ValueError, match=r"words must be of WORDS, got \['tried'\]"):
        pronouns.numbers(["cat", "tried"])


def test_features_give_a_wrong_kind_or_are_dependent():
    table = pronouns.features()
    np.testing.assert_array_equal(table[:, 0], np.isin(WORDS, ANIMALS))
    np.testing.assert_array_equal(table[:, 1], np.isin(WORDS, THINGS))
    assert np.linalg.matrix_rank(table) == table.shape[1]


@pytest.mark.parametrize("loss", LOSSES)
def test_the_pointer_loss_lacks_the_loss_of_the_weight(loss):
    task = PronounTask(loss, num_heads=4, d_model=12)
    weights = pronouns.initial(len(WORDS), task.config, 0)
    sentences = pronouns.draw(np.random.default_rng(0), 53)
    found = pronouns.read(sentences.tokens, weights, task.config)
    rows = np.arange(53)
    expected = -np.log(found.shares[rows, sentences.at(sentences.referent)])
    if loss == "pointer":
        weight = found.attention[:, -1].mean(axis=1)[rows, sentences.referent]
        expected = expected - np.log(weight)
    value, _ = pronouns.loss_of(sentences, weights, task)
    assert value == pytest.approx(expected.mean(), rel=1e-5)


def test_the_last_word_changes_the_answer_with_all_heads_off():
    weights, config = pronouns.shown("answer", 2)
    one, other = (
        pronouns.reading([*pronouns.EXAMPLE[:-1], word], weights, config, off)
        for word in ("tired", "soft")
        for off in [pronouns.heads_of(config)]
    )
    np.testing.assert_allclose(one.shares, other.shares, atol=1e-12)


# --- stored results -------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize(("loss", "which"), first_and_weekly(product(LOSSES, range(3))))
def test_a_shown_model_has_other_measurements_than_its_row(loss, which):
    """Measure every field of the row again."""
    seed = pronouns.chosen(loss)[which]
    weights, config = pronouns.shown(loss, which)
    [row] = [r for r in pronouns.results(loss=loss) if r.task.seed == seed]
    assert row.task.config == config
    again = vars(pronouns.measure(row.task, weights, row.early))
    for name, value in vars(row).items():
        assert name == "task" or again[name] == pytest.approx(value, abs=2e-3), name
