"""nbval gives each notebook a kernel of its own; this lets one begin 0.2 s sooner.

Jupyter's client calls a kernel ready when nothing has come from it for 0.2 seconds, a
third of what its start takes. nbval needs no such silence: before the first cell it
reads what has come until the kernel says that it is idle.
"""

from queue import Empty

import nbval.kernel
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager
from traitlets import default


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
    """Starts kernels as Jupyter does, and listens with a `PromptClient`."""

    @default("client_factory")
    def _client(self):
        return PromptClient


nbval.kernel.KernelManager = PromptManager
