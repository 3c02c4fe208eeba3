"""Progress of a cell that takes long, beside its button."""

from collections.abc import Collection, Iterator
from typing import TypeVar

from in_page import page

T = TypeVar("T")


def counted(items: Collection[T], what: str) -> Iterator[T]:
    """Give items one by one, and say how many of them are done.

    Parameters
    ----------
    items : collection
        What the cell goes through.
    what : str
        What is counted, for the reader: ``"runs"``.
    """
    for done, item in enumerate(items):
        page.say_progress(f"{done} of {len(items)} {what}")
        yield item
