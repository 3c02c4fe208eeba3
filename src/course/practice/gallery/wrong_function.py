"""A wrong function with the reason for its mistake, and a gallery of such functions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import getsource
from typing import Any

from numpy.typing import NDArray

Computes = Callable[..., NDArray[Any]]


@dataclass(frozen=True)
class WrongFunction:
    """A wrong function, with its name and the reason for its mistake."""

    name: str  # of the mistake; it fits into "a known mistake: <name>"
    formula: str  # the mistake in the course's letters, as plain text
    why: str  # why people make the mistake, or what follows from it
    group: str  # the step of the calculation that is wrong
    function: Computes
    step: Computes  # the wrong step alone, whose source readers see
    variants: tuple[Computes, ...] = ()  # the same mistake with other numbers

    @property
    def versions(self) -> tuple[Computes, ...]:
        """The function and its variants."""
        return (self.function, *self.variants)

    @property
    def source(self) -> str:
        """Source of the wrong step, without its decorator."""
        return "def" + getsource(self.step).partition("\ndef")[2]

    @property
    def description(self) -> str:
        """Name, formula and reason, as Markdown for an item of a list."""
        return f"**{self.name}**, `{self.formula}`: {self.why}"

    def within(
        self, build: Callable[[Computes], Computes], **changes: str
    ) -> "WrongFunction":
        """Return a wrong function that `build` makes from the wrong step."""
        variants = tuple(map(build, self.variants))
        built = build(self.function)
        return replace(self, function=built, variants=variants, **changes)


class Gallery(dict[str, WrongFunction]):
    """Wrong functions by name, in the order of their definition."""

    def add(
        self, group: str, name: str, formula: str, *variants: Computes
    ) -> Callable[[Computes], Computes]:
        """Add the decorated function, whose docstring is the reason for the mistake."""

        def decorate(function: Computes) -> Computes:
            why = " ".join((function.__doc__ or "").split())
            wrong = WrongFunction(
                name, formula, why, group, function, function, variants
            )
            self[name] = wrong
            return function

        return decorate

    def of(self, *groups: str) -> tuple[WrongFunction, ...]:
        """Return the wrong functions of some groups, group by group."""
        return tuple(w for group in groups for w in self.values() if w.group == group)
