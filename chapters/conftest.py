"""Every notebook is a test: nbval runs it, and compares what it prints.

nbval gives each a kernel of its own; what stands here spares it waiting and work.
Jupyter's client calls a kernel ready when nothing has come from it for 0.2 seconds, a
third of what its start takes. nbval needs no such silence: before the first cell it
reads what has come until the kernel says that it is idle. In the end it kills the
kernel, which is gone at once; Jupyter looks again after 0.1 seconds. And of every
message, pictures and all, nbval makes a pretty text for a log that nobody keeps: 0.3
seconds of a chapter with many figures.
"""

import difflib
from pathlib import Path
from queue import Empty

import nbval.kernel
import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager
from nbval.plugin import IPyNbCell
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


def text_of(output: dict) -> str:
    """Return what an output prints: a stream's text, or a result in plain text."""
    return output.get("text") or output.get("data", {}).get("text/plain", "")


def failure_in_brief(cell: IPyNbCell, found: pytest.ExceptionInfo) -> str:
    """Say which lines of a cell's output differ, and what to type next."""
    if not cell.comparison_traceback:
        return in_full(cell, found)
    stored, printed = (
        "".join(map(text_of, outputs)).splitlines()
        for outputs in (cell.cell.outputs, cell.test_outputs)
    )
    lines = [
        {"- ": "  stored:  ", "+ ": "  printed: "}[line[:2]] + line[2:]
        for line in difflib.ndiff(stored, printed)
        if line[:2] in ("- ", "+ ")
    ]
    if not lines:
        return in_full(cell, found)
    number = cell.parent.nb.cells.index(cell.cell) + 1
    name = cell.path.name
    return "\n".join(
        [
            f"{name}, cell {number} (text cells count too) prints other text than it "
            "has stored:",
            *lines,
            f"If the new text is right, run `make notebooks CHAPTER={cell.path.stem}`.",
        ]
    )


in_full, IPyNbCell.repr_failure = IPyNbCell.repr_failure, failure_in_brief
nbval.kernel.KernelManager = PromptManager
nbval.kernel.pformat = lambda message: message  # as it is, should somebody keep the log
