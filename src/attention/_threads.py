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
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Task = TypeVar("Task")
LIMIT = "ATTENTION_NUM_THREADS"


def spread(work: Callable[[Iterator[Task]], None], tasks: Iterable[Task]) -> None:
    """Call `work` in as many threads as are allowed; each takes the next task."""
    queue = deque(tasks)
    threads = min(thread_limit(), len(queue))
    if threads <= 1:
        work(taken(queue))
        return
    with SINGLE_BLAS.held(), ThreadPoolExecutor(threads) as pool:
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
    given = os.environ.get(LIMIT, "")
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


class SingleBlas:
    """Holds BLAS to one thread from the first call that begins to the last that ends.

    The setting belongs to the process: calls from several threads share one hold, or
    the first to end would give BLAS its threads back under the others.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls = 0
        self._hold: AbstractContextManager = nullcontext()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold BLAS to one thread inside a ``with`` statement."""
        with self._lock:
            if self._calls == 0:
                self._hold = limit_blas()
                self._hold.__enter__()
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
                if self._calls == 0:
                    self._hold.__exit__(None, None, None)


SINGLE_BLAS = SingleBlas()


def limit_blas() -> AbstractContextManager:
    """Return what holds BLAS to one thread, or nothing without `threadpoolctl`."""
    controller = blas_controller()
    if controller is None:
        return nullcontext()
    return controller.limit(limits=1, user_api="blas")


@cache
def blas_controller() -> "ThreadpoolController | None":
    """Return the control of BLAS's threads, found once: it looks at every library."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
