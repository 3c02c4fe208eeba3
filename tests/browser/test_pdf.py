"""The course as one PDF file, which ``make pdf`` prints."""

import pytest

pypdf = pytest.importorskip("pypdf", reason="`make pdf` installs pypdf")

from sphinx_external_toc.parsing import parse_toc_yaml  # noqa: E402

from book import pdf  # noqa: E402
from book.build import ROOT  # noqa: E402

FOOT, HEAD = 18 / 297, 15 / 297
EMPTY = 0.4
"""Largest empty share of a page: a third, and some room for other fonts."""


@pytest.fixture(scope="module")
def course(browser):
    names = parse_toc_yaml(ROOT / "_toc.yml")
    return pdf.printed(browser.new_page(reduced_motion="reduce"), names)


def starts_of(document):
    """Return the number of the first page of each part, by the title of the part."""
    return {
        item["/Title"]: document.get_destination_page_number(item)
        for item in document.outline
    }


def empty_at_the_end(page):
    """Return the share of the text area that is empty below the lowest text."""
    heights = []

    def visit(text, at, within, *_):
        if text.strip():
            heights.append(within[4] * at[1] + within[5] * at[3] + at[5])

    page.extract_text(visitor_text=visit)
    shares = [y / float(page.mediabox.height) for y in heights]
    return (min(y for y in shares if y > FOOT) - FOOT) / (1 - FOOT - HEAD)


@pytest.mark.weekly
def test_each_page_of_the_file_has_text_and_each_title_is_in_the_outline(course):
    texts = [page.extract_text() for page in course.pages]
    for title, start in starts_of(course).items():
        assert title.partition(" · ")[0] in " ".join(texts[start].split())
    assert all(len(text.split()) > 15 for text in texts)
    assert "Claims and results" in "".join(texts)


@pytest.mark.weekly
def test_only_the_last_page_of_a_chapter_has_much_empty_room(course):
    ends = {start - 1 for start in starts_of(course).values()} | {len(course.pages) - 1}
    empty = {
        number: share
        for number, page in enumerate(course.pages)
        if number not in ends and (share := empty_at_the_end(page)) > EMPTY
    }
    assert empty == {}
