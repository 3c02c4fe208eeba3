"""BLAS is held to one thread, and let go."""

import sys

import numpy as np
from threadpoolctl import threadpool_info

from course.kit.threads import one_thread


def threads():
    np.eye(2) @ np.eye(2)
    return {each["num_threads"] for each in threadpool_info()}


def test_a_function_computes_in_one_thread_and_what_was_set_comes_back():
    before = threads()
    assert one_thread()(threads)() == {1}
    assert threads() == before


def test_without_the_library_nothing_is_held(monkeypatch):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with one_thread():
        assert np.array_equal(np.eye(2) @ np.eye(2), np.eye(2))
