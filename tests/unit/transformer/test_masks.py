"""The masks of the translator, and what their docstrings say of their shapes."""

import inspect

import numpy as np

from transformer.masks import padding


def test_a_padding_mask_has_another_shape_than_its_docstring_says():
    tokens = np.array([[5, 7, 0], [4, 0, 0]])
    found = padding(tokens)
    assert found.shape == (2, 1, 1, 3)
    assert "shape (..., 1, 1, m)" in inspect.getdoc(padding)
    np.testing.assert_array_equal(found[:, 0, 0], tokens > 0)
