"""For running notebooks: figures that change, progress, a note for lost widgets."""

import os
import sys
from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure
from tqdm import tqdm

T = TypeVar("T")

SERVED = "JPY_SESSION_NAME"  # set by a notebook server, not by a build of the site
RERUN = "abh-rerun"  # class of the note; card/notebook.js hides the note above a card
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
    """Show a note for a reader who opens the saved notebook without a kernel.

    A saved notebook keeps the note but not the widget, which needs the kernel. A
    build of the site shows no note, because its pages keep their widgets.
    """
    if SERVED in os.environ:
        display(HTML(_NOTE))


def show_live(figure: Figure) -> Callable[[], None]:
    """Show a figure, and return a function that redraws it in the same place.

    pyplot closes the figure, so that it does not appear a second time. Call the
    returned function after each change of the figure. A page keeps the last state.
    """
    plt.close(figure)
    handle = display(figure, display_id=True)

    def again() -> None:
        """Redraw the figure."""
        if handle is not None:  # outside a notebook nothing is shown
            handle.update(figure)

    return again


def counted(items: Collection[T], what: str) -> Iterable[T]:
    """Return an iterable over items that shows its progress in a notebook.

    Use it in cells that take longer than two seconds. The progress disappears after the
    last item, and a build of the site never shows it. `what` names the items for the
    reader: ``"runs"``.
    """
    return tqdm(
        items,
        desc=what,
        # no times, so that two runs print the same bytes
        bar_format="{n_fmt} of {total_fmt} {desc} |{bar:20}|",
        file=sys.stdout,
        leave=False,
        mininterval=0,
        disable=SERVED not in os.environ,
    )
