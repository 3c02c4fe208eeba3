"""Follow the links in the prose that set a figure, and check the state it shows.

The links are found on the pages. The expected state comes from the Python card of the
figure, set to the values of the link. The shown state is read from the screen.
"""

import importlib
import json
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from found import from_texts, settable
from frames import wait_until
from playwright.sync_api import Page

from course.ledger import VERDICTS
from course.widgets import Card, LedgerTable, Machine, Translator
from course.widgets.contract import parts

LINKS = "a.sets"
OTHERS = {"layout", "weights", "tooltip"}  # no part of what a reader sets
STATES = """() => Object.fromEntries(
  [...document.querySelectorAll("script[type$='widget-state+json']")]
    .flatMap((script) => Object.values(JSON.parse(script.textContent).state))
    .filter(({ state }) => state._page?.name)
    .map(({ state }) => [state._page.name, state]))"""
SHOWS = """([figure, expected]) => expected.every(([name, number]) => {
  const text = document.querySelector(`#fig-${figure} text[data-name="${name}"]`);
  const shown = Number(text?.dataset.value);
  return shown === number || Math.abs(shown - number) < 1e-9;
})"""
NUMBERED = ("X", "query", "key", "value", "scores", "logits", "weights", "head")
SEEN = """figure => {
  const { top, bottom } = figure.getBoundingClientRect();
  const questions = [...figure.querySelectorAll(".abh-predict")];
  return { top, bottom, asks: questions.some((each) => each.checkVisibility()) };
}"""


def card_of(state: dict) -> Card:
    """Return the Python card of a figure, in the state in which its page was built."""
    module, _, name = state["_anywidget_id"].rpartition(".")
    card = getattr(importlib.import_module(module), name)()
    for trait in card.trait_names(sync=True):
        is_settable = not card.traits()[trait].read_only and not trait.startswith("_")
        if is_settable and trait in state.keys() - OTHERS:
            card.set_trait(trait, state[trait])
    return card


def asked(href: str) -> tuple[str, dict]:
    """Return the name of the figure that a link sets, and its traits as texts."""
    pairs = parse_qsl(urlsplit(href).query, keep_blank_values=True)
    figures = {key.partition(".")[0] for key, _ in pairs}
    assert len(figures) == 1, href
    return figures.pop(), {key.partition(".")[2]: text for key, text in pairs}


def put(card: Card, wanted: dict) -> None:
    # `edits` holds only the changed inputs; the preset gives the others.
    texts = {trait: text for trait, text in wanted.items() if trait != "edits"}
    for trait, value in from_texts(card, texts).items():
        setattr(card, trait, value)
    if "edits" in wanted:
        given = card.presets[card.example]["inputs"]
        card.edits = {card.example: given | json.loads(wanted["edits"])}


def check(card: Card, figure) -> None:
    """Raise unless a figure on the screen shows the state of its Python card."""
    if isinstance(card, Machine):
        check_machine(card, figure)
    elif isinstance(card, Translator):
        check_translator(card, figure)
    elif isinstance(card, LedgerTable):
        check_ledger(card, figure)
    else:
        said = figure.locator(".abh-reading").inner_text()
        assert said == card.reading()
        for trait in settable(card):
            check_control(figure, trait, getattr(card, trait))


def check_control(figure, trait: str, value) -> None:
    field = figure.locator(f"[data-trait='{trait}'] .abh-typed input")
    if field.count() and field.is_visible():
        assert float(field.input_value()) == value


def check_machine(card: Machine, figure) -> None:
    """Compare the numbers of the open stage with those of the Python card."""
    # `card.trace` leaves out `beta` and `off`.
    if card.stage not in NUMBERED or card.beta != 1 or card.off:
        assert figure.locator(".abh-reading").inner_text()
        return
    head = card.trace.heads[card.head - 1]
    shown = "output" if card.stage == "head" else card.stage  # its name in the trace
    matrix = card.X if shown == "X" else getattr(head, shown)
    expected = [
        [f"{card.stage}.{r}.{c}", float(number)]
        for (r, c), number in np.ndenumerate(matrix)
    ]
    name = figure.get_attribute("id").removeprefix("fig-")
    wait_until(figure.page, SHOWS, [name, expected])  # drawn some frames later


def check_translator(card: Translator, figure) -> None:
    said = figure.locator(".abh-reading").inner_text()
    assert said.startswith(f"“{card.sentence}” → ")
    check_control(figure, "beta", card.beta)


def check_ledger(card: LedgerTable, figure) -> None:
    rows = figure.locator("tbody tr").all_inner_texts()
    assert len(rows) > 5
    assert all(word in row.lower() for row in rows for word in card.find.split())
    if card.verdict > 1:
        verdict = VERDICTS[card.verdict - 2]
        assert all(row.rstrip().endswith(verdict) for row in rows)


def first_and_last_of_a_kind(hrefs: list[str]) -> list[int]:
    """Return the first and last index of the links to each figure and set of traits."""
    kinds: dict[tuple[str, ...], list[int]] = {}
    for place, href in enumerate(hrefs):
        figure, wanted = asked(href)
        kinds.setdefault((figure, *wanted), []).append(place)
    return sorted({end for alike in kinds.values() for end in (alike[0], alike[-1])})


def follow(page: Page, choose: Callable[[list[str]], list[int]]) -> None:
    """Follow the chosen links of a page with unmoved figures; check each figure."""
    states = page.evaluate(STATES)
    cards: dict[str, Card] = {}
    links = page.locator(LINKS)
    hrefs = links.evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    for index in choose(hrefs):
        figure, wanted = asked(hrefs[index])
        if figure not in cards or any(
            parts(cards[figure])[each].undo for each in wanted
        ):
            cards[figure] = card_of(states[figure])  # the link resets the other traits
        card = cards[figure]
        put(card, wanted)
        place = page.locator(f"#fig-{figure}")
        links.nth(index).focus()
        page.keyboard.press("Enter")
        check(card, place)
        seen = place.evaluate(SEEN)
        assert seen["top"] >= 0
        assert seen["top"] < 60 or seen["bottom"] < 901
        assert not seen["asks"]
    assert page.locator(".refused").count() == 0
