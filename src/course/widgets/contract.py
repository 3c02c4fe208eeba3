"""Declares a card's traits. Controls, links, Undo, storage and tests derive from this.

A card's state is its traits. One of these functions declares each trait:

============  =================================  ========  ==========  ===============
declared by   the trait is                       in links  taken back  kept on the
                                                           by Undo     reader's device
============  =================================  ========  ==========  ===============
`slider`      a number, with its slider          yes       yes         ``device=True``
`choice`      one of some names, with a list     yes       yes         ``device=True``
`checkbox`    on or off, with a checkbox         yes       yes         ``device=True``
`setting`     set by the view's own controls     yes       yes         ``device=True``
`looked_at`   the part of a figure in view       yes       no          no
`answer`      what the reader answers            no        by default  yes
`kept`        what else the device keeps         no        no          yes
`sent`        what Python sends to the view      no        no          no
============  =================================  ========  ==========  ===============

`page` describes the traits for a web page, as JSON; ``contract.d.ts`` has its types for
JavaScript. The description has a JSON Schema for each trait, derived from the trait.
Python checks a value with the trait, and a page checks it with the schema. The book has
no card: it checks the links in its text with the schema and the library ``jsonschema``.
"""

import math
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NotRequired, TypedDict

import traitlets as t

from course.kit.prose import number

Names = Sequence[str] | Callable[[Any], Sequence[str]]
"""Names, or a function from a card to its names."""

TRIES = "tries"
"""Name of the trait with all answers that the reader gave, by prompt."""

Called = tuple[str] | tuple[str, str]
"""Nouns for one entry and for several entries on the device; one noun if uncounted."""


class Control(TypedDict):
    """A control that the card builds from a declaration."""

    trait: NotRequired[str]  # the trait that it sets; `page` adds it
    kind: str  # "slider", "choice" or "checkbox"
    label: str
    symbol: NotRequired[str]  # after the label, written as a formula: "d_k"
    stops: NotRequired[Sequence[float]]
    options: NotRequired[Sequence[str]]
    unless: NotRequired[str]  # a trait: while it is true, the control is hidden


@dataclass(frozen=True)
class Asked:
    """How the answers in a trait are counted and judged.

    `by` is the view's file that judges the answers, with ``results``
    (``contract.d.ts``); `needs` names the other traits that ``results`` reads.

    `count` returns the number of questions that a card asks. If this is 0, the
    description for the page leaves the trait out. A text is an answer only if the
    regular expression `pattern` matches, and if it is one of the card's `choices`,
    where there are any.
    """

    by: str
    count: Callable[[Any], int] = lambda card: 1
    needs: tuple[str, ...] = ()
    pattern: str = "."
    choices: Callable[[Any], Sequence[str]] = lambda card: ()


@dataclass(frozen=True)
class Declaration:
    """A trait's declaration, in its metadata as ``part``: its row of that table."""

    link: bool = False
    undo: bool = False
    device: bool = False
    visited: bool = False
    control: Control | None = None
    asked: Asked | None = None
    called: Called | None = None


def _declared(trait: Any, **part: Any) -> Any:
    return trait.tag(sync=True, part=Declaration(**part))


# --- What the reader sets -------------------------------------------------------------


def slider(
    value: float,
    stops: Sequence[float],
    label: str,
    symbol: str = "",
    *,
    unless: str = "",
    device: bool = False,
) -> Any:
    """Declare a number that the reader sets by a slider and the field beside it.

    The `stops` of the slider are in increasing order (see `even`, `ratios`). If `value`
    and all stops are integers, the trait is an integer. `label` and `symbol` are name
    and letter: ``"Width of a key", "d_k"``. While the trait named `unless` is true, the
    slider is hidden.
    """
    whole = all(isinstance(number, int) for number in (value, *stops))
    trait = (t.Int if whole else t.Float)(value, min=stops[0], max=stops[-1])
    stops = list(stops)
    control = _control("slider", label, symbol=symbol, stops=stops, unless=unless)
    return setting(trait, control=control, device=device)


def choice(value: int, among: Names, label: str, *, device: bool = False) -> Any:
    """Declare the index of the name that the reader picks."""
    control = _control("choice", label)
    return setting(IndexOf(value, among), control=control, device=device)


def checkbox(value: bool, label: str, *, device: bool = False) -> Any:
    """Declare a boolean that the reader switches."""
    control = _control("checkbox", label)
    return setting(t.Bool(value), control=control, device=device)


def setting(
    trait: Any,
    *,
    control: Control | None = None,
    device: bool = False,
    called: Called | None = None,
) -> Any:
    """Declare a value that the reader sets with controls that the view builds.

    The trait has the initial value and the bounds: ``t.List(t.Bool(), [True], 1, 8)``.
    `slider`, `choice` and `checkbox` pass a `control`, which the card builds. Without
    `called`, an entry on the device is called "setting".
    """
    return _declared(
        trait, link=True, undo=True, device=device, control=control, called=called
    )


def looked_at(trait: Any, *, visited: bool = False) -> Any:
    """Declare what part of a figure the reader looks at; Undo does not change it.

    With `visited`, the browser's Back button returns to the previous value.
    """
    return _declared(trait, link=True, visited=visited)


def _control(kind: str, label: str, **more: Any) -> Control:
    given = {name: value for name, value in more.items() if value}
    return Control(kind=kind, label=label, **given)


def even(low: float, high: float, step: float) -> list[float]:
    """Return the numbers from `low` to `high` in even steps, without rounding noise."""
    count = round((high - low) / step)
    return [round(low + i * step, 9) for i in range(count + 1)]


def ratios(low: int, high: int, per_octave: int = 4) -> list[int]:
    """Return integers from `low` to `high`, about `per_octave` for each doubling."""
    count = math.ceil(math.log2(high / low) * per_octave)
    stops = {math.floor(low * 2 ** (i / per_octave) + 0.5) for i in range(count)}
    return sorted(stops | {high})


class IndexOf(t.Int):
    """A trait that is the index of a name in a list."""

    def __init__(self, value: int, among: Names, **options: Any) -> None:
        super().__init__(value, **options)
        self.among = among

    def validate(self, obj: Any, value: Any) -> int:
        """Return the index, or refuse an index outside the list of names."""
        value, last = super().validate(obj, value), len(names_of(self, obj)) - 1
        if not 0 <= value <= last:
            raise t.TraitError(f"{self.name} must be 0 to {last}, got {value}")
        return value


class OneOf(t.Unicode):
    """A trait that is one of the names in a list."""

    def __init__(self, value: str, among: Names, **options: Any) -> None:
        super().__init__(value, **options)
        self.among = among

    def validate(self, obj: Any, value: Any) -> str:
        """Return the text, or refuse a text that is not in the list of names."""
        value, names = super().validate(obj, value), names_of(self, obj)
        if value not in names:
            known = ", ".join(names)
            what = self.name or "each name in the list"  # no name inside a list
            raise t.TraitError(f"{what} must be one of {known}, got {value!r}")
        return value


def names_of(trait: IndexOf | OneOf, card: Any) -> list[str]:
    """Return the list of names from which a trait of a card chooses."""
    return list(trait.among(card) if callable(trait.among) else trait.among)


# --- Answers, values on the device, values that Python sends --------------------------


def answer(
    trait: Any, asked: Asked | None = None, *, called: Called, undo: bool = True
) -> Any:
    """Declare an answer, kept as text because an edit may reorder the choices.

    The trait is a text; for several questions, a dict of texts by prompt. If `asked` is
    None, another trait has the questions to which this answer belongs.
    """
    return _declared(trait, undo=undo, device=True, asked=asked, called=called)


def kept(trait: Any, *, called: Called) -> Any:
    """Declare a value on the reader's device that is no answer and no setting."""
    return _declared(trait, device=True, called=called)


def sent(trait: Any, first: Callable[[Any], Any] | None = None) -> Any:
    """Declare a value that Python sends to the view and the reader cannot change.

    `first` computes the first value from the card when the card is made.
    """
    if first:
        trait.default_value, trait.default = t.Undefined, first
    return _declared(trait)


# --- The description of a card for its page -------------------------------------------


class DescribedTrait(TypedDict):
    """The description of a trait for a page; false and empty marks are left out."""

    schema: dict[str, Any]
    link: NotRequired[bool]
    undo: NotRequired[bool]
    device: NotRequired[bool]
    visited: NotRequired[bool]
    asked: NotRequired[dict[str, Any]]
    called: NotRequired[Called]


class Page(TypedDict):
    """The description of a card for its page."""

    name: str
    title: str
    figure: bool  # whether the card shows a figure; a quiz only asks
    traits: dict[str, DescribedTrait]
    controls: list[Control]
    sentences: dict[str, str]
    opened: NotRequired[str]  # the trait that is true if the reader skips the question
    tries: NotRequired[str]  # the trait with all answers, by prompt


def parts(card: Any) -> dict[str, Declaration]:
    """Return the declaration of each trait of a card, in the order of its class."""
    return parts_of(type(card))


def parts_of(kind: type) -> dict[str, Declaration]:
    """Return the declaration of each trait of a class of cards."""
    traits = {
        name: trait
        for cls in reversed(kind.__mro__)
        for name, trait in vars(cls).items()
        if isinstance(trait, t.TraitType) and "part" in trait.metadata
    }
    return {name: trait.metadata["part"] for name, trait in traits.items()}


def page(card: Any) -> Page:
    """Return the description of a card for its page."""
    asking = {n: p.asked for n, p in parts(card).items() if p.asked}
    counts = {name: asked.count(card) for name, asked in asking.items()}
    described: Page = {
        "name": card.name,
        "title": card.title,
        "figure": card.shows,
        "traits": {
            name: _described(card, name, part)
            for name, part in parts(card).items()
            if (part.link or part.device) and counts.get(name, True)
        },
        "controls": [control for control, _ in _controls(card)],
        "sentences": {each.key: each.text for each in card.sentences},
    }
    if card.question:
        described["opened"] = "opened"
    if any(counts.values()):
        described["tries"] = TRIES
    else:
        del described["traits"][TRIES]
    return described


def settings(card: Any) -> list[str]:
    """Return the values of the card's declared controls as texts, for a still."""
    return [
        f"{name.replace('*', '')}: {value}"
        for control, value in _controls(card)
        for name in [" ".join(filter(None, (control["label"], control.get("symbol"))))]
        if not ("unless" in control and getattr(card, control["unless"]))
    ]


def _controls(card: Any) -> list[tuple[Control, str]]:
    """Return each declared control of a card, with its value as text."""
    found = []
    for name, part in parts(card).items():
        if not part.control:
            continue
        trait, value = card.traits()[name], getattr(card, name)
        control: Control = {"trait": name, **part.control}
        if isinstance(trait, IndexOf):
            control["options"] = names_of(trait, card)
            found.append((control, control["options"][value]))
        elif isinstance(trait, t.Bool):
            found.append((control, "yes" if value else "no"))
        else:
            found.append((control, number(value, None)))
    return found


def _described(card: Any, name: str, part: Declaration) -> DescribedTrait:
    trait = card.traits()[name]
    described: dict[str, Any] = {"schema": schema_of(trait, card)}
    for mark in ("link", "undo", "device", "visited", "called"):
        if value := getattr(part, mark):
            described[mark] = value
    if part.asked:
        described["asked"] = {
            **asdict(part.asked),
            "count": part.asked.count(card),
            "choices": [checksum(text) for text in part.asked.choices(card)],
        }
    return described


def checksum(text: str) -> int:
    """Return a number by which a page recognizes a choice's text without storing it."""
    return zlib.adler32(text.encode()) >> 16


def schema_of(trait: Any, card: Any) -> dict[str, Any]:
    """Return the JSON Schema of the values that a trait of a card may have.

    Traitlets stores the trait of a list's or dict's entries only in private attributes,
    so this function reads these.
    """
    match trait:
        case t.Bool():
            return {"type": "boolean"}
        case IndexOf():
            last = len(names_of(trait, card)) - 1
            return {"type": "integer", "minimum": 0, "maximum": last}
        case t.Int():
            return {"type": "integer", **_bounds(trait)}
        case t.Float():
            return {"type": "number", **_bounds(trait)}
        case t.Enum():
            return {"type": "string", "enum": list(trait.values)}
        case OneOf():
            return {"type": "string", "enum": names_of(trait, card)}
        case t.Unicode():
            return {"type": "string"}
        case t.List():
            items = schema_of(trait._trait, card) if trait._trait else {}
            sizes = {"minItems": trait._minlen, "maxItems": trait._maxlen}
            limits = {n: size for n, size in sizes.items() if 0 < size < sys.maxsize}
            return {"type": "array", "items": items, **limits}
        case t.Dict():
            entry = trait._value_trait
            entries = {"additionalProperties": schema_of(entry, card)} if entry else {}
            return {"type": "object", **entries}
    raise TypeError(f"{trait.name}: no schema of {type(trait).__name__}")


def _bounds(trait: t.Int | t.Float) -> dict[str, float]:
    bounds = {"minimum": trait.min, "maximum": trait.max}
    return {n: b for n, b in bounds.items() if b is not None and math.isfinite(b)}


# --- What the book reads from a saved card --------------------------------------------


def page_of(state: Mapping[str, Any]) -> Page | None:
    """Return the description in a card's saved state; None for another widget."""
    page = state.get("_page", {})
    return page if "traits" in page else None


def questions_of(page: Page) -> dict[str, dict[str, Any]]:
    """Return how the answers of a card are counted and judged, by trait."""
    traits = page["traits"].items()
    return {name: trait["asked"] for name, trait in traits if "asked" in trait}


def judging_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the traits with which a page checks and judges a card's kept entries."""
    page = state["_page"]
    kept = [name for name, trait in page["traits"].items() if trait.get("device")]
    needs = [n for asked in questions_of(page).values() for n in asked["needs"]]
    return {name: state[name] for name in ("_page", *kept, *needs)}
