"""Parameters of tests that are repeated with other sizes, seeds or arrays.

All cases must test the same property, because the quick run takes only the first.
"""

from collections.abc import Iterable

import pytest

MORE, SLOW, WEEKLY = pytest.mark.more, pytest.mark.slow, pytest.mark.weekly


def is_quick(config: pytest.Config) -> bool:
    """Return whether this run leaves out tests marked `more`, as `make check` does."""
    return "not more" in config.option.markexpr


def first_and_weekly(cases: Iterable, first: int = 1) -> list:
    """Return parameters; all but the `first` cases run only in the weekly run."""
    return _first_unmarked(cases, first, MORE, WEEKLY)


def first_and_slow(cases: Iterable, first: int = 1) -> list:
    """Return parameters; ``make test`` runs the first ones, the slow tests the rest."""
    return _first_unmarked(cases, first, MORE, SLOW)


def ends_daily(cases: Iterable) -> list:
    """Return parameters; ``make test`` runs the first and the last case."""
    cases = list(cases)
    return first_and_weekly(cases[:-1]) + [_marked(case, MORE) for case in cases[-1:]]


def _first_unmarked(cases: Iterable, first: int, *marks) -> list:
    cases = list(cases)
    others = [_marked(case, *marks) for case in cases[first:]]
    return [_marked(case) for case in cases[:first]] + others


def _marked(case, *marks):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
