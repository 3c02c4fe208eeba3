"""Checks of the wording of error messages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Two capitals in a row, or a name of Python or of the library in small letters.
MISSPELT = re.compile(r"[A-Z]{2}|\b(true|false|none|keyvaluecache)\b")


@contextmanager
def refused(error: type[Exception], message: str) -> Iterator[None]:
    """Expect an error whose message matches a pattern and passes `assert_well_put`."""
    with pytest.raises(error, match=message) as refusal:
        yield
    assert_well_put(refusal.value)


def assert_well_put(error: Exception) -> None:
    """Raise unless a message says "got" and spells names right."""
    message = str(error)
    assert " got " in message, message
    assert not MISSPELT.search(message), message
