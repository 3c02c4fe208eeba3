import numpy as np
import pytest

from attention import merge_heads, split_heads


@pytest.mark.parametrize("batch", [(), (7,), (7, 2), (0,)])
def test_a_head_holds_wrong_columns_or_merging_changes_the_array(batch):
    n, h, d = 5, 3, 11
    x = np.arange(np.prod((*batch, n, h * d))).reshape(*batch, n, h * d)
    heads = split_heads(x, h)
    assert heads.shape == (*batch, h, n, d)
    assert heads.dtype == x.dtype
    for i in range(h):
        np.testing.assert_array_equal(heads[..., i, :, :], x[..., i * d : (i + 1) * d])
    np.testing.assert_array_equal(merge_heads(heads), x)
