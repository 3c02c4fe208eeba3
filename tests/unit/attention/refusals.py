"""What every refusal says, whatever is wrong with a call."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Two capitals in a row, or a name of Python's or the library's in small letters.
MISSPELT = re.compile(r"[A-Z]{2}|\b(true|false|none|keyvaluecache)\b")


@contextmanager
def refused(error: type[Exception], message: str) -> Iterator[None]:
    """Expect an error with a message that fits a pattern and is put well."""
    with pytest.raises(error, match=message) as refusal:
        yield
    assert_well_put(refusal.value)


def assert_well_put(error: Exception) -> None:
    """Say what came; write words and names as everywhere."""
    message = str(error)
    assert " got " in message, message
    assert not MISSPELT.search(message), message
