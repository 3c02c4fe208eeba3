"""Limit BLAS to one thread for many small products, in a ``with`` or as a decorator.

In small products the threads mostly wait for each other: the stacks of chapter 6 take
three times as long with two threads. Without `threadpoolctl`, as in a page, nothing is
limited.
"""

from attention._threads import single_blas as one_thread

__all__ = ["one_thread"]
