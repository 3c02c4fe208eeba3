"""What the built pages claim to be usual or measured stands in the register."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from course.claims import flagged, register, settings

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = {path.stem: path for path in SITE.rglob("*.html")}
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"

# Pages that report no results, or only those of the register.
NO_TEXT = {"index", "search", "library-reference", "what-is-measured"}
ROWS = register()
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

UNREAD = {"script", "style", "svg", "pre", "summary", "button"}
BLOCKS = {"p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "div", "section"}
EMPTY = {"br", "hr", "img", "input", "col", "meta", "link"}
SAYS = {"question", "questions", "prompt", "choices", "text", "why"}


class Prose(HTMLParser):
    """Collects the paragraphs of a page, each with the headings it stands under."""

    def __init__(self):
        super().__init__()
        self.paragraphs: list[tuple[tuple[str, ...], str]] = []
        self.widgets: dict = {}
        self._open: list[tuple[str, str]] = []
        self._text = ""
        self._state = ""

    def _close_paragraph(self):
        if self._text.strip():
            anchors = tuple(name for tag, name in self._open if tag == "section")
            self.paragraphs.append((anchors, " ".join(self._text.split())))
        self._text = ""

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in EMPTY:
            return
        if tag in BLOCKS:
            self._close_paragraph()
        name = attributes.get("type" if tag == "script" else "id") or ""
        self._open.append((tag, name))

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self._close_paragraph()
        while self._open and tag not in EMPTY and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tags = [tag for tag, _ in self._open]
        if self._open[-1:] == [("script", WIDGET_STATE)]:
            self.widgets |= json.loads(data)["state"]
        elif "article" in tags and not UNREAD.intersection(tags):
            self._text += data


def said_by(state) -> list[str]:
    """Texts of a widget's questions."""
    if isinstance(state, str):
        return [state]
    if isinstance(state, list):
        return [text for item in state for text in said_by(item)]
    if isinstance(state, dict):
        return [text for key in SAYS & state.keys() for text in said_by(state[key])]
    return []


@cache
def prose(stem):
    page = Prose()
    page.feed(PAGES[stem].read_text(encoding="utf-8"))
    return page


def paragraphs(stem):
    page = prose(stem)
    asked = [text for m in page.widgets.values() for text in said_by(m["state"])]
    return [*page.paragraphs, *(((), text) for text in asked)]


def numbers(text):
    """Every number that a text names, in figures or in words."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("\N{MINUS SIGN}", "-")
    figures = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", plain)}
    return figures | {WORDS.index(w) for w in re.findall("[a-z]+", text) if w in WORDS}


@pytest.mark.parametrize("stem", sorted(PAGES.keys() - NO_TEXT))
def test_each_sentence_that_owes_a_row_has_one(stem):
    words = [row.words for row in ROWS if row.page == stem]
    owing = [s for _, text in paragraphs(stem) for s in flagged(text)]
    assert [s for s in owing if not any(w in s for w in words)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.words[:30]}")
def test_each_row_is_on_its_page_and_names_its_sizes_there(row):
    under = [text for at, text in prose(row.page).paragraphs if row.anchor in at]
    assert any(row.words in text for text in under), "no such words in that section"
    if row.measured:
        said = numbers(" ".join(under))
        swept = {v for s in settings(row.sizes) for v in s.values()}
        figures = {float(v) for v in swept if not isinstance(v, str)}
        assert figures | {row.count} <= said
        for word in swept - figures:
            assert str(word) in " ".join(under)


def test_sentences_are_found_wherever_they_stand():
    page = Prose()
    page.feed(
        "<article><section id='a'><h2>Most <em>rows</em></h2><p>Often so.<br>Fine.</p>"
        "<pre>most</pre><svg><text>usually</text></svg><section id='b'><ul><li>It "
        "tends to.</li></ul></section></section></article><p>Most.</p>"
    )
    found = [(at, s) for at, text in page.paragraphs for s in flagged(text)]
    assert [at for at, _ in found] == [("a",), ("a",), ("a", "b")]
    assert found[0][1] == "Most rows"


def test_a_question_is_read_with_its_choices():
    choice = {"text": "Often", "right": True, "why": "Usually."}
    question = {"prompt": "Most?", "choices": [choice]}
    assert sorted(said_by({"questions": [question], "_esm": "usually"})) == [
        "Most?",
        "Often",
        "Usually.",
    ]


def test_numbers_are_read_in_figures_and_words():
    assert numbers("m = 1,024 keys, three seeds, −0.5") == {1024.0, 3, -0.5}
