"""After failed tests, prints NumPy's version and the BLAS kernel of this processor.

BLAS has a kernel for each processor, and two kernels round differently. So a test can
fail on one machine only.
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
        for library in threadpoolctl.threadpool_info():
            if library["user_api"] == "blas":
                terminalreporter.write_line(
                    f"NumPy {np.__version__} with {library['internal_api']} "
                    f"{library['version']}, kernel {library.get('architecture')}"
                )
    return result
