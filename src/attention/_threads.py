"""Work side by side: threads of ours, each with one thread of BLAS.

NumPy frees the interpreter while it computes, so that threads help. BLAS brings threads
of its own for large products. The two get in each other's way, and on a machine that
others use as well BLAS's threads wait for each other at every product. `threadpoolctl`,
where it is installed, holds BLAS to one thread meanwhile; where it is not, the products
that BLAS shares out are left to its threads.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Task = TypeVar("Task")
LIMIT = "ATTENTION_NUM_THREADS"
HELD = threading.Lock()
WORTH_A_THREAD = 2**25  # multiplications that take longer than to start a thread
# From so many multiplications on, OpenBLAS shares a product out among threads: one of
# matrices, one with a vector (its interface/gemm.c and interface/gemv.c).
SHARED_OUT, SHARED_OUT_BY_VECTOR = 2**18, 9216


def threads_for(multiplications: int) -> int:
    """Return in how many threads to do so many multiplications."""
    worth, given = 1 + multiplications // WORTH_A_THREAD, os.environ.get(LIMIT)
    if given:
        return min(worth, number_of_threads(given))
    return 1 if worth == 1 else min(worth, cores())


def spread(
    work: Callable[[Iterable[Task]], None],
    units: list[list[Task]],
    threads: int,
    hold: bool,
) -> None:
    """Call `work` in so many threads, this one among them, until no unit is left.

    Each takes the next unit and does its tasks one after the other. With `hold` BLAS
    has one thread meanwhile.
    """
    if hold:
        with single_blas():
            share(work, units, threads)
    elif threads > 1:
        share(work, units, threads)
    else:
        for unit in units:
            work(unit)


def share(
    work: Callable[[Iterable[Task]], None], units: list[list[Task]], threads: int
) -> None:
    """Take the units from a queue, in so many threads.

    After an error or Ctrl-C no thread begins another task, and nobody waits for the
    tasks under way.
    """
    queue, stop = deque(units), threading.Event()
    helpers = min(threads, len(units)) - 1

    def run() -> None:
        try:
            work(taken(queue, stop))
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


def taken(queue: deque[list[Task]], stop: threading.Event) -> Iterator[Task]:
    """Return the tasks of units that nobody has taken yet, until told to stop."""
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
def number_of_threads(given: str) -> int:
    """Return the environment's word as a number."""
    if not given.isascii() or not given.isdigit() or int(given) < 1:
        raise ValueError(f"{LIMIT} must be an integer of at least 1, got {given!r}")
    return int(given)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_out(rows: int, columns: int, width: int) -> bool:
    """Say whether BLAS would use several threads for a product of such sizes.

    The sums of rows are a product with a vector too.
    """
    by_vector = columns * max(rows, width) if rows == 1 else columns * rows
    return rows * columns * width > SHARED_OUT or by_vector > SHARED_OUT_BY_VECTOR


@contextmanager
def single_blas() -> Iterator[None]:
    """Hold BLAS to one thread inside a ``with`` statement, if nobody does already.

    The setting belongs to the process and to the thread that made it: only that one can
    take it back. A call that joins while another holds it leaves it alone; should the
    other end first, this one has BLAS's threads about it, which is slower, not wrong.
    """
    controller = blas_controller()
    if controller is None or not HELD.acquire(blocking=False):
        yield
        return
    try:
        with controller.limit(limits=1, user_api="blas"):
            yield
    finally:
        HELD.release()


def can_hold_blas() -> bool:
    """Say whether `single_blas` does anything."""
    return blas_controller() is not None


@cache
def blas_controller() -> "ThreadpoolController | None":
    """Return the control of BLAS's threads, found once: it looks at every library."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
