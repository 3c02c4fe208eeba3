"""Ends a report of failures with the libraries that computed the numbers.

Which kernel BLAS takes depends on the processor, and two kernels round differently.
"""

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
import threadpoolctl


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
) -> Generator[None, Any, Any]:
    """Name NumPy's version and the BLAS kernel if a test failed."""
    result = yield
    if terminalreporter.stats.keys() & {"failed", "error"}:
        for found in threadpoolctl.threadpool_info():
            if found["user_api"] == "blas":
                terminalreporter.write_line(
                    f"NumPy {np.__version__} with {found['internal_api']} "
                    f"{found['version']}, kernel {found.get('architecture')}"
                )
    return result
