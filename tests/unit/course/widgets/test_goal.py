"""The goal of a machine, and the inputs that reach it."""

import numpy as np
import pytest

from course.chapters.self_attention.questions import PLAY_TO_FOOTBALL
from course.widgets import Machine
from course.widgets.machine.goal import verdict


def machine(**changes):
    asked = Machine.preset("football", goal=PLAY_TO_FOOTBALL)
    asked.set(**changes)
    return asked


def key_of(asked):
    stated = Machine.preset("football").inputs
    return verdict(PLAY_TO_FOOTBALL, stated, asked.inputs)[0]


def test_the_notes_own_matrix_counts_as_an_answer():
    assert key_of(machine()) == "first"
    said = "As given, “play” takes 0.275 from “football”, and 0.391 from “play”."
    assert machine().verdict() == said


def test_the_verdict_is_right_for_a_smaller_weight_or_wrong_for_the_largest():
    rng, found = np.random.default_rng(0), set()
    for W_K in rng.normal(size=(20, 3, 2)):
        asked = machine(W_K=[W_K])
        key = key_of(asked)
        is_largest = asked.trace.heads[0].weights[1].argmax() == 2
        assert key == ("right" if is_largest else "wrong")
        found.add(key)
    assert found == {"right", "wrong"}
    assert key_of(machine(W_K=np.zeros((1, 3, 2)))) == "wrong", "a tie"


@pytest.mark.parametrize("name", ["X", "W_Q", "W_V"])
def test_a_change_of_another_input_is_accepted(name):
    changed = getattr(machine(), name) + 0.5
    reached = {"W_K": [[[-5, 0], [0, 0], [0, 0]]]}
    assert key_of(machine(**reached)) == "right"
    asked = machine(**reached | {name: changed})
    assert key_of(asked) == "other"
    assert "only W_K" in asked.verdict()


def test_a_machine_with_a_goal_does_not_count_as_one_exercise():
    assert "reached" not in Machine.preset("football")._page["traits"]
    assert machine()._page["traits"]["reached"]["asked"]["count"] == 1
