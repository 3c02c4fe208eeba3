"""Show the progress of a long cell beside the cell's button."""

from collections.abc import Collection, Iterator
from typing import TypeVar

from in_page import page

T = TypeVar("T")


def counted(items: Collection[T], what: str) -> Iterator[T]:
    """Yield items one by one, and report how many of them are done: "2 of 5 runs"."""
    for done, item in enumerate(items):
        page.say_progress(f"{done} of {len(items)} {what}")
        yield item
