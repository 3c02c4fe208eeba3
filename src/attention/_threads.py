"""Threads of this library, each with one thread of BLAS.

NumPy releases the interpreter's lock while it computes, so threads help. BLAS starts
threads of its own for large products. Both kinds together are slow, because BLAS's
threads wait for each other at every product. If `threadpoolctl` is installed, it limits
BLAS to one thread during a call. Otherwise this library uses a single thread for
products that BLAS computes in several threads.
"""

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from attention._checks.scalars import shown

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Task = TypeVar("Task")
Work = Callable[[Iterable[Task]], None]
LIMIT = "ATTENTION_NUM_THREADS"  # an environment variable
BLAS_LIMITED = threading.Lock()
WORTH_A_THREAD = 2**25  # multiplications that take longer than the start of a thread
# Above these sizes OpenBLAS uses several threads: for a product of two matrices, and
# for a product of a matrix and a vector (its interface/gemm.c and interface/gemv.c).
MATRIX_THREADED, VECTOR_THREADED = 2**18, 9216


def thread_count(multiplications: int) -> int:
    """Return how many threads a call may use, including the thread that calls."""
    useful, given = 1 + multiplications // WORTH_A_THREAD, os.environ.get(LIMIT)
    if given:
        return min(useful, parse_limit(given))
    return 1 if useful == 1 else min(useful, cores())


def run_units(
    work: Work[Task], units: list[list[Task]], threads: int, limit_blas: bool
) -> None:
    """Call `work` in `threads` threads, including the calling thread, for all units.

    Each thread takes the next unit and does its tasks in order.
    """
    if limit_blas:
        with single_blas():
            run_queue(work, units, threads)
    elif threads > 1:
        run_queue(work, units, threads)
    else:
        for unit in units:
            work(unit)


def run_queue(work: Work[Task], units: list[list[Task]], threads: int) -> None:
    """Take the units from a queue, in `threads` threads.

    After an error or Ctrl-C no thread begins another task. An error or Ctrl-C in the
    calling thread is raised at once, while other threads may still finish their tasks.
    """
    queue, stop = deque(units), threading.Event()
    helpers = min(threads, len(units)) - 1

    def run() -> None:
        try:
            work(next_tasks(queue, stop))
        except BaseException:
            stop.set()
            raise

    if helpers < 1:
        run()
        return
    pool = ThreadPoolExecutor(helpers)
    try:
        others = [pool.submit(run) for _ in range(helpers)]
        run()
        for other in others:
            other.result()
    finally:
        stop.set()
        pool.shutdown(wait=False)


def next_tasks(queue: deque[list[Task]], stop: threading.Event) -> Iterator[Task]:
    """Yield the tasks of units that no thread has taken, until `stop` is set."""
    while True:
        try:
            unit = queue.popleft()
        except IndexError:
            return
        for task in unit:
            if stop.is_set():
                return
            yield task


@cache
def parse_limit(given: str) -> int:
    """Return the value of the environment variable as a number; raise if invalid."""
    if not re.fullmatch("[0-9]{1,18}", given) or int(given) < 1:
        raise ValueError(
            f"{LIMIT} must be an integer of at least 1, got {shown(given)}"
        )
    return int(given)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def blas_uses_threads(rows: int, columns: int, width: int) -> bool:
    """Return whether BLAS would use several threads for one of two products.

    One is (rows, columns) times (columns, width), a matrix times a vector if there is
    one row. The other sums the rows; it is always a matrix times a vector.
    """
    vector = columns * (width if rows == 1 else rows)
    return rows * columns * width > MATRIX_THREADED or vector > VECTOR_THREADED


@contextmanager
def single_blas() -> Iterator[None]:
    """Limit BLAS to one thread in a ``with`` block, unless another call limits it.

    The limit holds for the whole process. If two calls overlap, the first call sets and
    removes the limit. The second call may then use all threads of BLAS, which is slow.
    """
    controller = blas_controller()
    if controller is None or not BLAS_LIMITED.acquire(blocking=False):
        yield
        return
    try:
        with controller.limit(limits=1, user_api="blas"):
            yield
    finally:
        BLAS_LIMITED.release()


def can_limit_blas() -> bool:
    """Return whether `single_blas` has any effect."""
    return blas_controller() is not None


@cache
def blas_controller() -> "ThreadpoolController | None":
    """Return the control of BLAS's threads; made once, because it scans libraries."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
