"""The course's figures, found and not listed, and random states of each."""

import importlib
import inspect
import json
import pkgutil
import random
import re
import sys
from pathlib import Path

import numpy as np
import traitlets

import course
from course.widgets import Card
from course.widgets.bundler import HERE

STATES = 12
SITE = Path(__file__).resolve().parents[2] / "_build" / "html"


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


def with_sliders() -> list[type[Card]]:
    """Every figure whose view builds a slider."""
    return [
        cls
        for cls in figures()
        if re.search(r"\bslider\(", (HERE / cls._esm.entry).read_text("utf-8"))
    ]


# --- Random states ----------------------------------------------------------------


def a_value(trait, now, rng):
    """A value for a trait that the reader can set; None where there is no choice."""
    if isinstance(now, bool):
        return rng.random() < 0.5
    if isinstance(now, list) and now and all(isinstance(x, bool) for x in now):
        return [rng.random() < 0.6 for _ in now]
    if isinstance(trait, traitlets.Int):
        top = trait.max if np.isfinite(trait.max or np.inf) else 20
        return rng.choice([rng.randint(trait.min, top), trait.min, top])
    if isinstance(trait, traitlets.Float):
        return round(rng.choice([rng.uniform(trait.min, trait.max), trait.min, 1.0]), 2)
    return None


def in_a_random_state(figure: type[Card], rng: random.Random) -> Card:
    widget = figure()
    for name, trait in widget.traits(sync=True).items():
        if name.startswith("_") or name in (
            "answer",
            "solved",
            "layout",
            "tabbable",
            "tooltip",
        ):
            continue
        value = a_value(trait, getattr(widget, name), rng)
        if value is None or trait.read_only:
            continue
        try:
            setattr(widget, name, value)
        except traitlets.TraitError:
            continue  # the bound depends on another trait
    return widget


def answered(card: Card) -> Card:
    """Commit to the first choice of a card's question, if it asks one."""
    for choice in card.question.get("choices", ())[:1]:
        card.answer = choice["text"]
    return card


def states(figure: type[Card]) -> list[Card]:
    rng = random.Random(figure.__name__)
    return [figure(), *(in_a_random_state(figure, rng) for _ in range(STATES))]


# --- States that a link asks for ------------------------------------------------------


def from_texts(card: Card, texts: dict[str, str]) -> dict:
    """The values of a card's traits, of which a link has the texts."""
    return {
        name: text if isinstance(getattr(card, name), str) else json.loads(text)
        for name, text in texts.items()
    }
