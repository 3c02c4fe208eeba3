"""A machine of the page: what a cell sets in it, the page shows when the cell ends."""

import json
from collections.abc import Mapping
from typing import Any

from in_page import page

from course.widgets.machine.computation import Computation, stated
from course.widgets.machine.presets import Preset

SET = (
    "example",
    "edits",
    "beta",
    "off",
    "order",
    "residual",
    "decimals",
    "stage",
    "head",
    "cell",
    "row",
    "step",
)
OF_THE_CARD = {"title", "opened"}  # which the page's own has


class PageMachine(Computation):
    """The numbers of a machine; with a name, those of the page's machine of that name.

    Parameters
    ----------
    presets : mapping of str to Preset, optional
        What the reader can start from, by name.
    name : str
        The figure of the page; without one, no figure shows it.
    question : dict, optional
        Not needed: the page's own card asks it.
    **traits
        Any of `SET`, such as ``stage="scores"`` or ``head=2``.
    """

    def __init__(
        self,
        presets: Mapping[str, Preset] | None = None,
        *,
        name: str = "",
        question: Any = None,
        **traits: Any,
    ) -> None:
        unknown = sorted(traits.keys() - {*SET, *OF_THE_CARD})
        if unknown:
            raise TypeError(f"traits are {', '.join(SET)}, not {', '.join(unknown)}")
        self.name = name
        self.presets = stated(presets)
        self.example = traits.get("example", next(iter(self.presets)))
        others = json.loads(page.shown(name).get("edits", "{}"))
        self.edits = {key: own for key, own in others.items() if key != self.example}
        vars(self).update({key: traits[key] for key in SET if key in traits})
        if name:
            page.add(self)

    def texts(self) -> dict[str, str]:
        """Write what is set, as the page reads it."""
        values = {key: value for key, value in vars(self).items() if key in SET}
        return {
            key: value if isinstance(value, str) else json.dumps(value, default=repr)
            for key, value in values.items()
        }

    def take(self, texts: Mapping[str, str]) -> None:
        """Take what the page's machine shows."""
        for key in vars(self).keys() & texts.keys() & {*SET}:
            is_text = isinstance(getattr(self, key), str)
            setattr(self, key, texts[key] if is_text else json.loads(texts[key]))

    def __repr__(self) -> str:
        of = f"{self.name!r} of this page" if self.name else "a machine"
        return f"<Machine: {of}>"


Machine = PageMachine  # the name by which cells import it
