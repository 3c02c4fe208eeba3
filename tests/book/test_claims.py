"""Each sentence that claims *usually* or *measured* is in the register of claims."""

import re
from pathlib import Path

import pytest
from built import PAGES as NAMES
from built import SITE, page
from states import models

from course.claims import flagged, register, settings

PAGES = {Path(name).stem: name for name in NAMES}

# Pages that report no results, or only those of the register.
NO_CLAIMS = {"index", "search", "library-reference", "what-is-measured"}
ROWS = register()
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PARAGRAPHS = (
    "//*[self::p or self::li or self::td or self::th or self::dt or self::dd]"
    "[not(.//p)][not(ancestor-or-self::pre)]"
)
SAYS = {"question", "questions", "prompt", "choices", "text", "why"}


def paragraphs(stem: str, place: str) -> list[str]:
    """Return the paragraphs of a place of a page."""
    found = page(PAGES[stem]).xpath(place + PARAGRAPHS)
    return [" ".join(each.text_content().split()) for each in found]


def said_by(state) -> list[str]:
    """Return the texts of a widget's questions."""
    if isinstance(state, str):
        return [state]
    if isinstance(state, list):
        return [text for item in state for text in said_by(item)]
    if isinstance(state, dict):
        return [text for key in SAYS & state.keys() for text in said_by(state[key])]
    return []


def numbers(text):
    """Return every number in a text, in digits or in words."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("\N{MINUS SIGN}", "-")
    found = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", plain)}
    return found | {WORDS.index(w) for w in re.findall("[a-z]+", text) if w in WORDS}


@pytest.mark.parametrize("stem", sorted(PAGES.keys() - NO_CLAIMS))
def test_a_claim_of_a_page_is_not_in_the_register(stem):
    words = [row.words for row in ROWS if row.page == stem]
    asked = [text for state in models(SITE / PAGES[stem]) for text in said_by(state)]
    said = [*paragraphs(stem, "//article"), *asked]
    claims = [sentence for text in said for sentence in flagged(text)]
    assert [s for s in claims if not any(w in s for w in words)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.words[:30]}")
def test_the_section_of_a_row_lacks_its_words_or_sizes(row):
    under = paragraphs(row.page, f"//section[@id='{row.anchor}']")
    assert any(row.words in text for text in under), "no such words in that section"
    if row.measured:
        said = numbers(" ".join(under))
        sizes = {v for s in settings(row.sizes) for v in s.values()}
        values = {float(v) for v in sizes if not isinstance(v, str)}
        assert values | {row.count} <= said
        for word in sizes - values:
            assert str(word) in " ".join(under)
