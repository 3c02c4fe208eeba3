"""What a running notebook shows of itself: figures that change, what is missing."""

import os
import sys
from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure
from tqdm import tqdm

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


def counted(items: Collection[T], what: str) -> Iterable[T]:
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
    return tqdm(
        items,
        desc=what,
        # without times, so that two runs give the same bytes
        bar_format="{n_fmt} of {total_fmt} {desc} |{bar:20}|",
        file=sys.stdout,
        leave=False,
        mininterval=0,
        disable=SERVED not in os.environ,
    )
