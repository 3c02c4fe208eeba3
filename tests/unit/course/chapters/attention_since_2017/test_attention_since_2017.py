"""Chapter 10: experiments against theorems and the library, and their figures.

The register of claims compares one pass with the formula at many sizes.
"""

import numpy as np
import pytest
from drawn import texts

from attention import rotary_embedding, rotary_table, scaled_dot_product_attention
from course.chapters.attention_since_2017 import experiments, figures, questions

NEAR = {"rtol": 0, "atol": 1e-12}


@pytest.fixture
def heads():
    return np.random.default_rng(0).standard_normal((3, 11, 6))


def test_the_machine_gives_wrong_outputs():
    trace = questions.four_words().trace()
    np.testing.assert_allclose(trace.output[:, 0], [10, 8, 5, 5], **NEAR)


def test_a_code_loses_keys_and_values_that_have_its_rank():
    rng = np.random.default_rng(2)
    assert experiments.lost_by_code(rng, 2, 0.5, n=40, rank=8) < 1e-20
    assert experiments.lost_by_code(rng, 2, 1.0, n=40) < 1e-20
    assert experiments.lost_by_code(rng, 2, 0.5, n=40) > 0.1


def test_similarity_or_the_count_of_full_turns_is_wrong():
    x = np.concatenate([np.ones((20, 4)), np.zeros((20, 4))], axis=1)
    rotated = rotary_embedding(x, *rotary_table(np.arange(20), 8, 100.0))
    found = experiments.similarity(np.arange(20), 8, 100.0)
    np.testing.assert_allclose(rotated @ rotated[0] / 4, found, **NEAR)
    assert experiments.full_turns(7, 8, 1e9) == 1
    assert experiments.full_turns(6, 8, 1e9) == 0


def test_a_window_differs_from_the_library_s(heads):
    expected = scaled_dot_product_attention(*heads, local_window_size=(2, 0))
    mask = experiments.window(11, 3)
    found = scaled_dot_product_attention(*heads, attn_mask=mask)
    np.testing.assert_allclose(found, expected, **NEAR)
    last_row = experiments.window(11, 3, sinks=2)[10]
    assert np.flatnonzero(last_row).tolist() == [0, 1, 8, 9, 10]


def test_equal_weights_outside_of_a_window_are_not_counted():
    class Zeros:
        standard_normal = staticmethod(np.zeros)

    assert experiments.forgotten(Zeros(), 11, 4) == pytest.approx(7 / 11)
    halves = experiments.forgotten(Zeros(), 5, 2, penalty=np.log(2))
    assert halves == pytest.approx((1 + 2 + 4) / 31)


@pytest.mark.parametrize("make", [experiments.window, experiments.window_off_by_one])
def test_reached_words_differ_from_measured_influence(make):
    mask = make(12, 4)
    moved = experiments.influence(mask, 2, np.random.default_rng(4))
    np.testing.assert_array_equal(moved > 0, experiments.reached(mask, 2)[-1])


def test_reading_a_state_differs_from_the_masked_sum(heads):
    q, k, v = np.exp(heads[0]), np.exp(heads[1]), heads[2]
    states = experiments.written(k, v, keep=0.9)
    age = np.subtract.outer(np.arange(11), np.arange(11))
    weights = np.where(age >= 0, 0.9 ** np.maximum(age, 0) * (q @ k.T), 0)
    read = np.einsum("nd,ndv->nv", q, states)
    np.testing.assert_allclose(read, weights @ v, **NEAR)


def test_the_delta_rule_keeps_an_old_value_of_a_key():
    keys, values = np.eye(2)[[0, 1, 0, 1]], np.array([[10.0], [6], [2], [5]])
    added = experiments.written(keys, values)[-1, :, 0]
    replaced = experiments.written(keys, values, replace=True)[-1, :, 0]
    np.testing.assert_allclose(added, [12, 11], **NEAR)
    np.testing.assert_allclose(replaced, [2, 5], **NEAR)


CURVES = {"one": [1, 0.9], "two": [0.8, 0.5], "three": [0.3, 0.1]}


@pytest.mark.parametrize(
    ("draw", "curves"),
    [
        (figures.recall, CURVES),
        (figures.similarity_by_distance, {n: CURVES[n] for n in ("one", "two")}),
    ],
)
def test_a_curve_shows_wrong_numbers_or_a_wrong_name(draw, curves):
    figure = draw([8, 16], curves)
    drawn = [line.get_ydata() for line in figure.axes[0].lines[: len(curves)]]
    np.testing.assert_array_equal(drawn, [*curves.values()])
    assert texts(figure) == [*curves]


def test_a_word_within_reach_is_drawn_as_out_of_reach():
    rows = {"1 layer": [False, False, True], "2 layers": [False, True, True]}
    figure = figures.reach(rows)
    places = [dots.get_offsets()[:, 0].tolist() for dots in figure.axes[0].collections]
    assert places == [[2], [0, 1], [1, 2], [0]]
