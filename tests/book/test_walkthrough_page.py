"""Chapter 5 as it is built keeps within its limits: words and decimals."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

PAGE = (
    Path(__file__).resolve().parents[2]
    / "_build/html/chapters/05-walkthrough-apple.html"
)
EMPTY = {"br", "hr", "img", "input", "col", "meta", "link", "wbr"}
NOT_SHOWN = {"script", "style", "noscript"}
FOLDED = {"details"}
NOT_PROSE = {"svg", "pre", "button", "math"}
WIDGET = "widget"  # what stands in a widget's place for a reader without scripts


class Shown(HTMLParser):
    """Collects what an article shows, each piece with the elements around it."""

    def __init__(self):
        super().__init__()
        self.pieces: list[tuple[set[str], str]] = []
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag, attrs):
        if tag not in EMPTY:
            self._open.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag, attrs):
        pass  # an element of a drawing, without text

    def handle_endtag(self, tag):
        while self._open and tag not in EMPTY and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tags = {tag for tag, _ in self._open}
        names = {name for _, listed in self._open for name in listed.split()}
        if "article" in tags and not tags & NOT_SHOWN and not names & {WIDGET, "lost"}:
            self.pieces.append((tags | names & {"math"}, data))


def shown(html: str, without: set[str] = frozenset()) -> str:
    """Text that a page shows, without what stands in some elements."""
    parser = Shown()
    parser.feed(html)
    return " ".join(data for tags, data in parser.pieces if not tags & without)


def words(html: str) -> list[str]:
    """Words of the prose and of the tables that no fold hides."""
    text = shown(html, without=FOLDED | NOT_PROSE)
    return re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*", text)


def decimals(html: str) -> list[str]:
    """Decimals of everything that the page shows, folded or not, drawings included."""
    return re.findall(r"\d+\.\d+", shown(html))


@pytest.fixture(scope="module")
def html():
    return PAGE.read_text(encoding="utf-8")


def test_it_has_at_most_2200_words_outside_folds(html):
    assert 1_000 < len(words(html)) <= 2_200


def test_it_shows_at_most_500_decimals_and_folds_none_away(html):
    assert 300 < len(decimals(html)) <= 500


def test_what_is_counted():
    page = (
        "<p>0.1</p><article><p>Two words, <em>no</em> more: 0.2.</p>"
        '<div class="math">0.3 cos</div>'
        '<svg><text>0.4 drawn</text><path d="1.5"/></svg>'
        "<pre>0.5 code</pre><table><tr><td>0.6 cell</td></tr></table>"
        "<details><p>0.7 hidden</p></details><script>0.8</script>"
        '<div class="widget big"><p>0.9 and so on</p></div></article>'
    )
    assert words(page) == ["Two", "words", "no", "more", "cell"]
    assert decimals(page) == ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]
