"""Small products, one after the other, in one thread."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS to one thread, inside a ``with`` statement or a function decorated.

    In a row of small products its threads mostly wait for each other: the stacks of
    chapter 6 take three times as long with two. Where `threadpoolctl` is not installed,
    as in a page, nothing is held.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1):
        yield
