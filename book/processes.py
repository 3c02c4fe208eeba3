"""End the processes that run pages or notebooks in parallel."""

import os
from multiprocessing import parent_process
from threading import Thread


def end_with_parent() -> None:
    """End this process when its parent ends: the initializer of a pool.

    Ctrl+C kills the parent. Without this function the process would wait for ever.
    """

    def wait() -> None:
        parent_process().join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
