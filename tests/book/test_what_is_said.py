"""What code writes into the pages, as it was last read by a person.

Sentences and tables that cells write, with their numbers and where their links lead;
the right choice of each question; the number of each exercise and of each slip that it
names. No formula tells a share from its complement or a slip from another one's name,
so what a page says is on record in ``said/``. A new page's record is written when it is
first looked at. Where a change is meant, delete the record, run this file, and read
what it changed before you commit it.
"""

import itertools
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from records import on_record
from states import models, questions

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
RECORDS = Path(__file__).with_name("said")
OF_CODE = {"what-is-measured"}  # pages that code writes as a whole

EMPTY = {"br", "hr", "img", "input", "col", "meta", "link"}
UNREAD = {"svg", "script", "style", "pre", "button", "summary"}
LINES = {"p", "li", "tr", "h1", "h2", "h3", "h4", "dt", "dd", "caption"}
CELLS = {"td", "th"}


class Said(HTMLParser):
    """Collects the lines that cells wrote."""

    def __init__(self, of_code: bool):
        super().__init__()
        self.lines: list[str] = []
        self._written = "main" if of_code else "cell_output"
        self._open: list[tuple[str, bool, bool]] = []
        self._link = ""

    def handle_starttag(self, tag, attrs):
        if tag in EMPTY:
            return
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        _, within, unread = self._open[-1] if self._open else ("", False, False)
        within = within or self._written in (tag, *classes)
        formula = attributes.get("data-tex")
        if formula:
            self._write(rf"\({formula}\)")
        unread = unread or tag in UNREAD or "widget" in classes or formula is not None
        self._open.append((tag, within, unread))
        self._break(tag)
        if tag == "a":
            self._link = attributes.get("href") or ""

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "a" and self._link:
            self._write(f" <{self._link}>")
        elif tag in CELLS:
            self._write(" | ")
        self._break(tag)

    def _break(self, tag):
        """Begin a line, but not within a row of a table."""
        if tag in LINES and not any(name in CELLS for name, *_ in self._open):
            self.lines.append("")

    def handle_data(self, data):
        self._write(data)

    def _write(self, text):
        _, within, unread = self._open[-1] if self._open else ("", False, False)
        if within and not unread:
            self.lines[-1:] = ["".join([*self.lines[-1:], text])]


def asked(state: dict) -> Iterator[str]:
    """A widget's questions with their keys, and its exercise with its slips."""
    for question in questions(state):
        yield f"? {question['prompt']}"
        for choice in question["choices"]:
            yield f"{'right' if choice['right'] else 'wrong'}: {choice['text']}"
    if "truth" in state:
        yield f"? {state['prompt']}"
        yield f"right: {state['truth']:.6g}"
        yield from (f"{slip['value']:.6g}: {slip['why']}" for slip in state["slips"])


def said(path: Path) -> list[str]:
    """What code says on a page, line by line."""
    reader = Said(path.stem in OF_CODE)
    reader.feed(path.read_text(encoding="utf-8"))
    lines = [" ".join(line.split()) for line in reader.lines]
    asks = sorted((list(asked(state)) for state in models(path)), key=str)
    return [line for line in [*lines, *itertools.chain(*asks)] if line]


NUMBER = re.compile(r"\d+(?:[.,]\d+)*%?")
# What a training or a rounding error decides is another number on another processor.
OF_THE_PROCESSOR = (
    "In a notebook the picture grows while the cell runs.",
    "Orders of magnitude between the loss at the end",
    "How far 8 words lie from their mean",
)


def agree(line: str, recorded: str) -> bool:
    """Whether words are the same, and numbers to a unit of the last digit.

    Another processor adds in another order, and what lies half-way between two
    roundings may come out as the other one.
    """
    if NUMBER.split(line) != NUMBER.split(recorded):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(recorded), strict=True)
    return line.startswith(OF_THE_PROCESSOR) or all(near(*pair) for pair in pairs)


def near(text: str, recorded: str) -> bool:
    """Whether two numbers are the same, or rounded ones a unit apart."""
    if not set(".%") & set(text):
        return text == recorded
    digits = [int(re.sub("[.,%]", "", each)) for each in (text, recorded)]
    places = [len(each.rstrip("%").partition(".")[2]) for each in (text, recorded)]
    return places[0] == places[1] and abs(digits[0] - digits[1]) <= 1


SAID = {
    path.relative_to(SITE).as_posix(): lines
    for path in sorted(SITE.rglob("*.html"))
    if (lines := said(path))
}


def test_pages_are_found():
    assert {"chapters/02-why-sqrt-dk.html", "what-is-measured.html"} <= set(SAID)
    recorded = {path.stem for path in RECORDS.glob("*.txt")}
    assert recorded <= {Path(name).stem for name in SAID}


@pytest.mark.parametrize("name", SAID)
def test_what_code_says_is_on_record(name):
    lines = SAID[name]
    recorded = on_record(RECORDS / f"{Path(name).stem}.txt", lines)
    assert len(lines) == len(recorded), set(lines) ^ set(recorded)
    pairs = zip(lines, recorded, strict=True)
    assert [pair for pair in pairs if not agree(*pair)] == []
