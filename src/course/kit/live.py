"""Figures that change while a cell runs."""

from collections.abc import Callable

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure


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
