"""A card that moved to a state shows the same as a card that began in this state.

So each change updates all that depends on it: texts, lines, marks, the pressed button,
and labels for screen readers.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anywidget
import pytest
import traitlets
from found import answered, figures, settable, states
from frames import wait_until

from course.widgets import Card, HeadWall

pytestmark = pytest.mark.slow


class Models(anywidget.AnyWidget):
    """Give the test access to the models of the page's cards."""

    _esm = """export default { async render({ model }) {
      globalThis.modelOf = (id) => model.widget_manager.get_model(id);
    } }"""


COMPARE = Path(__file__).with_name("fresh_or_moved.js")


def in_states(figure: type[Card]) -> Iterator[Card]:
    """Yield the figure in its first state, then with one trait changed each time."""
    yield answered(figure())
    for widget in states(figure)[1:3]:
        for name in settable(widget):
            with contextlib.suppress(traitlets.TraitError):  # such as a row too many
                for value in in_parts(getattr(figure(), name), getattr(widget, name)):
                    yield answered(figure(**{name: value}))


def in_parts(old: Any, new: Any) -> Iterator[Any]:
    """Yield the new value; of a pair of numbers first the old pair with each number."""
    if isinstance(new, list) and len(old) == len(new) == 2:
        yield from ([new[0], old[1]], [old[0], new[1]])
    yield new


# Without the wall of heads: its maps come from Python or the site, not from its state.
MOVED = [figure for figure in figures() if figure is not HeadWall]


@pytest.mark.parametrize("figure", MOVED, ids=lambda cls: cls.__name__)
def test_a_moved_figure_differs_from_a_fresh_one(open_page, figure):
    widgets = list(in_states(figure))
    assert len(widgets) > 2
    page = open_page(*widgets, Models())
    wait_until(page, "() => 'modelOf' in window")
    ids = [widget.model_id for widget in widgets]
    names = list(settable(figure()))
    assert page.evaluate(COMPARE.read_text("utf-8"), [ids, names]) == []
