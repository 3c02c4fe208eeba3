"""The sentence whose *it* a small stack learns: grammar, training, stored runs."""

from dataclasses import replace

import numpy as np
import pytest

from transformer import storage
from transformer.small import pronouns
from transformer.small.pronouns import (
    ANIMALS,
    HELD_OUT,
    IT,
    LOSSES,
    OF_ANIMALS,
    PLACES,
    TASKS,
    THINGS,
    WORDS,
    Task,
)


def words(tokens):
    return [WORDS[token] for token in tokens]


@pytest.mark.parametrize("held_out", [False, True])
def test_the_referent_is_the_noun_that_the_adjective_is_said_of(held_out):
    sentences = pronouns.draw(np.random.default_rng(0), 400, held_out=held_out)
    for tokens, place in zip(*sentences, strict=True):
        said = words(tokens)
        assert said[IT] == "it"
        assert (said[place] in ANIMALS) == (said[-1] in OF_ANIMALS)
        nouns = {said[place] for place in PLACES}
        assert len(nouns & {*ANIMALS}) == len(nouns & {*THINGS}) == 1
        assert (nouns <= {*HELD_OUT}) is held_out
        assert held_out or nouns.isdisjoint(HELD_OUT)


def test_a_quarter_of_at_least_forty_nouns_is_held_out():
    nouns = {*ANIMALS, *THINGS}
    assert len(nouns) >= 40
    assert len(HELD_OUT) * 4 == len(nouns)
    assert len({*WORDS}) == len(WORDS)


def test_a_counterpart_differs_in_the_last_word_and_means_the_other_noun():
    tokens, referent = pronouns.pairs(300)
    one, other = tokens[:300], tokens[300:]
    np.testing.assert_array_equal(one[:, :-1], other[:, :-1])
    assert (referent[:300] != referent[300:]).all()
    np.testing.assert_array_equal(pronouns.referents(tokens), referent)


def test_a_word_that_the_model_does_not_know_is_named():
    with pytest.raises(ValueError, match=r"words must be of WORDS, got \['tried'\]"):
        pronouns.numbers(["cat", "tried"])


@pytest.mark.parametrize("loss", LOSSES)
def test_the_loss_is_the_surprise_at_the_answer_and_at_the_weight(loss):
    task = Task(loss)
    weights = pronouns.initial(len(WORDS), task.config, 0)
    sentences = pronouns.draw(np.random.default_rng(0), 50)
    found = pronouns.read(sentences.tokens, weights, task.config)
    rows = np.arange(50)
    expected = -np.log(found.shares[rows, sentences.at(sentences.referent)])
    if loss == "pointer":
        looks = found.looks[:, -1].mean(axis=1)
        expected = expected - np.log(looks[rows, sentences.referent])
    value, _ = pronouns.loss_of(sentences, weights, task)
    assert value == pytest.approx(expected.mean(), rel=1e-5)


@pytest.mark.more
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_first_steps_of_a_run_can_be_repeated(loss, shared):
    [stored] = [
        r for r in pronouns.results(loss=loss, shared=shared) if not r.task.seed
    ]
    steps = pronouns.train(stored.task)
    *_, last = (next(steps) for _ in range(pronouns.EARLY))
    # Other builds of BLAS add in another order: float32, twenty steps.
    assert last.loss == pytest.approx(stored.early, rel=1e-3)


def test_every_task_is_stored_once_in_the_order_of_the_command():
    assert [result.task for result in pronouns._stored()] == TASKS
    assert len({*TASKS}) == len(TASKS)


@pytest.mark.more
@pytest.mark.parametrize("loss", LOSSES)
def test_a_shown_model_comes_to_what_its_row_says(loss):
    for which, seed in enumerate(pronouns.chosen(loss)):
        weights, config = pronouns.shown(loss, which)
        [stored] = [r for r in pronouns.results(loss=loss) if r.task.seed == seed]
        assert stored.task.config == config
        sentences = pronouns.pairs(pronouns.PAIRS)
        found = pronouns.read(sentences.tokens, weights, config)
        for name, value in pronouns.tell(sentences, found).items():
            assert value == pytest.approx(getattr(stored, name), abs=2e-3), name


def test_every_sentence_counts_in_the_share_of_right_answers():
    """The second half of 2,000 alone is answered right."""
    sentences = pronouns.pairs(1000)
    rows, late = np.arange(2000), np.arange(2000) >= 1000
    shares = np.zeros((2000, len(WORDS)))
    shares[rows, sentences.at(sentences.referent)] = late
    shares[rows, sentences.at(sentences.other)] = ~late
    looks = np.zeros((2000, 1, 1, sentences.tokens.shape[1]))
    looks[rows, 0, 0, sentences.referent] = late
    told = pronouns.tell(sentences, pronouns.Reading(looks, shares))
    halves = dict.fromkeys(("right", "of_two", "pointed", "mass"), 0.5)
    assert told == halves | {"other": 0}


@pytest.mark.parametrize("loss", LOSSES)
def test_the_shown_seeds_are_the_least_the_median_and_the_most(loss):
    masses = {r.task.seed: r.mass for r in pronouns.results(loss=loss)}
    least, median, most = (masses[seed] for seed in pronouns.chosen(loss))
    assert (least, most) == (min(masses.values()), max(masses.values()))
    assert sum(mass < median for mass in masses.values()) < len(masses) / 2
    assert sum(mass <= median for mass in masses.values()) >= len(masses) / 2


def test_a_noun_held_out_is_not_known_by_another(monkeypatch):
    table = pronouns.features()
    np.testing.assert_array_equal(table[:, 0], np.isin(WORDS, ANIMALS))
    np.testing.assert_array_equal(table[:, 1], np.isin(WORDS, THINGS))
    assert np.linalg.matrix_rank(table) == table.shape[1]


def test_storing_keeps_what_can_be_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(pronouns, "RUNS", tmp_path)
    monkeypatch.setattr(pronouns, "RESULTS", tmp_path / "pronouns.csv")
    result = pronouns._stored()[0]
    pronouns._stored.cache_clear()
    tasks = [Task(loss, seed=seed) for loss in LOSSES for seed in range(4)]
    tree = pronouns.initial(len(WORDS), tasks[0].config, 0)
    found = [
        (replace(result, task=task, mass=0.1 * ((7 * i) % 5)), tree)
        for i, task in enumerate(tasks)
    ]
    pronouns.store(found)
    assert pronouns._stored() == [each for each, _ in found]
    assert len(list(tmp_path.glob("*.safetensors"))) == 6
    read, config = storage.load(
        pronouns.model_of("answer", pronouns.chosen("answer")[1])
    )
    assert config == tasks[0].config
    np.testing.assert_allclose(read["words"], tree["words"], atol=2e-3)
    pronouns._stored.cache_clear()
