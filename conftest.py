"""Notebooks under test wait for their kernels no longer than these take to start."""

from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager


def start_new_kernel(
    startup_timeout: float = 60, kernel_name: str = "python", **how: Any
) -> tuple[KernelManager, BlockingKernelClient]:
    """Start a kernel for nbval, which then sees for itself that output arrives.

    Its own function waits before that until nothing has come for 0.2 s.
    """
    from nbval.kernel import NbvalKernelspecManager

    specs = NbvalKernelspecManager()
    manager = KernelManager(kernel_name=kernel_name, kernel_spec_manager=specs)
    manager.start_kernel(**how)
    client = manager.client()
    client.start_channels()
    client.kernel_info()
    client.get_shell_msg(timeout=startup_timeout)
    return manager, client


def pytest_configure(config: pytest.Config) -> None:
    """Take this start for nbval's."""
    if config.option.nbval:
        from nbval import kernel

        kernel.start_new_kernel = start_new_kernel
