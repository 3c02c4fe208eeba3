"""Set-up of all unit tests."""

import gc


def pytest_collection_finish():
    """Exclude the imported objects from garbage collection, which saves time."""
    gc.freeze()
