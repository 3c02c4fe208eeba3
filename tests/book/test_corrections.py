"""Each printed figure of the notes has one correction, wherever a page gives one."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from course.kit.prose import MINUS
from course.ledger import rows
from course.ledger.verdicts import is_rounded

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
EMPTY = {"br", "hr", "img", "input", "col", "meta", "link", "wbr"}
NUMBER = re.compile(rf"[-{MINUS}]?\d+(?:\.\d+)?")
ARROW = re.compile(r"(\d+\.\d+) → (\d+\.\d+)")  # no shape is a decimal
FAULTY = ("inherited", "last digit", "wrong", "copy-miscopied", "copy-faithful")
PAGES = sorted(SITE.rglob("*.html"))


class Notes(HTMLParser):
    """Collects the text before each margin note, the line it names, and all cells."""

    def __init__(self):
        super().__init__()
        self.text = ""
        self.notes: list[tuple[str, str, str]] = []  # before, line, note
        self._before: str | None = None
        self._line = ""
        self._start = 0
        self._open: list[str] = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in EMPTY:
            return
        note = "margin-note" in (attributes.get("class") or "").split()
        self._open.append("note" if note else tag)
        if note:
            self._before, self._start = self.text, len(self.text)
        found = re.search(r"row=([\w-]+:\d+)", attributes.get("href") or "")
        if found and self._before is not None:
            self._line = found[1]

    def handle_endtag(self, tag):
        while self._open and tag not in EMPTY:
            closed = self._open.pop()
            if closed == "note":
                note = self.text[self._start :]
                self.notes.append((self._before, self._line, note))
                self._before = None
            if closed in ("note", tag):
                break

    def handle_data(self, data):
        if not {"script", "style", "svg"} & set(self._open):
            self.text += data


@cache
def read(html: str) -> Notes:
    notes = Notes()
    notes.feed(html)
    return notes


def faults(note: str, printed: str) -> list:
    """Rows of a line, ``name:number``, that print a figure that is not right."""
    name, _, line = note.partition(":")
    found = [r for r in rows(name, int(line)) if r.printed == printed]
    return [r for r in found if r.verdict in FAULTY and r.source is not None]


def corrects(given: str, row) -> bool:
    """Whether a figure is the row's one corrected value, from the stated inputs."""
    return is_rounded(given.replace(MINUS, "-"), row.source)


def wrong_notes(html: str) -> list[str]:
    """Margin notes behind another figure than the one corrected value."""
    wrong = []
    for before, line, note in read(html).notes:
        printed = NUMBER.findall(note)[-1]
        alike = [
            n for n in NUMBER.findall(before[-40:]) if ("." in n) == ("." in printed)
        ]
        given = alike[-1] if alike else ""
        known = faults(line, printed)
        if not known or (given and not any(corrects(given, row) for row in known)):
            wrong.append(f"{given or 'no figure'} before{note}, {line}")
    return wrong


def wrong_arrows(html: str) -> list[str]:
    """Cells "printed → computed" whose second figure is no corrected value."""
    ledger = [r for r in rows() if r.verdict in FAULTY and r.source is not None]
    return [
        f"{printed} → {given}"
        for printed, given in ARROW.findall(read(html).text)
        if not any(corrects(given, r) for r in ledger if r.printed == printed)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_margin_note_stands_behind_the_one_corrected_value(page):
    assert wrong_notes(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_correction_in_a_table_is_the_one_corrected_value(page):
    assert wrong_arrows(page.read_text(encoding="utf-8")) == []


def test_no_printed_figure_is_audited_on_two_pages():
    audited: dict[str, set[str]] = {}
    for page in PAGES:
        for printed, _ in ARROW.findall(read(page.read_text(encoding="utf-8")).text):
            audited.setdefault(printed, set()).add(page.stem)
    assert {figure: on for figure, on in audited.items() if len(on) > 1} == {}


NOTE = (
    '<p>It is {} <span class="margin-note"><span>(</span><a href="errata.html?'
    'ledgertable.row=handwritten-notes:549">printed 2.63</a><span>)</span></span>.</p>'
)


def test_a_note_on_a_figure_that_is_right_would_be_found():
    right = NOTE.replace("549", "167").replace("2.63", "0.580")
    assert len(wrong_notes(right.format("0.580"))) == 1


@pytest.mark.parametrize(
    ("given", "wrong"),
    [("3.09", 0), ("3.0853", 0), ("3.17", 1), ("wrong", 0)],
)
def test_a_second_correction_would_be_found(given, wrong):
    assert len(wrong_notes(NOTE.format(given))) == wrong
    if given[0] == "3":
        assert len(wrong_arrows(f"<td>2.63 → <b>{given}</b></td>")) == wrong
