import math

import numpy as np
import pytest
import reference
from agreement import normal

from attention import log_softmax, softmax

INF, NAN = np.inf, np.nan
LARGEST = np.finfo(np.float64).max


@pytest.mark.parametrize("beta", [0, 0.3, 1, 4.0])
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_softmax_differs_from_the_reference_loop_along_some_axis(axis, beta):
    logits = 3 * normal(1, (3, 5, 7))[0]
    expected = np.apply_along_axis(
        lambda row: reference.softmax(row.tolist(), beta), axis, logits
    )
    np.testing.assert_allclose(softmax(logits, axis, beta), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("logits", "beta", "expected"),
    [
        ([1e4, 0.0], 1, [1, 0]),
        ([LARGEST, -LARGEST], 1, [1, 0]),
        ([LARGEST, -LARGEST], 0, [0.5, 0.5]),
        ([-LARGEST, -LARGEST], 1, [0.5, 0.5]),
        ([LARGEST, LARGEST], 1, [0.5, 0.5]),
        ([-LARGEST, -INF], 1, [1, 0]),
        ([1.0, 0.0], 1e308, [1, 0]),
        ([1.0, 1.0], 1e308, [0.5, 0.5]),
        ([1e-306, 0.0], 1e308, [1 / (1 + math.exp(-100)), math.exp(-100)]),
        ([0.0, -INF, 3.0], 0, [0.5, 0, 0.5]),
        ([-INF, 7.0], 1, [0, 1]),
        ([-INF, -INF], 1, [0, 0]),
        ([-INF, -INF], 0, [0, 0]),
        ([7.0], 1, [1]),
        ([], 1, []),
    ],
)
def test_softmax_is_wrong_for_extreme_logits_or_sharpness(logits, beta, expected):
    weights = softmax(np.array(logits), beta=beta)
    np.testing.assert_allclose(weights, expected, rtol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_are_wrong_for_differences_beyond_the_dtype(dtype):
    largest = np.finfo(dtype).max
    beta = 0.5 / float(largest)  # beta * (largest - -largest) = 1
    weights = softmax(np.array([-largest, largest]), beta=beta)
    expected = [1 / (1 + math.e), math.e / (1 + math.e)]
    np.testing.assert_allclose(weights, expected, rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("beta", [0, 0.5, 1])
@pytest.mark.parametrize("wrong", [NAN, INF])
def test_nan_or_infinity_is_lost_or_reaches_another_row(wrong, beta):
    weights = softmax([[wrong, 0.0, -INF], [0.0, 0.0, -INF]], beta=beta)
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5, 0])


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (0, 0), (2, 0, 5)])
@pytest.mark.parametrize("axis", [0, -1])
def test_softmax_changes_an_empty_shape(shape, axis):
    assert softmax(np.zeros(shape), axis=axis).shape == shape


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_float_dtype_is_changed_or_inaccurate(dtype):
    logits = (3 * normal(6, (7, 11))[0]).astype(dtype)
    weights = softmax(logits)
    expected = np.array([reference.softmax(row) for row in logits.tolist()])
    assert weights.dtype == dtype
    # Rounding errors: two of at most |shift| in the exponent, 15 of 1 in other steps.
    working = np.finfo(np.result_type(dtype, np.float32)).eps / 2
    shift = np.ptp(logits.astype(float), axis=-1, keepdims=True)
    bound = expected * (2 * shift + 15) * working
    if dtype == np.float16:
        bound += np.spacing(expected.astype(dtype)).astype(float) / 2
    assert (np.abs(weights - expected) <= bound).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_log_softmax_is_wrong_for_extreme_logits_or_changes_the_dtype(dtype):
    logits = [[0.0, -5000.0], [-INF, -INF], [NAN, 0.0], [INF, 0.0], [0.0, -INF]]
    expected = [[0.0, -5000.0], [-INF, -INF], [NAN, NAN], [NAN, NAN], [0.0, -INF]]
    found, expected = log_softmax(np.array(logits, dtype)), np.array(expected, dtype)
    np.testing.assert_array_equal(found, expected, strict=True)
    eps = float(np.finfo(dtype).eps)
    large = np.array([1 / eps, 1 / eps + 1], dtype)  # neighbours
    logs = log_softmax(large)
    np.testing.assert_allclose(
        logs, [-1.3132617, -0.3132617], rtol=0, atol=4 * eps + 1e-7
    )
    assert log_softmax(np.zeros((2, 0), dtype)).shape == (2, 0)


def test_a_sharpness_at_the_edge_of_float32_is_not_computed_in_float64():
    logits = np.float32([0.0, 1.0])
    for beta in (1e-40, 1e39):
        wide = softmax(logits.astype(float), beta=beta)
        np.testing.assert_array_equal(softmax(logits, beta=beta), wide.astype("f4"))
