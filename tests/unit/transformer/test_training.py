"""Learning: labels, schedule, Adam, and that it does learn."""

import numpy as np
import pytest

from transformer.evaluation import learning_curve
from transformer.parameters import Config, named
from transformer.sentences import held_out_sentences
from transformer.training import Adam, Plan, batch_of, train
from transformer.vocabulary import ENGLISH, FRENCH


def test_labels_are_the_target_one_place_on():
    sentences = held_out_sentences(8, pairs=False)
    batch = batch_of(sentences)
    for i, sentence in enumerate(sentences):
        n = len(sentence.french)
        assert ENGLISH.decode(batch.source[i]) == list(sentence.english)
        given = [FRENCH.words[k] for k in batch.target[i]]
        wanted = [FRENCH.words[k] for k in batch.labels[i]]
        assert given[: n + 1] == ["<start>", *sentence.french]
        assert wanted[: n + 1] == [*sentence.french, "<end>"]
        assert {*given[n + 1 :], *wanted[n + 1 :]} <= {"<pad>"}


def test_the_rate_rises_to_its_peak_and_falls_to_0():
    plan = Plan(steps=100, warmup=10, peak=0.5)
    rates = np.array([plan.rate(step) for step in range(101)])
    assert rates[0] == pytest.approx(0.05)
    assert rates[10] == rates.max() == 0.5
    assert rates[55] == pytest.approx(0.25)
    assert rates[100] == pytest.approx(0)
    assert (np.diff(rates[:10]) > 0).all()
    assert (np.diff(rates[10:]) < 0).all()


def test_adam_takes_even_first_steps_and_finds_a_minimum():
    weights = {"part": {"W": np.array([3.0, -200.0])}}
    adam = Adam(weights)
    adam.step({"part": {"W": 2 * weights["part"]["W"]}}, 0.1)
    # Whatever the size of a gradient, the first step is as long as the rate.
    np.testing.assert_allclose(weights["part"]["W"], [2.9, -199.9])
    weights = {"W": np.array([3.0, -2.0])}
    adam = Adam(weights)
    for i in range(2000):
        adam.step({"W": 2 * (weights["W"] - [1, 4])}, 0.1 * (1 - i / 2000))
    np.testing.assert_allclose(weights["W"], [1, 4], atol=1e-3)


def test_adam_is_the_published_rule():
    weights = {"W": np.array([0.3])}
    adam = Adam(weights)
    rng = np.random.default_rng(0)
    value, m, v = 0.3, 0.0, 0.0
    for t in range(1, 30):
        gradient = rng.normal()
        adam.step({"W": np.array([gradient])}, 0.01)
        m = 0.9 * m + 0.1 * gradient
        v = 0.98 * v + 0.02 * gradient**2
        value -= 0.01 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.98**t)) + 1e-9)
        assert weights["W"][0] == pytest.approx(value, rel=1e-6)


def test_training_is_repeatable_and_seeds_differ():
    config, plan = Config(num_layers=1, d_model=8, num_heads=2), Plan(batch=4)

    def losses(seed):
        steps = train(config, Plan(batch=4, seed=seed, steps=plan.steps))
        return [next(steps).loss for _ in range(3)]

    assert losses(0) == losses(0)
    assert losses(0) != losses(1)


@pytest.mark.more
def test_a_short_run_learns():
    config = Config(num_layers=1)
    plan = Plan(steps=40, batch=16, peak=1e-2, warmup=10)
    points = list(learning_curve(config, plan, every=20, count=20))
    assert [p.step for p in points] == list(range(1, 41))
    measured = [p.step for p in points if p.held_out is not None]
    assert measured == [20, 40]
    assert points[0].loss > np.log(len(FRENCH)) - 1
    assert np.mean([p.loss for p in points[-5:]]) < 0.75 * points[0].loss
    assert all(np.isfinite(a).all() for a in named(points[-1].weights).values())
