"""Tasks side by side: threads of ours, each with one thread of BLAS.

NumPy frees the interpreter while it computes, so that threads help. BLAS brings threads
of its own, and the two get in each other's way: `threadpoolctl`, where it is installed
(``attention-by-hand[fast]``), holds BLAS to one thread a product meanwhile.
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


def spread(work: Callable[[Iterator[Task]], None], tasks: Iterable[Task]) -> None:
    """Call `work` in as many threads as are allowed; each takes the next task."""
    queue = deque(tasks)
    threads = min(thread_limit(), len(queue))
    if threads <= 1:
        work(taken(queue))
        return
    with single_blas(), ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, taken(queue)) for _ in range(threads)]:
            done.result()


def taken(queue: deque[Task]) -> Iterator[Task]:
    """Return the tasks that nobody has taken yet, one after the other."""
    while True:
        try:
            task = queue.popleft()
        except IndexError:
            return
        yield task


def thread_limit() -> int:
    """Return how many threads to use: the environment's word, or one a core."""
    given = os.environ.get(LIMIT)
    if not given:
        return cores()
    if not given.isascii() or not given.isdigit() or int(given) < 1:
        raise ValueError(f"{LIMIT} must be an integer of at least 1, got {given!r}")
    return int(given)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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


@cache
def blas_controller() -> "ThreadpoolController | None":
    """Return the control of BLAS's threads, found once: it looks at every library."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
