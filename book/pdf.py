"""The whole course as one PDF: ``python -m book.pdf``, after the site was built.

Chromium prints each page with the site's own rules for paper. The parts are then put
together in the order of the contents, with an outline of the pages.
"""

import io
from collections.abc import Iterable

from playwright.sync_api import Page
from pypdf import PdfReader, PdfWriter
from sphinx_external_toc.parsing import parse_toc_yaml

from book.browser import chromium
from book.build import ROOT

SITE = ROOT / "_build" / "html"
PAPER = {
    "format": "A4",
    "margin": {"top": "15mm", "right": "15mm", "bottom": "18mm", "left": "15mm"},
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": (
        '<div style="width: 100%; text-align: center; font-size: 8px">'
        '<span class="title"></span> · <span class="pageNumber"></span></div>'
    ),
}
DRAWN = """async () => {
  while (document.querySelector(".widget > script"))
    await new Promise((done) => setTimeout(done, 20));
  await document.fonts.ready;
}"""


def printed(page: Page, names: Iterable[str]) -> PdfWriter:
    """Return pages of the site as one document, with an outline of their titles."""
    document = PdfWriter()
    for name in names:
        page.goto((SITE / f"{name}.html").as_uri())
        page.evaluate(DRAWN)
        part = PdfReader(io.BytesIO(page.pdf(**PAPER)))
        # The last page may hold the footer alone: a title, a dot and a number.
        footer = len(page.title().split()) + 2
        is_empty = len(part.pages[-1].extract_text().split()) <= footer
        document.append(
            part,
            outline_item=page.title().partition(" · ")[0],
            pages=(0, len(part.pages) - is_empty),
        )
    return document


def main() -> None:
    """Print the site into one file."""
    with chromium() as browser:
        page = browser.new_page(reduced_motion="reduce")
        course = printed(page, parse_toc_yaml(ROOT / "_toc.yml"))
    file = ROOT / "_build" / "attention-by-hand.pdf"
    course.write(file)
    print(f"{len(course.pages)} pages: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
