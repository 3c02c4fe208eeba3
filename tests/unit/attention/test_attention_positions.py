import numpy as np
import pytest
from agreement import assert_near, normal

from attention import alibi, rotary_embedding, rotary_table

N, D = 7, 6


def pairs(width, interleaved):
    half = width // 2
    return [(2 * i, 2 * i + 1) if interleaved else (i, i + half) for i in range(half)]


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("width", [2, 4, 6])
def test_rotary_does_not_rotate_each_pair_like_a_complex_number(width, interleaved):
    (x,), positions = normal(0, (3, N, D)), np.arange(5, 5 + N)
    cos, sin = rotary_table(positions, width, base=100.0)
    rotated = rotary_embedding(x, cos, sin, interleaved=interleaved)
    expected = x.copy()
    for i, (a, b) in enumerate(pairs(width, interleaved)):
        unit = np.exp(1j * positions / 100.0 ** (2 * i / width))
        z = (x[..., a] + 1j * x[..., b]) * unit
        expected[..., a], expected[..., b] = z.real, z.imag
    assert_near(rotated, expected, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rotary_changes_the_dtype_or_is_inaccurate(dtype):
    (x,), (cos, sin) = normal(5, (N, D), dtype=dtype), rotary_table(np.arange(N), D)
    rotated = rotary_embedding(x, cos, sin)
    assert rotated.dtype == dtype
    wide = rotary_embedding(x.astype(float), cos, sin)
    spacing = np.spacing(np.abs(wide).max().astype(dtype))
    assert_near(rotated, wide, atol=float(spacing))


def test_rotary_changes_its_input_or_refuses_integers():
    x = np.ones((2, 2))
    kept = x.copy()
    rotary_embedding(x, *rotary_table([0, 1], 2))[:] = 0
    np.testing.assert_array_equal(x, kept)
    assert rotary_embedding([[3, 4]], [[0]], [[1]]).tolist() == [[-4.0, 3.0]]


def test_alibi_slopes_differ_from_those_of_the_paper():
    np.testing.assert_array_equal(-alibi(8, 1, 2)[:, 0, 0], 0.5 ** np.arange(1, 9))
    sixteen = 0.5 ** np.arange(0.5, 8.5, 0.5)
    np.testing.assert_allclose(-alibi(16, 1, 2)[:, 0, 0], sixteen, rtol=1e-15)
    twelve = [*(0.5 ** np.arange(1, 9)), *(0.5 ** np.arange(0.5, 4))]
    np.testing.assert_allclose(-alibi(12, 1, 2)[:, 0, 0], twelve, rtol=1e-15)
    np.testing.assert_allclose(-alibi(1, 1, 2)[:, 0, 0], [2.0**-8], rtol=1e-15)


def test_alibi_does_not_align_the_last_query_with_the_last_key():
    expected = [[-2, -1, 0, -1], [-3, -2, -1, 0]]
    np.testing.assert_array_equal(256 * alibi(1, 2, 4)[0], expected)
    np.testing.assert_array_equal(alibi(3, 2, 5), alibi(3, 5, 5)[:, -2:])
    np.testing.assert_array_equal(256 * alibi(1, 2, 1)[0], [[-1], [0]])
    assert alibi(3, 0, 4).shape == (3, 0, 4)


def test_rotary_warns_of_infinity_or_overflow():
    huge = np.finfo(float).max
    rotated = rotary_embedding([[huge, huge, np.inf, 0.0]], [[1.0, 1.0]], [[1.0, 0]])
    assert np.isinf(rotated[0, 2])
    half = rotary_embedding(np.float16([[6e4, 6e4]]), [[1.0]], [[-1.0]])
    assert half[0, 0] == np.inf
