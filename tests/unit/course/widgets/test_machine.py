"""The machine's Python side: checks of inputs and traits, and the trace."""

import json

import numpy as np
import pytest
import traitlets as t
from numpy.testing import assert_allclose, assert_array_equal

from attention import scaled_dot_product_attention
from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL
from course.widgets import Machine, MachineInputs
from course.widgets.machine.inputs import LIMITS, SIZE_LIMIT
from course.widgets.machine.presets import PRESETS
from course.widgets.machine.story import share_texts


@pytest.fixture
def inputs():
    """Return inputs with a different size for every axis."""
    rng = np.random.default_rng(0)
    n, d, k, v, h = 3, 5, 2, 7, 4
    return {
        "tokens": ("a", "b", "c"),
        "X": rng.normal(size=(n, d)),
        "W_Q": rng.normal(size=(h, d, k)),
        "W_K": rng.normal(size=(h, d, k)),
        "W_V": rng.normal(size=(h, d, v)),
        "W_O": rng.normal(size=(h * v, d)),
    }


def test_a_digit_is_lost_through_json(inputs):
    given = MachineInputs(**inputs, causal=True, padding=(True, False, False))
    back = MachineInputs.from_json(json.loads(json.dumps(given.to_json())))
    assert back.to_json() == given.to_json()
    assert_array_equal(back.X, inputs["X"])


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "W_V", "W_O"])
def test_a_shape_that_does_not_fit_is_accepted_or_not_named(inputs, name):
    with pytest.raises(ValueError, match=f"{name} must have shape"):
        MachineInputs(**inputs | {name: inputs[name][..., :-1, :]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.full((3, 5), np.inf)}, "X must be finite"),
        ({"X": np.full((3, 5), 2 * SIZE_LIMIT)}, "X must not exceed 1,000,000"),
        ({"X": [["a"] * 5] * 3}, "X holds something that is not a number"),
        ({"X": [1.0, 2.0]}, r"X must have shape \(n, d_model\), got \(2,\)"),
        ({"W_Q": np.zeros((0, 5, 2))}, r"W_Q must have shape"),
        ({"W_V": np.zeros((4, 5, 17)), "W_O": None}, "d_v must be at most 64, got 68"),
        ({"padding": (True,)}, "padding must have .* each of 3 tokens, got 1"),
    ],
)
def test_wrong_inputs_are_accepted_or_get_no_reason(inputs, change, message):
    with pytest.raises(ValueError, match=message):
        MachineInputs(**inputs | change)


@pytest.mark.parametrize("name", LIMITS)
def test_too_large_a_machine_is_accepted(name):
    def machine(size):
        n, d, k, v, h = (dict.fromkeys(LIMITS, 1) | {name: size}).values()
        W_Q, W_K, W_V = (np.zeros((h, d, width)) for width in (k, k, v))
        return MachineInputs(
            [f"t{i}" for i in range(n)], np.zeros((n, d)), W_Q, W_K, W_V
        )

    assert machine(LIMITS[name]).sizes[name] == LIMITS[name]
    with pytest.raises(ValueError, match=f"{name} must be at most {LIMITS[name]}"):
        machine(LIMITS[name] + 1)


def test_without_a_projection_the_output_is_not_the_concatenation(inputs):
    given = MachineInputs(**inputs | {"W_O": None}, padding=(False, False, True))
    mask = np.array([True, True, False])
    Q, K, V = (inputs["X"] @ inputs[name] for name in ("W_Q", "W_K", "W_V"))
    outputs = scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    trace = given.trace()
    assert_allclose(trace.output, np.concatenate(outputs, axis=1), rtol=1e-12)
    assert_array_equal(trace.output, trace.concat)


def test_a_preset_has_other_inputs_than_the_notes():
    for name, example in (("football", FOOTBALL), ("cat", CAT), ("apple", APPLE)):
        given = PRESETS[name].inputs
        assert given.tokens == example.tokens
        assert_array_equal(given.X, example.X)
        for weights in ("W_Q", "W_K", "W_V"):
            stated = getattr(example, weights)
            assert_array_equal(getattr(given, weights).reshape(stated.shape), stated)
    assert_array_equal(PRESETS["cat"].inputs.W_O, CAT.W_O)
    assert_array_equal(PRESETS["eight-tokens"].inputs.X, EIGHT_TOKENS.X)


def test_the_trace_does_not_follow_a_changed_input():
    machine = Machine.preset("football")
    X = np.array(machine.X)
    X[1, 0] = 2.0
    machine.X = X
    assert machine.X[1, 0] == 2.0
    assert_allclose(machine.trace.heads[0].query, X @ FOOTBALL.W_Q)
    assert set(machine.edits) == {"football"}
    machine.reset()
    assert_array_equal(machine.X, FOOTBALL.X)


def test_a_mask_has_no_effect_or_a_shape_changes_without_the_other_inputs():
    machine = Machine.preset("football")
    machine.causal = True
    assert machine.trace.heads[0].weights[0, 1] == 0
    machine.padding = (True, True, True)
    assert_array_equal(machine.trace.output, np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"X must have shape \(n, d_model\)"):
        machine.X = np.zeros((2, 3))
    machine.set(tokens=["a", "b"], X=np.zeros((2, 3)), padding=(False, False))
    assert machine.trace.output.shape == (2, 2)


def test_a_trait_accepts_an_invalid_value():
    for trait, value, message in (
        ("stage", "somewhere", "somewhere"),
        ("example", "soccer", "example must be one of"),
        ("edits", {"cat": {"X": 1}}, "edits of 'cat'"),
    ):
        with pytest.raises(t.TraitError, match=message):
            setattr(Machine(), trait, value)


def test_the_chooser_loses_the_edits_of_a_preset():
    machine = Machine(example="cat")
    machine.causal = True
    machine.example = "football"
    assert not machine.causal
    machine.example = "cat"
    assert machine.causal


def test_a_machine_changes_the_inputs_that_it_is_given(inputs):
    given = MachineInputs(**inputs | {"W_O": None}, padding=(False, True, False))
    machine = Machine.of(given, title="Three words", stage="scores")
    assert machine.stage == "scores"
    assert machine.inputs.to_json() == given.to_json()


def test_whole_percents_mislead_or_have_a_needless_decimal():
    assert share_texts([0.334, 0.391, 0.275]) == ["33", "39", "28"]
    assert share_texts([0.34497, 0.18497, 0.47006]) == ["34.5", "18.5", "47.0"]
    assert share_texts([0.501, 0.499]) == ["50.1", "49.9"]
