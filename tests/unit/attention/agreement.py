"""Arrays of the tests, and assertions: near an array or the reference, read-only."""

import numpy as np
import pytest
import reference

from attention import scaled_dot_product_attention, trace_attention

N, M, D_K, D_V = 5, 7, 3, 2


def normal(seed, *shapes, dtype=np.float64):
    """Return arrays of normal random numbers."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def qkv(n=N, m=M, seed=0, batch=(), dtype=np.float64):
    """Return queries, keys and values."""
    shapes = (*batch, n, D_K), (*batch, m, D_K), (*batch, m, D_V)
    return normal(seed, *shapes, dtype=dtype)


def assert_near(found, expected, atol=1e-12, name=""):
    """Raise if an entry differs by more than `atol` from the expected one."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol, err_msg=name)


def assert_as_reference(arrays, mask, softcap=None, **options):
    """Raise if output or weights of a call differ from the reference with `mask`."""
    weights, output = reference.attention(*arrays, mask, softcap=softcap)
    trace = trace_attention(*arrays, softcap=softcap, **options)
    assert_near(trace.weights, weights)
    assert_near(trace.output, output)
    found = scaled_dot_product_attention(*arrays, softcap=softcap, **options)
    assert_near(found, output)


def assert_read_only(*arrays):
    """Raise if an array can be changed, or can be made writeable."""
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
