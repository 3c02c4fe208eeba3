"""Assertions on arrays: near an array, near the reference, and read-only."""

import numpy as np
import pytest
import reference

from attention import scaled_dot_product_attention, trace_attention


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
