import numpy as np
import pytest
from refusals import refused

from attention import merge_heads, split_heads


@pytest.mark.parametrize("batch", [(), (7,), (7, 2)])
def test_head_i_holds_its_own_columns_and_merging_undoes_it(batch):
    n, h, d = 5, 3, 11
    x = np.arange(np.prod((*batch, n, h * d))).reshape(*batch, n, h * d)
    heads = split_heads(x, h)
    assert heads.shape == (*batch, h, n, d)
    assert heads.dtype == x.dtype
    for i in range(h):
        np.testing.assert_array_equal(heads[..., i, :, :], x[..., i * d : (i + 1) * d])
    np.testing.assert_array_equal(merge_heads(heads), x)


def test_one_head_is_all_the_columns():
    x = np.arange(30).reshape(5, 6)
    np.testing.assert_array_equal(split_heads(x, 1), x[None])
    np.testing.assert_array_equal(merge_heads(x[None]), x)


@pytest.mark.parametrize("shape", [(0, 6), (5, 0), (0, 0), (2, 0, 6), (0, 5, 6)])
def test_empty_shapes_go_there_and_back(shape):
    heads = split_heads(np.zeros(shape), 3)
    assert heads.shape == (*shape[:-2], 3, shape[-2], shape[-1] // 3)
    assert merge_heads(heads).shape == shape


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8])
def test_the_dtype_is_kept(dtype):
    heads = split_heads(np.ones((5, 6), dtype), np.int64(2))
    assert heads.dtype == dtype
    assert merge_heads(heads).dtype == dtype


@pytest.mark.parametrize(
    ("x", "num_heads", "error", "message"),
    [
        (
            np.ones((5, 6)),
            4,
            ValueError,
            r"num_heads .* of x, h \* d = 6 in .*\(5, 6\).*4",
        ),
        (np.ones((2, 5, 6)), 5, ValueError, r"num_heads .* h \* d = 6 in"),
        (np.ones((5, 6)), 0, ValueError, r"num_heads must be at least 1, got 0"),
        (np.ones((5, 6)), -2, ValueError, r"num_heads must be at least 1, got -2"),
        (np.ones((5, 6)), 2.0, TypeError, r"num_heads must be an integer, got 2.0"),
        (np.ones((5, 6)), True, TypeError, r"num_heads must be an integer, got True"),
        (np.ones(6), 2, ValueError, r"x .* \(\.\.\., n, h \* d\).* shape \(6,\)"),
        (np.ones((5, 6)) > 0, 2, TypeError, r"x must hold .* got dtype bool"),
    ],
)
def test_wrong_splits_say_what_is_wrong(x, num_heads, error, message):
    with refused(error, message):
        split_heads(x, num_heads)


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (np.ones((5, 6)), ValueError, r"x .* \(\.\.\., h, n, d\).* shape \(5, 6\)"),
        (np.ones((2, 5, 3)) * 1j, TypeError, r"x must hold .* got dtype complex128"),
    ],
)
def test_wrong_merges_say_what_is_wrong(x, error, message):
    with refused(error, message):
        merge_heads(x)


def test_heads_need_one_axis_of_those_there_may_be():
    assert split_heads(np.ones((1,) * 31), 1).ndim == 32
    with pytest.raises(ValueError, match="x must have at most 31 axes, got 32"):
        split_heads(np.ones((1,) * 32), 1)
