"""What the chapter asks of its runs, against closed forms and other code."""

import numpy as np
import pytest

from course.chapters.heads_that_learn import experiments
from course.chapters.heads_that_learn.relations import Task
from transformer.small import pronouns


def test_rules_that_understand_nothing_are_right_half_the_time():
    rules = experiments.baselines(500)
    assert rules["the first noun"] + rules["the nearest noun"] == 1
    assert rules["the first noun"] == rules["always the animal"] == 0.5
    assert rules["any noun that the adjective is said of"] == 1 / 15


@pytest.mark.parametrize("loss", pronouns.LOSSES)
def test_in_one_layer_the_last_word_changes_no_ratio(loss):
    """Recomputed from the weights alone: the scores do not see the last word."""
    weights, config = pronouns.shown(loss, 0)
    *begun, _ = pronouns.EXAMPLE
    ratios = experiments.one_layer_ratio(begun, pronouns.ADJECTIVES, weights, config)
    np.testing.assert_allclose(ratios, np.tile(ratios[0], (8, 1)), rtol=1e-12)
    at = weights["encoder"]["0"]["self_attention"]
    angle = np.arange(10)[:, None] / 10000 ** (np.arange(0, 16, 2) / 16)
    places = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(10, 16)
    x = weights["words"][pronouns.numbers(pronouns.EXAMPLE)] * 4 + places
    for head in range(2):
        scores = (x[7] @ at["W_Q"][head]) @ (x[[1, 5]] @ at["W_K"][head]).T / 8**0.5
        expected = np.exp(scores[0] - scores[1])
        assert ratios[0, head] == pytest.approx(expected, rel=1e-10)


def test_no_one_layer_run_looks_at_the_noun_more_than_half():
    runs = [r for r in pronouns._stored() if r.task.num_layers == 1]
    assert len(runs) >= 40
    for run in runs:
        assert run.mass <= 0.5
        assert run.best_mass <= 0.5


def test_one_head_of_one_layer_points_right_in_half_of_the_sentences():
    sizes = {"num_layers": 1, "num_heads": 1}
    for loss in pronouns.LOSSES:
        shares = [run.pointed for run in pronouns.results(loss=loss, **sizes)]
        assert shares == [0.5] * len(shares)


def test_the_mean_of_two_heads_may_point_where_neither_does():
    heads, mean = experiments.two_heads_that_point()
    np.testing.assert_allclose(heads.sum(axis=-1), 1)
    ratio = heads[..., 0] / heads[..., 1]
    np.testing.assert_allclose(ratio[0], ratio[1])
    assert (mean[:, :2].argmax(axis=1) == [0, 1]).all()


def test_seeds_with_one_loss_answer_alike_whatever_they_look_at():
    assert experiments.same_answers(100) == dict.fromkeys(pronouns.LOSSES, 1.0)


def planted(monkeypatch, losses):
    monkeypatch.setattr(
        experiments,
        "losses",
        lambda task: {off: np.array(pair, float) for off, pair in losses.items()},
    )


def test_heads_are_parted_by_what_each_group_costs(monkeypatch):
    losses = {
        (): (0, 0),
        (0,): (1, 0),
        (1,): (0, 3),
        (2,): (0, 0),
        (0, 1): (1, 3),
        (0, 2): (4, 0),
        (1, 2): (0, 3),
        (0, 1, 2): (4, 3),
    }
    planted(monkeypatch, losses)
    found = experiments.split(Task(3))
    assert found == (((0, 2), (1,)), 3.0, 0.0)
    assert experiments.beyond(Task(3)) == 4 - 1  # 2 stands in for 0


def test_heads_that_serve_both_are_not_parted(monkeypatch):
    planted(monkeypatch, {(): (0, 0), (0,): (3, 3), (1,): (1, 1), (0, 1): (4, 4)})
    assert experiments.split(Task(2)).foreign >= 1


def test_a_spread_is_the_least_the_median_and_the_most():
    assert experiments.spread([9.0, 1.0, 2.0]) == (1, 2, 9)
    assert experiments.spread([0.0, 1.0, 2.0, 9.0]) == (0, 1.5, 9)
