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
    cases = list(cases)
    return _plain(cases[:first]) + [_marked(case, MORE) for case in cases[first:]]


def first_and_weekly(cases: Iterable) -> list:
    """List values of which all but the first are left to the weekly run."""
    cases = list(cases)
    return _plain(cases[:1]) + [_marked(case, MORE, WEEKLY) for case in cases[1:]]


def ends_and_weekly(cases: Iterable) -> list:
    """List values of which ``make test`` takes the first and the last."""
    cases = list(cases)
    return first_and_weekly(cases[:-1]) + [_marked(case, MORE) for case in cases[-1:]]


def _plain(cases: list) -> list:
    return [_marked(case) for case in cases]


def _marked(case, *marks):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
