"""Each sentence that claims *usually* or *measured* is in the register of claims."""

import re
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from built import PAGES as NAMES
from built import SITE, page
from lxml.html import HtmlElement
from states import models

from course.claims import flagged, register, settings

PAGES = {Path(name).stem: name for name in NAMES}

# Pages that report no results, or only those of the register.
NO_CLAIMS = {"index", "search", "library-reference", "what-is-measured"}
ROWS = register()
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

READ = (
    "//article//text()[not(ancestor::script or ancestor::style or ancestor::svg"
    " or ancestor::pre or ancestor::summary or ancestor::button)]"
)
BLOCKS = {
    *("article", "section", "div", "p", "li", "td", "th", "dt", "dd"),
    *("h1", "h2", "h3", "h4"),
}
SAYS = {"question", "questions", "prompt", "choices", "text", "why"}

Paragraph = tuple[list[str], str]  # ids of its sections, and its text


def block_of(text) -> HtmlElement:
    """Return the paragraph, cell, heading or section around a text of a page."""
    element = text.getparent()
    around = [*([] if text.is_tail else [element]), *element.iterancestors()]
    return next(each for each in around if each.tag in BLOCKS)


@cache
def prose(stem: str) -> list[Paragraph]:
    """Return the paragraphs of a page."""
    found = []
    for block, parts in groupby(page(PAGES[stem]).xpath(READ), key=block_of):
        if text := " ".join("".join(parts).split()):
            found.append((block.xpath("ancestor-or-self::section/@id"), text))
    return found


def said_by(state) -> list[str]:
    """Return the texts of a widget's questions."""
    if isinstance(state, str):
        return [state]
    if isinstance(state, list):
        return [text for item in state for text in said_by(item)]
    if isinstance(state, dict):
        return [text for key in SAYS & state.keys() for text in said_by(state[key])]
    return []


def paragraphs(stem: str) -> list[Paragraph]:
    """Return the paragraphs of a page and the texts of its questions."""
    asked = [text for state in models(SITE / PAGES[stem]) for text in said_by(state)]
    return [*prose(stem), *(([], text) for text in asked)]


def numbers(text):
    """Return every number in a text, in digits or in words."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("\N{MINUS SIGN}", "-")
    found = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", plain)}
    return found | {WORDS.index(w) for w in re.findall("[a-z]+", text) if w in WORDS}


@pytest.mark.parametrize("stem", sorted(PAGES.keys() - NO_CLAIMS))
def test_a_claim_of_a_page_is_not_in_the_register(stem):
    words = [row.words for row in ROWS if row.page == stem]
    claims = [s for _, text in paragraphs(stem) for s in flagged(text)]
    assert [s for s in claims if not any(w in s for w in words)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.words[:30]}")
def test_the_section_of_a_row_lacks_its_words_or_sizes(row):
    under = [text for at, text in prose(row.page) if row.anchor in at]
    assert any(row.words in text for text in under), "no such words in that section"
    if row.measured:
        said = numbers(" ".join(under))
        sizes = {v for s in settings(row.sizes) for v in s.values()}
        values = {float(v) for v in sizes if not isinstance(v, str)}
        assert values | {row.count} <= said
        for word in sizes - values:
            assert str(word) in " ".join(under)
