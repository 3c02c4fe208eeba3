"""The course on paper, in one file: ``make pdf``."""

import pytest

pypdf = pytest.importorskip("pypdf", reason="`make pdf` installs pypdf")

from book import pdf  # noqa: E402

NAMES = ("chapters/02b-why-sqrt-dk", "chapters/09-a-real-model", "about")


@pytest.mark.weekly
def test_each_page_of_the_file_has_text_and_each_title_is_in_the_outline(browser):
    document = pdf.printed(browser.new_page(reduced_motion="reduce"), NAMES)
    texts = [page.extract_text() for page in document.pages]
    titles = [item["/Title"] for item in document.outline]
    starts = [document.get_destination_page_number(item) for item in document.outline]
    assert len(titles) == len(NAMES)
    for title, start in zip(titles, starts, strict=True):
        assert title.partition(" · ")[0] in " ".join(texts[start].split())
    assert all(len(text.split()) > 25 for text in texts)
    assert "Claims and results" in "".join(texts)
