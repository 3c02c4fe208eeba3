"""The course as one PDF file, which ``make pdf`` prints."""

import pytest

pypdf = pytest.importorskip("pypdf", reason="`make pdf` installs pypdf")

from built import page as built_page  # noqa: E402
from sphinx_external_toc.parsing import parse_toc_yaml  # noqa: E402

from book import pdf  # noqa: E402
from book.build import ROOT  # noqa: E402

NAMES = list(parse_toc_yaml(ROOT / "_toc.yml"))


@pytest.fixture(scope="module")
def course(browser):
    return pdf.printed(browser.new_page(reduced_motion="reduce"), NAMES)


@pytest.mark.weekly
def test_a_page_of_the_file_has_no_text_or_a_title_is_not_in_the_outline(course):
    titles = [built_page(f"{name}.html").findtext(".//title") for name in NAMES]
    parts = [title.removesuffix(" · Attention by Hand") for title in titles]
    assert [item["/Title"] for item in course.outline] == parts
    texts = [page.extract_text() for page in course.pages]
    for item in course.outline:
        start = texts[course.get_destination_page_number(item)]
        assert item["/Title"].partition(" · ")[0] in " ".join(start.split())
    assert all(len(text.split()) > 15 for text in texts)
    assert "Claims and results" in "".join(texts)
