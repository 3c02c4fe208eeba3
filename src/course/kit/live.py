"""What a running notebook shows of itself: figures that change, what is missing."""

import os
from collections.abc import Callable, Collection, Iterator
from html import escape
from typing import TypeVar

import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure

T = TypeVar("T")

SERVED = "JPY_SESSION_NAME"  # a notebook server tells its kernels so, a build does not
RERUN = (
    "abh-rerun"  # `card.css` hides the note of this class above a card that is there
)
_NOTE = f"""\
<p class="{RERUN}">
A figure stands here once its cell and the cells above it have run.
</p>
<style>
.jp-OutputArea-child:has(.{RERUN})
  + .jp-OutputArea-child .jupyter-widgets:not(:has(*)) {{
  display: none; /* "Error displaying widget: model not found" */
}}
</style>"""


def say_what_brings_a_widget_back() -> None:
    """Leave a note for the reader who opens the saved notebook with no kernel.

    The notebook keeps the note and not the widget, which lives in the kernel. Only
    kernels of a notebook server say so: a page of the book keeps its widgets.
    """
    if SERVED in os.environ:
        display(HTML(_NOTE))


def show_live(figure: Figure) -> Callable[[], None]:
    """Show a figure, and return what shows it anew in the same place.

    Parameters
    ----------
    figure : Figure
        Closed for pyplot, so that it is not shown once more when the cell ends.

    Returns
    -------
    callable
        To be called whenever the figure has changed. A page keeps the last state.
    """
    plt.close(figure)
    handle = display(figure, display_id=True)

    def again() -> None:
        """Show the figure as it is now."""
        if handle is not None:  # outside a notebook nothing is shown
            handle.update(figure)

    return again


def counted(items: Collection[T], what: str) -> Iterator[T]:
    """Give items one by one, and in a notebook show how many of them are done.

    For cells that take longer than two seconds. Nothing of it is left when the cell
    ends, and a page of the book never shows it.

    Parameters
    ----------
    items : collection
        What the cell goes through.
    what : str
        What is counted, for the reader: ``"runs"``.
    """
    if SERVED not in os.environ:
        yield from items
        return
    handle = display(_bar(0, len(items), what), display_id=True)
    for done, item in enumerate(items, start=1):
        yield item
        handle.update(_bar(done, len(items), what))
    handle.update(HTML(""))


def _bar(done: int, of: int, what: str) -> HTML:
    words = f"{done} of {of} {escape(what)}"
    return HTML(
        f'<progress value="{done}" max="{of}" aria-label="{words}"></progress> {words}'
    )
