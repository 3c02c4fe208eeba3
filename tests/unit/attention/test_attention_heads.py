import numpy as np
import pytest

from attention import merge_heads, split_heads


@pytest.mark.parametrize("batch", [(), (7,), (7, 2)])
def test_a_head_holds_wrong_columns_or_merging_changes_the_array(batch):
    n, h, d = 5, 3, 11
    x = np.arange(np.prod((*batch, n, h * d))).reshape(*batch, n, h * d)
    heads = split_heads(x, h)
    assert heads.shape == (*batch, h, n, d)
    assert heads.dtype == x.dtype
    for i in range(h):
        np.testing.assert_array_equal(heads[..., i, :, :], x[..., i * d : (i + 1) * d])
    np.testing.assert_array_equal(merge_heads(heads), x)


@pytest.mark.parametrize("shape", [(0, 6), (5, 0), (0, 0), (2, 0, 6), (0, 5, 6)])
def test_an_empty_array_gets_a_wrong_shape(shape):
    heads = split_heads(np.zeros(shape), 3)
    assert heads.shape == (*shape[:-2], 3, shape[-2], shape[-1] // 3)
    assert merge_heads(heads).shape == shape
