"""The course as one PDF file, which ``make pdf`` prints."""

import pytest

pypdf = pytest.importorskip("pypdf", reason="`make pdf` installs pypdf")

from built import page as built_page  # noqa: E402
from sphinx_external_toc.parsing import parse_toc_yaml  # noqa: E402

from book import pdf  # noqa: E402
from book.build import ROOT  # noqa: E402

NAMES = list(parse_toc_yaml(ROOT / "_toc.yml"))
# The margins of 18 mm and 15 mm, as shares of the height of A4.
FOOT, HEAD = 18 / 297, 15 / 297
EMPTY = 0.4
"""Largest allowed empty share of a page: a third, plus a margin for other fonts."""


@pytest.fixture(scope="module")
def course(browser):
    return pdf.printed(browser.new_page(reduced_motion="reduce"), NAMES)


def starts_of(document):
    """Return the number of the first page of each part, by the title of the part."""
    return {
        item["/Title"]: document.get_destination_page_number(item)
        for item in document.outline
    }


def empty_at_the_end(page):
    """Return the share of the text area that is empty below the lowest text."""
    heights = []

    def visit(text, page_matrix, text_matrix, *_):
        if text.strip():
            x, y = text_matrix[4:6]
            height = page_matrix[1] * x + page_matrix[3] * y + page_matrix[5]
            heights.append(height)

    page.extract_text(visitor_text=visit)
    shares = [y / float(page.mediabox.height) for y in heights]
    return (min(y for y in shares if y > FOOT) - FOOT) / (1 - FOOT - HEAD)


@pytest.mark.weekly
def test_a_page_of_the_file_has_no_text_or_a_title_is_not_in_the_outline(course):
    titles = [built_page(f"{name}.html").findtext(".//title") for name in NAMES]
    parts = [title.removesuffix(" · Attention by Hand") for title in titles]
    assert list(starts_of(course)) == parts
    texts = [page.extract_text() for page in course.pages]
    for title, start in starts_of(course).items():
        assert title.partition(" · ")[0] in " ".join(texts[start].split())
    assert all(len(text.split()) > 15 for text in texts)
    assert "Claims and results" in "".join(texts)


@pytest.mark.weekly
def test_a_page_before_the_end_of_a_chapter_has_much_empty_room(course):
    ends = {start - 1 for start in starts_of(course).values()} | {len(course.pages) - 1}
    empty = {
        number: share
        for number, page in enumerate(course.pages)
        if number not in ends and (share := empty_at_the_end(page)) > EMPTY
    }
    assert empty == {}
