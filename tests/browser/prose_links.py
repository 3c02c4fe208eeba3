"""Follow the links in the prose that set a figure, and check the traits that they set.

`test_links.py` checks that a figure shows the state of its traits.
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from found import SITE
from playwright.sync_api import Page
from states import figures

LINKS = "a.sets"
STATES = """() => Object.fromEntries(
  Object.entries(globalThis.abhFigures?.shown() ?? {})
    .map(([name, { shown }]) => [name, shown]))"""
SEEN = """figure => {
  const { top, bottom } = figure.getBoundingClientRect();
  const questions = [...figure.querySelectorAll(".abh-predict")];
  return { top, bottom, asks: questions.some((each) => each.checkVisibility()) };
}"""


def asked(href: str) -> tuple[str, dict]:
    """Return the name of the figure that a link sets, and its traits as texts."""
    pairs = parse_qsl(urlsplit(href).query, keep_blank_values=True)
    figures = {key.partition(".")[0] for key, _ in pairs}
    assert len(figures) == 1, href
    return figures.pop(), {key.partition(".")[2]: text for key, text in pairs}


def value_of(text: str) -> Any:
    """Return the value of a trait's text; a text that is no JSON is the value."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def check(shown: dict, target: dict, wanted: dict) -> None:
    """Raise unless a figure has the values of a link, and its own in other traits.

    Edits of other examples stay. A link names the changed inputs of its example; the
    page keeps all inputs.
    """
    found = {trait: value_of(text) for trait, text in shown.items()}
    expected = {trait: value_of(text) for trait, text in target.items()}
    edits, changed = found.pop("edits", {}), expected.pop("edits", {})
    if "edits" in wanted:
        inputs = edits[found["example"]]
        assert {name: inputs[name] for name in changed} == changed
    assert found == expected


def first_and_last_of_a_kind(hrefs: list[str]) -> list[int]:
    """Return the first and last index of the links to each figure and set of traits."""
    kinds: dict[tuple[str, ...], list[int]] = {}
    for place, href in enumerate(hrefs):
        figure, wanted = asked(href)
        kinds.setdefault((figure, *wanted), []).append(place)
    return sorted({end for alike in kinds.values() for end in (alike[0], alike[-1])})


def follow(page: Page, name: str, choose: Callable[[list[str]], list[int]]) -> None:
    """Follow the chosen links of a page with unmoved figures; check each figure."""
    first, built = page.evaluate(STATES), figures(SITE / name)
    target = dict(first)
    links = page.locator(LINKS)
    hrefs = links.evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    for index in choose(hrefs):
        figure, wanted = asked(hrefs[index])
        traits = built[figure]["_page"]["traits"]
        resets = any(traits[each].get("undo") for each in wanted)  # the other traits
        target[figure] = (first if resets else target)[figure] | wanted
        links.nth(index).focus()
        page.keyboard.press("Enter")
        check(page.evaluate(STATES)[figure], target[figure], wanted)
        seen = page.locator(f"#fig-{figure}").evaluate(SEEN)
        assert seen["top"] >= 0
        assert seen["top"] < 60 or seen["bottom"] < 901  # the window is 900 high
        assert not seen["asks"]
    assert page.locator(".refused").count() == 0
