"""Who is *it*: figures of the attention of *it* in trained stacks."""

from course.widgets.who_is_it.card import WhoIsIt
from course.widgets.who_is_it.small import SmallWhoIsIt

__all__ = ["SmallWhoIsIt", "WhoIsIt"]
