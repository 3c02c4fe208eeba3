"""Pages correct a printed figure by its recomputed value, and on one page only."""

import re
from collections import Counter

import pytest
from built import PAGES, page
from lxml.html import HtmlElement

from course.kit.prose import MINUS
from course.ledger import rows
from course.ledger.verdicts import is_rounded

ARROW = re.compile(r"(\d+\.\d+) → (\d+\.\d+)")  # not shapes: 3 → 4
FAULTY = ("inherited", "last digit", "wrong", "copy-miscopied", "copy-faithful")
READ = "//text()[not(ancestor::script or ancestor::style or ancestor::svg)]"


def arrows(element: HtmlElement) -> list[tuple[str, str]]:
    """Return each printed figure with the figure after its arrow."""
    return ARROW.findall("".join(element.xpath(READ)))


@pytest.mark.parametrize("name", PAGES)
def test_a_correction_is_the_recomputed_value(name):
    ledger = [r for r in rows() if r.verdict in FAULTY and r.source is not None]
    for printed, given in arrows(page(name)):
        values = [row.source for row in ledger if row.printed == printed]
        corrected = given.replace(MINUS, "-")
        assert any(is_rounded(corrected, value) for value in values), (printed, given)


def test_no_printed_figure_is_corrected_on_two_pages():
    by_page = [{printed for printed, _ in arrows(page(name))} for name in PAGES]
    times = Counter(figure for figures in by_page for figure in figures)
    assert [figure for figure, count in times.items() if count > 1] == []
