"""The course's figures, found and not listed, and random states of each."""

import contextlib
import importlib
import inspect
import json
import pkgutil
import random
import sys
from pathlib import Path
from typing import Any

import traitlets

import course
from course.widgets import Card, contract

STATES = 12
MORE = {"BankPlane": 20, "QueryDial": 20, "ScoreWalk": 20}  # one drag sets all of them
SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if path.name != "index.html"  # goes on to the introduction at once
)


def pages_with(*markup: str) -> list[str]:
    """Every page of the built site that holds any of this markup."""
    return [
        path.relative_to(SITE).as_posix()
        for path in sorted(SITE.rglob("*.html"))
        if any(map(path.read_text("utf-8").__contains__, markup))
    ]


def import_all(package) -> None:
    """Import every module of a package, so that its classes are known."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def descendants(cls) -> list[type]:
    """Every subclass that the course defines, not those that tests make of them."""
    children = [d for each in cls.__subclasses__() for d in (each, *descendants(each))]
    return [child for child in children if is_defined(child)]


def is_defined(cls) -> bool:
    """Whether the course's module of this name holds this very class."""
    module = sys.modules.get(cls.__module__)
    of_the_course = cls.__module__.startswith("course.")
    return of_the_course and getattr(module, cls.__name__, None) is cls


def cards() -> list[type[Card]]:
    """Every kind of card that the course defines."""
    import_all(course)
    return sorted(descendants(Card), key=lambda cls: cls.__name__)


def figures() -> list[type[Card]]:
    """Every card that says something of itself."""
    return [cls for cls in cards() if cls.sentences]


def is_made_alone(cls: type[Card]) -> bool:
    """Whether a card needs no argument."""
    parameters = inspect.signature(cls).parameters.values()
    variable = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return all(
        each.default is not each.empty or each.kind in variable for each in parameters
    )


def with_links() -> list[type[Card]]:
    """Every card of which a reader sets something that a link can carry."""
    return [
        cls
        for cls in cards()
        if any(part.link for part in contract.parts_of(cls).values())
    ]


def with_sliders() -> list[type[Card]]:
    """Every figure that has a slider."""
    return [
        cls
        for cls in figures()
        if any(
            part.control and part.control["kind"] == "slider"
            for part in contract.parts_of(cls).values()
        )
    ]


# --- Random states ----------------------------------------------------------------


def a_value(schema: dict, rng: random.Random) -> Any:
    """A value that a trait of this schema can have, often the first or the last."""
    match schema.get("type"):
        case "boolean":
            return rng.random() < 0.6
        case "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 20)
            return rng.choice([rng.randint(low, high), low, high])
        case "number":
            low, high = schema.get("minimum", -9.0), schema.get("maximum", 9.0)
            return round(rng.choice([rng.uniform(low, high), low, 1.0]), 2)
        case "array":
            fewest = schema.get("minItems", 0)
            count = rng.randint(fewest, schema.get("maxItems", fewest + 3))
            return [a_value(schema["items"], rng) for _ in range(count)]
        case "string" if "enum" in schema:
            return rng.choice(schema["enum"])
    return None


def values_near(schema: dict) -> list[Any]:
    """Values at the bounds of a schema, just beyond them, and of another kind."""
    if schema["type"] == "boolean":
        return [True, False, "yes"]
    ends = [schema.get("minimum"), schema.get("maximum"), 0]
    numbers = [end + step for end in ends if end is not None for step in (-1, 0, 1)]
    halves = [number + 0.5 for number in numbers]
    lists = [
        [a_value(schema["items"], random.Random(count)) for _ in range(count)]
        for count in range(4)
        if schema.get("items")
    ]
    return [*numbers, *halves, *lists, *schema.get("enum", ()), "none of them", None]


def settable(card: Card) -> dict[str, dict]:
    """Schemas of what a reader sets of a card."""
    traits = card._page["traits"].items()
    return {name: trait["schema"] for name, trait in traits if trait.get("link")}


def switches(card: Card) -> dict[str, dict]:
    """Schemas of what an author switches on or off in a card, as where it is simple."""
    own = set(card.traits()) - set(Card.class_traits())
    parts = contract.parts(card).items()
    names = [
        name for name, part in parts if part == contract.Declaration() and name in own
    ]
    on_or_off = [n for n in names if isinstance(card.traits()[n], traitlets.Bool)]
    return {n: contract.schema_of(card.traits()[n], card) for n in on_or_off}


def in_a_random_state(figure: type[Card], rng: random.Random) -> Card:
    card = figure()
    for name, schema in (settable(card) | switches(card)).items():
        value = a_value(schema, rng)
        with contextlib.suppress(traitlets.TraitError):  # it depends on another trait
            if value is not None:
                setattr(card, name, value)
    return card


def answered(card: Card) -> Card:
    """Commit to the first choice of a card's question, if it asks one."""
    for choice in card.question.get("choices", ())[:1]:
        card.answer = choice["text"]
    return card


def states(figure: type[Card]) -> list[Card]:
    rng = random.Random(figure.__name__)
    count = MORE.get(figure.__name__, STATES)
    return [figure(), *(in_a_random_state(figure, rng) for _ in range(count))]


# --- States that a link asks for ------------------------------------------------------


def from_texts(card: Card, texts: dict[str, str]) -> dict:
    """The values of a card's traits, of which a link has the texts."""
    return {
        name: text if isinstance(getattr(card, name), str) else json.loads(text)
        for name, text in texts.items()
    }
