from pathlib import Path

import pytest
from copies import write_tiny_book


@pytest.fixture
def tiny(tmp_path) -> Path:
    """A book of one short chapter."""
    write_tiny_book(tmp_path)
    return tmp_path
