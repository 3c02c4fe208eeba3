"""The stored model, read once for all tests."""

import pytest

from transformer.storage import load


@pytest.fixture(scope="session")
def stored():
    return load()
