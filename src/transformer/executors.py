"""Run one function on many tasks, in processes of this machine.

Each task has its own seed, so the order of the runs does not change a result.
"""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

WORKERS = 2


def one_thread() -> None:
    """Let BLAS use one thread here: threads of several processes wait for each other.

    Two processes with two threads each took several times as long on two cores.
    """
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="blas")


def gather(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    """Return the results of a function on every task, in the order of the tasks.

    The number of finished tasks is printed meanwhile. The first error ends the run: no
    queued task starts after it. Other processes must be able to import the function.
    """
    # Imported here because Python in a web page has no processes.
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(WORKERS, initializer=one_thread) as pool:
        futures = [pool.submit(function, task) for task in tasks]
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()  # raises the first error
                count = f"{done} of {len(tasks)} runs"
                print(f"\r{count}", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)  # no queued task starts after an error
            raise
    print(file=sys.stderr)
    return [future.result() for future in futures]
