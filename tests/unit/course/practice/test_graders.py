"""Graders: right solutions pass, known mistakes are named, and no trick passes."""

import itertools
import math
import re

import numpy as np
import pytest
from agreement import normal
from repeats import first_and_weekly

import attention as library
from course.practice import check, right
from course.practice.exercises import EXERCISES
from course.practice.exercises.attention import causal, step
from course.practice.exercises.one_pass import one_pass
from course.practice.gallery.attention import scaled
from course.practice.grader import examine
from course.practice.outcomes import same
from transformer.positions import sinusoidal

TASKS = [
    pytest.param(task, id=f"{name}-{place}")
    for name, exercise in EXERCISES.items()
    for place, task in enumerate(exercise.tasks)
]


# --- Right solutions ------------------------------------------------------------------


def softmax_in_loops(logits):
    rows = []
    for row in logits.tolist():
        powers = [math.exp(x - max(row)) for x in row]
        rows.append([power / sum(powers) for power in powers])
    return rows


class CalledSoftmax:
    def __call__(self, logits):
        return np.matrix(library.softmax(logits))


SOFTMAXES = [softmax_in_loops, CalledSoftmax()]


def unstable(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)


def hides_by_adding(Q, K, V):
    s = scaled(Q, K) + np.triu(np.full((len(Q), len(K)), -1e9), 1)
    return unstable(s) @ V


def backward_in_float32(weights, gradient):
    p, g = weights.astype(np.float32), gradient.astype(np.float32)
    return p * g - p * np.einsum("nm,nm->n", p, g)[:, None]


def positions_in_float32(n, d_model):
    """Return the encoding as PyTorch's tutorial computes it, in float32."""
    step = np.float32(-math.log(10000) / d_model)
    rates = np.exp(np.arange(0, d_model, 2, dtype=np.float32) * step)
    angles = np.arange(n, dtype=np.float32)[:, None] * rates
    P = np.zeros((n, d_model), np.float32)
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def step_with_lists(x, keys, values, W_Q, W_K, W_V):
    keys, values = [*keys, x @ W_K], [*values, x @ W_V]
    logits = np.array([key @ (x @ W_Q) for key in keys]) / len(keys[0]) ** 0.5
    return [library.softmax(logits) @ np.array(values), keys, values]


def step_newest_first(x, keys, values, W_Q, W_K, W_V):
    keys, values = np.vstack([x @ W_K, keys]), np.vstack([x @ W_V, values])
    z = library.scaled_dot_product_attention([x @ W_Q], keys, values)[0]
    return z, keys, values


def one_pass_in_blocks(pairs):
    """Compute in blocks, as the library does, and ask for one block too many."""
    print("a printed text is no kept pair" * 100)
    largest, total, output = -np.inf, 0, 0
    while block := list(itertools.islice(pairs, 256)):
        logits, values = map(np.array, zip(*block, strict=True))
        new = max(largest, logits.max())
        powers, shrink = np.exp(logits - new), np.exp(largest - new)
        total, output = total * shrink + powers.sum(), output * shrink + powers @ values
        largest = new
    return output / total


RIGHT = {
    "softmax": [*SOFTMAXES, unstable],
    "stable-softmax": SOFTMAXES,
    "attention": right.WAYS,
    "causal-mask": [*map(causal, right.WAYS), hides_by_adding],
    "softmax-backward": [backward_in_float32],
    "split-and-merge": [
        (library.split_heads, library.merge_heads),
        (
            lambda x, h: np.split(x.astype(np.float32), h, axis=1),
            lambda heads: np.hstack([*heads]).tolist(),
        ),
    ],
    "sum-over-heads": [
        lambda Z, W: np.einsum("hnv,hvd->nd", Z, W.reshape(len(Z), -1, W.shape[1]))
    ],
    "positions": [sinusoidal, positions_in_float32],
    "decoding-step": [step_with_lists, step_newest_first],
    "one-pass": [one_pass_in_blocks],
}


def functions(solution):
    return solution if isinstance(solution, tuple) else (solution,)


@pytest.mark.more
@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_solution_is_rejected_or_differs_at_some_size(name):
    for solution in RIGHT[name]:
        verdict = check(name, *functions(solution))
        assert verdict.passed, verdict
        assert (verdict.mistakes, verdict.inputs) == ((), {})
    rng = np.random.default_rng(0)
    for place, task in enumerate(EXERCISES[name].tasks):
        drawn = (task.draw_inputs(rng, task.draw_sizes(rng)) for _ in range(250))
        tried = [each[i % len(each)] for i, each in enumerate(drawn)]
        expected = task.outcomes(task.right, tried)
        for solution in RIGHT[name]:
            got = task.outcomes(functions(solution)[place], tried)
            assert all(map(same, got, expected)), solution


# --- Known mistakes -------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
def test_a_known_mistake_is_not_named_on_the_printed_inputs(task):
    for wrong in task.wrong:
        for version in wrong.versions:
            finding = examine(task, version, task.examples)
            assert finding.failed is not None
            assert [found.name for found in finding.mistakes] == [wrong.name]


def separating_sizes(task, rng, count):
    sizes = (task.draw_sizes(rng) for _ in itertools.count())
    return itertools.islice((s for s in sizes if task.exposes_mistakes(s)), count)


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(("seed", "count"), first_and_weekly([(0, 60), (1, 500)]))
def test_a_known_mistake_passes_at_sizes_that_should_separate_it(task, seed, count):
    rng = np.random.default_rng(seed)
    wrong = [each for each in task.wrong if each.name != "total in float16"]
    for place, size in enumerate(separating_sizes(task, rng, count)):
        inputs = task.draw_inputs(rng, size)
        expected = task.outcomes(task.right, inputs)
        for each in wrong:
            got = task.outcomes(each.function, inputs)
            assert not all(map(same, got, expected)), (each.name, size)
            if place < 10 and not all(outcome.error for outcome in got):
                assert examine(task, each.function, inputs).mistakes == (each,), size


def mistake(exercise, name):
    """Return the task of an exercise, and its mistake of this name."""
    [task] = EXERCISES[exercise].tasks
    return task, next(wrong for wrong in task.wrong if wrong.name == name)


@pytest.mark.more
@pytest.mark.parametrize("name", ["stable-softmax", "one-pass"])
def test_a_total_in_float16_passes_with_more_than_two_thousand_entries(name):
    task, wrong = mistake(name, "total in float16")
    for m in (2100, 6000):
        stable, one_pass = (np.zeros((1, m)),), (np.zeros(m), np.ones((m, 1)))
        inputs = stable if name == "stable-softmax" else one_pass
        assert examine(task, wrong.function, [inputs]).mistakes == (wrong,)


def test_a_missing_bracket_is_not_named_if_the_power_of_integers_overflows():
    def my_positions(n, d_model):
        two_i = np.arange(0, d_model, 2)
        angles = np.arange(n)[:, None] / (10000**two_i / d_model)
        return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(n, d_model)

    assert check("positions", my_positions).mistakes == ("a bracket missing",)


def test_one_of_two_possible_mistakes_is_not_named_or_one_that_also_fails_is():
    task, wrong = mistake("attention", "divided by d_k")
    four_keys_two_wide = [tuple(normal(0, (3, 2), (4, 2), (4, 5)))]
    finding = examine(task, wrong.function, four_keys_two_wide)
    names = {wrong.name for wrong in finding.mistakes}
    assert names == {"divided by d_k", "divided by sqrt(m)"}
    finding = examine(task, lambda Q, K, V: Q @ V, four_keys_two_wide)
    assert finding.mistakes == ()  # "keys not transposed" raises a ValueError too


# --- Tricks and unknown mistakes ------------------------------------------------------


def by_heart(name):
    """Return a function that is right on the examples only."""
    [task] = EXERCISES[name].tasks
    known = [(inputs, task.right(*inputs)) for inputs in task.examples]

    def answer(*arguments):
        for inputs, result in known:
            if all(map(np.array_equal, inputs, arguments)):
                return result
        return known[0][1]

    return answer


def writes_into_its_argument(logits):
    logits -= logits.max(axis=1, keepdims=True)
    return unstable(logits)


def forgets_after_64(Q, K, V):
    Z = library.scaled_dot_product_attention(Q, K, V, is_causal=True)
    Z[64:] = 0
    return Z


def keeps_all_pairs(pairs):
    logits, values = zip(*pairs, strict=True)
    return library.softmax(np.array(logits)) @ np.array(values)


def goes_through_twice(pairs):
    largest = max(logit for logit, _ in pairs)
    sums = [np.append(1, value) * np.exp(logit - largest) for logit, value in pairs]
    total = np.sum(sums, axis=0)
    return total[1:] / total[0]


def subtracts_the_first_logit(pairs):
    first, output = next(pairs)
    total = 1
    for logit, value in pairs:
        power = np.exp(logit - first)
        total, output = total + power, output + power * value
    return output / total


def returns_a_generator(pairs):
    yield from pairs


def step_remembers_elsewhere():
    store = []

    def answer(x, keys, values, W_Q, W_K, W_V):
        store.append((x @ W_K, x @ W_V))
        all_keys, all_values = map(np.array, zip(*store, strict=True))
        weights = library.softmax(all_keys @ (x @ W_Q) / keys.shape[1] ** 0.5)
        return weights @ all_values, keys, values

    return answer


BY_HEART = ("softmax", "stable-softmax", "attention", "causal-mask", "positions")
BY_HEART += ("softmax-backward", "sum-over-heads")
WRONG = dict.fromkeys(BY_HEART, ()) | {
    "softmax": [
        writes_into_its_argument,
        lambda logits: library.softmax(1.001 * logits),
        lambda logits: library.softmax(logits.astype(np.float16)),
        lambda logits: library.softmax(logits).astype(complex),
        lambda logits: (row for row in library.softmax(logits)),
        lambda: 0,
    ],
    "stable-softmax": [
        lambda logits: np.nan_to_num(unstable(logits)),
        lambda logits: unstable(logits - logits[:, :1]),
    ],
    "attention": [
        lambda Q, K, V: library.softmax(Q @ K.T / int(K.shape[1] ** 0.5)) @ V,
        lambda Q, K, V: right.attention(Q, K, V, causal=True),
    ],
    "causal-mask": [forgets_after_64],
    "split-and-merge": [(lambda x, h: x, lambda heads: heads)],
    "positions": [lambda n, d: sinusoidal(min(n, 40), d)],
    "decoding-step": [
        step_remembers_elsewhere(),
        lambda *a: step(*a)[0],
        lambda *a: (step(*a)[0], *a[1:3]),
    ],
    "one-pass": [
        keeps_all_pairs,
        goes_through_twice,
        subtracts_the_first_logit,
        returns_a_generator,
        lambda pairs: one_pass(itertools.islice(pairs, 50)),
    ],
}


@pytest.mark.more
@pytest.mark.parametrize("name", WRONG)
def test_a_trick_or_an_unknown_mistake_passes(name):
    verdicts = [check(name, *functions(way)) for way in WRONG[name]]
    if name in BY_HEART:
        verdicts.append(check(name, by_heart(name)))
    assert [place for place, v in enumerate(verdicts) if v.passed] == []
    lines = [line for verdict in verdicts for line in str(verdict).splitlines()]
    assert [line for line in lines if len(line) > 80] == []


# --- Messages -------------------------------------------------------------------------


def returns_nothing(logits):
    """Nothing written yet."""


def calls_a_helper_that_fails(logits):
    return divides_by_an_undefined_name(logits)


def divides_by_an_undefined_name(logits):
    powers = np.exp(logits)
    return powers / total  # noqa: F821


def prints(text):
    def my_softmax(logits):
        print(text)
        return logits

    return my_softmax


@pytest.mark.more
@pytest.mark.parametrize(
    ("name", "way", "message"),
    [
        ("softmax", returns_nothing, "returns_nothing returns None. Its last line"),
        ("softmax", divides_by_an_undefined_name, "NameError: name 'total' is not def"),
        ("softmax", calls_a_helper_that_fails, "at the line: return powers / total"),
        ("softmax", writes_into_its_argument, "changes logits"),
        ("softmax", np.ones(3), "takes the function itself, and got ndarray"),
        ("softmax", prints("shape (2, 4)"), "my_softmax printed shape (2, 4)"),
        ("softmax", prints("\n".join("1" * 30)), "1 1 ... and 18 lines more"),
        ("softmax", lambda x: library.softmax(x)[None], "(1, 2, 4) and should be (2, "),
        (
            "softmax",
            lambda x: library.softmax(x) + np.eye(2, 4, 3) / 8,
            "error is 0.125, at [0, 3]",
        ),
        ("causal-mask", forgets_after_64, "an array of shape (70, 9), kept in the"),
        ("causal-mask", lambda Q, K, V: 0 * V + np.nan, "0 * inf and 0 / 0 are NaN"),
        ("attention", lambda *a: (a, a[0]), "a tuple of parts with different shapes"),
        (
            "decoding-step",
            lambda *a: (step(*a)[0][None], *step(*a)[1:]),
            "z has the shape (1, 2) and should have (2,)",
        ),
        (
            "decoding-step",
            lambda *a: (step(*a)[1][:, 0], *step(*a)[1:]),
            "z has the shape (4,) and should have (2,)",
        ),
        ("one-pass", goes_through_twice, "a second time; they come only once"),
        ("one-pass", keeps_all_pairs, "after the last 4,000 pairs it still holds"),
        ("one-pass", returns_a_generator, "use return, not yield"),
    ],
)
def test_a_message_does_not_name_the_cause(name, way, message, capsys, monkeypatch):
    monkeypatch.setattr("builtins.__IPYTHON__", True, raising=False)  # as in a notebook
    verdict = check(name, way)
    assert message in " ".join(str(verdict).split())
    assert verdict.mistakes == ()
    assert capsys.readouterr().out == ""  # the verdict has what the function prints


def test_a_known_mistake_is_explained_with_wrong_numbers():
    def my_softmax(logits):
        return library.softmax(logits, axis=0)

    text = str(check("softmax", my_softmax))
    assert "a known mistake: softmax over the queries." in text
    assert "columns add up to 1, not the rows" in text
    given = EXERCISES["softmax"].tasks[0].examples[0][0]
    shown, _, rest = text.partition("my_softmax returns\n")
    returned, _, due = rest.partition("the right result\n")
    arrays = given, my_softmax(given), library.softmax(given)
    for numbers, array in zip((shown, returned, due), arrays, strict=True):
        found = re.findall(r"-?\d+\.\d*", numbers[numbers.find("[[") :])
        np.testing.assert_allclose([*map(float, found)], array.ravel(), atol=5e-5)


def test_a_notebook_hides_the_first_failure_or_shows_the_rest():
    verdict = check("split-and-merge", library.split_heads, returns_nothing)
    assert not verdict
    shown, _, rest = verdict._repr_html_().partition("<details>")
    assert "Not yet: returns_nothing" in shown
    assert "Right: split_heads" in rest


# --- Side effects ---------------------------------------------------------------------


def test_an_interrupt_is_swallowed():
    def endless(logits):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("softmax", endless)


def test_numpy_s_error_state_changes_a_verdict():
    with np.errstate(all="raise"):
        assert check("stable-softmax", library.softmax).passed
        verdict = check("stable-softmax", unstable)
    assert verdict.mistakes == ("no maximum subtracted",)
    assert "1000." in str(verdict)  # the logits that overflow


def test_a_reader_who_changes_the_inputs_of_a_verdict_changes_the_exercise():
    for _ in range(2):
        logits = check("softmax", np.zeros_like).inputs["logits"]
        assert np.isfinite(logits).all()
        logits[:] = np.nan


def test_two_checks_give_the_same_random_inputs():
    seen = []

    def recorded(logits):
        seen.append(np.array(logits).tobytes())
        return library.softmax(logits)

    assert check("softmax", recorded).passed
    count = len(seen)
    assert check("softmax", recorded).passed
    assert not set(seen[count - 20 : count]) & set(seen[-20:])
