"""Who is *it*: its attention in trained stacks, under the reader's hand."""

from course.widgets.who_is_it.card import WhoIsIt
from course.widgets.who_is_it.small import SmallWhoIsIt

__all__ = ["SmallWhoIsIt", "WhoIsIt"]
