"""Find the course's figures without a list of them, and put them in random states."""

import contextlib
import importlib
import inspect
import pkgutil
import random
import sys
from pathlib import Path
from typing import Any

import traitlets

import course
from course.widgets import Card, contract

DRAGGED = {"BankPlane", "QueryDial", "ScoreWalk", "SharedBoard"}
ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if path.name != "index.html"  # only redirects to the introduction
)


def pages_with(markup: str) -> list[str]:
    """Return the pages of the built site that contain a text."""
    return [name for name in PAGES if markup in (SITE / name).read_text("utf-8")]


def descendants(cls: type) -> set[type]:
    return {d for each in cls.__subclasses__() for d in (each, *descendants(each))}


def is_defined(cls: type) -> bool:
    """Return whether a module of the course holds this class under its name.

    A card with traits of its own has a class of its own, with the name of its kind.
    """
    module = sys.modules[cls.__module__]
    return (
        module.__name__.startswith("course.")
        and getattr(module, cls.__name__, None) is cls
    )


def cards() -> list[type[Card]]:
    """Return every kind of card that the course defines, without those of tests."""
    for module in pkgutil.walk_packages(course.__path__, "course."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)  # `__subclasses__` then knows them
    return sorted(filter(is_defined, descendants(Card)), key=lambda cls: cls.__name__)


def figures() -> list[type[Card]]:
    """Return every kind of card with sentences about its state."""
    return [cls for cls in cards() if cls.sentences]


def is_made_alone(cls: type[Card]) -> bool:
    """Return whether a card can be made without arguments."""
    parameters = inspect.signature(cls).parameters.values()
    variable = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return all(
        each.default is not each.empty or each.kind in variable for each in parameters
    )


def with_links() -> list[type[Card]]:
    """Return every kind of card with a trait that links contain."""
    parts = {cls: contract.parts_of(cls).values() for cls in cards()}
    return [cls for cls in parts if any(part.link for part in parts[cls])]


# --- Random states ----------------------------------------------------------------


def a_value(schema: dict, rng: random.Random) -> Any:
    """Return a random value that fits a schema, often a bound or 1.

    Return None for a schema of another type: an object, or a string without `enum`.
    """
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
    """Return values at the bounds of a schema, just beyond them, and of wrong types."""
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
    """Return the schemas of the traits that a reader can set, by name."""
    traits = card._page["traits"].items()
    return {name: trait["schema"] for name, trait in traits if trait.get("link")}


def switches(card: Card) -> dict[str, dict]:
    """Return the schemas of the boolean traits that only an author sets, by name."""
    parts, of_every_card = contract.parts(card), Card.class_traits()
    return {
        name: contract.schema_of(trait, card)
        for name, trait in card.traits().items()
        if isinstance(trait, traitlets.Bool) and name not in of_every_card
        if parts.get(name) == contract.Declaration()
    }


def in_a_random_state(figure: type[Card], rng: random.Random) -> Card:
    card = figure()
    for name, schema in (settable(card) | switches(card)).items():
        value = a_value(schema, rng)
        with contextlib.suppress(traitlets.TraitError):  # another trait excludes it
            if value is not None:
                setattr(card, name, value)
    return card


def answered(card: Card) -> Card:
    """Return the card; if it has a question, its first choice is the answer."""
    for choice in card.question.get("choices", ())[:1]:
        card.answer = choice["text"]
    return card


def moves(seed: int, count: int) -> list[tuple[float, float]]:
    """Return random moves: two numbers from 0 to 1 choose a control and its value."""
    rng = random.Random(seed)
    return [(rng.random(), rng.random()) for _ in range(count)]


def states(figure: type[Card]) -> list[Card]:
    """Return cards of one kind: the first state, then random states."""
    rng = random.Random(figure.__name__)
    count = 20 if figure.__name__ in DRAGGED else 12  # dragged figures have more
    return [figure(), *(in_a_random_state(figure, rng) for _ in range(count))]
