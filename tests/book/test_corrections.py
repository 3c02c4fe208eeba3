"""Pages correct a printed figure by its recomputed value, and on one page only."""

import re

import pytest
from built import PAGES, page
from lxml.html import HtmlElement

from course.kit.prose import MINUS
from course.ledger import rows
from course.ledger.verdicts import is_rounded

ARROW = re.compile(r"(\d+\.\d+) → (\d+\.\d+)")  # not shapes: 3 → 4
FAULTY = ("inherited", "last digit", "wrong", "copy-miscopied", "copy-faithful")
READ = "//text()[not(ancestor::script or ancestor::style or ancestor::svg)]"


def corrects(given: str, row) -> bool:
    """Whether a figure is the value that the stated inputs give for a row."""
    return is_rounded(given.replace(MINUS, "-"), row.source)


def arrows(element: HtmlElement) -> list[tuple[str, str]]:
    """Return each printed figure with the figure after its arrow."""
    return ARROW.findall("".join(element.xpath(READ)))


def wrong_arrows(element: HtmlElement) -> list[str]:
    """Return "printed → computed" where the second figure is no corrected value."""
    ledger = [r for r in rows() if r.verdict in FAULTY and r.source is not None]
    return [
        f"{printed} → {given}"
        for printed, given in arrows(element)
        if not any(corrects(given, r) for r in ledger if r.printed == printed)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_correction_is_the_recomputed_value(name):
    assert wrong_arrows(page(name)) == []


def test_no_printed_figure_is_corrected_on_two_pages():
    audited: dict[str, set[str]] = {}
    for name in PAGES:
        for printed, _ in arrows(page(name)):
            audited.setdefault(printed, set()).add(name)
    assert {figure: on for figure, on in audited.items() if len(on) > 1} == {}
