"""One grammar of numbers: every field of every card reads the same texts alike."""

import re

import displayed
import pytest
from alone import page_of
from found import cards
from repeats import ends_and_weekly

from course.ledger import rows
from course.widgets import Exercise, LedgerTable
from course.widgets.bundler import HERE, sources

READ = {
    "0.5": 0.5,
    "0,5": 0.5,
    ".5": 0.5,
    ",5": 0.5,
    "+.5": 0.5,
    "2.": 2,
    "2,": 2,
    "1/4": 0.25,
    "1 / 4": 0.25,
    "1\u20444": 0.25,
    "\u22121/4": -0.25,
    "0,5/2": 0.25,
    "25%": 0.25,
    "25 %": 0.25,
    "25\u202f%": 0.25,
    "12,5 %": 0.125,
    "\u22120.25": -0.25,
    "\u20130,25": -0.25,
    "- 0.25": -0.25,
    " 0.25\t": 0.25,
    "\u2009\u00a00.25\u202f": 0.25,
    "2e-3": 0.002,
    "2,5E\u22121": 0.25,
    "1e3": 1000,
    "1 024": 1024,
    "1\u202f024": 1024,
    "1\u2009024,5": 1024.5,
    "1,024.5": 1024.5,
    "1.024,5": 1024.5,
    "1\u2019024.5": 1024.5,
    "1,000,000": 1e6,
    "1.000.000": 1e6,
    "1.024": 1.024,
    "0,125": 0.125,
    "12,3456": 12.3456,
    "-0": 0,
}
AMBIGUOUS = {  # with decimals, and in groups
    "1,024": (1.024, 1024),
    "\u22121,024": (-1.024, -1024),
    "1,024/2": (0.512, 512),
    "102,400%": (1.024, 1024),
}
INFINITE = ["1/0", "0/0", "1e999", "\u221e", "-Infinity"]
NONE = ["abc", "1,2,3", "1 5", "1.2.3", "1/2/3", "NaN", "0x10", "1,23,456", "5 5%"]
NONE += ["1,024.5.6", "%", "/", "1/", "--1", "1,5.5", "0,024,5", "<b>1</b>"]
REFUSED = dict.fromkeys(AMBIGUOUS, "may be") | dict.fromkeys(INFINITE, "finite")
REFUSED |= dict.fromkeys(NONE, "is not a number") | {"": "empty", " ": "empty"}
TEXTS = ["0,5", "1/4", "12,5 %", "\u22120.25", "1,024.5", "1e3", *AMBIGUOUS]
TEXTS += ["1/0", "abc", "1,2,3", ""]  # `test_modules.py` reads all texts
ADDRESS = "http://numbers.test/"

# Type each text into a field, and give what is seen: whether it is refused, in which
# words, and which number stands there once the field is left and entered again.
TYPE = """(field, texts) => texts.map((text) => {
  const card = field.closest(".abh-card");
  const send = (kind) => field.dispatchEvent(new Event(kind, { bubbles: true }));
  field.focus();
  field.value = text;
  send("input");
  field.form?.requestSubmit();
  const refused = field.getAttribute("aria-invalid") === "true";
  const places = [field.parentNode, card.querySelector(".abh-ma-panel .abh-ma-told"),
                  card.querySelector(".abh-reading")];
  const words = places.map((place) => place?.innerText ?? "").join(" ");
  send("change");
  field.blur();
  field.focus();
  const rows = [...card.querySelectorAll("td.abh-quantity + td")];
  return { refused, words, left: field.value, rows: rows.map((td) => td.innerText) };
})"""
FIELDS = ".abh-card input:is([type=text], [type=search]):not(.abh-ma-size)"


def has_text_field(cls) -> bool:
    """Whether a card's view, or what it imports for it, builds a field of text."""
    names = {source.name for source in sources(cls._esm.entry)} - {"card/controls.js"}
    texts = [(HERE / name).read_text("utf-8") for name in names]
    return any(re.search(r'type: "(text|search)"|\bslider\(', text) for text in texts)


CARDS = [cls for cls in cards() if has_text_field(cls)]


def ledger():
    """A row for each number of the table, as the notes would print it."""
    some = next(row for row in rows() if row.verdict != "label")
    texts = {f"{value:.10f}".rstrip("0").rstrip(".") for value in READ.values()}
    plain = {"quantity": "x", "line": 1, "note": "handwritten-notes.md"}
    return [some._replace(printed=text, **plain) for text in sorted(texts)]


def views(cls):
    """What to show of a card: itself, or what it needs to be told."""
    if cls is Exercise:
        values = sorted(set(READ.values()))
        return [Exercise(f"is {x}", f"{x}?", truth=x, digits=4) for x in values]
    return [LedgerTable(ledger(), verdict=0) if cls is LedgerTable else cls()]


@pytest.fixture
def show(watch):
    """Show cards on a page of their own."""

    def shown(widgets):
        page = watch().page
        body = page_of(widgets)
        answer = {"body": body, "content_type": "text/html"}
        page.route(f"{ADDRESS}**", lambda route: route.fulfill(**answer))
        page.goto(ADDRESS)
        page.wait_for_selector(".abh-card")
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = 1)")
        return page

    return shown


def typed(field, texts):
    """What is seen of each text that is typed into a field, by text."""
    return dict(zip(texts, displayed.ask(field, TYPE, texts), strict=True))


def left(found):
    return float(found["left"].replace("\u2212", "-"))


def says_why(text, found):
    return REFUSED[text] in found["words"] and (
        text in found["words"] or not text.strip()
    )


def slider_reads(field, seen):
    whole = field.get_attribute("inputmode") == "numeric"
    ends = field.get_attribute("aria-label").split(": ")[1].split(" to ")
    in_groups = {text: grouped for text, (_, grouped) in AMBIGUOUS.items()}
    for text, found in seen.items():
        value = (READ | (in_groups if whole else {})).get(text, float("nan"))
        if float(ends[0]) <= value <= float(ends[1]) and not (whole and value % 1):
            assert not found["refused"], text
            assert left(found) == value, text
        elif not whole and REFUSED.get(text) == "may be":
            assert found["refused"], text
            assert says_why(text, found), text
        else:
            assert found["refused"], text
            assert f"number from {ends[0]} to {ends[1]}" in found["words"], text


def answer_reads(field, seen):
    card = field.locator("xpath=ancestor::*[contains(@class, 'abh-card')]")
    truth = float(card.get_attribute("aria-label").split()[1].strip("?"))
    for text, found in seen.items():
        known = READ | (AMBIGUOUS if truth else {})  # nothing is near to 0 in ratio
        assert found["refused"] == (text not in known), text
        if text in READ:
            assert ("Right:" in found["words"]) == (READ[text] == truth), text
        elif text in known:  # right, if one of the two readings is
            assert ("Right:" in found["words"]) == (truth in AMBIGUOUS[text]), text
        else:
            assert says_why(text, found), text


def search_reads(_, seen):
    printed = [row.printed for row in ledger()]
    for text, found in seen.items():
        if text in READ:
            plain = next(p for p in printed if float(p) == READ[text])
            parts = [] if "/" in text or "\u2044" in text else [plain, text.strip()]
            written = [p for p in printed if p == plain or any(x in p for x in parts)]
            assert sorted(found["rows"]) == written, text
        elif REFUSED[text] == "may be":
            assert says_why(text, found), text
        else:  # a search takes what is no number as words
            assert "may be" not in found["words"], text


KINDS = {
    ".abh-typed > input": slider_reads,
    ".abh-answer": answer_reads,
    "[type=search]": search_reads,
}
# The kind of each field that is seen: "" takes words, "-" is not asked. The fields of a
# matrix are made by the same hand, so that one speaks for all.
KIND = """(fields, kinds) => fields.map((field, i) => {
  const isSeen = field.checkVisibility({ visibilityProperty: true });
  const kind = kinds.find((kind) => field.matches(kind)) ?? "";
  return isSeen && !(kind.startsWith("td") && i) ? kind : "-";
})"""


@pytest.mark.parametrize("cls", ends_and_weekly(CARDS), ids=lambda cls: cls.__name__)
def test_every_field_reads_every_text_alike(show, cls):
    fields = show(views(cls)).locator(FIELDS)
    asked = list(enumerate(fields.evaluate_all(KIND, list(KINDS))))
    words = [fields.nth(i) for i, kind in asked if kind == ""]
    numbers = [(KINDS[kind], fields.nth(i)) for i, kind in asked if kind in KINDS]
    assert words or numbers
    for field in words:
        assert "number" not in typed(field, ["abc"])["abc"]["words"]
    for reads, field in numbers:
        reads(field, typed(field, TEXTS))
