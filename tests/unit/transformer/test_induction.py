"""An induction head grows: sequences, the causal test, the stored run."""

import numpy as np
import pytest

from transformer.masks import causal
from transformer.small import induction
from transformer.small.induction import POINTS, SHOWN, TASKS, WATCHED, Task
from transformer.small.stack import forward, heads_of
from transformer.storage import load
from transformer.trace import Trace


@pytest.fixture(scope="module")
def model():
    return load(induction.MODEL)


@pytest.mark.parametrize("fixed", [False, True])
def test_what_comes_next_is_asked_once_a_letter_has_stood_there_before(fixed):
    task = Task(fixed=fixed)
    tokens, labels = induction.draw(np.random.default_rng(0), 200, task.periods)
    found = set()
    for row, asked in zip(tokens.tolist(), labels.tolist(), strict=True):
        period = len({*row})
        found.add(period)
        for i, letter in enumerate(row):
            earlier = [j for j in range(i) if row[j] == letter]
            assert asked[i] == (row[earlier[-1] + 1] if earlier else 0)
            assert (i >= period) == bool(earlier)
    assert found == {*task.periods}


def test_the_letters_looked_for_are_those_after_an_earlier_one_like_this():
    tokens, _ = induction.draw(np.random.default_rng(1), 20, [6, 9])
    there = induction.after_the_same(tokens)
    for row, said in zip(tokens, there, strict=True):
        for i, j in np.ndindex(said.shape):
            assert said[i, j] == (1 <= j <= i and row[j - 1] == row[i])
    assert (induction.before(tokens) == np.eye(24, k=-1)).all()


def test_weight_on_letters_counts_the_rows_that_have_one():
    found = np.full((2, 1, 1, 3, 3), 1 / 3)
    there = np.zeros((2, 3, 3), bool)
    there[0, 1, :2] = True
    assert induction.weight_on(found, there) == pytest.approx(2 / 3)
    pattern = induction.all_on(there)
    np.testing.assert_allclose(pattern.sum(axis=-1), 1)
    np.testing.assert_array_equal(pattern[0, 1], [0.5, 0.5, 0])
    np.testing.assert_array_equal(pattern[1], np.eye(3))


@pytest.mark.parametrize("layer", [0, 1])
def test_a_pattern_replaced_by_itself_changes_nothing(model, layer):
    weights, config = model
    sequences = induction.draw(np.random.default_rng(2), 20, [6, 11])
    found = induction.looks(sequences.tokens, weights, config)
    for number in range(2):
        head = f"encoder.{layer}.self_attention.head.{number}"
        patterns = {head: found[:, layer, number]}
        same = induction.with_patterns(sequences, weights, config, patterns)
        assert same == induction.share_right(sequences, weights, config)


def test_heads_that_look_by_place_already_lose_nothing(model):
    weights, config = model
    second = weights["encoder"]["1"]
    blind = second | {
        "self_attention": second["self_attention"]
        | {"W_Q": 0 * second["self_attention"]["W_Q"]}
    }
    machine = weights | {"encoder": weights["encoder"] | {"1": blind}}
    sequences = induction.draw(np.random.default_rng(3), 20, [6, 11])
    for tree, same in ((weights, False), (machine, True)):
        alone = induction.share_right(sequences, tree, config)
        assert (induction.by_place(sequences, tree, config) == alone) is same
    even = induction.evenly(sequences.tokens)
    patterns = {f"encoder.1.self_attention.head.{i}": even for i in range(2)}
    both = induction.with_patterns(sequences, weights, config, patterns)
    assert both == induction.share_right(sequences, machine, config)


def test_going_on_from_a_layer_gives_the_logits_of_the_whole(model):
    weights, config = model
    tokens, trace = induction.shown(), Trace()
    mask = causal(SHOWN)
    logits, _ = forward(tokens, weights, config, mask, trace)
    for layer in range(2):
        x = trace[f"encoder.{layer}.self_attention.residual"]
        found = induction.go_on(x, weights, config, layer, mask)
        np.testing.assert_allclose(found, logits, atol=1e-12)


@pytest.mark.more
def test_the_watched_model_does_what_its_row_says(model):
    weights, config = model
    [row] = [r for r in induction.results() if r.task == WATCHED]
    sequences = induction.held_out(WATCHED.periods)
    assert induction.share_right(sequences, weights, config) == pytest.approx(row.right)
    place = induction.by_place(sequences, weights, config)
    assert place == pytest.approx(row.by_place, abs=2e-3)
    for name, value in induction.causes(sequences, weights, config).items():
        assert value == pytest.approx(getattr(row, name), abs=2e-3), name


def test_every_task_is_stored_once_in_the_order_of_the_command():
    assert [result.task for result in induction._stored()] == TASKS


@pytest.mark.more
@pytest.mark.parametrize("task", [WATCHED, Task(1, d_model=24, fixed=True)])
def test_the_first_steps_of_a_run_can_be_repeated(task):
    [row] = [r for r in induction._stored() if r.task == task]
    steps = induction.train(task)
    *_, last = (next(steps) for _ in range(induction.EARLY))
    assert last.loss == pytest.approx(row.early, rel=1e-3)


@pytest.mark.more
def test_the_stored_looks_are_those_of_the_run(model):
    scrub = induction.scrub()
    assert (len(scrub.steps), scrub.steps[0]) == (POINTS, 0)
    assert scrub.steps == sorted({*scrub.steps})
    assert induction.SCRUB.stat().st_size == POINTS * 3 * 4 * SHOWN * (SHOWN + 1) // 2
    tokens = induction.shown()
    letters = ["".join(induction.LETTERS[i - 1] for i in row) for row in tokens]
    assert scrub.sequences == letters
    first = induction.looks(tokens, induction.fresh(WATCHED), WATCHED.config)
    np.testing.assert_allclose(scrub.looks[0], first, atol=0.6 / 255)
    last = induction.looks(tokens, *model)  # of weights in half precision
    np.testing.assert_allclose(scrub.looks[-1], last, atol=0.02)
    named = induction.name_heads(induction.held_out(WATCHED.periods), *model)
    for kind, (layer, head) in scrub.named.items():
        name = f"encoder.{layer}.self_attention.head.{head}"
        assert getattr(named, kind) == name
    assert {*named.without} == {*heads_of(WATCHED.config)}


def test_steps_stand_close_where_the_loss_falls():
    losses = [3.0] * 40 + list(np.linspace(3, 0, 21)) + [0.0] * 40
    steps = induction.steps_to_show(losses, 20)
    assert (len(steps), steps[0], steps[-1]) == (20, 0, 100)
    inside = [step for step in steps if 36 <= step <= 64]
    assert len(inside) >= 9
    assert induction.steps_to_show(losses, 101) == list(range(101))
