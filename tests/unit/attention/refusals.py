"""How every error message must be worded."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Two capitals in a row, or a name of Python's or the library's in small letters.
MISSPELT = re.compile(r"[A-Z]{2}|\b(true|false|none|keyvaluecache)\b")


@contextmanager
def refused(error: type[Exception], message: str) -> Iterator[None]:
    """Expect an error whose message fits a pattern and is worded well."""
    with pytest.raises(error, match=message) as refusal:
        yield
    assert_well_put(refusal.value)


def assert_well_put(error: Exception) -> None:
    """Raise unless a message says what the caller gave, with names spelt right."""
    message = str(error)
    assert " got " in message, message
    assert not MISSPELT.search(message), message
