"""Limit BLAS to one thread for many small products."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to one thread, as a ``with`` statement or a decorator.

    In small products the threads mostly wait for each other: the stacks of chapter 6
    take three times as long with two threads. Without `threadpoolctl`, as in a page,
    nothing is limited.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1):
        yield
