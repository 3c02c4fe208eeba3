"""Traits declared in Python work on a page without JavaScript of their own."""

import json
from urllib.parse import parse_qsl, urlsplit

import displayed
import pytest
from acts import copied_link
from frames import settle, written
from jsonschema import Draft202012Validator
from probe import Probe

SHOWN = "() => abhFigures.shown().probe.shown"
SET = """texts => Object.entries(texts)
  .forEach(([name, text]) => abhFigures.set("probe", { [name]: text }))"""
STATE = {
    "off": "[0,7,3]",
    "matrices": "[[[0.5,-1.25]],[[1e-7],[3]]]",
    "point": "[0.1,-2.5]",
    "forced": "apple",
    "step": "last",
}
SAID = {
    "probe.n=9": "n = “9”; it should be a whole number from 1 to 8",
    "probe.n=": "n = “”; it should be a whole number from 1 to 8",
    "probe.word=3": "it should be a whole number from 0 to 2",
    "probe.forced=horse": "it should be one of cat, dog, apple",
    "probe.off=[8]": "off = “[8]”; it should be a list, for example []",
    "probe.off=[0": "off = “[0”; it should be a list, for example []",
    "probe.matrices=[[[1]],[]]": "it should be a list, for example []",
    "probe.point=[1]": "it should be a list, for example [0,0]",
    "probe.on=1": "it should be true or false",
    "probe.guess=cat": "“guess”, which this figure does not have",
    "probe._esm=x": "“_esm”, which this figure does not have",
    "probe.__proto__=1": "“__proto__”, which this figure does not have",
    "other.n=4": "a figure “other”, and this page has none of that name",
}


@pytest.fixture
def show(open_page):
    """Return a function that opens a page of the probe card."""
    page = open_page(Probe())
    address = page.url

    def visit(query=""):
        page.goto("about:blank")  # a second visit must load the page again
        page.goto(f"{address}?{query}")
        settle(page)
        return page

    return visit


FIELDS = """rows => rows.map((row) => {
  const field = [...row.querySelectorAll(".abh-field, [type=checkbox]")].at(-1);
  const at = field.type === "checkbox" ? field.checked : field.value;
  return [row.innerText.split("\\n")[0], at];
})"""


def fields(page):
    """Return the value of each visible control, by label."""
    rows = page.locator(".abh-controls :is(.abh-control, .abh-check):visible")
    return dict(rows.evaluate_all(FIELDS))


def test_declared_controls_fail_with_links_undo_or_storage(show):
    page = show()
    first = {"Sharpness β": "1", "Tokens": "3", "Word": "1", "Switched n": False}
    assert fields(page) == first
    page.get_by_label("Tokens, typed").fill("14/2")
    page.get_by_label("Word").select_option("apple")
    page.get_by_label("Sharpness β").press("End")
    moved = {**first, "Sharpness β": "4", "Tokens": "7", "Word": "2"}
    assert fields(page) == moved
    query = urlsplit(copied_link(page)).query
    texts = {"probe.beta": "4", "probe.n": "7", "probe.word": "2"}
    assert dict(parse_qsl(query)) == texts
    page.get_by_label("Switched").check()
    assert "Sharpness β" not in fields(page), "the checkbox hides it"
    for wanted in (moved, {**moved, "Sharpness β": "1"}):
        page.locator(displayed.UNDO).dispatch_event("click")
        assert fields(page) == wanted
    written(page)  # storage follows with a delay
    assert fields(show()) == {**first, "Tokens": "7"}, "only `n` is kept"
    page.evaluate("localStorage.clear()")
    assert fields(show(query)) == moved


def test_a_type_of_trait_fails_with_links_undo_or_refusals(show):
    page = show()
    before = page.evaluate(SHOWN)
    page.evaluate(SET, STATE)
    query = urlsplit(copied_link(page)).query
    undo = page.locator(displayed.UNDO)
    for _ in range(len(STATE) - 1):  # Undo leaves `step`, which only selects a view
        undo.dispatch_event("click")
    assert page.evaluate(SHOWN) == before | {"step": "last"}
    assert undo.get_attribute("aria-disabled") == "true"
    page.evaluate("localStorage.clear()")
    assert show(query).evaluate(SHOWN) == before | STATE
    for query, words in SAID.items():
        page.evaluate("localStorage.clear()")
        show(query)
        assert words in page.locator(".refused").inner_text(), query
        assert page.evaluate(SHOWN) == before, query
    show("%E0%A4%A")  # no parameter of this site
    assert page.locator(".refused").count() == 0


NUMBER = {"type": "number", "minimum": -1, "maximum": 2.5}
SCHEMAS = [
    {"type": "boolean"},
    NUMBER,
    {"type": "integer", "minimum": 0},
    {"type": "integer"},
    {"type": "string"},
    {"type": "string", "enum": ["a", "1"]},
    {"type": "array", "items": NUMBER, "minItems": 1, "maxItems": 2},
    {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}},
    {"type": "array", "items": {}},
    {"type": "object"},
    {"type": "object", "additionalProperties": {"type": "string"}},
]
GIVEN = [
    *(True, 0, 1, -1, 2.5, 2.6, 3.0, 1.5, -2, None, "a", "1", "", "true"),
    *([], [1], [1, 2], [1, 2, 2], [3], ["a"], [[]], [[True]], [[1]], [None]),
    *({}, {"a": "b"}, {"a": 1}, {"a": None}, [{}]),
]


def test_a_page_and_jsonschema_accept_different_values(module):
    values = module("card/values.js")
    for schema in SCHEMAS:
        found = values("fits", *([each, schema] for each in GIVEN))
        allows = Draft202012Validator(schema).is_valid
        assert found == [allows(value) for value in GIVEN], json.dumps(schema)
