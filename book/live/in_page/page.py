"""Give Python code the page's figures, which it can set, and a line for progress.

When a run begins, the page sends the values of its figures, and says which of them the
reader has changed. When the run ends, the page gets the values that code has set, and
accepts or refuses them. All values are texts, in the form of the page's address.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, TypedDict

Texts = Mapping[str, str]  # of a figure's traits, by their names


class Look(TypedDict):
    """A figure as the page shows it."""

    shown: Texts  # the values of its traits, as texts
    # The traits that the reader has changed since the page was built, or since a cell
    # that she ran made the figure. If other code sets these traits, they stay here.
    own: list[str]


class Figure(Protocol):
    """A figure of the page, as an object of the code."""

    name: str

    def texts(self) -> Texts:
        """Return the values of the figure's traits, as texts."""

    def take(self, texts: Texts) -> None:
        """Set all traits, or some, to the values that the page shows."""


_shown: dict[str, Texts] = {}
_own: dict[str, Texts] = {}
_made: dict[str, Figure] = {}
_by_pressed: set[str] = set()  # figures made by the cell that the reader ran
_before: dict[str, Texts] = {}  # by figure: the texts when the run began
_say: list[Callable[[str], object]] = []


def begin(figures: Mapping[str, Look]) -> None:
    """Begin a run: set the figures that code has made to the values of the page."""
    _shown.clear()
    _own.clear()
    _by_pressed.clear()
    for name, look in figures.items():
        _shown[name] = look["shown"]
        _own[name] = {trait: look["shown"][trait] for trait in look["own"]}
    _take(_shown)
    _before.clear()
    _before.update({name: dict(figure.texts()) for name, figure in _made.items()})


def _take(texts: Mapping[str, Texts]) -> None:
    for name in _made.keys() & texts.keys():
        _made[name].take(texts[name])


def keep_own() -> None:
    """Restore the values that the reader has set, after a cell that she did not run."""
    _take(_own)
    _by_pressed.clear()


def shown(name: str) -> Texts:
    """Return the values that the page shows of a figure; {} for an unknown figure."""
    return _shown.get(name, {})


def add(figure: Figure) -> None:
    """Add a figure that code can set, in place of any earlier figure of this name."""
    _made[figure.name] = figure
    _by_pressed.add(figure.name)
    _before.pop(figure.name, None)


def has(thing: object) -> bool:
    """Return whether an object is one of the figures that code can set."""
    return any(figure is thing for figure in _made.values())


def changed() -> dict[str, dict[str, str]]:
    """Return the values of each figure that code has changed since the run began."""
    now = {name: dict(figure.texts()) for name, figure in _made.items()}
    return {name: texts for name, texts in now.items() if _before.get(name) != texts}


def made() -> list[str]:
    """Return the names of the figures made by the cell that the reader ran."""
    return sorted(_by_pressed)


def hear_progress(say: Callable[[str], object]) -> None:
    """Set the function that receives messages about progress."""
    _say[:] = [say]


def say_progress(words: str) -> None:
    """Send a message that says how far a long cell is."""
    for say in _say:
        say(words)
