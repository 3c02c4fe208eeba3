"""What a running notebook shows of itself: figures that change, what is missing."""

import os
from collections.abc import Callable

import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure

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
    if "JPY_SESSION_NAME" in os.environ:
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
