"""A machine of the page. At the end of a run the page shows the machine's values."""

import json
from collections.abc import Mapping
from typing import Any

from in_page import page

from course.widgets.machine.computation import Computation, stated
from course.widgets.machine.presets import Preset

SET = (  # the traits that code can set
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
TEXTS = {"example", "stage", "cell"}  # the traits of `SET` that are texts, not JSON
OF_THE_CARD = {"title", "opened"}  # accepted and ignored: the page's card keeps its own


class PageMachine(Computation):
    """The numbers of a machine; a name links it to the page's machine of that name.

    Parameters
    ----------
    presets : mapping of str to Preset, optional
        Examples from which the reader can start, by name.
    name : str
        Name of the figure in the page; if empty, no figure shows the machine.
    question : dict, optional
        Ignored: the page's own card asks the question.
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
            raise TypeError(f"unknown traits {unknown}; known are {', '.join(SET)}")
        self.name = name
        self.presets = stated(presets)
        self.example = traits.get("example", next(iter(self.presets)))
        # The page's edits of other examples stay.
        edits = json.loads(page.shown(name).get("edits", "{}"))
        self.edits = {key: edit for key, edit in edits.items() if key != self.example}
        vars(self).update({key: traits[key] for key in SET if key in traits})
        if name:
            page.add(self)

    def texts(self) -> dict[str, str]:
        """Return the values of the traits, as texts for the page."""
        values = {key: value for key, value in vars(self).items() if key in SET}
        return {
            key: value if isinstance(value, str) else json.dumps(value, default=repr)
            for key, value in values.items()
        }

    def take(self, texts: Mapping[str, str]) -> None:
        """Set the traits to the values that the page's machine shows."""
        for key in vars(self).keys() & texts.keys() & {*SET}:
            value = texts[key] if key in TEXTS else json.loads(texts[key])
            setattr(self, key, value)

    def __repr__(self) -> str:
        of = f"{self.name!r} of this page" if self.name else "a machine"
        return f"<Machine: {of}>"


Machine = PageMachine  # the name by which cells import it
