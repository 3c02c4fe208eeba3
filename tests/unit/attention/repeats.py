"""Tests that run again at other sizes, seeds or arrays."""

from collections.abc import Iterable

import pytest


def first_and_more(cases: Iterable, first: int = 1) -> list:
    """List values to parametrize with, of which ``make check`` takes the first only.

    They must be alike: the others ask no other question. `make test` takes all.
    """
    return [
        pytest.param(*_values(case), marks=[pytest.mark.more] * (place >= first))
        for place, case in enumerate(cases)
    ]


def _values(case) -> tuple:
    return case if isinstance(case, tuple) else (case,)
