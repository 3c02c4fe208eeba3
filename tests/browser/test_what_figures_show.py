"""What every figure shows equals what Python says, in random states.

The figures are found, not listed: every subclass of the card that can be made without
arguments. Each is put into random states from its own traits, all on one page, and what
can be *seen* is read: the text of each number, bars, colours, the sentence.
"""

import importlib
import pkgutil
import random

import displayed
import numpy as np
import pytest
import traitlets
from alone import page_of

import course
from course.widgets import Card

STATES = 12
MIME = "application/vnd.jupyter.widget"


def import_all(package) -> None:
    """Import every module of a package, so that its classes are known."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def descendants(cls) -> list[type]:
    return [d for child in cls.__subclasses__() for d in (child, *descendants(child))]


def figures() -> list[type[Card]]:
    """Every card that says something of itself."""
    import_all(course)
    return sorted(
        (cls for cls in descendants(Card) if cls.sentences),
        key=lambda cls: cls.__name__,
    )


FIGURES = figures()
each_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda cls: cls.__name__)


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
        if name.startswith("_") or name in ("answer", "layout", "tabbable", "tooltip"):
            continue
        value = a_value(trait, getattr(widget, name), rng)
        if value is None or trait.read_only:
            continue
        try:
            setattr(widget, name, value)
        except traitlets.TraitError:
            continue  # the bound depends on another trait
    return widget


def states(figure: type[Card]) -> list[Card]:
    rng = random.Random(figure.__name__)
    return [figure(), *(in_a_random_state(figure, rng) for _ in range(STATES))]


# --- What is shown ----------------------------------------------------------------


def flat(numbers, prefix="") -> dict:
    """Numbers by the names that the view gives them: a-b for ``{"a": {"b": 1}}``."""
    found = {}
    for name, value in numbers.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}-")
        else:
            found[f"{prefix}{name}"] = value
    return found


@pytest.fixture
def shown(watch):
    """Show a figure in several states on one page; gives the widgets and the cards."""
    opened = []

    def show(widgets):
        watched = watch(reduced_motion="reduce")
        opened.append(watched)
        page = watched.page
        for widget in widgets:
            widget.answer = 0
        body = page_of(widgets)
        page.route(
            "http://figures.test/**",
            lambda route: route.fulfill(body=body, content_type="text/html"),
        )
        page.goto("http://figures.test/")
        page.wait_for_function(
            "count => document.querySelectorAll('.abh-card').length === count",
            arg=len(widgets),
        )
        page.evaluate(displayed.SCRIPT)
        return list(zip(widgets, page.locator(".abh-card").all(), strict=True))

    yield show
    assert [complaint for each in opened for complaint in each.complaints] == []


def test_figures_are_found():
    assert {"SqrtDk", "Heads"} <= {cls.__name__ for cls in FIGURES}


@each_figure
def test_numbers_bars_colours_and_sentence_are_python_s(figure, shown):
    for widget, card in shown(states(figure)):
        check_numbers(widget, card)
        displayed.check(card)
        check_fields(widget, card)
        said = card.locator(".abh-reading").inner_text()
        assert displayed.misread(said, widget.said().text, widget.facts()) == []


def check_numbers(widget: Card, card) -> None:
    """Every number that can be read is Python's, rounded to the digits it has."""
    assert displayed.ask_page(card, "unnamed") == [], "numbers without a name in Python"
    expected = flat(widget.numbers())
    seen = displayed.ask_page(card, "named")
    assert seen.keys() <= expected.keys()
    for name, texts in seen.items():
        values = np.ravel(expected[name])
        assert len(texts) == len(values), name
        wrong = [
            (text, value)
            for text, value in zip(texts, values, strict=True)
            if not displayed.agrees(text, float(value))
        ]
        assert wrong == [], f"{type(widget).__name__}: {name}"


FIELDS = """node => [...node.querySelectorAll("[data-trait]")]
  .filter((row) => row.querySelector(".abh-field[type=text]"))
  .map((row) => [row.dataset.trait, row.querySelector(".abh-field").value])"""


def check_fields(widget: Card, card) -> None:
    """The number beside a slider is the trait's."""
    for trait, text in card.evaluate(FIELDS):
        assert float(text) == getattr(widget, trait), trait


@each_figure
def test_one_sentence_is_true_in_every_state(figure):
    for widget in states(figure):
        assert widget.said() in figure.sentences
