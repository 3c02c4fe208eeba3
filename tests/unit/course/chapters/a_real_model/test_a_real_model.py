"""Chapter 9: the functions that its campaigns use, its stored maps, its figures."""

from importlib.util import find_spec
from itertools import chain
from types import SimpleNamespace

import drawn
import numpy as np
import pytest
from numpy.testing import assert_allclose
from repeats import WEEKLY
from tiny_model import TinyModel

from attention import softmax
from course.chapters.a_real_model import (
    campaigns,
    experiments,
    figures,
    measures,
    texts,
)
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


def test_the_nearest_mean_scores_separate_or_equal_senses_wrongly():
    rng = np.random.default_rng(0)
    labels = np.arange(20) < 10
    apart = rng.normal(size=(20, 5)) + 9 * labels[:, None]
    assert campaigns.nearest_mean(apart, labels) == 1
    assert campaigns.nearest_mean(np.ones((20, 5)), labels) == 0.5


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


def test_the_largest_weights_differ_from_those_of_sharper_logits(monkeypatch):
    rng = np.random.default_rng(0)
    logits = np.where(np.tri(5, dtype=bool), rng.normal(size=(2, 3, 5, 5)), -np.inf)
    stored = SimpleNamespace(weights=softmax(logits))
    monkeypatch.setattr(experiments.real_maps, "stored", lambda _: stored)
    monkeypatch.setattr(experiments, "SENTENCES", ["one", "two"])
    expected = softmax(8 * logits)[..., 2:, :].max(axis=-1).mean()
    assert_allclose(experiments.largest_weights(8), [expected] * 2)


def test_the_numbers_of_largest_weights_on_the_page_are_wrong():
    means = [experiments.largest_weights(beta).mean() for beta in (1, 8)]
    assert np.round(means, 2).tolist() == [0.68, 0.94]


@WEEKLY
@with_model
@pytest.mark.parametrize("name", real_maps.SENTENCES)
def test_the_model_computes_other_maps_than_the_stored_ones(name):
    stored, now = real_maps.stored(name), experiments.read(name)
    assert now.words == stored.words
    assert now.next_words == stored.next_words
    np.testing.assert_allclose(now.chances, stored.chances, atol=2e-4)
    np.testing.assert_allclose(now.weights, stored.weights, atol=0.0045)


def test_a_text_or_the_mean_has_no_line_or_wrong_numbers():
    beta = np.array([0, 0.125, 1, 8])
    losses = np.array([[9.0, 7, 3, 6], [9, 5, 1, 8]])
    axes = figures.loss_by_sharpness(beta, losses, ["story", "list"]).axes[0]
    assert_allclose([line.get_xdata() for line in axes.lines], [[-3, 0, 3]] * 3)
    drawn = [line.get_ydata() for line in axes.lines]
    assert_allclose(drawn, [*losses[:, 1:], [6, 2, 7]])
    named = {text.get_text().split()[0]: text for text in axes.texts}
    assert named["not"].get_position()[0] == 3  # log2 of 8, which undoes the division
    assert named["divided"].get_position()[0] in (-3, 0)


def test_a_square_has_the_measure_of_another_head():
    values = np.arange(270).reshape(30, 9) / 270
    measures = {"first": values, "previous": 1 - values}
    figure = figures.grids(measures)
    for ax, (name, expected) in zip(figure.axes, measures.items(), strict=True):
        (squares,) = ax.collections
        assert_allclose(squares.get_array(), expected.T)
        assert squares.get_clim() == (0, 1)
        assert ax.get_title(loc="left") == name


def test_a_point_is_not_at_the_two_costs_of_its_head():
    story, words = np.zeros((30, 9)), np.zeros((30, 9))
    story[2, 3], words[18, 6] = 0.5, 2
    figure = figures.switches(story, words, labels=1)
    points = figure.axes[0].lines[-1].get_xydata()
    assert_allclose(points, np.stack([story.ravel(), words.ravel()], 1))
    assert sorted(drawn.texts(figure)) == ["(18, 6)", "(2, 3)"]


def test_a_curve_belongs_to_another_word_or_control():
    layer = np.arange(31)
    bank = {"right": layer / 31, "right_word_before": layer / 62}
    bank |= {"chance_best_layer": 0.7 + 0 * layer}
    bat = {name: 1 - curve for name, curve in bank.items()}
    found = {"bank": {"layer": layer} | bank, "bat": {"layer": layer} | bat}
    figure = figures.senses(found)
    for ax, curves in zip(figure.axes, (bank, bat), strict=True):
        assert_allclose([line.get_ydata() for line in ax.lines], [*curves.values()])
    assert [ax.get_title() for ax in figure.axes] == ["“bank”", "“bat”"]


def test_a_point_has_another_place_or_sense_than_its_sentence():
    found = {"river": np.array([[0.0, 1], [1, 1]]), "money": np.array([[2.0, 0]])}
    figure = figures.planes({0: found, 5: found})
    for ax in figure.axes:
        for line, points in zip(ax.lines, found.values(), strict=True):
            assert_allclose(line.get_xydata(), points)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["after 0 layers", "after 5 layers"]
