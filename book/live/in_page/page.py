"""Let Python code read and set the figures of the page, and send progress messages.

When a run begins, the page sends the values of its figures, and says which of them the
reader has changed. When the run ends, the page gets the values that code has set, and
accepts or refuses them. All values are strings, as in the query of the page's URL.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, TypedDict

Texts = Mapping[str, str]  # values of a figure's traits as strings, by trait


class FigureState(TypedDict):
    """The state of a figure in the page."""

    shown: Texts
    # Traits that the reader has changed since the page was built or code set them. Only
    # the cell that she runs can change their values.
    changed: list[str]


class Figure(Protocol):
    """A figure of the page, as an object of the code."""

    name: str

    def texts(self) -> Texts:
        """Return the values of the figure's traits, as texts."""

    def take(self, texts: Texts) -> None:
        """Set the traits named in `texts` to these values."""


_shown: dict[str, Texts] = {}
_set_by_reader: dict[str, Texts] = {}
_made: dict[str, Figure] = {}  # by name: the figures that code has made
_made_by_cell: set[str] = set()  # names of the figures that the current cell made
_before: dict[str, Texts] = {}  # by figure: the texts when the run began
_say: list[Callable[[str], object]] = []  # no function, or one


def begin(figures: Mapping[str, FigureState]) -> None:
    """Begin a run: set the figures that code has made to the values of the page."""
    _shown.clear()
    _set_by_reader.clear()
    _made_by_cell.clear()
    for name, state in figures.items():
        _shown[name] = shown = state["shown"]
        _set_by_reader[name] = {trait: shown[trait] for trait in state["changed"]}
    _take(_shown)
    _before.clear()
    _before.update({name: dict(figure.texts()) for name, figure in _made.items()})


def _take(texts: Mapping[str, Texts]) -> None:
    for name in _made.keys() & texts.keys():
        _made[name].take(texts[name])


def restore_reader_values() -> None:
    """Restore the values that the reader has set, after a cell that she did not run."""
    _take(_set_by_reader)
    _made_by_cell.clear()


def shown(name: str) -> Texts:
    """Return the values that the page shows of a figure; {} for an unknown figure."""
    return _shown.get(name, {})


def add(figure: Figure) -> None:
    """Add a figure that code can set, in place of any earlier figure of this name."""
    _made[figure.name] = figure
    _made_by_cell.add(figure.name)
    _before.pop(figure.name, None)


def has(thing: object) -> bool:
    """Return whether an object is one of the figures that code can set."""
    return any(figure is thing for figure in _made.values())


def changed() -> dict[str, dict[str, str]]:
    """Return the values of each figure that code has made or changed in this run."""
    now = {name: dict(figure.texts()) for name, figure in _made.items()}
    return {name: texts for name, texts in now.items() if _before.get(name) != texts}


def made() -> list[str]:
    """Return the names of the figures made by the cell that the reader ran."""
    return sorted(_made_by_cell)


def hear_progress(say: Callable[[str], object]) -> None:
    """Set the function to which `say_progress` sends its messages."""
    _say[:] = [say]


def say_progress(words: str) -> None:
    """Send a message that says how far a long cell is."""
    for say in _say:
        say(words)
