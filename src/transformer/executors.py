"""Run one function on many tasks, in processes of this machine.

Each task has its own seed, so the order of the runs does not change a result.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

WORKERS = 2  # processes


def one_thread() -> None:
    """Let BLAS use one thread: threads of several processes would wait for each other.

    Two processes with two threads each took several times as long on two cores.
    """
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="blas")


def gather(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    """Return the results of a function on every task, in the order of the tasks.

    The number of finished tasks is printed after each task. After an error no queued
    task starts. Other processes must be able to import the function.
    """
    # Imported here because Python in a web page has no processes.
    from concurrent.futures import ProcessPoolExecutor

    found = []
    with ProcessPoolExecutor(WORKERS, initializer=one_thread) as pool:
        for result in pool.map(function, tasks):
            found.append(result)
            count = f"{len(found)} of {len(tasks)} runs"
            print(f"\r{count}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found
