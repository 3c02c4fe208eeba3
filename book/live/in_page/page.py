"""The page, as its code sees it: figures that can be set, and a line for progress.

When a run begins the page says what its figures are set to, and what of that is the
reader's own; when it ends the page is told what code has set, and takes or refuses it.
Both are texts, as an address has them.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, TypedDict

Texts = Mapping[str, str]  # of a figure's traits, by their names


class Look(TypedDict):
    """A figure as the page shows it.

    Attributes
    ----------
    shown : dict of str to str
        The texts of its traits.
    own : list of str
        The traits that the reader has changed since the page was built, or since a cell
        that she ran made the figure; also where other code has changed them after her.
    """

    shown: Texts
    own: list[str]


class Figure(Protocol):
    """A figure of the page, as code has it."""

    name: str

    def texts(self) -> Texts:
        """Give what code has set it to."""

    def take(self, texts: Texts) -> None:
        """Take what the page shows, all of it or some traits."""


_shown: dict[str, Texts] = {}
_own: dict[str, Texts] = {}
_made: dict[str, Figure] = {}
_by_pressed: set[str] = set()  # figures that the cell made which the reader runs
_before: dict[str, Texts] = {}
_say: list[Callable[[str], object]] = []


def begin(figures: Mapping[str, Look]) -> None:
    """Take what the page shows at the beginning of a run."""
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
    """Give figures back what the reader has set, after a cell that nobody pressed."""
    _take(_own)
    _by_pressed.clear()


def shown(name: str) -> Texts:
    """Give what the page shows of a figure; nothing if it has none of that name."""
    return _shown.get(name, {})


def add(figure: Figure) -> None:
    """Let code set a figure of the page; of two with one name, the last."""
    _made[figure.name] = figure
    _by_pressed.add(figure.name)
    _before.pop(figure.name, None)


def has(thing: object) -> bool:
    """Whether a thing is a figure that the page has."""
    return any(figure is thing for figure in _made.values())


def changed() -> dict[str, dict[str, str]]:
    """Give what code has set since the run began, by figure."""
    now = {name: dict(figure.texts()) for name, figure in _made.items()}
    return {name: texts for name, texts in now.items() if _before.get(name) != texts}


def made() -> list[str]:
    """Name the figures that the cell has made which the reader runs."""
    return sorted(_by_pressed)


def hear_progress(say: Callable[[str], object]) -> None:
    """Let a function hear of progress."""
    _say[:] = [say]


def say_progress(words: str) -> None:
    """Say how far a long cell is."""
    for say in _say:
        say(words)
