"""Every sentence of a page that claims *usually* or *measured* is in the register."""

import re
from functools import cache
from pathlib import Path

import pytest
from built import PAGES as NAMES
from built import SITE, page
from lxml import html
from lxml.html import HtmlElement
from states import models

from course.claims import flagged, register, settings

PAGES = {Path(name).stem: name for name in NAMES}

# Pages that report no results, or only those of the register.
NO_CLAIMS = {"index", "search", "library-reference", "what-is-measured"}
ROWS = register()
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

UNREAD = {"script", "style", "svg", "pre", "summary", "button"}
BLOCKS = {"p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "div", "section"}
SAYS = {"question", "questions", "prompt", "choices", "text", "why"}

Paragraph = tuple[tuple[str, ...], str]  # ids of its sections, and its text


def paragraphs_of(article: HtmlElement) -> list[Paragraph]:
    """Return the paragraphs of an article, each with the ids of its sections."""
    found: list[Paragraph] = []
    texts: list[str] = []

    def close(sections: tuple[str, ...]) -> None:
        if text := " ".join("".join(texts).split()):
            found.append((sections, text))
        texts.clear()

    def read(node: HtmlElement, sections: tuple[str, ...]) -> None:
        inside = (*sections, node.get("id", "")) if node.tag == "section" else sections
        if node.tag in BLOCKS:
            close(sections)
        texts.append(node.text or "")
        for child in node:
            if isinstance(child.tag, str) and child.tag not in UNREAD:
                read(child, inside)
            texts.append(child.tail or "")
        if node.tag in BLOCKS:
            close(inside)

    read(article, ())
    close(())
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


@cache
def prose(stem: str) -> list[Paragraph]:
    [article] = page(PAGES[stem]).xpath("//article") or [html.Element("article")]
    return paragraphs_of(article)


def paragraphs(stem: str) -> list[Paragraph]:
    asked = [text for state in models(SITE / PAGES[stem]) for text in said_by(state)]
    return [*prose(stem), *(((), text) for text in asked)]


def numbers(text):
    """Return every number in a text, in digits or in words."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("\N{MINUS SIGN}", "-")
    found = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", plain)}
    return found | {WORDS.index(w) for w in re.findall("[a-z]+", text) if w in WORDS}


@pytest.mark.parametrize("stem", sorted(PAGES.keys() - NO_CLAIMS))
def test_each_sentence_that_needs_a_row_has_a_row(stem):
    words = [row.words for row in ROWS if row.page == stem]
    owing = [s for _, text in paragraphs(stem) for s in flagged(text)]
    assert [s for s in owing if not any(w in s for w in words)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.words[:30]}")
def test_the_section_of_each_row_has_its_words_and_sizes(row):
    under = [text for at, text in prose(row.page) if row.anchor in at]
    assert any(row.words in text for text in under), "no such words in that section"
    if row.measured:
        said = numbers(" ".join(under))
        swept = {v for s in settings(row.sizes) for v in s.values()}
        values = {float(v) for v in swept if not isinstance(v, str)}
        assert values | {row.count} <= said
        for word in swept - values:
            assert str(word) in " ".join(under)
