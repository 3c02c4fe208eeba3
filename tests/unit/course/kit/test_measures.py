"""Measures look at what they are given and leave it as it is."""

import inspect

import numpy as np
import pytest

from course.kit import measures

MEASURES = [
    function
    for _, function in inspect.getmembers(measures, inspect.isfunction)
    if function.__module__ == measures.__name__
]
GIVEN = {
    "weights": [[0.2, 0.5, 0.3], [1.0, 0.0, 0.0]],
    "points": [[0.2, 0.3], [1.0, 2.0]],
    "corners": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
}


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_a_measure_changes_no_array_that_it_is_given(measure):
    given = {
        name: np.array(GIVEN[name]) for name in inspect.signature(measure).parameters
    }
    for array in given.values():
        array.flags.writeable = False
    measure(**given)
