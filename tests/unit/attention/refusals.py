"""Checks of the wording of error messages, and an object that is no array."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Two capitals in a row, or a name of Python or of the library in small letters.
MISSPELT = re.compile(r"[A-Z]{2}|\b(true|false|none|keyvaluecache)\b")


class Inconvertible:
    """Stands for objects, such as a tensor on another device, that fail to convert."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __array__(self, dtype: object = None, copy: object = None) -> None:
        raise self.error


@contextmanager
def refused(
    error: type[Exception], message: str
) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error whose message matches a pattern and passes `assert_well_put`."""
    with pytest.raises(error, match=message) as refusal:
        yield refusal
    assert_well_put(refusal.value)


def assert_well_put(error: Exception) -> None:
    """Raise unless a message says "got" and spells names right."""
    message = str(error)
    assert " got " in message, message
    assert not MISSPELT.search(message), message
