"""Graders: right ways pass at every size, known mistakes are named, nothing fools them.

The right ways and the wrong functions that are no known mistake were written to fail
what is right and to pass what is not.
"""

import functools
import itertools
import math
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from repeats import first_and_weekly

import attention as library
from course.practice import check, right
from course.practice.exercises import EXERCISES
from course.practice.exercises.attention import causal, step
from course.practice.exercises.softmax import one_pass
from course.practice.grader import examine
from course.practice.outcomes import same
from transformer.positions import sinusoidal

TASKS = [
    pytest.param(task, id=f"{name}-{place}")
    for name, exercise in EXERCISES.items()
    for place, task in enumerate(exercise.tasks)
]


# --- Right ways -----------------------------------------------------------------------


def softmax_in_loops(logits):
    rows = []
    for row in logits.tolist():
        powers = [math.exp(x - max(row)) for x in row]
        rows.append([power / sum(powers) for power in powers])
    return rows


def softmax_by_logarithm(logits):
    return np.exp(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))


def softmax_in_float32(logits):
    logits = logits.astype(np.float32)
    powers = np.exp(logits - logits.max(axis=1)[:, None])
    return powers / powers.sum(axis=1)[:, None]


def softmax_in_place_of_its_own(logits, axis=-1):
    powers = np.array(logits, dtype=np.longdouble)
    powers -= powers.max(axis=axis, keepdims=True)
    np.exp(powers, out=powers)
    powers /= powers.sum(axis=axis, keepdims=True)
    return powers


class CalledSoftmax:
    def __call__(self, logits):
        return np.matrix(library.softmax(logits))


def softmax_transposed(logits):
    powers = np.exp2((logits - logits.max(1, keepdims=True)).T / np.log(2))
    return (powers / powers.sum(0)).T  # in another order in memory


SOFTMAXES = [
    softmax_in_loops,
    softmax_by_logarithm,
    softmax_in_float32,
    softmax_in_place_of_its_own,
    CalledSoftmax(),
    softmax_transposed,
    functools.partial(library.softmax, axis=1),
    lambda logits: library.softmax(logits),
]


def unstable(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)


def hides_by_adding(Q, K, V):
    s = np.inner(Q, K) / K.shape[-1] ** 0.5 + np.triu(
        np.full((len(Q), len(K)), -1e9), 1
    )
    return unstable(s) @ V


def scaled_before(Q, K, V):
    quarter = K.shape[1] ** -0.25
    return library.softmax((Q * quarter) @ (K * quarter).T) @ V


def backward_by_jacobians(weights, gradient):
    pairs = zip(weights, gradient, strict=True)
    return [(np.diag(p) - np.outer(p, p)) @ g for p, g in pairs]


def backward_in_float32(weights, gradient):
    p, g = weights.astype(np.float32), gradient.astype(np.float32)
    return p * g - p * np.einsum("nm,nm->n", p, g)[:, None]


def sum_over_heads(heads, W_O):
    h, n, d_v = heads.shape
    output = np.zeros((n, W_O.shape[1]))
    for i in range(h):
        output += heads[i] @ W_O[i * d_v : (i + 1) * d_v]
    return output


def positions_by_complex_numbers(n, d_model):
    turns = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    clocks = np.exp(1j * np.outer(np.arange(n), turns))
    P = np.empty((n, d_model), np.float32)
    P[:, ::2], P[:, 1::2] = clocks.imag, clocks.real
    return P


def positions_in_float32(n, d_model):
    """As PyTorch's tutorial has it, and its default dtype."""
    places = np.arange(n, dtype=np.float32)[:, None]
    step = np.float32(-math.log(10000) / d_model)
    angles = places * np.exp(np.arange(0, d_model, 2, dtype=np.float32) * step)
    P = np.zeros((n, d_model), np.float32)
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def positions_in_loops(n, d_model):
    def entry(p, column):
        angle = p / 10000 ** (column // 2 * 2 / d_model)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return [[entry(p, column) for column in range(d_model)] for p in range(n)]


def step_with_lists(x, keys, values, W_Q, W_K, W_V):
    keys, values = [*keys, x @ W_K], [*values, x @ W_V]
    logits = np.array([key @ (x @ W_Q) for key in keys]) / len(keys[0]) ** 0.5
    return [library.softmax(logits) @ np.array(values), keys, values]


def step_newest_first(x, keys, values, W_Q, W_K, W_V):
    keys, values = (
        np.append([x @ W], old, 0) for W, old in ((W_K, keys), (W_V, values))
    )
    return (
        library.scaled_dot_product_attention([x @ W_Q], keys, values)[0],
        keys,
        values,
    )


def one_pass_by_logarithm(pairs):
    logit, mean = next(pairs)
    total = logit
    for logit, value in pairs:
        total = np.logaddexp(total, logit)
        mean = mean + (value - mean) * np.exp(logit - total)
    return mean


def one_pass_by_cases(pairs):
    largest, total, output = None, 0, 0
    for logit, value in pairs:
        if largest is None or logit > largest:
            shrink = 0 if largest is None else math.exp(largest - logit)
            total, output, largest = total * shrink + 1, output * shrink + value, logit
        else:
            power = math.exp(logit - largest)
            total, output = total + power, output + power * value
    return np.asarray(output / total, np.float32)


def one_pass_in_blocks(pairs):
    """As the library: and it asks for a block when none is left."""
    largest, total, output = -np.inf, 0, 0
    while block := list(itertools.islice(pairs, 64)):
        logits, values = map(np.array, zip(*block, strict=True))
        new = max(largest, logits.max())
        powers, shrink = np.exp(logits - new), np.exp(largest - new)
        total, output = total * shrink + powers.sum(), output * shrink + powers @ values
        largest = new
    return output / total


RIGHT = {
    "softmax": [*SOFTMAXES, unstable],
    "stable-softmax": SOFTMAXES,
    "attention": [*right.WAYS, scaled_before],
    "causal-mask": [*map(causal, right.WAYS), hides_by_adding],
    "softmax-backward": [backward_by_jacobians, backward_in_float32],
    "split-and-merge": [
        (library.split_heads, library.merge_heads),
        (
            lambda x, h: np.split(x, h, axis=1),
            lambda heads: np.concatenate(list(heads), axis=-1),
        ),
        (
            lambda x, h: np.stack(np.hsplit(x.astype(np.float32), h)),
            lambda heads: np.hstack([*heads]).tolist(),
        ),
    ],
    "sum-over-heads": [
        sum_over_heads,
        lambda Z, W: np.einsum("hnv,hvd->nd", Z, W.reshape(len(Z), -1, W.shape[1])),
        lambda Z, W: np.hstack(list(Z)).astype(np.float32) @ W.astype(np.float32),
    ],
    "positions": [
        sinusoidal,
        positions_by_complex_numbers,
        positions_in_loops,
        positions_in_float32,
    ],
    "decoding-step": [step_with_lists, step_newest_first],
    "one-pass": [one_pass_by_logarithm, one_pass_by_cases, one_pass_in_blocks],
}
EACH_WAY = [
    (task, way[place] if isinstance(way, tuple) else way)
    for name, ways in RIGHT.items()
    for way in ways
    for place, task in enumerate(EXERCISES[name].tasks)
]


def functions(way):
    return way if isinstance(way, tuple) else (way,)


def test_each_exercise_has_its_right_ways():
    assert set(RIGHT) == set(EXERCISES)
    assert len(EXERCISES) == 10


@pytest.mark.more
@pytest.mark.parametrize("name", RIGHT)
def test_right_ways_pass(name):
    for way in RIGHT[name]:
        verdict = check(name, *functions(way))
        assert verdict.passed, verdict
        assert verdict.mistakes == ()
        assert verdict.inputs == {}


def one_input_each(task, sizes, rng):
    """An input of each size; of the kinds that are drawn, one after the other."""
    drawn = (task.draw(rng, size) for size in sizes)
    return [inputs[i % len(inputs)] for i, inputs in enumerate(drawn)]


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("seed", first_and_weekly(range(4)))
def test_right_ways_pass_at_250_sizes_from_one_up(task, seed):
    rng = np.random.default_rng(seed)
    tried = one_input_each(task, [task.sizes(rng) for _ in range(250)], rng)
    due = task.outcomes(task.right, tried)
    for way in (way for own, way in EACH_WAY if own is task):
        pairs = zip(task.outcomes(way, tried), due, strict=True)
        wrong = [tried[i] for i, (got, d) in enumerate(pairs) if not same(got, d)]
        assert wrong == [], way


# --- Known mistakes -------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
def test_each_mistake_is_named_on_the_printed_inputs(task):
    for wrong in task.wrong:
        for way in wrong.ways:
            finding = examine(task, way, task.printed)
            assert finding.failed is not None
            assert [found.name for found in finding.mistakes] == [wrong.name]


def telling_sizes(task, rng, count):
    sizes = (task.sizes(rng) for _ in itertools.count())
    return list(itertools.islice((s for s in sizes if task.tells(s)), count))


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("seed", first_and_weekly(range(4)))
def test_each_mistake_is_caught_at_250_sizes_that_tell(task, seed):
    rng = np.random.default_rng(seed)
    drawn = [task.draw(rng, size) for size in telling_sizes(task, rng, 250)]
    due = [task.outcomes(task.right, inputs) for inputs in drawn]
    for wrong in task.wrong:
        if wrong.name == "total in float16":  # has a test of its own
            continue
        pairs = zip(drawn, due, strict=True)
        missed = [inputs for inputs, d in pairs if not caught(task, wrong, inputs, d)]
        assert missed == [], wrong.name


def caught(task, wrong, inputs, due):
    """Whether one of these inputs, and be it the last, tells a mistake apart."""
    each = zip(inputs, due, strict=True)
    return any(not same(task.outcomes(wrong.function, [i])[0], d) for i, d in each)


@pytest.mark.more
@pytest.mark.parametrize("task", TASKS)
def test_each_mistake_is_named_at_sizes_that_tell(task):
    rng = np.random.default_rng(1)
    for size in telling_sizes(task, rng, 10):
        inputs = task.draw(rng, size)
        for wrong in task.wrong:
            got = task.outcomes(wrong.function, inputs)
            if wrong.name == "total in float16" or all(each.error for each in got):
                continue
            [found] = examine(task, wrong.function, inputs).mistakes
            assert found is wrong, size


@pytest.mark.more
@pytest.mark.parametrize("name", ["stable-softmax", "one-pass"])
def test_a_total_in_float16_is_caught_with_two_thousand_entries_or_more(name):
    [task] = EXERCISES[name].tasks
    [wrong] = [wrong for wrong in task.wrong if wrong.name == "total in float16"]
    for m in (2100, 3333, 6000):
        long = np.zeros((1, m)) if name == "stable-softmax" else np.zeros(m)
        inputs = (long,) if name == "stable-softmax" else (long, np.ones((m, 1)))
        finding = examine(task, wrong.function, [inputs])
        assert [found.name for found in finding.mistakes] == [wrong.name]


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_names_three_mistakes_or_more(name):
    for task in EXERCISES[name].tasks:
        assert len(task.wrong) >= 3
        assert len({wrong.name for wrong in task.wrong}) == len(task.wrong)
        for wrong in task.wrong:
            assert wrong.formula
            assert wrong.why


def test_overflow_is_no_fault_before_it_is_the_subject():
    assert check("softmax", unstable).passed
    verdict = check("stable-softmax", unstable)
    assert verdict.mistakes == ("no maximum subtracted",)
    assert "1000." in str(verdict)


def test_where_two_mistakes_explain_a_result_both_are_named():
    task = EXERCISES["attention"].tasks[0]
    by_name = {wrong.name: wrong for wrong in task.wrong}
    rng = np.random.default_rng(0)
    four_keys_two_wide = [tuple(rng.normal(size=s) for s in ((3, 2), (4, 2), (4, 2)))]
    finding = examine(task, by_name["divided by d_k"].function, four_keys_two_wide)
    assert {w.name for w in finding.mistakes} == {
        "divided by d_k",
        "divided by sqrt(m)",
    }


# --- Fooling them ---------------------------------------------------------------------


def by_heart(name):
    """What is right on the printed inputs, learnt by heart."""
    [task] = EXERCISES[name].tasks
    known = [(inputs, task.right(*inputs)) for inputs in task.printed]

    def answer(*arguments):
        for inputs, result in known:
            if all(map(np.array_equal, inputs, arguments)):
                return result
        return known[0][1]

    return answer


def off_beyond(limit):
    def answer(logits):
        weights = library.softmax(logits)
        weights[:, limit:] = 0
        return weights

    return answer


kept = SimpleNamespace(array=None)


def one_buffer(logits):
    """Returns the same array each time, so that whoever keeps it is deceived."""
    if kept.array is None or kept.array.shape != logits.shape:
        kept.array = np.zeros_like(logits)
    kept.array[...] = np.roll(library.softmax(logits), 1, axis=0)
    return kept.array


class AlwaysEqual(np.ndarray):
    def __eq__(self, other):
        return True

    def __array_ufunc__(self, *args, **kwargs):
        return True


def writes_into_its_argument(logits):
    logits -= logits.max(axis=1, keepdims=True)
    return unstable(logits)


def turns_the_argument_into_the_answer(logits):
    logits[...] = 0
    return np.full(logits.shape, 1 / logits.shape[1])


def right_at_first():
    calls = itertools.count()
    return lambda logits: library.softmax(logits) * (1 if next(calls) < 5 else 1.1)


def attention_by(divisor):
    return lambda Q, K, V: library.softmax(Q @ K.T / divisor(Q, K, V)) @ V


def causal_by(hidden, offset=1):
    def answer(Q, K, V):
        s = Q @ K.T / K.shape[1] ** 0.5
        s[np.triu_indices(len(s), offset)] = hidden
        return library.softmax(s) @ V

    return answer


def forgets_after_64(Q, K, V):
    Z = library.scaled_dot_product_attention(Q, K, V, is_causal=True)
    Z[64:] = 0
    return Z


def keeps_all_pairs(pairs):
    logits, values = zip(*pairs, strict=True)
    return library.softmax(np.array(logits)) @ np.array(values)


def keeps_copies(pairs):
    logits, values = zip(
        *((logit, value.copy()) for logit, value in pairs), strict=True
    )
    return library.softmax(np.array(logits)) @ np.array(values)


def keeps_one_array(pairs):
    values, logits = np.empty((0, 0)), []
    for logit, value in pairs:
        logits.append(logit)
        values = np.append(values.reshape(-1, len(value)), [value], axis=0)
    return library.softmax(np.array(logits)) @ values


def goes_through_twice(pairs):
    largest = max(logit for logit, _ in pairs)
    sums = [np.append(1, value) * np.exp(logit - largest) for logit, value in pairs]
    total = np.sum(sums, axis=0)
    return total[1:] / total[0]


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


def step_is_late(x, keys, values, W_Q, W_K, W_V):
    z, keys, values = step(x, keys, values, W_Q, W_K, W_V)
    return z, keys, np.vstack([values[:-2], values[-1:], values[-2:-1]])


WRONG = {
    "softmax": [
        by_heart("softmax"),
        off_beyond(8),
        off_beyond(64),
        one_buffer,
        lambda logits: library.softmax(logits).view(AlwaysEqual) * 2,
        lambda logits: np.ones(logits.shape).view(AlwaysEqual),
        writes_into_its_argument,
        turns_the_argument_into_the_answer,
        right_at_first(),
        lambda logits: library.softmax(1.001 * logits),
        lambda logits: np.exp(logits) / (np.exp(logits).sum(1, keepdims=True) + 1e-3),
        lambda logits: np.round(library.softmax(logits), 4),
        lambda logits: library.softmax(logits.astype(np.float16)),
        lambda logits: np.sort(library.softmax(logits)),
        lambda logits: library.softmax(np.abs(logits)),
        lambda logits: np.squeeze(library.softmax(logits)),
        lambda logits: library.softmax(logits).astype(str),
        lambda logits: library.softmax(logits).astype(complex),
        lambda logits: library.softmax(logits)[None],
        lambda logits: (row for row in library.softmax(logits)),
        lambda logits: {"weights": library.softmax(logits)},
        lambda logits: library.softmax(logits).tolist()[:1],
        lambda logits: np.argmax(logits, axis=1),
        lambda logits: NotImplemented,
        lambda: 0,
        library.log_softmax,
    ],
    "stable-softmax": [
        by_heart("stable-softmax"),
        lambda logits: np.nan_to_num(unstable(logits)),
        lambda logits: unstable(logits - logits.min(axis=1, keepdims=True)),
        lambda logits: unstable(logits - logits[:, :1]),
        lambda logits: unstable(logits - 1000),
        lambda logits: library.softmax(np.minimum(logits, 700)),
        lambda logits: library.softmax(logits / np.abs(logits).max()),
    ],
    "attention": [
        by_heart("attention"),
        attention_by(lambda Q, K, V: np.sqrt(2)),
        attention_by(lambda Q, K, V: np.sqrt(len(Q))),
        attention_by(lambda Q, K, V: np.sqrt(V.shape[1])),
        attention_by(lambda Q, K, V: max(1, int(np.sqrt(K.shape[1])))),
        attention_by(lambda Q, K, V: np.linalg.norm(Q)),
        attention_by(lambda Q, K, V: np.std(Q @ K.T) or 1),
        lambda Q, K, V: right.attention(Q, K, V, causal=True),
        lambda Q, K, V: right.attention(K, Q, V),
        lambda Q, K, V: right.attention(Q, K, V).T,
        lambda Q, K, V: right.attention(Q, K, V)[:, :2],
        lambda Q, K, V: library.softmax(right.scaled(Q, K)),
        lambda Q, K, V: right.attention(Q, K, V) + 1e-3,
    ],
    "causal-mask": [
        by_heart("causal-mask"),
        causal_by(-10),
        causal_by(0.0),
        causal_by(-np.inf, offset=2),
        causal_by(-1e9, offset=0),
        forgets_after_64,
        lambda Q, K, V: np.nan_to_num(right.attention(Q, K, V)),
        lambda Q, K, V: right.attention(Q[::-1], K, V, causal=True)[::-1],
    ],
    "softmax-backward": [
        by_heart("softmax-backward"),
        lambda p, g: -p * (g - (p * g).sum(1, keepdims=True)),
        lambda p, g: p * (g - (p * g).sum()),
        lambda p, g: g - (p * g).sum(1, keepdims=True),
        lambda p, g: p * g - p**2 * g.sum(1, keepdims=True),
    ],
    "split-and-merge": [
        (lambda x, h: x, lambda heads: heads),
        (
            lambda x, h: np.array(np.split(x, h, axis=0)) if len(x) % h == 0 else x,
            lambda heads: np.hstack([*heads]),
        ),
        (
            lambda x, h: x.T.reshape(h, -1, len(x)),
            lambda heads: heads.transpose(1, 0, 2),
        ),
    ],
    "sum-over-heads": [
        by_heart("sum-over-heads"),
        lambda Z, W: Z.sum(axis=0) @ W[: Z.shape[2]] if len(Z) else 0,
        lambda Z, W: np.hstack(list(Z)),
        lambda Z, W: np.hstack(list(Z)) @ W[::-1],
        lambda Z, W: np.array([z @ W[: Z.shape[2]] for z in Z]),
    ],
    "positions": [
        by_heart("positions"),
        lambda n, d: sinusoidal(n, d) * 1.01,
        lambda n, d: np.sin(np.outer(np.arange(n), np.ones(d))),
        lambda n, d: sinusoidal(n, d).T,
        lambda n, d: np.roll(sinusoidal(n, d), 1, axis=0),
        lambda n, d: sinusoidal(min(n, 40), d),
    ],
    "decoding-step": [
        step_remembers_elsewhere(),
        step_is_late,
        lambda *a: step(*a)[0],
        lambda *a: step(*a)[:2],
        lambda *a: (step(*a)[0], *a[1:3]),
        lambda *a: step(*a)[::-1],
    ],
    "one-pass": [
        keeps_all_pairs,
        keeps_copies,
        keeps_one_array,
        goes_through_twice,
        returns_a_generator,
        lambda pairs: one_pass(pairs) * 1.001,
        lambda pairs: one_pass(itertools.islice(pairs, 50)),
        lambda pairs: np.mean([value for _, value in pairs], axis=0),
        lambda pairs: one_pass((max(logit, -700), value) for logit, value in pairs),
    ],
}


@pytest.mark.more
@pytest.mark.parametrize("name", WRONG)
def test_wrong_functions_do_not_pass(name):
    verdicts = [check(name, *functions(way)) for way in WRONG[name]]
    assert [place for place, v in enumerate(verdicts) if v.passed] == []
    lines = [line for verdict in verdicts for line in str(verdict).splitlines()]
    assert [line for line in lines if len(line) > 80] == []


def positions_that_turn_slowly(n, d_model):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / (d_model / 2))
    return np.dstack([np.sin(angles), np.cos(angles)]).reshape(n, d_model)


def last_value(pairs):
    for _, value in pairs:
        last = value
    return last


def one_pass_from(start):
    def answer(pairs):
        largest, total, output = start, 0, 0
        for logit, value in pairs:
            new = max(largest, logit)
            shrink, power = np.exp(largest - new), np.exp(logit - new)
            total, output = total * shrink + power, output * shrink + power * value
            largest = new
        return output / total

    return answer


OTHERWISE_WRITTEN = [
    ("softmax", "softmax over the queries", lambda s: np.exp(s) / sum(np.exp(s))),
    (
        "softmax",
        "exponentials not divided by their sum",
        lambda s: np.exp(s) / np.exp(s).max(axis=1, keepdims=True),
    ),
    (
        "stable-softmax",
        "logits cut off",
        lambda s: library.softmax(np.clip(s, -100, 100)),
    ),
    (
        "attention",
        "multiplied, not divided",
        attention_by(lambda Q, K, V: K.shape[1] ** -0.5),
    ),
    (
        "attention",
        "softmax over the queries",
        lambda Q, K, V: library.softmax((Q @ K.T / K.shape[1] ** 0.5).T).T @ V,
    ),
    (
        "attention",
        "divided by d_k",
        lambda Q, K, V: library.softmax(Q / K.shape[1] @ K.T) @ V,
    ),
    ("causal-mask", "0 in place of -inf", causal_by(1e-9)),
    (
        "causal-mask",
        "mask after the softmax",
        lambda Q, K, V: np.tril(library.softmax(right.scaled(Q, K))) @ V,
    ),
    (
        "positions",
        "the 2 counted twice",
        positions_that_turn_slowly,
    ),
    ("one-pass", "the maximum begins too high", one_pass_from(-1)),
    ("one-pass", "only the last pair counts", last_value),
]


@pytest.mark.parametrize(("name", "mistake", "way"), OTHERWISE_WRITTEN)
def test_a_mistake_has_its_name_however_it_is_written(name, mistake, way):
    assert check(name, way).mistakes == (mistake,)


# --- What is said ---------------------------------------------------------------------


def my_softmax(logits):
    """Nothing written yet."""


def test_a_stub_is_told_that_it_returns_nothing():
    verdict = check("softmax", my_softmax)
    assert not verdict.passed
    assert repr(verdict) == (
        "Not yet: my_softmax returns None. Its last line should return the result."
    )


def test_a_known_mistake_is_said_with_the_input_and_both_outputs():
    def my_softmax(logits):
        return library.softmax(logits, axis=0)

    verdict = check("softmax", my_softmax)
    assert verdict.mistakes == ("softmax over the queries",)
    text = str(verdict)
    assert "a known mistake: softmax over the queries." in text
    assert "columns add up to 1, not rows" in text
    blocks = [text.partition(f"{name}\n")[2] for name in ("logits =", "right is")]
    given, due = (np.array(eval(matrix_of(block))) for block in blocks)
    np.testing.assert_array_equal(given, verdict.inputs["logits"])
    np.testing.assert_allclose(due, library.softmax(given), atol=5e-5)


def matrix_of(text):
    """The array that a text begins with."""
    lines = itertools.takewhile(lambda line: line.startswith("    "), text.splitlines())
    return "".join(lines)


def test_what_is_raised_is_said_with_its_line():
    def my_softmax(logits):
        powers = np.exp(logits)
        return powers / total  # noqa: F821

    text = str(check("softmax", my_softmax))
    assert "NameError: name 'total' is not defined" in text
    assert "at the line: return powers / total " in text


def test_a_changed_argument_is_said_by_its_name():
    text = str(check("softmax", writes_into_its_argument))
    assert "changes logits" in text


def test_of_a_large_input_only_the_shape_is_written():
    text = str(check("causal-mask", forgets_after_64))
    assert "an array of shape (70, 9), kept in the verdict's inputs" in text
    assert check("causal-mask", forgets_after_64).inputs["Q"].shape == (70, 9)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (goes_through_twice, "a second time; they come only once"),
        (keeps_all_pairs, "of the last 1,000 pairs it still holds"),
        (keeps_one_array, "of the last 1,000 pairs it still holds"),
        (returns_a_generator, "no yield here"),
    ],
)
def test_what_is_not_one_pass_is_told_so(way, said):
    assert said in " ".join(str(check("one-pass", way)).split())


def test_only_numbers_are_explained():
    """NaN has too many causes to name one."""
    verdict = check(
        "causal-mask", lambda Q, K, V: np.full((len(Q), V.shape[1]), np.nan)
    )
    assert verdict.mistakes == ()
    assert "0 * inf" in str(verdict)


def test_what_it_prints_is_shown_of_the_one_input_that_is_shown(capsys):
    def my_softmax(logits):
        print("shape", logits.shape)
        return logits

    text = str(check("softmax", my_softmax))
    assert text.endswith("my_softmax printed\n    shape (2, 4)")
    assert capsys.readouterr().out == ""


def test_of_much_that_is_printed_the_beginning_is_shown():
    def my_softmax(logits):
        print(*range(30), sep="\n")
        return logits

    text = str(check("softmax", my_softmax))
    assert text.endswith("\n    11\n    ... and 18 lines more")


@pytest.mark.more
def test_who_counts_memory_goes_on_counting():
    tracemalloc.start()
    try:
        assert check("one-pass", one_pass).passed
        assert not check("one-pass", keeps_all_pairs).passed
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()
    assert check("one-pass", one_pass).passed
    assert not tracemalloc.is_tracing()


def test_what_is_no_function_is_said():
    text = str(check("softmax", np.ones(3)))
    assert "takes the function itself, and got ndarray" in text


@pytest.mark.parametrize("functions", [(), (len, len)])
def test_as_many_functions_as_the_exercise_has(functions):
    with pytest.raises(
        ValueError, match=f"'softmax' takes 1 function, got {len(functions)}"
    ):
        check("softmax", *functions)


def test_an_unknown_exercise_is_told_those_there_are():
    with pytest.raises(ValueError, match="no exercise 'sofmax'; there are softmax, "):
        check("sofmax", len)


def test_an_interrupt_is_not_swallowed():
    def endless(logits):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("softmax", endless)


def test_nothing_that_numpy_is_told_elsewhere_disturbs():
    with np.errstate(all="raise"):
        assert check("stable-softmax", library.softmax).passed
        assert check("stable-softmax", unstable).mistakes == ("no maximum subtracted",)


def test_both_functions_of_an_exercise_are_judged():
    def my_split(x, h):
        """Nothing written yet."""

    verdict = check("split-and-merge", my_split, library.merge_heads)
    assert not verdict.passed
    assert "my_split returns None" in str(verdict)
    assert "Right: merge_heads" in str(verdict)
