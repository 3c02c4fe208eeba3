"""Tests that run again at other sizes, seeds or arrays.

The cases must be alike: the others ask no other question than the first.
"""

from collections.abc import Iterable

import pytest

MORE, WEEKLY = pytest.mark.more, pytest.mark.weekly


def first_and_weekly(cases: Iterable, first: int = 1) -> list:
    """List values of which all but the first are left to the weekly run."""
    cases = list(cases)
    others = [_marked(case, MORE, WEEKLY) for case in cases[first:]]
    return [_marked(case) for case in cases[:first]] + others


def ends_and_weekly(cases: Iterable) -> list:
    """List values of which ``make test`` takes the first and the last."""
    cases = list(cases)
    return first_and_weekly(cases[:-1]) + [_marked(case, MORE) for case in cases[-1:]]


def _marked(case, *marks):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
