"""Training: labels, learning rate, Adam; training again gives the stored results."""

from itertools import islice

import numpy as np
import pytest
from repeats import first_and_weekly

from transformer.ablations import QUARTER, VARIANTS
from transformer.evaluation import learning_curve
from transformer.parameters import Config, named
from transformer.sentences import held_out_sentences
from transformer.small import induction, pronouns
from transformer.small.induction import InductionTask
from transformer.small.pronouns import PronounTask
from transformer.storage import ABLATIONS
from transformer.stored_files import read_table
from transformer.training import EARLY, Adam, Plan, batch_of, train
from transformer.vocabulary import ENGLISH, FRENCH


def test_a_label_is_not_the_next_word_of_the_target():
    sentences = held_out_sentences(7, pairs=False)
    batch = batch_of(sentences)
    for i, sentence in enumerate(sentences):
        n = len(sentence.french)
        assert ENGLISH.decode(batch.source[i]) == list(sentence.english)
        given = [FRENCH.words[k] for k in batch.target[i]]
        wanted = [FRENCH.words[k] for k in batch.labels[i]]
        assert given[: n + 1] == ["<start>", *sentence.french]
        assert wanted[: n + 1] == [*sentence.french, "<end>"]
        assert {*given[n + 1 :], *wanted[n + 1 :]} <= {"<pad>"}


def test_the_learning_rate_has_another_peak_or_end_than_planned():
    plan = Plan(steps=100, warmup=10, peak=0.5)
    rates = np.array([plan.rate(step) for step in range(101)])
    assert rates[[0, 10, 55, 100]] == pytest.approx([0.05, 0.5, 0.25, 0])
    assert (np.diff(rates[:10]) > 0).all()
    assert (np.diff(rates[10:]) < 0).all()
    assert plan.sentences == 6400


def test_adam_differs_from_the_published_rule():
    """Two arrays have different gradients, and Adam must keep their means apart."""
    weights = {"a": np.array([0.3]), "part": {"b": np.array([-200.0, 5.0])}}
    adam, rng, rule = Adam(weights), np.random.default_rng(0), {}
    expected = {name: array.copy() for name, array in named(weights).items()}
    for t in range(1, 30):
        rate = 0.1 / t
        gradients = {"a": rng.normal(size=1), "part": {"b": 7 * rng.normal(size=2)}}
        adam.step(gradients, rate)
        for name, gradient in named(gradients).items():
            m, v = rule.get(name, (0, 0))
            rule[name] = m, v = 0.9 * m + 0.1 * gradient, 0.98 * v + 0.02 * gradient**2
            mean, square = m / (1 - 0.9**t), v / (1 - 0.98**t)
            expected[name] -= rate * mean / (np.sqrt(square) + 1e-9)
            np.testing.assert_allclose(named(weights)[name], expected[name], rtol=1e-7)


@pytest.mark.more
def test_a_short_run_does_not_learn_or_is_measured_at_wrong_steps():
    plan = Plan(steps=40, batch=16, peak=1e-2, warmup=10)
    points = list(learning_curve(Config(num_layers=1), plan, every=15, count=20))
    assert [p.step for p in points] == list(range(1, 41))
    assert [p.step for p in points if p.held_out is not None] == [15, 30, 40]
    assert points[0].loss > np.log(len(FRENCH)) - 1
    assert np.mean([p.loss for p in points[-5:]]) < 0.75 * points[0].loss


# --- training again, up to rounding on another processor ------------------------------


def loss_after(steps, count=EARLY):
    *_, last = islice(steps, count)
    return last.loss


@pytest.mark.more
@pytest.mark.parametrize("variant", first_and_weekly(sorted(VARIANTS)))
def test_training_a_variant_does_not_repeat_the_loss_of_its_row(variant):
    row = next(
        row
        for row in read_table(ABLATIONS)
        if (row["variant"], int(row["steps"])) == (variant, QUARTER)
    )
    steps = train(VARIANTS[variant], Plan(steps=QUARTER, seed=int(row["seed"])))
    assert loss_after(steps) == pytest.approx(float(row["early"]), rel=1e-3)


SMALL = [
    PronounTask("answer", 1, seed=3),
    PronounTask("pointer", seed=2),
    PronounTask("answer", shared=True, d_model=24, seed=1),
    PronounTask("pointer", shared=True),
    InductionTask(seed=7),
    InductionTask(1, 2, 24, True, seed=1),
]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("task", SMALL, ids=str)
def test_training_a_small_model_does_not_repeat_the_loss_of_its_row(task):
    module = pronouns if isinstance(task, PronounTask) else induction
    [early] = [row.early for row in module.SWEEP.results if row.task == task]
    assert loss_after(module.train(task)) == pytest.approx(early, rel=1e-3)
