"""Each printed figure of the notes has one correction, wherever a page gives one."""

import re
from collections.abc import Iterator

import pytest
from built import PAGES, page, with_class
from lxml.html import HtmlElement

from course.kit.prose import MINUS
from course.ledger import rows
from course.ledger.verdicts import is_rounded

NUMBER = re.compile(rf"[-{MINUS}]?\d+(?:\.\d+)?")
ARROW = re.compile(r"(\d+\.\d+) → (\d+\.\d+)")  # no shape is a decimal
FAULTY = ("inherited", "last digit", "wrong", "copy-miscopied", "copy-faithful")
READ = "//text()[not(ancestor::script or ancestor::style or ancestor::svg)]"
BEFORE = "preceding::text()[not(ancestor::script or ancestor::style or ancestor::svg)]"
NOTE = f"//span[{with_class('margin-note')}]"


def notes(element: HtmlElement) -> Iterator[tuple[str, str, str]]:
    """Each margin note: the text before it, the line that it names, and itself."""
    for note in element.xpath(NOTE):
        [line] = re.findall(r"row=([\w-]+:\d+)", " ".join(note.xpath(".//a/@href")))
        yield "".join(note.xpath(BEFORE)[-40:]), line, note.text_content()


def faults(note: str, printed: str) -> list:
    """Rows of a line, ``name:number``, that print a figure that is not right."""
    name, _, line = note.partition(":")
    found = [r for r in rows(name, int(line)) if r.printed == printed]
    return [r for r in found if r.verdict in FAULTY and r.source is not None]


def corrects(given: str, row) -> bool:
    """Whether a figure is the row's one corrected value, from the stated inputs."""
    return is_rounded(given.replace(MINUS, "-"), row.source)


def wrong_notes(element: HtmlElement) -> list[str]:
    """Margin notes behind another figure than the one corrected value."""
    wrong = []
    for before, line, note in notes(element):
        printed = NUMBER.findall(note)[-1]
        alike = [
            n for n in NUMBER.findall(before[-40:]) if ("." in n) == ("." in printed)
        ]
        given = alike[-1] if alike else ""
        known = faults(line, printed)
        if not known or (given and not any(corrects(given, row) for row in known)):
            wrong.append(f"{given or 'no figure'} before{note}, {line}")
    return wrong


def arrows(element: HtmlElement) -> list[tuple[str, str]]:
    """Each figure with the one that an arrow leads to."""
    return ARROW.findall("".join(element.xpath(READ)))


def wrong_arrows(element: HtmlElement) -> list[str]:
    """Cells "printed → computed" whose second figure is no corrected value."""
    ledger = [r for r in rows() if r.verdict in FAULTY and r.source is not None]
    return [
        f"{printed} → {given}"
        for printed, given in arrows(element)
        if not any(corrects(given, r) for r in ledger if r.printed == printed)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_margin_note_stands_behind_the_one_corrected_value(name):
    assert wrong_notes(page(name)) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_correction_in_a_table_is_the_one_corrected_value(name):
    assert wrong_arrows(page(name)) == []


@pytest.mark.parametrize("name", PAGES)
def test_the_first_margin_note_of_a_page_says_what_it_is(name):
    told = ["slip in the notes, see errata" in text for *_, text in notes(page(name))]
    assert told == [i == 0 for i in range(len(told))]


def test_no_printed_figure_is_audited_on_two_pages():
    audited: dict[str, set[str]] = {}
    for name in PAGES:
        for printed, _ in arrows(page(name)):
            audited.setdefault(printed, set()).add(name)
    assert {figure: on for figure, on in audited.items() if len(on) > 1} == {}
