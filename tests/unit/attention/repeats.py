"""Tests that run again at other sizes, seeds or arrays.

The cases must be alike: the others ask no other question than the first.
"""

from collections.abc import Iterable

import pytest

MORE, WEEKLY = pytest.mark.more, pytest.mark.weekly


def first_and_more(cases: Iterable, first: int = 1) -> list:
    """List values to parametrize with, of which ``make check`` takes the first only.

    `make test` takes all.
    """
    return [
        _marked(case, *[MORE] * (place >= first)) for place, case in enumerate(cases)
    ]


def first_and_weekly(cases: Iterable, first: int = 1) -> list:
    """List values of which all but the first are left to the weekly run."""
    return [
        _marked(case, *[MORE, WEEKLY] * (place >= first))
        for place, case in enumerate(cases)
    ]


def ends_and_weekly(cases: Iterable) -> list:
    """List values of which ``make test`` takes the first and the last."""
    head, *between = cases or [None]
    if not between:
        return [_marked(case) for case in cases]
    *between, last = between
    marked = [_marked(case, MORE, WEEKLY) for case in between]
    return [_marked(head), *marked, _marked(last, MORE)]


def _marked(case, *marks):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
