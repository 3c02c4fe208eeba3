"""Processes of a pool, which runs pages or notebooks side by side."""

import os
from multiprocessing import parent_process
from threading import Thread


def end_with_parent() -> None:
    """Let this process end when its parent does: the initializer of a pool.

    Ctrl+C kills the parent. Without it a process of the pool would wait for ever.
    """

    def wait() -> None:
        parent_process().join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
