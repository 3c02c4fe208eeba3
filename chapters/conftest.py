"""Every notebook is a test: nbval runs it, and compares what it prints.

nbval gives each a kernel of its own; what stands here spares it waiting and work.
Jupyter's client calls a kernel ready when nothing has come from it for 0.2 seconds, a
third of what its start takes. nbval needs no such silence: before the first cell it
reads what has come until the kernel says that it is idle. In the end it kills the
kernel, which is gone at once; Jupyter looks again after 0.1 seconds. And of every
message, pictures and all, nbval makes a pretty text for a log that nobody keeps: 0.3
seconds of a chapter with many figures.
"""

from pathlib import Path
from queue import Empty

import nbval.kernel
import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager
from traitlets import default


def pytest_configure(config: pytest.Config) -> None:
    """Choose what nbval's own options would: ``--nbval`` and two more."""
    sanitize = Path(__file__).parents[1] / "tests/nbval.cfg"
    config.option.nbval = config.option.nbval_current_env = True
    config.option.nbval_sanitize_with = str(sanitize)


class PromptClient(BlockingKernelClient):
    """A client for which a kernel is ready when it has answered on both channels."""

    def wait_for_ready(self, timeout):
        """Ask every second, for `timeout` seconds, or while the kernel lives."""
        for _ in range(timeout):
            try:
                self.kernel_info(reply=True, timeout=1)
                self.get_iopub_msg(timeout=0.2)
                return
            except (Empty, TimeoutError):
                if not self.is_alive():
                    break
        raise RuntimeError(f"the kernel has not answered within {timeout} seconds")


class PromptManager(KernelManager):
    """Starts kernels as Jupyter does, listens with a `PromptClient`, ends them soon."""

    @default("client_factory")
    def _client(self):
        return PromptClient

    async def _async_wait(self, pollinterval=0.005):
        """Wait until a kernel that was killed is gone."""
        await super()._async_wait(pollinterval)


nbval.kernel.KernelManager = PromptManager
nbval.kernel.pformat = lambda message: message  # as it is, should somebody keep the log
