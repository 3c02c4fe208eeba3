"""What holds for all unit tests."""

import gc


def pytest_collection_finish():
    """Leave what was imported out of Python's search for what can be freed."""
    gc.freeze()
