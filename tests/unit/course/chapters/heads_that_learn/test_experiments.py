"""Compare numbers from the stored runs of chapter 8 with closed forms."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import experiments
from course.chapters.heads_that_learn.relations import RelationTask
from transformer.small import pronouns


def test_a_baseline_has_a_wrong_share():
    rules = experiments.baselines(503)
    assert rules["the first noun"] + rules["the nearest noun"] == 1
    assert rules["the first noun"] == rules["always the animal"] == 0.5
    assert rules["any noun that the adjective is said of"] == 1 / 15


def test_a_model_of_one_layer_breaks_the_bound_of_one_half():
    runs = [r for r in pronouns.SWEEP.results if r.task.num_layers == 1]
    assert len(runs) == 60
    for run in runs:
        assert run.mass <= 0.5
        assert run.best_mass <= 0.5
        assert run.task.num_heads > 1 or run.pointed == 0.5


def set_losses(monkeypatch, losses):
    found = {off: np.array(pair, float) for off, pair in losses.items()}
    monkeypatch.setattr(experiments, "losses", lambda task: found)


def test_split_returns_wrong_groups_or_costs(monkeypatch):
    """Heads 0 and 2 answer the colour, head 1 the shape; head 2 partly replaces 0."""
    losses = {
        (): (0.1, 0.2),
        (0,): (1.1, 0.2),
        (1,): (0.1, 3.2),
        (2,): (0.1, 0.7),
        (0, 1): (1.1, 3.2),
        (0, 2): (4.1, 0.9),
        (1, 2): (0.1, 3.7),
        (0, 1, 2): (4.1, 3.9),
    }
    set_losses(monkeypatch, losses)
    groups, own, foreign = experiments.split(RelationTask(3))
    assert groups == ((0, 2), (1,))
    assert (own, foreign) == pytest.approx((3.0, 0.7))
    assert experiments.loss(RelationTask(3)) == pytest.approx(0.15)


def test_split_hides_that_heads_answer_both_questions(monkeypatch):
    set_losses(monkeypatch, {(): (0, 0), (0,): (3, 3), (1,): (1, 1), (0, 1): (4, 4)})
    assert experiments.split(RelationTask(2)).foreign >= 1
