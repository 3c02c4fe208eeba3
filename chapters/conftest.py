"""Every notebook is a test: nbval runs it, and compares what it prints.

nbval starts a kernel for each notebook. This file makes nbval faster in three places.
Jupyter's client calls a kernel ready after 0.2 seconds without a message, a third of
the kernel's start time. nbval does not need this pause: before the first cell it reads
messages until the kernel says that it is idle. At the end nbval kills the kernel, which
ends at once, but Jupyter would check only after 0.1 seconds. And nbval would format
every message, even pictures, for a log that nobody keeps: 0.3 seconds for a chapter
with many figures.
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
    """Set nbval's option ``--nbval`` and two more without the command line."""
    sanitize = Path(__file__).parents[1] / "tests/nbval.cfg"
    config.option.nbval = config.option.nbval_current_env = True
    config.option.nbval_sanitize_with = str(sanitize)


class PromptClient(BlockingKernelClient):
    """Client that calls a kernel ready when it has answered on both channels."""

    def wait_for_ready(self, timeout):
        """Ask the kernel up to `timeout` times, one second each, while it is alive."""
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
    """Starts kernels as Jupyter does, but uses `PromptClient` and ends kernels fast."""

    @default("client_factory")
    def _client(self):
        return PromptClient

    async def _async_wait(self, pollinterval=0.005):
        """Wait until a killed kernel has ended, and check every 5 milliseconds."""
        await super()._async_wait(pollinterval)


def text_of(output: dict) -> str:
    """Return the text of an output: a stream's text, or a result as plain text."""
    return output.get("text") or output.get("data", {}).get("text/plain", "")


def failure_in_brief(cell: IPyNbCell, found: pytest.ExceptionInfo) -> str:
    """Return which lines of a cell's output differ, and what to type next."""
    if not getattr(cell, "comparison_traceback", None):  # the cell raised
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
nbval.kernel.pformat = lambda message: message  # no formatting for the log
