"""What the gallery holds of each wrong function."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import getsource
from typing import Any

from numpy.typing import NDArray

Computes = Callable[..., NDArray[Any]]


@dataclass(frozen=True)
class WrongFunction:
    """A wrong function that returns the right shape.

    Attributes
    ----------
    name : str
        What is wrong, so that "a known mistake: <name>" reads well.
    formula : str
        The same as a formula, in the course's letters, as plain text.
    why : str
        Why people write it, and what comes of it.
    group : str
        The step that it gets wrong.
    function : callable
    step : callable
        The step itself, where that is all that is wrong; else the function.
    also : tuple of callable
        The same mistake, written so that some of its numbers come out otherwise.
    """

    name: str
    formula: str
    why: str
    group: str
    function: Computes
    step: Computes
    also: tuple[Computes, ...] = ()

    @property
    def ways(self) -> tuple[Computes, ...]:
        """Every way in which the mistake is written here."""
        return (self.function, *self.also)

    @property
    def source(self) -> str:
        """The lines that are wrong, without how they come to be in the gallery."""
        return "def" + getsource(self.step).partition("\ndef")[2]

    @property
    def told(self) -> str:
        """Name, formula and why people write it, as Markdown for an item of a list."""
        return f"**{self.name}**, `{self.formula}`: {self.why}"

    def within(self, makes: Callable[[Computes], Computes]) -> "WrongFunction":
        """Build a larger function around the wrong one."""
        also = tuple(map(makes, self.also))
        return replace(self, function=makes(self.function), also=also)


class Gallery(dict[str, WrongFunction]):
    """Wrong functions by name, in the order in which the gallery defines them."""

    def holds(
        self, group: str, name: str, formula: str, *also: Computes
    ) -> Callable[[Computes], Computes]:
        """Take in the function that follows; its docstring says why people write it."""

        def take_in(function: Computes) -> Computes:
            why = " ".join((function.__doc__ or "").split()).replace("``", "`")
            self[name] = WrongFunction(
                name, formula, why, group, function, function, also
            )
            return function

        return take_in

    def named(self, *names: str) -> tuple[WrongFunction, ...]:
        """Give some of them by their names."""
        return tuple(self[name] for name in names)
