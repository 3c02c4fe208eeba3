"""What a card says of its traits, once: everything else reads it here.

A card's state is its traits. Each is declared by the function that says what it is:

============  =================================  ========  ==========  ===============
declared by   it is                              in links  taken back  kept on the
                                                           by Undo     reader's device
============  =================================  ========  ==========  ===============
`slider`      a number, with its slider          yes       yes         ``device=True``
`choice`      one of some names, with a list     yes       yes         ``device=True``
`checkbox`    on or off, with a checkbox         yes       yes         ``device=True``
`setting`     set by controls of the view's own  yes       yes         ``device=True``
`looked_at`   where the reader looks             yes       no          no
`answer`      what the reader answers            no        yes         yes
`kept`        what else the device keeps         no        no          yes
`sent`        what Python sends to the view      no        no          no
============  =================================  ========  ==========  ===============

`page` tells a page of them, as JSON; ``contract.d.ts`` has its form for JavaScript.
What a trait may be is said there in JSON Schema, made from the trait itself: Python
checks a value by the trait, the page by the schema, and the book, which has no card,
checks the links of its text by the library of that name.
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
"""Names, or the function that gives those of one card."""

TRIES = "tries"
"""The trait in which every card that asks holds all answers given, by prompt."""

Called = tuple[str, str]
"""What one entry of the reader's device is called, and several."""


class Control(TypedDict):
    """A control that the card builds by itself."""

    trait: NotRequired[str]  # which it sets, on a page
    kind: str  # "slider", "choice" or "checkbox"
    label: str
    symbol: NotRequired[str]  # after the label, set as in a formula: "d_k"
    stops: NotRequired[Sequence[float]]
    options: NotRequired[Sequence[str]]
    unless: NotRequired[str]  # the trait that takes the control away while it is true


@dataclass(frozen=True)
class Asked:
    """How the answers in a trait are counted and judged.

    Attributes
    ----------
    by : str
        The view's file that judges them: it exports ``results`` (``contract.d.ts``).
    count : callable
        From a card to how many questions it asks; of a card that asks none, the page
        hears nothing of the trait.
    needs : tuple of str
        The other traits that ``results`` reads.
    pattern : str
        What a text must hold to be an answer at all, as a regular expression.
    choices : callable
        From a card to the texts that its questions offer, if they offer any: no other
        text is an answer then.
    """

    by: str
    count: Callable[[Any], int] = lambda card: 1
    needs: tuple[str, ...] = ()
    pattern: str = "."
    choices: Callable[[Any], Sequence[str]] = lambda card: ()


@dataclass(frozen=True)
class Declaration:
    """What one trait is, as the table above has it."""

    link: bool = False
    undo: bool = False
    device: bool = False
    visited: bool = False
    control: Control | None = None
    asked: Asked | None = None
    called: Called | None = None


def _declared(trait: Any, part: Declaration) -> Any:
    return trait.tag(sync=True, part=part)


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

    Parameters
    ----------
    value : float
        What it is at first.
    stops : sequence of float
        Where the slider stops, from the smallest to the largest number that it can be
        (`even`, `ratios`). If all are integers, it is one.
    label, symbol : str
        What it is called, and by which letter: ``"Width of a key", "d_k"``.
    unless : str, optional
        The trait that takes the slider away while it is true.
    device : bool
        Whether the reader's device keeps it.
    """
    whole = all(isinstance(number, int) for number in (value, *stops))
    trait = (t.Int if whole else t.Float)(value, min=stops[0], max=stops[-1])
    stops = list(stops)
    control = _control("slider", label, symbol=symbol, stops=stops, unless=unless)
    return setting(trait, control=control, device=device)


def choice(
    value: int, among: Names, label: str, *, unless: str = "", device: bool = False
) -> Any:
    """Declare which of some names the reader picks from a list, as its index.

    Parameters
    ----------
    value : int
        The index at first.
    among : sequence of str or callable
        The names, or the function that gives those of one card.
    label, unless, device
        As for `slider`.
    """
    control = _control("choice", label, unless=unless)
    return setting(IndexOf(value, among), control=control, device=device)


def checkbox(value: bool, label: str, *, unless: str = "", device: bool = False) -> Any:
    """Declare what the reader switches on and off; parameters as of `slider`."""
    control = _control("checkbox", label, unless=unless)
    return setting(t.Bool(value), control=control, device=device)


def setting(
    trait: Any,
    *,
    control: Control | None = None,
    device: bool = False,
    called: Called | None = None,
) -> Any:
    """Declare what the reader sets by controls that the view builds.

    Parameters
    ----------
    trait : TraitType
        With what it is at first, and its bounds: ``t.List(t.Bool(), [True], 1, 8)``.
    control : Control, optional
        The card's own control, for `slider`, `choice` and `checkbox`.
    device : bool
        Whether the reader's device keeps it.
    called : (str, str), optional
        What its entries of the device are called: "1 setting" if left out.
    """
    part = Declaration(
        link=True, undo=True, device=device, control=control, called=called
    )
    return _declared(trait, part)


def looked_at(trait: Any, *, visited: bool = False) -> Any:
    """Declare where the reader looks, which Undo leaves as it is.

    Parameters
    ----------
    trait : TraitType
        As for `setting`.
    visited : bool
        Whether each value is a place that the browser's Back returns to.
    """
    return _declared(trait, Declaration(link=True, visited=visited))


def _control(kind: str, label: str, **more: Any) -> Control:
    given = {name: value for name, value in more.items() if value}
    return Control(kind=kind, label=label, **given)


def even(low: float, high: float, step: float) -> list[float]:
    """Give the numbers from `low` to `high` in even steps, free of rounding noise."""
    count = round((high - low) / step)
    return [round(low + i * step, 9) for i in range(count + 1)]


def ratios(low: int, high: int, per_octave: int = 4) -> list[int]:
    """Give integers from `low` to `high` in even ratios, so many to a doubling."""
    count = math.ceil(math.log2(high / low) * per_octave)
    stops = {math.floor(low * 2 ** (i / per_octave) + 0.5) for i in range(count)}
    return sorted(stops | {high})


class IndexOf(t.Int):
    """The index of one of some names.

    Parameters
    ----------
    value : int
        What it is at first.
    among : sequence of str or callable
        The names, or the function that gives those of one card.
    """

    def __init__(self, value: int, among: Names, **options: Any) -> None:
        super().__init__(value, **options)
        self.among = among

    def validate(self, obj: Any, value: Any) -> int:
        """Refuse an index beyond the last name."""
        value, last = super().validate(obj, value), len(names_of(self, obj)) - 1
        if not 0 <= value <= last:
            raise t.TraitError(f"{self.name} is 0 to {last}, not {value}")
        return value


class OneOf(t.Unicode):
    """One of some names; parameters as of `IndexOf`."""

    def __init__(self, value: str, among: Names, **options: Any) -> None:
        super().__init__(value, **options)
        self.among = among

    def validate(self, obj: Any, value: Any) -> str:
        """Refuse any other text."""
        value, names = super().validate(obj, value), names_of(self, obj)
        if value not in names:
            known = ", ".join(names)
            raise t.TraitError(f"{self.name} is one of {known}, not {value!r}")
        return value


def names_of(trait: IndexOf | OneOf, card: Any) -> list[str]:
    """Give the names that a trait of a card is one of."""
    return list(trait.among(card) if callable(trait.among) else trait.among)


# --- What the reader answers; what is kept; what is sent ------------------------------


def answer(
    trait: Any, asked: Asked | None = None, *, called: Called, undo: bool = True
) -> Any:
    """Declare what the reader answers, by its words: an edit may move their place.

    Parameters
    ----------
    trait : TraitType
        A text; of several questions, a dict of texts by prompt.
    asked : Asked, optional
        How it is judged; none for a part of an answer that another trait completes.
    called : (str, str)
        What its entries of the device are called.
    undo : bool
        Whether Undo takes it back.
    """
    return _declared(
        trait, Declaration(undo=undo, device=True, asked=asked, called=called)
    )


def kept(trait: Any, *, called: Called) -> Any:
    """Declare what the reader's device keeps beside answers and settings."""
    return _declared(trait, Declaration(device=True, called=called))


def sent(trait: Any) -> Any:
    """Declare what Python sends to the view and the reader does not change."""
    return _declared(trait, Declaration())


# --- What a page is told --------------------------------------------------------------


class OfTrait(TypedDict):
    """What a page knows of a trait; what does not hold is left out."""

    schema: dict[str, Any]
    link: NotRequired[bool]
    undo: NotRequired[bool]
    device: NotRequired[bool]
    visited: NotRequired[bool]
    asked: NotRequired[dict[str, Any]]
    called: NotRequired[Called]


class Page(TypedDict):
    """What a page knows of a card."""

    name: str
    title: str
    figure: bool  # whether it shows something; a quiz only asks
    traits: dict[str, OfTrait]
    controls: list[Control]
    sentences: dict[str, str]
    opened: NotRequired[str]  # the trait that opens a question without an answer
    tries: NotRequired[str]  # the trait that holds all answers given, by prompt


def parts(card: Any) -> dict[str, Declaration]:
    """Give what each trait of a card was declared to be, in the order of its class."""
    return parts_of(type(card))


def parts_of(kind: type) -> dict[str, Declaration]:
    """Give what each trait of a kind of card was declared to be."""
    traits = {
        name: trait
        for cls in reversed(kind.__mro__)
        for name, trait in vars(cls).items()
        if isinstance(trait, t.TraitType) and "part" in trait.metadata
    }
    return {name: trait.metadata["part"] for name, trait in traits.items()}


def page(card: Any) -> Page:
    """Tell a page what it needs to know of a card."""
    asking = {n: p.asked for n, p in parts(card).items() if p.asked}
    counts = {name: asked.count(card) for name, asked in asking.items()}
    described: Page = {
        "name": card.name,
        "title": card.title,
        "figure": card.shows,
        "traits": {
            name: _of_trait(card, name, part)
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
    """Say what the card's own controls are set to, for who cannot see them."""
    return [
        f"{name.replace('*', '')}: {value}"
        for control, value in _controls(card)
        for name in [" ".join(filter(None, (control["label"], control.get("symbol"))))]
        if not ("unless" in control and getattr(card, control["unless"]))
    ]


def _controls(card: Any) -> list[tuple[Control, str]]:
    """Give each control of a card with the words for what it is set to."""
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


def _of_trait(card: Any, name: str, part: Declaration) -> OfTrait:
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
    """Give a number by which every page knows a choice, shorter than its text."""
    return zlib.adler32(text.encode()) >> 16


def schema_of(trait: Any, card: Any) -> dict[str, Any]:
    """Say in JSON Schema what a trait of a card may be.

    Traitlets keeps what the entries of a list or a dict may be under private names, and
    tells it in no other way.
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


# --- What the book reads of a saved card ----------------------------------------------


def page_of(state: Mapping[str, Any]) -> Page | None:
    """Give what the saved state of a card tells its page; None of any other widget."""
    page = state.get("_page", {})
    return page if "traits" in page else None


def questions_of(page: Page) -> dict[str, dict[str, Any]]:
    """Give how the answers of a card are counted and judged, by trait."""
    traits = page["traits"].items()
    return {name: trait["asked"] for name, trait in traits if "asked" in trait}


def judged_by(state: Mapping[str, Any]) -> dict[str, Any]:
    """Take of a saved card what its kept entries are checked and judged by."""
    page = state["_page"]
    kept = [name for name, trait in page["traits"].items() if trait.get("device")]
    needs = [n for asked in questions_of(page).values() for n in asked["needs"]]
    return {name: state[name] for name in ("_page", *kept, *needs)}


def take_still(state: dict[str, Any]) -> str:
    """Take out of a saved card what its page shows where no script runs."""
    return state.pop("still", "")
